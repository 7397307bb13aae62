"""What the kit found: a table of rows, as text and as HTML, with path and wire body where a row fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any

SIGNS = {"pass": "✓", "fail": "✗", "not attempted": "○", "does not apply": "–"}


@dataclass(frozen=True)
class Outcome:
    """One row: its state (see `SIGNS`); where and why, and the wire body, when it fails."""

    step: str
    name: str
    state: str
    path: str = ""
    problem: str = ""
    body: Any = None

    @property
    def note(self) -> str:
        """Path and problem in one line."""
        return f"{self.path}: {self.problem}" if self.path else self.problem

    @property
    def shown_body(self) -> str:
        """The body as indented JSON; empty when there is none."""
        return "" if self.body is None else json.dumps(self.body, indent=1, ensure_ascii=False, default=repr)


@dataclass(frozen=True)
class Table:
    """Every row of the kit for one adapter."""

    outcomes: tuple[Outcome, ...]

    @property
    def passed(self) -> bool:
        """Whether every row passes."""
        return all(outcome.state in ("pass", "does not apply") for outcome in self.outcomes)

    def __repr__(self) -> str:
        return "\n".join(_lines(self.outcomes))

    def _repr_html_(self) -> str:
        return html(self.outcomes)


def _lines(outcomes: tuple[Outcome, ...]) -> Iterator[str]:
    step, told = "", False
    for outcome in outcomes:
        if outcome.step != step:
            yield outcome.step
            step = outcome.step
        yield f"  {SIGNS[outcome.state]} {outcome.state:14}  {outcome.name}"
        if outcome.state == "fail":
            yield f"      {outcome.note}"
        if outcome.shown_body and not told:  # the first one will do: the rest of the table stays in sight
            yield from (f"      | {line}" for line in outcome.shown_body.splitlines()[:25])
            told = True


def html(outcomes: tuple[Outcome, ...]) -> str:
    """The rows as a table; the body of a failing one is folded under it."""
    rows = []
    for outcome in outcomes:
        note = escape(outcome.note)
        if outcome.shown_body:
            note += f"<details><summary>the body</summary><pre>{escape(outcome.shown_body)}</pre></details>"
        cells = (escape(outcome.step), escape(outcome.name), f"{SIGNS[outcome.state]} {outcome.state}", note)
        rows.append("<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells) + "</tr>")
    head = "".join(f'<th scope="col">{name}</th>' for name in ("step", "row", "state", "where and why"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
