"""`python -m harness.workbook.exercises prove | update --from OLD --into NEW | report [FOLDER]`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from . import EXERCISES
from .judge import judge
from .model import Exercise
from .session import report
from .update import update


def faults(exercise: Exercise) -> list[str]:
    """What is wrong with an exercise itself: nothing, when its stub and answers are judged as they should be."""
    found = []
    if (verdict := judge(exercise, exercise.cell())).state != "not attempted":
        found.append(f"the stub is judged {verdict.state}")
    for number, source in enumerate((exercise.reference, *exercise.also_right)):
        if (verdict := judge(exercise, exercise.cell(source))).state != "solved":
            found.append(f"right answer {number} (0: the reference) is judged: {verdict!r}")
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is asked; 1 when it failed."""
    parser = argparse.ArgumentParser(prog="exercises")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("prove", help="judge every stub, right answer and wrong answer of the exercises themselves")
    carry = commands.add_parser("update", help="carry answers from older notebooks into newer ones")
    carry.add_argument("--from", dest="old", type=Path, required=True, help="folder of notebooks with answers")
    carry.add_argument("--into", dest="new", type=Path, required=True, help="folder of the newer notebooks")
    told = commands.add_parser("report", help="solved of total, and points, in a folder of notebooks")
    told.add_argument("folder", type=Path, nargs="?", default=Path("notebooks"))
    given = parser.parse_args(arguments)
    if given.command == "prove":
        return prove()
    try:
        lines = update(given.old, given.new, EXERCISES) if given.command == "update" else [report(given.folder)]
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(*(lines or ["nothing to carry"]), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
