"""Reading a vendor's JSON: what is not as it should be becomes a `TranslationError` that says where."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..errors import InvalidValue, TranslationError


def as_object(value: Any, wire: str, path: str) -> Mapping[str, Any]:
    """`value`, when it is an object."""
    if isinstance(value, dict | Mapping):
        return value
    raise _unfit(value, wire, path, "an object")


def as_list(value: Any, wire: str, path: str) -> list[Any]:
    """`value`, when it is an array; one that is missing or null is empty."""
    if isinstance(value, list):
        return value
    if value is None:
        return []
    raise _unfit(value, wire, path, "an array")


def as_text(value: Any, wire: str, path: str) -> str:
    """`value`, when it is a string."""
    if isinstance(value, str):
        return value
    raise _unfit(value, wire, path, "a string")


def as_count(value: Any) -> int:
    """A number of tokens as vendors send it: an integer or a float; whatever else stands there is 0."""
    if isinstance(value, float) and not math.isfinite(value):
        return 0
    return int(value) if isinstance(value, int | float) else 0


def plain(body: Any, wire: str) -> Mapping[str, Any]:
    """A response as a mapping: it is one, or the SDK's own object."""
    if hasattr(body, "model_dump"):
        # by alias: a field that is a Python keyword, as `async`, has another name on the object
        body = body.model_dump(mode="json", exclude_unset=True, by_alias=True, warnings=False)
    return as_object(body, wire, "body")


@contextmanager
def reading(wire: str, path: str) -> Iterator[None]:
    """Let a value that no block can hold leave as a `TranslationError` for the place that is read."""
    try:
        yield
    except InvalidValue as error:
        raise TranslationError(wire, path, str(error)) from None
    except RecursionError:
        raise TranslationError(wire, path, "is nested too deep") from None


def objects(value: Any) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of an array with their places, and nothing of whatever else `value` is: for checking rules."""
    if isinstance(value, list):
        yield from ((index, item) for index, item in enumerate(value) if isinstance(item, dict))


def _unfit(value: Any, wire: str, path: str, kind: str) -> TranslationError:
    problem = "is missing" if value is None else f"must be {kind}, not {type(value).__name__}"
    return TranslationError(wire, path, problem)
