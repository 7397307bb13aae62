"""What an exercise is, and what judging one answer gives: a verdict in one of three states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import Any, Literal

from ..conformance.table import as_html, as_text

State = Literal["not attempted", "not yet", "solved"]
MARKS: dict[State, str] = {"not attempted": "○", "not yet": "✗", "solved": "✓"}


class Fault(Exception):
    """One case that an answer gets wrong: what was given, what was expected, what came instead, in words.

    A hidden fault is one whose case is shown in no feedback.
    """

    def __init__(self, given: str, expected: str, actual: str, *, hidden: bool = False) -> None:
        self.given, self.expected, self.actual, self.hidden = given, expected, actual, hidden
        super().__init__(self.sentence())

    def sentence(self) -> str:
        """The fault as the student reads it."""
        if self.hidden:
            return "a case that is not shown here fails: think of inputs that none of the shown ones is like"
        return f"given {self.given}, expected {self.expected}, but got {self.actual}"


@dataclass(frozen=True)
class Wrong:
    """A deliberately wrong answer, words that its feedback must contain, and the points that it earns all the same."""

    source: str
    names: str
    points: float = 0


@dataclass(frozen=True)
class Row:
    """One line of a check with partial credit: its state (see `conformance.table`), why, and the wire body at hand."""

    name: str
    points: float
    state: str
    note: str = ""
    step: str = ""
    body: str = ""

    @property
    def passed(self) -> bool:
        """Whether the row earns its points."""
        return self.state == "pass"


@dataclass(frozen=True)
class Exercise:
    """One exercise. `check` gets the names that the cell defines and a seeded generator, and raises `Fault`.

    It may return rows, for partial credit; `plan` is those rows before an attempt. `minutes` is what a student should
    plan; `stub` is the cell as given out; `also_right` are right answers that look nothing like the reference.
    """

    id: str
    title: str
    points: int
    minutes: int
    task: str
    stub: str
    hints: tuple[str, ...]
    reference: str
    wrong: tuple[Wrong, ...]
    check: Callable[[dict[str, Any], Random], list[Row] | None]
    version: int = 1
    also_right: tuple[str, ...] = ()
    plan: tuple[Row, ...] = ()

    @property
    def marker(self) -> str:
        """The first line of the exercise's cell, by which its source is found."""
        return f"# exercise {self.id}, version {self.version}: keep this line"

    def cell(self, source: str | None = None) -> str:
        """The cell with the stub, or with another answer, under the marker."""
        return f"{self.marker}\n{(self.stub if source is None else source).strip()}"


@dataclass(frozen=True)
class Verdict:
    """How an answer was judged: state, points of the possible ones, what to say about it, its rows if it has some."""

    exercise: str
    state: State
    points: float
    of: int
    message: str
    rows: tuple[Row, ...] = field(default=())

    @property
    def headline(self) -> str:
        """State and points in one line."""
        points = f"({round(self.points, 2):g} of {self.of} points)" if self.of else "(no points)"
        return f"{MARKS[self.state]} {self.exercise}: {self.state} {points}"

    def __repr__(self) -> str:
        said = (self.headline, self.message, *as_text(self.rows))
        return "\n".join(line for line in said if line)

    def _repr_html_(self) -> str:
        style = (
            "border-left:4px solid var(--jp-border-color1,#767676);padding:4px 12px;"
            "color:var(--jp-content-font-color1,inherit)"
        )
        said = "<br>".join(escape(line) for line in (self.headline, self.message) if line)
        return f'<div role="status" style="{style}">{said}{as_html(self.rows)}</div>'
