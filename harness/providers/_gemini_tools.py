"""Gemini's tools: our schema as a function declaration and back, and the tools that Google runs itself.

Our `input_schema` is JSON Schema and goes into `parametersJsonSchema`. The older `parameters` is an OpenAPI schema,
which spells types in capitals; a declaration that came with it goes back as it came while it says the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import TranslationError
from ..frozen import freeze, thaw
from ._gemini_json import WIRE, camel_key
from ._gemini_parts import several
from ._reading import as_object, as_text
from .base import ToolSchema

NO_PARAMETERS = {"type": "object", "properties": {}}
# Google's names of types and, from some of its libraries, their numbers.
NAMES = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")
TYPES = {key: name.lower() for number, name in enumerate(NAMES, 1) for key in (name, str(number))}
CANONICAL = ("name", "description", "input_schema")


def write_tools(tools: Sequence[ToolSchema]) -> list[dict[str, Any]]:
    """Neighbouring declarations stand in one tool, each of Google's own tools in one of its own."""
    written: list[dict[str, Any]] = []
    for t, tool in enumerate(tools):
        if "input_schema" in tool:
            if not written or list(written[-1]) != ["functionDeclarations"]:
                written.append({"functionDeclarations": []})
            written[-1]["functionDeclarations"].append(_declaration(tool, f"tools[{t}]"))
        elif WIRE in tool:
            written.append(thaw(tool[WIRE]))
        else:
            raise TranslationError(WIRE, f"tools[{t}]", f"needs an input_schema, or is another vendor's: {list(tool)}")
    return written


def read_tools(tools: Sequence[Any]) -> Iterator[ToolSchema]:
    """Each declaration as `{name, description, input_schema}`, each of Google's own tools under this wire's name."""
    for t, tool in enumerate(tools):
        tool = thaw(freeze(as_object(tool, WIRE, f"tools[{t}]"), f"tools[{t}]"))
        for d, given in enumerate(several(tool.pop("functionDeclarations", None))):
            yield _read_declaration(given, f"tools[{t}].functionDeclarations[{d}]")
        if tool:
            yield {"name": next(iter(tool)), WIRE: tool}


def _declaration(tool: ToolSchema, path: str) -> dict[str, Any]:
    kept = tool.get(WIRE)
    if kept is not None and _canonical(kept, f"{path}.{WIRE}") == {key: tool[key] for key in CANONICAL if key in tool}:
        return dict(thaw(kept))
    name = as_text(tool.get("name"), WIRE, f"{path}.name")
    described = {"description": tool["description"]} if tool.get("description") else {}
    return {"name": name, **described, "parametersJsonSchema": thaw(tool["input_schema"])}


def _read_declaration(given: Any, path: str) -> ToolSchema:
    tool = _canonical(as_object(given, WIRE, path), path)
    return tool if _declaration(tool, path) == given else {**tool, WIRE: given}


def _canonical(given: Mapping[str, Any], path: str) -> ToolSchema:
    """What a declaration says in our words."""
    tool: ToolSchema = {"name": as_text(given.get("name"), WIRE, f"{path}.name")}
    if given.get("description"):
        tool["description"] = as_text(given["description"], WIRE, f"{path}.description")
    if given.get("parameters") is not None:
        tool["input_schema"] = _json_schema(as_object(given["parameters"], WIRE, f"{path}.parameters"))
    else:
        schema = given.get("parametersJsonSchema")
        schema = NO_PARAMETERS if schema is None else schema
        tool["input_schema"] = as_object(schema, WIRE, f"{path}.parametersJsonSchema")
    return thaw(tool)  # type: ignore[no-any-return]


def _json_schema(schema: Any) -> Any:
    """An OpenAPI schema of Google's as JSON Schema: types in small letters (or by number), keys in camelCase."""
    if not isinstance(schema, dict):
        return schema
    out: dict[str, Any] = {}
    for key, value in schema.items():
        key = camel_key(key).rstrip("_")  # one of Google's libraries writes `type_`
        if key == "type":
            value = TYPES.get(str(value).upper(), value)
        elif key == "properties" and isinstance(value, dict):
            value = {name: _json_schema(inner) for name, inner in value.items()}
        elif key == "anyOf" and isinstance(value, list):
            value = [_json_schema(inner) for inner in value]
        elif key in ("items", "additionalProperties"):
            value = _json_schema(value)
        out[key] = value
    return out
