"""`python -m harness.workbook.exercises prove | update OLD NEW | report [FOLDER]`."""

from __future__ import annotations

import sys

from . import EXERCISES
from .judge import judge
from .model import Exercise


def faults(exercise: Exercise) -> list[str]:
    """What is wrong with an exercise itself: nothing, when its stub and answers are judged as they should be."""
    found = []
    if (verdict := judge(exercise, exercise.cell())).state != "not attempted":
        found.append(f"the stub is judged {verdict.state}")
    if (verdict := judge(exercise, exercise.cell(exercise.reference))).state != "solved":
        found.append(f"the reference solution is judged: {verdict!r}")
    for number, source in enumerate(exercise.also_right, 1):
        if (verdict := judge(exercise, exercise.cell(source))).state != "solved":
            found.append(f"right answer {number} is judged: {verdict!r}")
    if len(exercise.wrong) < 2:
        found.append("there are fewer than two wrong answers")
    for number, wrong in enumerate(exercise.wrong, 1):
        verdict = judge(exercise, exercise.cell(wrong.source))
        if verdict.state != "not yet":
            found.append(f"wrong answer {number} is judged {verdict.state}")
        elif wrong.names not in repr(verdict):
            found.append(f"wrong answer {number} is not told {wrong.names!r}: {verdict.message}")
        elif abs(verdict.points - wrong.points) > 1e-6:
            found.append(f"wrong answer {number} gets {verdict.points:g} points, not {wrong.points:g}")
    return found


def prove() -> int:
    """Prove every exercise, one line each; 1 when one fails."""
    failed = 0
    for exercise in EXERCISES.values():
        wrong = faults(exercise)
        failed += bool(wrong)
        print(f"{'FAILED' if wrong else 'proven'}  {exercise.id}  {'; '.join(wrong)}".rstrip(), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(prove())
