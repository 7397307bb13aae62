"""Trying an answer on generated cases: the smallest first, each twice, on inputs that must stay as they are."""

from __future__ import annotations

import contextlib
import copy
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .model import Fault


@dataclass
class Case:
    """One input of a function: its arguments, how it is told to the student, whether it is told at all.

    `expected` is for `judge` and never shown by itself; `size` orders the cases, so that the smallest fails first.
    """

    arguments: tuple[Any, ...]
    told: str
    size: int = 0
    expected: Any = None
    hidden: bool = False
    extra: dict[str, Any] = field(default_factory=dict)


def wanted(names: dict[str, Any], name: str) -> Any:
    """What the cell must define; a `Fault` when it does not."""
    if not callable(names.get(name)):
        raise Fault("the cell", f"a definition of `{name}`", "none")
    return names[name]


def quietly(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call without letting the function print."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return function(*arguments)


def try_cases(function: Callable[..., Any], cases: Iterable[Case], judge: Callable[[Case, Any], None]) -> None:
    """Run every case; `judge` raises `Fault` (see `fault`) where an outcome is wrong.

    Raises `Fault` too when the answer raises, changes its input, or gives two different outcomes for one input.
    """
    for case in sorted(cases, key=lambda case: (case.hidden, case.size)):
        before = copy.deepcopy(case.arguments)
        try:
            first = quietly(function, *case.arguments)
            second = quietly(function, *copy.deepcopy(before))
        except Exception as error:
            raise fault(case, "an outcome", f"{type(error).__name__}: {error}") from error
        if case.arguments != before:
            raise fault(case, "the input left as it was", "a changed input")
        judge(case, first)
        if _shown(first) != _shown(second):
            raise fault(case, "the same outcome twice", "two different ones")


def fault(case: Case, expected: str, actual: str) -> Fault:
    """The fault of one case, hidden where the case is."""
    return Fault(case.told, expected, actual, hidden=case.hidden)


def words(value: Any, limit: int = 120) -> str:
    """A value in words for feedback, the same in every run: addresses are left out, long ones cut."""
    plain = isinstance(value, str | int | float | bool | list | tuple | dict | type(None))
    text = repr(value) if plain else f"a {type(value).__name__}"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _shown(value: Any) -> Any:
    """What two outcomes are compared by: messages differ in id and time, and that is no difference."""
    blocks = getattr(value, "blocks", None)
    return (value.role, blocks) if blocks is not None and hasattr(value, "role") else value
