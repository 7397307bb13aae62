"""Frozen values refuse every ordinary mutation and are still plain JSON to everyone who only reads."""

from __future__ import annotations

import copy
import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import FrozenError, InvalidValue
from harness.frozen import FrozenDict, FrozenList, freeze, parse_object, thaw

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
    ),
    max_leaves=12,
)

MUTATIONS = {
    "set item": lambda value: value["list"].__setitem__(0, 1),
    "set key": lambda value: value.__setitem__("x", 1),
    "delete": lambda value: value.__delitem__("list"),
    "update": lambda value: value.update(x=1),
    "or": lambda value: value.__ior__({"x": 1}),
    "pop": lambda value: value.pop("list"),
    "popitem": lambda value: value.popitem(),
    "clear": lambda value: value.clear(),
    "setdefault": lambda value: value.setdefault("x", 1),
    "append": lambda value: value["list"].append(1),
    "extend": lambda value: value["list"].extend([1]),
    "insert": lambda value: value["list"].insert(0, 1),
    "remove": lambda value: value["list"].remove(1),
    "list pop": lambda value: value["list"].pop(),
    "list clear": lambda value: value["list"].clear(),
    "sort": lambda value: value["list"].sort(),
    "reverse": lambda value: value["list"].reverse(),
    "add": lambda value: value["list"].__iadd__([1]),
    "multiply": lambda value: value["list"].__imul__(2),
    "nested": lambda value: value["list"][1].__setitem__("deep", 2),
    "second init": lambda value: value.__init__({"x": 1}),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_every_mutation_is_refused_or_changes_nothing(name: str) -> None:
    value = freeze({"list": [1, {"deep": 1}]})
    try:
        MUTATIONS[name](value)
    except FrozenError as error:
        assert "build a new one" in str(error)
    else:
        assert name == "second init"
    assert value == {"list": [1, {"deep": 1}]}


@given(JSON)
def test_a_frozen_value_equals_dumps_copies_and_pickles_like_the_plain_one(value: object) -> None:
    frozen = freeze(value)
    assert frozen == value
    assert json.dumps(frozen) == json.dumps(value)
    assert copy.copy(frozen) == copy.deepcopy(frozen) == pickle.loads(pickle.dumps(frozen)) == value
    assert type(pickle.loads(pickle.dumps(frozen))) is type(frozen)
    assert thaw(frozen) == value


def test_the_callers_dict_is_never_aliased() -> None:
    mine = {"deep": [1]}
    frozen = freeze(mine)
    mine["deep"].append(2)
    assert frozen == {"deep": [1]}


def test_a_thawed_value_shares_nothing() -> None:
    frozen = freeze({"deep": [1]})
    thawed = thaw(frozen)
    thawed["deep"].append(2)
    assert frozen == {"deep": [1]}
    assert type(thawed) is dict and type(thawed["deep"]) is list


@pytest.mark.parametrize(
    ("value", "path", "word"),
    [
        ({"a": float("nan")}, "value.a", "nan"),
        ({"a": [0, float("inf")]}, "value.a[1]", "inf"),
        ({"a": {1: 2}}, "value.a", "key 1"),
        ({"a": {"b": {1, 2}}}, "value.a.b", "set"),
        (["x", "\ud800"], "value[1]", "surrogate"),
        ({"\udfff": 1}, "value", "surrogate"),
        ([10**5000], "value[0]", "integer"),
        (b"x", "value", "bytes"),
    ],
)
def test_what_json_cannot_carry_is_refused_with_its_path(value: object, path: str, word: str) -> None:
    with pytest.raises(InvalidValue, match=word) as caught:
        freeze(value)
    assert caught.value.path == path


def test_very_deep_nesting_is_refused_and_deep_nesting_is_kept() -> None:
    def nested(levels: int) -> list[object]:
        value: list[object] = []
        for _ in range(levels - 1):
            value = [value]
        return value

    assert freeze(nested(200)) == nested(200)
    with pytest.raises(InvalidValue, match="levels"):
        freeze(nested(5000))


def test_direct_construction_checks_and_copies_too() -> None:
    assert FrozenDict({"a": [1]})["a"] == FrozenList([1])
    with pytest.raises(InvalidValue):
        FrozenDict({"a": {1}})


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("", {}),
        ("{}", {}),
        ('{"a": 1}', {"a": 1}),
        ("[1]", None),
        ("not json", None),
        ('{"a": NaN}', None),
        ('{"a": "\\ud800"}', None),
        ("[" * 100_000, None),
        ("null", None),
    ],
)
def test_an_argument_string_is_an_object_or_nothing(raw: str, value: object) -> None:
    assert parse_object(raw) == value
