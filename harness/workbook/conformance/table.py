"""What the kit found: a table of rows, as text and as HTML, with path and wire body where a row fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Protocol

SIGNS = {"pass": "✓", "fail": "✗", "not attempted": "○", "does not apply": "–"}
BODY_LINES = 25  # of a wire body, as much as a laptop screen shows beside its table


class Line(Protocol):
    """What a table shows of a row: its step, its name, its state (see `SIGNS`), why, and the wire body as JSON."""

    @property
    def step(self) -> str: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def state(self) -> str: ...  # noqa: D102
    @property
    def note(self) -> str: ...  # noqa: D102
    @property
    def body(self) -> str: ...  # noqa: D102


@dataclass(frozen=True)
class Outcome:
    """One row of the kit: its state; when it fails, path and problem in `note`, and the wire body at hand."""

    step: str
    name: str
    state: str
    note: str = ""
    body: str = ""


@dataclass(frozen=True)
class Table:
    """Every row of the kit for one adapter."""

    outcomes: tuple[Outcome, ...]

    @property
    def passed(self) -> bool:
        """Whether every row passes that applies."""
        return all(outcome.state in ("pass", "does not apply") for outcome in self.outcomes)

    def __repr__(self) -> str:
        return "\n".join(as_text(self.outcomes))

    def _repr_html_(self) -> str:
        return as_html(self.outcomes)


def as_text(lines: Iterable[Line]) -> Iterator[str]:
    """The rows under their steps; then the first body there is, cut where it is long."""
    step, body = "", ""
    for line in lines:
        if line.step != step:
            yield line.step
        step, body = line.step, body or line.body
        yield f"  {SIGNS[line.state]} {line.state}  {line.name}" + (f": {line.note}" if line.note else "")
    if body:
        shown = body.splitlines()
        yield from ("the body of the first failing row:", *shown[:BODY_LINES], *["…"] * (len(shown) > BODY_LINES))


def as_html(lines: Iterable[Line]) -> str:
    """The rows as a table; the body of a failing one is folded under it. Nothing for no rows."""
    rows = "".join(map(_row, lines))
    names = ("step", "row", "state", "where and why")
    head = "".join(f'<th scope="col" style="text-align:left">{name}</th>' for name in names)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>" if rows else ""


def _row(line: Line) -> str:
    why = escape(line.note)
    if line.body:
        why += f"<details><summary>the body</summary><pre>{escape(line.body)}</pre></details>"
    cells = (escape(line.step), escape(line.name), f"{SIGNS[line.state]} {line.state}", why)
    return "<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells) + "</tr>"
