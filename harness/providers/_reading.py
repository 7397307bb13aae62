"""Reading a vendor's JSON: what is not as it should be becomes a `TranslationError` that says where."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from ..errors import TranslationError

T = TypeVar("T")

NAMES: dict[type, str] = {dict: "an object", list: "an array", str: "a string"}


def want(wire: str, value: object, kind: type[T], path: str) -> T:
    """`value`, when it is an object, an array or a string as `kind` asks; else a `TranslationError`."""
    if isinstance(value, kind):
        return value
    problem = "is missing" if value is None else f"must be {NAMES[kind]}, not {type(value).__name__}"
    raise TranslationError(wire, path, problem)


def tokens(wire: str, usage: Mapping[str, Any], key: str, path: str = "usage") -> int:
    """A number of tokens; one that is missing or null is 0."""
    value = usage.get(key) or 0
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise TranslationError(wire, f"{path}.{key}", f"must be a number, not {value!r}")
    return int(value)


def objects(value: object) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of an array with their places, and nothing of whatever else `value` is: for checking rules."""
    if isinstance(value, list):
        yield from ((index, item) for index, item in enumerate(value) if isinstance(item, dict))
