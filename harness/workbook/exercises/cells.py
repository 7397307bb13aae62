"""Exercise cells: how they stand in a notebook, and how their sources are found again, by id alone."""

from __future__ import annotations

import json
import re
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


def answers(notebook: Path) -> dict[str, tuple[int, str]]:
    """Each exercise cell of a notebook file: version and source by id; the metadata counts, else the marker line.

    Raises `ValueError` when the file is no notebook.
    """
    try:
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        sources = [(cell.get("metadata", {}), "".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"]
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{notebook.name} is no notebook: {error!r}") from None
    found: dict[str, tuple[int, str]] = {}
    for about, source in sources:
        stated = about.get("exercise")
        named = (stated["id"], stated["version"]) if isinstance(stated, dict) else find(source)
        if named:
            found[str(named[0])] = (int(named[1]), source)
    return found


def _code(source: str, about: dict[str, Any]) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": about, "source": source, "outputs": [], "execution_count": None}
