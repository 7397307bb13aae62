"""Exercise cells: how they stand in a notebook, and how their sources are found again, by id alone."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .model import Exercise

MARKER = re.compile(r"^# exercise (?P<id>[\w.-]+), version (?P<version>\d+)", re.MULTILINE)


def metadata(exercise: Exercise) -> dict[str, Any]:
    """The metadata of the exercise's cell."""
    facts = {"id": exercise.id, "version": exercise.version, "points": exercise.points, "minutes": exercise.minutes}
    return {"exercise": facts, "tags": ["exercise"]}


def cells_for(exercise: Exercise) -> list[dict[str, Any]]:
    """The four cells of an exercise in a notebook: task, answer, check, hint (as nbformat dicts without ids)."""
    plan = f"{exercise.points} point{'s' * (exercise.points != 1)}, about {exercise.minutes} minutes"
    task = f"### Exercise {exercise.id}: {exercise.title}\n\n*{plan}.* {exercise.task.strip()}"
    return [
        {"cell_type": "markdown", "metadata": {}, "source": task},
        _code(exercise.cell(), metadata(exercise)),
        _code(f'check("{exercise.id}")', {}),
        _code(f'hint("{exercise.id}")  # run it again for the next one', {}),
    ]


def find(source: str) -> tuple[str, int] | None:
    """The id and version that a cell's marker line names, or None."""
    found = MARKER.search(source)
    return (found["id"], int(found["version"])) if found else None


@dataclass(frozen=True)
class Answer:
    """An exercise cell as it stands in a notebook."""

    exercise: str
    version: int
    source: str


def answers(notebook: Path) -> list[Answer]:
    """The exercise cells of a notebook file, in order; a cell's metadata counts, else its marker line.

    Raises `ValueError` when the file is no notebook.
    """
    return [answer for cell in cells_of(read(notebook)) if (answer := answer_in(cell))]


def read(notebook: Path) -> dict[str, Any]:
    """A notebook file as JSON; `ValueError` when it is none."""
    try:
        body = json.loads(notebook.read_text(encoding="utf-8"))
    except RecursionError:
        body = None
    if not isinstance(body, dict) or not isinstance(body.get("cells"), list):
        raise ValueError(f"{notebook.name} is no notebook")
    return body


def cells_of(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The code cells of a notebook."""
    return [cell for cell in body["cells"] if isinstance(cell, dict) and cell.get("cell_type") == "code"]


def source_of(cell: dict[str, Any]) -> str:
    """A cell's source, which the format keeps as a string or as a list of lines."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(map(str, source))


def answer_in(cell: dict[str, Any]) -> Answer | None:
    """The answer that a code cell holds, or None."""
    about, source = cell.get("metadata"), source_of(cell)
    match about.get("exercise") if isinstance(about, dict) else None:
        case {"id": str(id_), "version": int(version)}:
            return Answer(id_, version, source)
    found = find(source)
    return Answer(*found, source) if found else None


def _code(source: str, about: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": about, "source": source, "outputs": [], "execution_count": None}
