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


# The sheet in the open, which the pages and samples of the notebooks show.
OPEN = Sheet(DEFAULT_SHEET, "client", "voice", "clerk", "grade", "fine", "broken", "inputs", "a JSON string", "cachet")

PERSONS = "person guest caller visitor asker patron reader pupil player sender rider tenant diner buyer host owner"
MODELS = "lark singer engine responder oracle adviser author pilot tutor ranger scribe mentor usher warden herald seer"
TOOLS = "bench machine workshop apparatus device lathe crane forge loom mill press kiln anvil lab depot dock"
ARGUMENTS = "given inputs values terms operands fields slots details"
SEALS = "stamp wax knot cachet ribbon crest token clasp"
MARKS: tuple[tuple[str, Any, Any], ...] = (
    ("ok", True, False),
    ("failed", False, True),
    ("exit", 0, 1),
    ("grade", "fine", "broken"),
    ("verdict", "good", "bad"),
    ("went_wrong", "no", "yes"),
)
FORMS: tuple[Form, ...] = ("a JSON string", "an object", "a list of pairs")


def sheet(name: str = DEFAULT_SHEET) -> Sheet:
    """The sheet of that name: any name gives one, the same name always the same."""
    if name == DEFAULT_SHEET:
        return OPEN
    rng = Random(f"larkspur sheet {name}")
    person, model, tool = (rng.choice(words.split()) for words in (PERSONS, MODELS, TOOLS))
    arguments, seal = rng.choice(ARGUMENTS.split()), rng.choice(SEALS.split())
    return Sheet(name, person, model, tool, *rng.choice(MARKS), arguments, rng.choice(FORMS), seal)
