"""`python -m harness.workbook.grade FOLDER [--seed SECRET] [--only ID] [--own-sheets] [--out FOLDER] [--jobs N]`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ..exercises.judge import DEFAULT_SEED
from .marking import Mark, chosen, mark_all, without_network
from .reports import Hints, earlier, write
from .scan import alike, unusual
from .submissions import Submission, collect

OPEN_SEED = "The seed was the one in the open: good for practice, not for marks. Give a secret one with --seed."
SAID_SEED = "The seed was the instructor's."
BLOCKED = "Answers ran without network."
NOT_BLOCKED = "THE NETWORK WAS NOT BLOCKED: this system has no network namespace to be had (Linux: unshare)."


def main(arguments: Sequence[str] | None = None) -> int:
    """Mark a folder of submissions; 2 when there is nothing to mark."""
    given = _parser().parse_args(arguments)
    try:
        exercises, submissions = chosen(given.only), collect(given.folder)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    if not submissions:
        print(f"There is no folder of a student in {given.folder}.", file=sys.stderr)
        return 2
    prefix = without_network()
    marks = mark_all(
        submissions,
        exercises,
        seed=given.seed,
        jobs=given.jobs,
        own_sheets=given.own_sheets,
        prefix=prefix,
        tell=lambda mark: print(f"{mark.student}  {mark.exercise}  {mark.state}  {mark.points:g}", flush=True),
    )
    about = [BLOCKED if prefix else NOT_BLOCKED, OPEN_SEED if given.seed == DEFAULT_SEED else SAID_SEED]
    write(given.out, _with_earlier(marks, given.only, given.out), _hints(submissions), about)
    print(*about, f"{len(submissions)} students; {given.out / 'report.html'}", sep="\n")
    return 0


def _with_earlier(marks: list[Mark], only: str | None, out: Path) -> list[Mark]:
    """With `--only`, the earlier marks of all other exercises stay."""
    if only is None:
        return marks
    new = {(mark.student, mark.exercise): mark for mark in marks}
    kept = [new.pop((mark.student, mark.exercise), mark) for mark in earlier(out)]
    return [*kept, *new.values()]


def _hints(submissions: list[Submission]) -> dict[str, Hints]:
    sources = [(s.student, name, answer.source) for s in submissions for name, answer in s.answers.items()]
    same, found = alike(sources), {}
    for submission in submissions:
        odd = {name for answer in submission.answers.values() for name in unusual(answer.source)}
        twins = [f"{name}: {', '.join(same[who, name])}" for who, name in same if who == submission.student]
        found[submission.student] = Hints("; ".join(submission.notes), ", ".join(sorted(odd)), "; ".join(twins))
    return found


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="grade", description="Mark submissions by judging each exercise cell anew.")
    parser.add_argument("folder", type=Path, help="one folder a student in it, named by the student's id")
    parser.add_argument("--seed", default=DEFAULT_SEED, help="secret seed of the generated inputs")
    parser.add_argument("--only", metavar="ID", help="mark this exercise only; other marks in --out stay")
    parser.add_argument("--own-sheets", action="store_true", help="SHEET must be the student's id, where there is one")
    parser.add_argument(
        "--out", type=Path, default=Path("marks"), help="folder for marks.csv, details.csv, report.html"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="answers judged at a time")
    return parser


if __name__ == "__main__":
    sys.exit(main())
