"""What an instructor gets: `marks.csv` (a line a student), `details.csv` (a line an answer), `report.html` (both)."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from html import escape
from pathlib import Path

from .marking import Mark

STYLE = (
    "body{font:16px/1.4 system-ui,sans-serif;margin:2rem}table{border-collapse:collapse}"
    "th,td{border:1px solid #767676;padding:.25rem .5rem;text-align:left;vertical-align:top}"
)


@dataclass(frozen=True)
class Hints:
    """What is worth a look at one student: notes on the files, unusual names, answers of the same shape as others'."""

    notes: str = ""
    unusual: str = ""
    alike: str = ""


def earlier(folder: Path) -> list[Mark]:
    """The marks of a `details.csv` written before; none when there is no such file."""
    path = folder / "details.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Mark(**{**row, "points": float(row["points"]), "of": int(row["of"])})  # type: ignore[arg-type]
            for row in csv.DictReader(file)
        ]


def write(folder: Path, marks: Sequence[Mark], hints: dict[str, Hints], about: Iterable[str]) -> None:
    """Write the three files; cells that a spreadsheet would take for formulas are quoted."""
    folder.mkdir(parents=True, exist_ok=True)
    head, lines = _summary(marks, hints)
    names = [field.name for field in fields(Mark)]
    details = [[str(value) for value in asdict(mark).values()] for mark in marks]
    _csv(folder / "marks.csv", head, lines)
    _csv(folder / "details.csv", names, details)
    sentences = "".join(f"<p>{escape(sentence)}</p>" for sentence in about)
    page = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Marks</title><style>{STYLE}</style>'
        f"<h1>Marks</h1>{sentences}{_table(head, lines)}<h2>Why</h2>{_table(names, details)}</html>\n"
    )
    (folder / "report.html").write_text(page, encoding="utf-8")


def _summary(marks: Sequence[Mark], hints: dict[str, Hints]) -> tuple[list[str], list[list[str]]]:
    exercises = list(dict.fromkeys(mark.exercise for mark in marks))
    lines = []
    for student in dict.fromkeys(mark.student for mark in marks):
        own = {mark.exercise: mark for mark in marks if mark.student == student}
        points = [f"{own[name].points:g}" if name in own else "" for name in exercises]
        total, of = sum(mark.points for mark in own.values()), sum(mark.of for mark in own.values())
        solved = sum(mark.state == "solved" for mark in own.values())
        hint = hints.get(student, Hints())
        lines.append([student, *points, f"{total:g}", f"{of}", f"{solved}", hint.notes, hint.unusual, hint.alike])
    return ["student", *exercises, "total", "of", "solved", "notes", "unusual names", "same shape as"], lines


def _csv(path: Path, head: list[str], lines: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        writer.writerows([[_plain(cell) for cell in line] for line in lines])


def _plain(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t") else cell


def _table(head: list[str], lines: list[list[str]]) -> str:
    top = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in line)}</tr>" for line in lines)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table>"
