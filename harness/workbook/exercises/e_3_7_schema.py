"""3.7-schema: one tool schema on three wires, without emptying the caller's dict."""

from __future__ import annotations

from random import Random
from typing import Any

from ...providers import adapters
from .cases import Case, fault, try_cases, wanted, words
from .model import Exercise, Wrong

WIRES = ("anthropic.messages", "openai.responses", "openai.chat")


def _tool(rng: Random, number: int) -> dict[str, Any]:
    names = [f"field_{i}" for i in range(rng.randint(0, 3))]
    properties = {name: {"type": rng.choice(("string", "integer", "boolean"))} for name in names}
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": names[:1]}
    tool = {"name": f"tool_{number}", "input_schema": schema}
    return tool if number % 3 == 0 else {**tool, "description": f"does {number} things"}


def _cases(rng: Random) -> list[Case]:
    cases = []
    for number in range(22):
        tool = _tool(rng, number)
        size = len(tool["input_schema"]["properties"])
        cases.append(Case((tool,), f"the tool {words(tool, 200)}", size, hidden=number == 21))
    return cases


def _parts(wire: str, form: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Name, description and schema of a tool as a wire holds them."""
    inner = form.get("function", {}) if wire == "openai.chat" else form
    return inner.get("name"), inner.get("description"), inner.get("input_schema", inner.get("parameters"))


def _body(wire: str, form: dict[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = {"messages": [{"role": "user", "content": "?"}]}
    if wire == "openai.responses":
        asked = {"input": "?"}
    if wire == "anthropic.messages":
        asked["max_tokens"] = 100
    return {"model": "m", **asked, "tools": [form]}


def _judge(case: Case, outcome: Any) -> None:
    [tool] = case.arguments
    if not isinstance(outcome, dict) or set(outcome) != set(WIRES):
        raise fault(case, f"a dict with the keys {', '.join(WIRES)}", words(outcome))
    for wire in WIRES:
        form = outcome[wire]
        if not isinstance(form, dict):
            raise fault(case, f"a dict under {wire}", words(form))
        name, description, schema = _parts(wire, form)
        if problems := adapters()[wire].check_request(_body(wire, form)):
            raise fault(case, f"a form that breaks no rule of {wire}", str(problems[0]))
        if name != tool["name"] or (description or None) != tool.get("description"):
            raise fault(case, f"name and description under {wire}", words(form, 200))
        if schema != tool["input_schema"]:
            raise fault(case, f"the schema under {wire}", words(schema, 200))
        if schema is tool["input_schema"]:
            raise fault(case, f"a copy of the schema under {wire}", "the caller's own dict")
        if "strict" in str(form):
            raise fault(case, f"no `strict` under {wire}, since the tool does not have it", words(form, 200))


def check(names: dict[str, Any], rng: Random) -> None:
    """Three forms that keep the rules, hold the same schema, and share nothing with the input."""
    try_cases(wanted(names, "on_wires"), _cases(rng), _judge)


EXERCISE = Exercise(
    id="3.7-schema",
    title="one schema, three wires",
    points=1,
    minutes=10,
    task="""
Write `on_wires(tool)`: the canonical tool `{"name", "description", "input_schema"}` as a dict with the three keys
`"anthropic.messages"`, `"openai.responses"` and `"openai.chat"`, each holding the tool as that wire wants it. The
description may be missing. The JSON schema under each wire equals the input's but is a copy of it, the input stays as
it is, and no key is added that the tool does not have (such as `strict`).
""",
    stub='''
import copy

def on_wires(tool: dict) -> dict[str, dict]:
    """The tool's form on each of three wires."""
    ...  # your code here
''',
    hints=(
        "put the three forms from the notebook's first cells side by side and list the differences",
        "copy, do not move: `tool.pop(...)` empties the caller's dict",
    ),
    reference="""
import copy

def on_wires(tool: dict) -> dict[str, dict]:
    def form(schema_key):
        out = {"name": tool["name"], schema_key: copy.deepcopy(tool["input_schema"])}
        return out | ({"description": tool["description"]} if tool.get("description") else {})

    return {
        "anthropic.messages": form("input_schema"),
        "openai.responses": {"type": "function", **form("parameters")},
        "openai.chat": {"type": "function", "function": form("parameters")},
    }
""",
    also_right=(
        """
import json

def on_wires(tool: dict) -> dict[str, dict]:
    flat = {key: value for key, value in tool.items() if key in ("name", "description")}
    schema = json.dumps(tool["input_schema"])
    anthropic = dict(flat, input_schema=json.loads(schema))
    chat = {"type": "function", "function": dict(flat, parameters=json.loads(schema))}
    responses = dict(flat, type="function", parameters=json.loads(schema))
    return {"openai.chat": chat, "anthropic.messages": anthropic, "openai.responses": responses}
""",
    ),
    wrong=(
        Wrong(
            """
import copy

def on_wires(tool):
    tool = copy.deepcopy(tool)
    function = {"name": tool["name"], "parameters": tool["input_schema"]}
    if "description" in tool:
        function["description"] = tool["description"]
    nested = {"type": "function", "function": function}
    return {"anthropic.messages": tool, "openai.responses": nested, "openai.chat": copy.deepcopy(nested)}
""",
            "openai.responses",
        ),
        Wrong(
            """
import copy

def on_wires(tool):
    schema = tool.pop("input_schema")
    flat = {"type": "function", **tool, "parameters": schema}
    nested = {"type": "function", "function": {**tool, "parameters": schema}}
    return {"anthropic.messages": {**tool, "input_schema": schema}, "openai.responses": flat, "openai.chat": nested}
""",
            "input",
        ),
    ),
    check=check,
)
