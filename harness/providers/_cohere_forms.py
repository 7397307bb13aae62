"""The parts of Cohere's form that are not messages: contents as strings or parts, and tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..errors import TranslationError
from ..frozen import thaw
from ..messages import Block
from ._reading import as_object, as_text
from .base import ToolSchema

WIRE = "cohere.v2"

# What we keep in a block's metadata under our own names; everything else there is a field of the wire.
OUR_KEYS = {"arguments", "content", "covers", "field", "parts"}

Body = dict[str, Any]  # {"messages": [{"role": "user", "content": "hi"}], "tools": [...]}


def further(block: Block) -> Body:
    """Fields of the vendor's that the block itself has no place for."""
    fields = block.metadata.get(WIRE, {})
    return {key: thaw(value) for key, value in fields.items() if key not in OUR_KEYS}


# ---- contents


def parts_of(content: Any) -> list[Any]:
    """A content as parts: a string is one text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content or ())


def written(parts: list[Body]) -> str | list[Body]:
    """Parts as a content: one plain text is a string, nothing at all an empty one."""
    if len(parts) == 1 and parts[0].keys() == {"type", "text"} and parts[0]["type"] == "text":
        return parts[0]["text"]  # type: ignore[no-any-return]
    return parts or ""


def result_text(parts: Sequence[Any]) -> str:
    """The text of parts: texts as they are, the data of documents as JSON."""
    texts = []
    for part in parts:
        document = part.get("document")
        if isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif isinstance(document, dict) and (data := document.get("data")) is not None:
            texts.append(data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":")))
    return "\n".join(texts)


# ---- tools


def tool_to_wire(tool: ToolSchema, path: str) -> Body:
    """A tool's schema as a function, with what else this vendor wants to know of it."""
    if "name" not in tool or "input_schema" not in tool:
        if tool.keys() == {WIRE}:
            own: Body = thaw(tool[WIRE])
            return own
        raise TranslationError(WIRE, path, "has no name and input_schema: a tool that another vendor runs itself")
    description = {"description": tool["description"]} if tool.get("description") else {}
    function = {"name": tool["name"], **description, "parameters": thaw(tool["input_schema"])}
    return {"type": "function", "function": {**function, **thaw(tool.get(WIRE, {}))}}


def tool_from_wire(tool: Any, path: str) -> ToolSchema:
    """The schema of a function; a tool of another type is kept whole, for this vendor."""
    tool = as_object(tool, WIRE, path)
    if tool.get("type", "function") != "function":
        return {WIRE: thaw(tool)}
    function = as_object(tool.get("function"), WIRE, f"{path}.function")
    known = ("name", "description", "parameters")
    rest = {key: thaw(value) for key, value in function.items() if key not in known and value is not None}
    return {
        "name": as_text(function.get("name"), WIRE, f"{path}.function.name"),
        "description": as_text(function.get("description") or "", WIRE, f"{path}.function.description"),
        "input_schema": thaw(as_object(function.get("parameters") or {}, WIRE, f"{path}.function.parameters")),
        **({WIRE: rest} if rest else {}),
    }
