"""What was handed in: one folder a student, any number of notebooks in it, whatever they are called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..exercises import EXERCISES
from ..exercises.cells import Answer, answers
from ..exercises.judge import untouched
from .scan import keys_in


@dataclass
class Submission:
    """One student's answers by exercise id, and what an instructor should know about the files."""

    student: str
    answers: dict[str, Answer] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def collect(folder: Path) -> list[Submission]:
    """Every student's submission: a student is a folder in `folder`, and is known by its name."""
    return [_submission(place) for place in sorted(folder.iterdir()) if place.is_dir() and place.name[0] not in "._"]


def _submission(place: Path) -> Submission:
    found = Submission(place.name)
    notebooks = list(_notebooks(place))
    if not notebooks:
        found.notes.append("no notebook")
    for notebook in notebooks:
        try:
            for answer in answers(notebook):
                _take(found, answer)
            found.notes += [f"{notebook.name} holds what looks like {kind}" for kind in keys_in(notebook)]
        except (OSError, ValueError) as error:
            found.notes.append(f"{notebook.name} could not be read: {type(error).__name__}")
    return found


def _notebooks(place: Path) -> Iterator[Path]:
    """The notebooks of a student, without links that lead elsewhere and without Jupyter's own copies."""
    for path in sorted(place.rglob("*.ipynb")):
        if path.is_file() and not path.is_symlink() and ".ipynb_checkpoints" not in path.parts:
            yield path


def _take(found: Submission, answer: Answer) -> None:
    """The last attempt at an exercise counts; a stub in a later file undoes none."""
    exercise = EXERCISES.get(answer.exercise)
    if exercise is None:
        found.notes.append(f"an answer to an exercise that this release does not have: {answer.exercise[:40]!r}")
        return
    before = found.answers.get(answer.exercise)
    if before is not None and before.source != answer.source:
        if untouched(exercise, answer.source):
            return
        if not untouched(exercise, before.source):
            found.notes.append(f"{answer.exercise} was answered more than once: the last one counts")
    found.answers[answer.exercise] = answer
