"""What a student calls in a notebook: `check`, `hint`, `answer`, `report`."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

from ..predict import Prediction
from .cells import answers, find
from .judge import DEFAULT_SEED, define
from .model import Exercise, Verdict
from .worker import judge_apart

_tried: set[str] = set()
_hints_given: dict[str, int] = {}
_cells: list[str] = []


def check(exercise_id: str, source: str | None = None) -> Verdict:
    """The verdict on the exercise cell as it was last run in this kernel (or on the given source)."""
    exercise = _exercise(exercise_id)
    if source is None:
        source = _last_run(exercise)
    if source is None:
        words = "run the cell above first (and keep its first line)"
        return Verdict(exercise.id, "not attempted", 0, exercise.points, words)
    verdict = judge_apart(exercise, source)
    if verdict.state == "not yet":
        _tried.add(exercise.id)
    return verdict


def hint(exercise_id: str) -> Prediction:
    """The next hint, one at a time, once a check has said "not yet"."""
    exercise = _exercise(exercise_id)
    if exercise.id not in _tried:
        return Prediction(f"{len(exercise.hints)} hints wait: try first, run the check, then run this cell again")
    given = min(_hints_given.get(exercise.id, 0) + 1, len(exercise.hints))
    _hints_given[exercise.id] = given
    return Prediction(f"hint {given} of {len(exercise.hints)}: {exercise.hints[given - 1]}")


class Answer(SimpleNamespace):
    """The names that an exercise's cell defines, as attributes; `lines` counts its lines of code."""

    lines: int

    def __repr__(self) -> str:
        return f"an answer of {self.lines} lines"


def answer(exercise_id: str) -> Answer:
    """What the exercise's cell defines as it was last run in this kernel; the stub's names when it was not."""
    exercise = _exercise(exercise_id)
    source = _last_run(exercise) or exercise.cell()
    code = [line for line in source.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    names = {name: value for name, value in define(source, exercise.id).items() if not name.startswith("__")}
    return Answer(**{**names, "lines": len(code)})


def report(folder: str | Path = ".", seed: str = DEFAULT_SEED) -> Prediction:
    """Each exercise in the notebooks of a folder, judged now from the saved files: solved of total, points."""
    from . import EXERCISES

    found = {
        answer.exercise: answer.source
        for notebook in sorted(Path(folder).glob("*.ipynb"))
        for answer in answers(notebook)
        if answer.exercise in EXERCISES
    }
    verdicts = [judge_apart(EXERCISES[name], found[name], seed) for name in EXERCISES if name in found]
    solved = sum(verdict.state == "solved" for verdict in verdicts)
    points, possible = sum(verdict.points for verdict in verdicts), sum(verdict.of for verdict in verdicts)
    lines = [verdict.headline for verdict in verdicts]
    return Prediction("\n".join([*lines, f"{solved} of {len(verdicts)} solved, {points:g} of {possible} points"]))


def _exercise(exercise_id: str) -> Exercise:
    from . import EXERCISES

    if exercise_id not in EXERCISES:
        raise KeyError(f"there is no exercise {exercise_id!r}; there are: {', '.join(EXERCISES)}")
    return EXERCISES[exercise_id]


def _remember_cells() -> None:
    """Note each cell that this kernel runs from now on: `In` lacks what runs without history, as under nbval."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None:
        shell.events.register("pre_run_cell", lambda info: _cells.append(info.raw_cell))


def _last_run(exercise: Exercise) -> str | None:
    """The newest input of this kernel that carries the exercise's marker line, whatever the notebook is called."""
    history: list[str] = [*getattr(sys.modules.get("__main__"), "In", []), *_cells]
    marked = [source for source in history if (found := find(source)) and found[0] == exercise.id]
    return marked[-1] if marked else None


_remember_cells()
