"""What all tests share: nothing is left out in silence, and where all must run, nothing is left out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator

import pytest
from hypothesis import settings

REQUIRE_ALL = os.environ.get("HARNESS_REQUIRE_ALL") == "1"

# The machine is shared: how long one example takes says nothing.
settings.register_profile("harness", deadline=None)
settings.register_profile("deep", deadline=None, max_examples=100_000)
settings.load_profile("harness")


@pytest.fixture(scope="session")
def require() -> Callable[[object, str], None]:
    """`require(condition, reason)`: go on where the condition holds; else a named skip, or a failure in `.ci/run`."""

    def check(condition: object, reason: str) -> None:
        if not condition:
            pytest.skip(reason)

    return check


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Make a failure of every skip where HARNESS_REQUIRE_ALL=1."""
    report = yield
    return refuse_skip(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for a whole module that skips itself."""
    report = yield
    return refuse_skip(report)


def refuse_skip(report):
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"left out, where everything must run: {reason(report)}"
    return report


def reason(report) -> str:
    words = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return words.removeprefix("Skipped: ")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say by name what was left out, and where it is not."""
    skipped = Counter(reason(report) for report in terminalreporter.stats.get("skipped", []))
    if skipped:
        terminalreporter.section("left out on this machine (in .ci/run each of these is a failure)")
        for words, count in skipped.items():
            terminalreporter.write_line(f"{count} x {words}")
