"""Answers carried by exercise id from older notebooks into newer ones; none is ever overwritten or lost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .cells import Answer, answer_in, answers, cells_of, read
from .judge import untouched
from .model import Exercise

LEFT_OVER = "answers-not-carried.py"


def update(old: Path, new: Path, exercises: dict[str, Exercise]) -> list[str]:
    """Carry the answers of the notebooks in `old` into those in `new`; a sentence for each thing done.

    What has no place there (no such exercise, another version, another answer already) goes to `LEFT_OVER` in `new`.
    Raises `ValueError` when a folder has no notebooks.
    """
    given = {answer.exercise: answer for answer in _attempts(_notebooks(old), exercises)}
    waiting, said = dict(given), []
    for notebook in _notebooks(new):
        body, changed = read(notebook), False
        for cell in cells_of(body):
            place = answer_in(cell)
            answer = given.get(place.exercise) if place else None
            if place is None or answer is None:
                continue
            if place.source == answer.source:
                waiting.pop(place.exercise, None)
            elif why := _no_room(place, answer, exercises):
                said.append(f"{place.exercise}: {why}")
            else:
                cell.update(source=answer.source.splitlines(keepends=True), outputs=[], execution_count=None)
                changed = waiting.pop(place.exercise, None) is not None
                said.append(f"{place.exercise}: carried into {notebook.name}")
        if changed:
            _write(notebook, json.dumps(body, ensure_ascii=False, indent=1) + "\n")
    return said + _keep(waiting.values(), new)


def _attempts(notebooks: Iterable[Path], exercises: dict[str, Exercise]) -> Iterator[Answer]:
    """Every answer that is more than a stub."""
    for notebook in notebooks:
        for answer in answers(notebook):
            exercise = exercises.get(answer.exercise)
            if exercise is None or not untouched(exercise, answer.source):
                yield answer


def _no_room(place: Answer, answer: Answer, exercises: dict[str, Exercise]) -> str | None:
    if place.version != answer.version:
        return f"not carried, version {answer.version} became {place.version}: read the new task"
    exercise = exercises.get(place.exercise)
    if exercise is None or not untouched(exercise, place.source):
        return "not carried, there is another answer already"
    return None


def _keep(waiting: Iterable[Answer], new: Path) -> list[str]:
    """Write what found no place to a file, after what stands in it."""
    kept = list(waiting)
    if not kept:
        return []
    file = new / LEFT_OVER
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    missing = [answer for answer in kept if answer.source not in before]
    _write(file, before + "".join(f"{answer.source}\n\n\n" for answer in missing))
    return [f"{answer.exercise}: kept in {LEFT_OVER}" for answer in kept]


def _notebooks(folder: Path) -> list[Path]:
    found = sorted(folder.glob("*.ipynb"))
    if not found:
        raise ValueError(f"there are no notebooks in {folder}")
    return found


def _write(path: Path, text: str) -> None:
    """All or nothing: a crash leaves the old file whole."""
    draft: Any = path.with_name(f".{path.name}.draft")
    draft.write_text(text, encoding="utf-8", newline="\n")
    draft.replace(path)
