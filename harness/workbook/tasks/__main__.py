"""`python -m harness.workbook.tasks NAME [arguments]`: make the environment ready, then run that task in it."""

from __future__ import annotations

import sys
from typing import NamedTuple

from . import bootstrap


class Task(NamedTuple):
    """What a name runs: the command after `python -m`, the extra of pyproject.toml it needs, one line for `help`."""

    command: tuple[str, ...]
    extra: str
    summary: str


TASKS = {
    "lab": Task(("harness.workbook.tasks.lab",), "model", "install, then open JupyterLab on the first notebook"),
    "test": Task(("harness.workbook.tasks.test",), "test", "install, then run every test"),
    "check-notebooks": Task(
        ("harness.workbook.tasks.check_notebooks",),
        "check",
        "compare all notebooks with their outputs, prove exercises",
    ),
    "model": Task(("harness.workbook.local_model",), "model", "fetch the embedded model"),
    "refresh-notebooks": Task(
        ("harness.workbook.tasks.refresh_notebooks",),
        "check",
        "run all notebooks in place and normalise them",
    ),
    "lint": Task(("harness.workbook.tasks.lint",), "test", "style, types and the rules for notebooks"),
    "bench": Task(("harness.workbook.bench",), "test", "print the table of client CPU times, as ratios"),
    "browser-test": Task(("pytest", "tests/browser", "-q"), "test", "drive the notebooks in a real browser"),
    "binder-check": Task(("harness.workbook.tasks.binder_check",), "test", "what Binder would build, proven here"),
    "record": Task(("harness.workbook.record",), "model", "record runs that the notebooks replay"),
    "fuzz": Task(
        ("pytest", "tests/fuzz", "-q", "--hypothesis-profile=deep"),
        "test",
        "100,000 mutated bodies against the adapters",
    ),
    "grade": Task(("harness.workbook.grade",), "check", "mark submissions: grade FOLDER [--seed SECRET]"),
}


def usage() -> str:
    """The tasks, one a line."""
    return "\n".join(f"  {name:18} {task.summary}" for name, task in TASKS.items())


def main(arguments: list[str]) -> int:
    """Run one task; the exit code is the task's own."""
    name, *rest = arguments or ["help"]
    if name not in TASKS:
        print(f"python -m harness.workbook.tasks NAME, where NAME is one of\n{usage()}")
        return 0 if name == "help" else 2
    task = TASKS[name]
    return bootstrap.run(bootstrap.ready(task.extra), ["-m", *task.command, *rest])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
