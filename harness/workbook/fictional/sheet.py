"""The variant sheet of the fictional vendor: the words of its wire, chosen by the sheet's name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

DEFAULT_SHEET = "workbook"

Form = Literal["a JSON string", "an object", "a list of pairs"]


@dataclass(frozen=True)
class Sheet:
    """What differs between two sheets: three speakers, the mark of an outcome, where arguments sit, the seal's name."""

    name: str
    person: str
    model: str
    tool: str
    mark: str
    good: Any
    bad: Any
    arguments: str
    form: Form
    seal: str

    def write_arguments(self, arguments: Mapping[str, Any]) -> Any:
        """A call's arguments in the form that this sheet asks for."""
        plain = json.loads(json.dumps(arguments))
        if self.form == "a JSON string":
            return json.dumps(plain)
        return plain if self.form == "an object" else [{"key": key, "value": value} for key, value in plain.items()]

    def read_arguments(self, written: Any) -> dict[str, Any]:
        """The arguments in what stands on the wire; `ValueError` when it has another form."""
        if self.form == "a JSON string" and isinstance(written, str):
            written = json.loads(written)
        elif self.form == "a list of pairs" and isinstance(written, list):
            if not all(isinstance(pair, dict) and set(pair) == {"key", "value"} for pair in written):
                raise ValueError('each pair is {"key": ..., "value": ...}')
            written = {pair["key"]: pair["value"] for pair in written}
        elif self.form != "an object":
            raise ValueError(f"is {self.form}")
        if not isinstance(written, dict):
            raise ValueError(f"is {self.form}" if self.form != "a JSON string" else "holds a JSON object")
        return written


def sheet(name: str = DEFAULT_SHEET) -> Sheet:
    """The sheet of that name: any name gives one, the same name always the same."""
    rng = Random(f"larkspur sheet {name}")
    person = rng.choice(("person", "guest", "caller", "visitor", "client", "asker"))
    model = rng.choice(("lark", "singer", "engine", "voice", "responder", "host"))
    tool = rng.choice(("bench", "machine", "workshop", "apparatus", "device", "clerk"))
    mark, good, bad = rng.choice(
        (("ok", True, False), ("failed", False, True), ("exit", 0, 1), ("grade", "fine", "broken"))
    )
    forms: tuple[Form, ...] = ("a JSON string", "an object", "a list of pairs")
    return Sheet(
        name,
        person,
        model,
        tool,
        mark,
        good,
        bad,
        arguments=rng.choice(("given", "inputs", "values", "terms")),
        form="a JSON string" if name == DEFAULT_SHEET else rng.choice(forms),
        seal=rng.choice(("stamp", "wax", "knot", "cachet")),
    )
