"""Figures of 2,459 real, publicly recorded responses: how much of the output was reasoning. Source column kept.

They were collected from tests of public projects, so the samples of two vendors differ in questions, models and
settings: they show what happens, and compare nothing.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from statistics import median


@dataclass(frozen=True, slots=True)
class Row:
    """One response. Tokens; `effort` and `budget_tokens` only where the request said them."""

    wire: str
    vendor: str
    model: str
    effort: str
    budget_tokens: int | None
    input_tokens: int | None
    output_tokens: int
    reasoning_tokens: int
    answer_chars: int | None
    tool_calls: int | None
    stop: str
    source: str

    @property
    def share(self) -> float:
        """Reasoning as a part of the output, from 0 to 1; 0 where there was no output."""
        return self.reasoning_tokens / self.output_tokens if self.output_tokens else 0.0


@cache
def rows() -> tuple[Row, ...]:
    """All bundled figures, in the order of the file."""
    file = resources.files(__package__) / "data" / "reasoning_usage.csv"
    return tuple(_row(line) for line in csv.DictReader(file.read_text(encoding="utf-8").splitlines()))


def median_shares(some: Iterable[Row] | None = None, *, at_least: int = 20) -> dict[str, tuple[float, int]]:
    """The median share of reasoning and the number of responses, by vendor, for vendors with enough of them."""
    by_vendor: dict[str, list[float]] = {}
    for row in rows() if some is None else some:
        by_vendor.setdefault(row.vendor, []).append(row.share)
    return {name: (median(shares), len(shares)) for name, shares in by_vendor.items() if len(shares) >= at_least}


def _row(line: dict[str, str]) -> Row:
    def number(name: str) -> int | None:
        return int(line[name]) if line[name] else None

    return Row(
        wire=line["wire"],
        vendor=line["vendor"],
        model=line["model"],
        effort=line["effort"],
        budget_tokens=number("budget_tokens"),
        input_tokens=number("input_tokens"),
        output_tokens=number("output_tokens") or 0,
        reasoning_tokens=number("reasoning_tokens") or 0,
        answer_chars=number("answer_chars"),
        tool_calls=number("tool_calls"),
        stop=line["stop"],
        source=line["source"],
    )
