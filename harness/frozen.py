"""JSON values that never change: `freeze` copies one deeply into dicts and lists that refuse every mutation.

A frozen value is still a `dict` or `list` to `isinstance`, `json.dumps`, `**` and `==`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn, TypeAlias

from .errors import FrozenError, InvalidValue

Json: TypeAlias = Any  # {"expression": "17 * 23"}: what json.loads can return, NaN and Infinity left out

MAX_DEPTH = 200  # levels; faster encoders than the standard library's stop at 254, and a body adds a few
CONTAINERS = (dict, list)
MAX_INT_BITS = 14_000  # CPython writes no longer integer as decimal digits (sys.int_info)


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    raise FrozenError(
        "this value is frozen: build a new one instead, as in {**old, 'key': value} or [*old, item], "
        "and put it into a new block with dataclasses.replace"
    )


class FrozenDict(dict[str, Any]):
    """A JSON object that never changes; built from any mapping, which is copied deeply."""

    __slots__ = ()

    def __new__(cls, source: Mapping[str, Any] | Iterable[tuple[str, Any]] = ()) -> FrozenDict:
        """Copy `source`; raises `InvalidValue` with the path of what JSON cannot carry."""
        new = super().__new__(cls)
        dict.update(new, freeze(dict(source)))
        return new

    def __init__(self, *_: object) -> None:
        pass  # filled by __new__, so that a second call to __init__ changes nothing

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> FrozenDict:
        return self

    def __deepcopy__(self, _: object) -> FrozenDict:
        return self

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[str, Any]]]:
        return type(self), (dict(self),)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


class FrozenList(list[Any]):
    """A JSON array that never changes; built from any iterable, whose items are copied deeply."""

    __slots__ = ()

    def __new__(cls, source: Iterable[Any] = ()) -> FrozenList:
        """Copy `source`; raises `InvalidValue` with the path of what JSON cannot carry."""
        new = super().__new__(cls)
        list.extend(new, freeze(list(source)))
        return new

    def __init__(self, *_: object) -> None:
        pass  # filled by __new__

    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = remove = pop = clear = sort = reverse = _refuse

    def __copy__(self) -> FrozenList:
        return self

    def __deepcopy__(self, _: object) -> FrozenList:
        return self

    def __reduce__(self) -> tuple[type[FrozenList], tuple[list[Any]]]:
        return type(self), (list(self),)

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self))


def freeze(value: Json, path: str = "value") -> Json:
    """A deeply frozen copy of a JSON value; tuples become arrays.

    Raises `InvalidValue` with the path (as `args.edits[2].line`) for what JSON cannot carry: NaN, infinities, sets,
    keys that are no strings, lone surrogates, more than 200 levels.
    """
    try:
        return _frozen(value, 0)
    except _Unfit as unfit:
        raise InvalidValue(path + unfit.path, unfit.problem) from None


def thaw(value: Json) -> Json:
    """A plain, mutable copy of a frozen value that shares nothing with it."""
    if isinstance(value, dict):
        return {key: thaw(inner) if isinstance(inner, CONTAINERS) else inner for key, inner in value.items()}
    if isinstance(value, list):
        return [thaw(inner) if isinstance(inner, CONTAINERS) else inner for inner in value]
    return value


def parse_object(raw: str) -> FrozenDict | None:
    """The object that a model's argument string stands for, or None when it stands for none; `""` is `{}`."""
    try:
        value = json.loads(raw or "{}")
        return freeze(value) if isinstance(value, dict) else None
    except (ValueError, RecursionError):
        return None


def check_text(value: object, path: str) -> str:
    """`value` as a plain `str`; raises `InvalidValue` when it is no string or has a lone surrogate."""
    if not isinstance(value, str):
        raise InvalidValue(path, f"must be a string, not {type(value).__name__}")
    try:
        return _text(value)
    except _Unfit as unfit:
        raise InvalidValue(path, unfit.problem) from None


class _Unfit(Exception):
    """What is wrong with a value; `path` grows on the way out, so that good values pay nothing for it."""

    def __init__(self, problem: str, path: str = "") -> None:
        self.problem = problem
        self.path = path


def _frozen(value: Json, depth: int) -> Json:
    kind = type(value)
    if kind is str:
        return _text(value)
    if value is None or kind is bool or kind is FrozenDict or kind is FrozenList:
        return value
    if kind is dict or isinstance(value, Mapping):  # asking for a Mapping is slow, and most are plain
        return _filled(FrozenDict, _items(value, depth))
    if isinstance(value, list | tuple):
        new = list.__new__(FrozenList)
        list.extend(new, _elements(value, depth))
        return new
    return _number_or_text(value)


def _filled(kind: type[FrozenDict], items: dict[str, Any]) -> FrozenDict:
    new = dict.__new__(kind)
    dict.update(new, items)
    return new


def _items(source: Mapping[str, Any], depth: int) -> dict[str, Any]:
    if depth >= MAX_DEPTH:
        raise _Unfit(f"is nested more than {MAX_DEPTH} levels deep")
    out = {}
    for key, inner in source.items():
        if not isinstance(key, str):
            raise _Unfit(f"has the key {key!r}: JSON keys are strings")
        name = key if type(key) is str and key.isascii() else _text(key)
        try:
            out[name] = inner if type(inner) is str and inner.isascii() else _frozen(inner, depth + 1)
        except _Unfit as unfit:
            raise _Unfit(unfit.problem, f".{key}{unfit.path}") from None
    return out


def _elements(source: Iterable[Any], depth: int) -> list[Any]:
    if depth >= MAX_DEPTH:
        raise _Unfit(f"is nested more than {MAX_DEPTH} levels deep")
    out = []
    for index, inner in enumerate(source):
        try:
            out.append(_frozen(inner, depth + 1))
        except _Unfit as unfit:
            raise _Unfit(unfit.problem, f"[{index}]{unfit.path}") from None
    return out


def _text(value: str) -> str:
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise _Unfit("has a lone surrogate, which no JSON request can carry") from None
    return value if type(value) is str else str.__str__(value)


def _number_or_text(value: Json) -> Json:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        if value.bit_length() > MAX_INT_BITS:
            raise _Unfit("is an integer too long to be written in decimal digits")
        return int(value)
    if isinstance(value, float):
        if math.isfinite(value):
            return float(value)
        raise _Unfit(f"is {value}, which JSON cannot carry")
    raise _Unfit(f"is a {type(value).__name__}, which JSON cannot carry")
