"""Judging one answer in this process: the worker calls it behind limits, the proof calls it directly."""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
from random import Random
from typing import Any

from .model import Exercise, Fault, State, Verdict

DEFAULT_SEED = "workbook"


def judge(exercise: Exercise, source: str, seed: str = DEFAULT_SEED) -> Verdict:
    """The verdict on the source of an exercise's cell; whatever the answer does wrong is told in words."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        return _verdict(exercise, "not yet", f"the cell is no Python yet, line {line}: {getattr(error, 'msg', error)}")
    if _same_code(tree, exercise.stub):
        return _verdict(exercise, "not attempted", "edit the cell above, run it, then run this one again")
    try:
        names = define(source, exercise.id)
        rows = exercise.check(names, Random(f"{seed}/{exercise.id}")) or []
    except Fault as fault:
        return _verdict(exercise, "not yet", fault.sentence())
    except Exception as error:
        return _verdict(exercise, "not yet", _raised(error, exercise.id))
    earned = sum(row.points for row in rows if row.passed) if rows else exercise.points
    state: State = "solved" if all(row.passed for row in rows) else "not yet"
    message = "" if state == "solved" else next(row.note for row in rows if not row.passed)
    return Verdict(exercise.id, state, earned, exercise.points, message, tuple(rows))


def define(source: str, name: str) -> dict[str, Any]:
    """The names that a cell's source defines, run on its own; what it prints is swallowed."""
    file = f"<exercise {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names: dict[str, Any] = {"__name__": "exercise"}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        exec(compile(source, file, "exec"), names)
    return names


def _same_code(tree: ast.Module, stub: str) -> bool:
    return ast.dump(tree) == ast.dump(ast.parse(stub))


def _verdict(exercise: Exercise, state: State, message: str) -> Verdict:
    return Verdict(exercise.id, state, 0, exercise.points, message)


def _raised(error: Exception, name: str) -> str:
    """An exception in words, with the line of the cell where there is one."""
    lines = [frame[1] for frame in _frames(error) if frame[0] == f"<exercise {name}>"]
    where = f", line {lines[-1]} of the cell" if lines else ""
    return f"your code raised {type(error).__name__}: {error}{where}"


def _frames(error: BaseException) -> list[tuple[str, int]]:
    found, step = [], error.__traceback__
    while step is not None:
        found.append((step.tb_frame.f_code.co_filename, step.tb_lineno))
        step = step.tb_next
    return found
