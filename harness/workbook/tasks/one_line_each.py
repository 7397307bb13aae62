"""A pytest plugin: instead of dots, one line for each notebook as soon as its last cell was compared."""

from __future__ import annotations

from pathlib import Path

import pytest


class OneLineEach:
    """What each worker is at, and how each notebook has fared so far."""

    def __init__(self) -> None:
        self.at: dict[str, str] = {}
        self.differing: dict[str, int] = {}
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note one phase of one cell; a worker that has moved on is done with the notebook before."""
        notebook, worker = report.nodeid.split("::")[0], str(getattr(report, "worker_id", ""))
        if self.at.get(worker, notebook) != notebook:
            self.close(worker)
        self.at[worker] = notebook
        self.differing[notebook] = self.differing.get(notebook, 0) + report.failed
        self.seconds[notebook] = self.seconds.get(notebook, 0.0) + report.duration

    def close(self, worker: str) -> None:
        """Print the line of the notebook that `worker` was at."""
        notebook = self.at.pop(worker)
        count = self.differing[notebook]
        verdict = f"FAILED, cells that differ: {count}" if count else "ok"
        print(f"{Path(notebook).name:45}{self.seconds[notebook]:5.1f} s  {verdict}", flush=True)

    def pytest_sessionfinish(self) -> None:
        """Print what is still open."""
        for worker in sorted(self.at):
            self.close(worker)

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: pytest.TestReport) -> tuple[str, str, str] | None:
        """No dot or letter for a cell."""
        return (report.outcome, "", "") if report.when == "call" else None


def pytest_configure(config: pytest.Config) -> None:
    """Register in the process that hears from all workers, not in the workers."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(OneLineEach())
