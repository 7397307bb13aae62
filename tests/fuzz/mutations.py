"""Bodies as they may arrive: a good one with a few places dropped, doubled, swapped or filled with anything."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

odd = st.sampled_from([None, True, -1, 2.5, "", "x", "\ud800", [], {}, [None], {"type": "new"}, {"text": None}])
junk = st.recursive(
    odd, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2)
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Each (container, key) in a JSON value."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in ((value, key), *places(value[key]))]


@st.composite
def mutated(draw: st.DrawFn, body: dict[str, Any]) -> Any:
    """`body` after one to three mutations."""
    root = {"body": copy.deepcopy(body)}
    for _ in range(draw(st.integers(1, 3))):
        container, key = draw(st.sampled_from(places(root)))
        other, place = draw(st.sampled_from(places(root)))
        match draw(st.sampled_from(["fill", "fill", "drop", "copy"])):
            case "fill":
                container[key] = copy.deepcopy(draw(junk))
            case "drop" if container is not root:
                del container[key]
            case "copy":
                container[key] = copy.deepcopy(other[place])
    return root["body"]
