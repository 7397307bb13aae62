"""The same value in two places: which values of a subject stand where in a wire body, and JSON with those marked.

Values are linked by identity: an id is the same id wherever it stands. A JSON string (arguments) is linked by what it
holds, and a longer text by a value that stands in it as lines of its own (a marked error).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
Value: TypeAlias = tuple[str, str]  # ("", "call_1"), ("is_error", "true"): numbers and flags need the same name, too

SHAPE = {"kind", "role", "covers"}  # words of our shape, not of its content
TEXTS = {"text", "content", "system"}
EDGES = "\n<>"
ONE_LINE = 28  # characters: a shorter object or list is not broken into lines, for panes are narrow


@dataclass(frozen=True)
class Place:
    """One value in one body: where it stands, and the values of the subject that it holds (by their numbers)."""

    path: str
    numbers: tuple[int, ...]


class Links:
    """The values of a subject, numbered in the order in which they stand in it."""

    def __init__(self, plain: Any) -> None:
        self.numbers: dict[Value, int] = {}
        self.names: list[str] = []
        self._texts: dict[str, int] = {}
        for path, leaf in leaves(plain):
            value = _value(path, leaf)
            if value is None or value in self.numbers or (path[-1] in SHAPE and "args" not in path):
                continue
            self.numbers[value] = len(self.names)
            self.names.append(dotted(path))
            if path[-1] in TEXTS:
                self._texts[leaf] = self.numbers[value]

    def of(self, path: Path, leaf: Any) -> tuple[int, ...]:
        """The numbers of the values that a leaf of some body holds."""
        value = _value(path, leaf)
        if value in self.numbers:
            return (self.numbers[value],)
        if not isinstance(leaf, str):
            return ()
        inside = _parsed(leaf)
        if inside is not None:
            return tuple(dict.fromkeys(n for p, inner in leaves(inside) for n in self.of(p, inner)))
        return tuple(number for text, number in self._texts.items() if _stands_in(text, leaf))

    def held_by(self, body: Any) -> set[int]:
        """The numbers of all values that stand somewhere in a body."""
        return {number for place in self.places(body) for number in place.numbers}

    def places(self, body: Any) -> list[Place]:
        """Every linked value of a body, from top to bottom."""
        found = ((path, self.of(path, leaf)) for path, leaf in leaves(body))
        return [Place(dotted(path), numbers) for path, numbers in found if numbers]

    def html(self, body: Any) -> str:
        """The body as indented JSON in which each linked value is a span: `data-v` its numbers, `data-at` its place."""
        return "".join(self._pieces(body, (), "\n"))

    def _pieces(self, value: Any, path: Path, newline: str) -> Iterator[str]:
        if isinstance(value, dict):
            keyed = [(f"{escape(_json(key), quote=False)}: ", (*path, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            keyed = [("", (*path, index), inner) for index, inner in enumerate(value)]
        else:
            yield self._leaf(path, value)
            return
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        short = len(_json(value)) <= ONE_LINE
        inner_newline = newline if short else newline + " "
        yield opening
        for i, (key, inner_path, inner) in enumerate(keyed):
            yield "," * bool(i) + (" " * bool(i) if short else inner_newline) + key
            yield from self._pieces(inner, inner_path, inner_newline)
        yield ("" if short else newline) + closing

    def _leaf(self, path: Path, leaf: Any) -> str:
        shown = escape(_json(leaf), quote=False)
        numbers = self.of(path, leaf)
        if not numbers:
            return shown
        joined = " ".join(map(str, numbers))
        return f'<span class="hw-v" data-v="{joined}" data-at="{escape(dotted(path))}">{shown}</span>'


def leaves(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value that is no object or list, with its path."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


def dotted(path: Path) -> str:
    """A path as people write it: `messages[0].content[1].id`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


def _value(path: Path, leaf: Any) -> Value | None:
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    if leaf is None or leaf is False or leaf == "":
        return None
    return ("", leaf) if isinstance(leaf, str) else (name, _json(leaf))


def _parsed(leaf: str) -> Any:
    if not leaf.startswith(("{", "[")):
        return None
    try:
        return json.loads(leaf)
    except (ValueError, RecursionError):
        return None


def _stands_in(text: str, leaf: str) -> bool:
    start = leaf.find(text)
    if start < 0 or len(text) == len(leaf):
        return False
    end = start + len(text)
    return (start == 0 or leaf[start - 1] in EDGES) and (end == len(leaf) or leaf[end] in EDGES)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
