"""What an exercise is, and what judging one answer gives: a verdict in one of three states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import Any, Literal

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
    """A deliberately wrong answer, and words that its feedback must contain."""

    source: str
    names: str


@dataclass(frozen=True)
class Row:
    """One line of a check with partial credit: its name, its points, whether it passed, and why not."""

    name: str
    points: float
    passed: bool
    note: str = ""


@dataclass(frozen=True)
class Exercise:
    """One exercise. `check` gets the names that the cell defines and a seeded generator, and raises `Fault`.

    It may return rows, for partial credit. `minutes` is what a student should plan; `stub` is the cell as given out.
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

    @property
    def marker(self) -> str:
        """The first line of the exercise's cell, by which its source is found."""
        return f"# exercise {self.id}, version {self.version}: keep this line"

    def cell(self, source: str | None = None) -> str:
        """The cell with the stub, or with another answer, under the marker."""
        return f"{self.marker}\n{(self.stub if source is None else source).strip()}"


@dataclass(frozen=True)
class Verdict:
    """How an answer was judged: state, points of the possible ones, and what to say about it."""

    exercise: str
    state: State
    points: float
    of: int
    message: str
    rows: tuple[Row, ...] = field(default=())

    def __repr__(self) -> str:
        head = f"{MARKS[self.state]} {self.exercise}: {self.state} ({self.points:g} of {self.of} points)"
        rows = [f"  {'✓ pass' if row.passed else '✗ fail'}  {row.name}  {row.note}".rstrip() for row in self.rows]
        return "\n".join([head, *([self.message] if self.message else []), *rows])

    def _repr_html_(self) -> str:
        style = (
            "border-left:4px solid var(--jp-border-color1,#767676);padding:4px 12px;"
            "color:var(--jp-content-font-color1,inherit)"
        )
        body = escape(repr(self)).replace("\n", "<br>")
        return f'<div role="status" style="{style}">{body}</div>'
