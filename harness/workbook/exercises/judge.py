"""Judging one answer in this process: the worker calls it behind limits, the proof calls it directly."""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import sys
from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

from .model import Exercise, Fault, Row, State, Verdict

DEFAULT_SEED = "workbook"
# Written out for the reader: what the package offers to answers is `harness` itself and its adapters.
NOT_FOR_ANSWERS = "harness.workbook"


def judge(exercise: Exercise, source: str, seed: str = DEFAULT_SEED, sheet: str | None = None) -> Verdict:
    """The verdict on the source of an exercise's cell; whatever the answer does wrong is told in words.

    `sheet` is the variant that the answer must be written for, where it names one; None takes any.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        return _verdict(exercise, "not yet", f"the cell is no Python yet, line {line}: {getattr(error, 'msg', error)}")
    if untouched(exercise, source):
        return not_attempted(exercise)
    if borrowed := sorted(set(_imports(tree)) - set(_imports(ast.parse(exercise.stub)))):
        return _verdict(exercise, "not yet", f"the answer imports {borrowed[0]}, which is part of the check: write it")
    try:
        names = define(source, exercise.id)
        if sheet is not None and names.get("SHEET", sheet) != sheet:
            raise Fault("SHEET", repr(sheet), repr(names["SHEET"]))
        rows = exercise.check(names, Random(f"{seed}/{exercise.id}")) or []
    except Fault as fault:
        return _verdict(exercise, "not yet", fault.sentence())
    except (Exception, SystemExit) as error:
        return _verdict(exercise, "not yet", _raised(error, exercise.id))
    return _counted(exercise, tuple(rows))


def untouched(exercise: Exercise, source: str) -> bool:
    """Whether a cell is still the stub, comments and spaces aside."""
    try:
        return ast.dump(ast.parse(source)) == ast.dump(ast.parse(exercise.stub))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def not_attempted(exercise: Exercise, message: str = "edit the cell above, run it, then run this one again") -> Verdict:
    """The verdict on a stub."""
    return Verdict(exercise.id, "not attempted", 0, exercise.points, message, exercise.plan)


def define(source: str, name: str) -> dict[str, Any]:
    """The names that a cell's source defines, run on its own; what it prints is swallowed."""
    file = f"<exercise {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    module = ModuleType("exercise")
    sys.modules["exercise"] = module  # where dataclasses and the like look for the names of a cell
    names = module.__dict__
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        exec(compile(source, file, "exec"), names)
    return names


def _counted(exercise: Exercise, rows: tuple[Row, ...]) -> Verdict:
    if all(row.passed for row in rows):
        return Verdict(exercise.id, "solved", exercise.points, exercise.points, "", rows)
    if all(row.state == "not attempted" for row in rows):
        return not_attempted(exercise)
    earned = round(sum(row.points for row in rows if row.passed), 6)
    first = next(row for row in rows if not row.passed)
    return Verdict(exercise.id, "not yet", earned, exercise.points, f"next: {first.name}", rows)


def _imports(tree: ast.Module) -> Iterator[str]:
    """The modules that a cell imports and that are not for answers."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name.startswith(NOT_FOR_ANSWERS))
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(NOT_FOR_ANSWERS):
            yield node.module
        elif isinstance(node, ast.ImportFrom) and node.module == "harness":
            yield from (f"harness.{name.name}" for name in node.names if name.name == "workbook")


def _verdict(exercise: Exercise, state: State, message: str) -> Verdict:
    return Verdict(exercise.id, state, 0, exercise.points, message)


def _raised(error: BaseException, name: str) -> str:
    """An exception in words, with the line of the cell where there is one."""
    lines = [frame[1] for frame in _frames(error) if frame[0] == f"<exercise {name}>"]
    where = f", line {lines[-1]} of the cell" if lines else ""
    said = f": {error}" if str(error) else ""
    return f"your code raised {type(error).__name__}{said}{where}"


def _frames(error: BaseException) -> list[tuple[str, int]]:
    found, step = [], error.__traceback__
    while step is not None:
        found.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    return found
