"""Marks: every answer judged in a worker of its own, a few at a time, without network where that can be had."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ..exercises import EXERCISES, Exercise, Verdict
from ..exercises.cells import Answer
from ..exercises.judge import not_attempted, untouched
from ..exercises.worker import Limits, judge_apart
from .submissions import Submission

MARKING = Limits(seconds=60, computing=20, megabytes=1_500)


@dataclass(frozen=True)
class Mark:
    """One student's mark for one exercise: a state ("missing" and "refused" among them), points, and why."""

    student: str
    exercise: str
    state: str
    points: float
    of: int
    why: str = ""


def without_network() -> tuple[str, ...]:
    """The command that runs another one without network; empty where the system has none that works."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return ()
    command = (unshare, "--user", "--map-root-user", "--net")
    works = subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    return command if works else ()


def mark_all(
    submissions: Iterable[Submission],
    exercises: Iterable[Exercise],
    *,
    seed: str,
    jobs: int,
    own_sheets: bool = False,
    prefix: tuple[str, ...] = (),
    tell: Callable[[Mark], None] = lambda mark: None,
) -> list[Mark]:
    """A mark for every student and exercise, in their order; `own_sheets` asks for the sheet of the student's name."""
    tasks = [(submission, exercise) for submission in submissions for exercise in exercises]

    def one(task: tuple[Submission, Exercise]) -> Mark:
        submission, exercise = task
        sheet = submission.student if own_sheets else None
        mark = _mark(
            submission,
            exercise,
            lambda source: judge_apart(exercise, source, seed, sheet=sheet, prefix=prefix, limits=MARKING),
        )
        tell(mark)
        return mark

    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(one, tasks))


def _mark(submission: Submission, exercise: Exercise, judge: Callable[[str], Verdict]) -> Mark:
    answer = submission.answers.get(exercise.id)
    if answer is None:
        return Mark(submission.student, exercise.id, "missing", 0, exercise.points, "no cell of this exercise")
    if answer.version != exercise.version:
        return Mark(submission.student, exercise.id, "refused", 0, exercise.points, _other_version(answer, exercise))
    # An untouched stub needs no worker; reading it runs nothing of the student's.
    verdict = not_attempted(exercise, "") if untouched(exercise, answer.source) else judge(answer.source)
    failed = [f"{row.name}: {row.note}" for row in verdict.rows if row.state == "fail"]
    why = "; ".join(failed) or verdict.message
    return Mark(submission.student, exercise.id, verdict.state, round(verdict.points, 2), verdict.of, why)


def _other_version(answer: Answer, exercise: Exercise) -> str:
    return (
        f"the answer is for version {answer.version} of {exercise.id}, and this release marks version "
        f"{exercise.version}: mark with the release of the term, or carry the answers over with "
        "`python -m harness.workbook.exercises update`"
    )


def chosen(only: str | None) -> list[Exercise]:
    """All marked exercises, or the one named; `ValueError` for an unknown id."""
    if only is None:
        return [exercise for exercise in EXERCISES.values() if exercise.points]
    if only not in EXERCISES:
        raise ValueError(f"there is no exercise {only!r}; there are: {', '.join(EXERCISES)}")
    return [EXERCISES[only]]
