"""What Cohere's messages are made of, in both directions: contents as strings or parts, calls, results; and tools."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import TranslationError
from ..frozen import freeze, thaw
from ..messages import Block, OpaqueBlock, ReasoningBlock, TextBlock, ToolCall, ToolResult
from ._reading import as_list, as_object, as_text
from ._strings import mark_error, read_arguments, read_error, write_arguments
from .base import ToolSchema

WIRE = "cohere.v2"

# What we keep in a block's metadata under our own names; everything else there is a field of the wire.
OUR_KEYS = {"arguments", "content", "covers", "field", "parts"}

Body = dict[str, Any]  # {"messages": [{"role": "user", "content": "hi"}], "tools": [...]}


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


def checked_parts(content: Any, path: str) -> list[Body]:
    """The same, of a content that may be malformed."""
    parts = parts_of(content) if isinstance(content, str) else as_list(content, WIRE, path)
    return [dict(as_object(part, WIRE, f"{path}[{p}]")) for p, part in enumerate(parts)]


def part_from_wire(part: Body, path: str) -> Block | OpaqueBlock:
    """The block for a part; one that the canon has no word for stays opaque."""
    match part.get("type"):
        case "text":
            text = as_text(part.get("text"), WIRE, f"{path}.text")
            return TextBlock(text, _ours(rest(part, "type", "text")))
        case "thinking":
            text = as_text(part.get("thinking"), WIRE, f"{path}.thinking")
            return ReasoningBlock(text, _ours({"field": "thinking", **rest(part, "type", "thinking")}))
        case _:
            return OpaqueBlock(WIRE, part)


# ---- calls


def call_to_wire(call: ToolCall, ids: Mapping[str, str]) -> Body:
    """A call as this wire has it; `ids` are call ids to be replaced."""
    function = {"name": call.name, "arguments": write_arguments(call, WIRE)}
    return {"id": ids.get(call.id, call.id), "type": "function", "function": function, **further(call)}


def call_from_wire(call: Any, path: str, open_calls: list[str]) -> ToolCall:
    """The call; one without an id gets one from its place."""
    call = as_object(call, WIRE, path)
    function = as_object(call.get("function"), WIRE, f"{path}.function")
    args, kept = read_arguments(function.get("arguments"))
    call_id = as_text(call.get("id") or "_".join(["call", *re.findall(r"\d+", path)]), WIRE, f"{path}.id")
    open_calls.append(call_id)
    name = as_text(function.get("name"), WIRE, f"{path}.function.name")
    return ToolCall(call_id, name, args, _ours({**kept, **rest(call, "id", "type", "function")}))


# ---- results


def result_to_wire(result: ToolResult, ids: Mapping[str, str]) -> Body:
    """A result as the tool message that carries it; an error is marked in its text, for want of a flag."""
    fields = result.metadata.get(WIRE, {})
    kept = fields.get("content") or fields.get("parts")
    if kept and not result.is_error and result_text(kept) == result.content:
        content = thaw(kept)
    else:
        content = mark_error(result.content, result.is_error)
    call_id = ids.get(result.call_id, result.call_id)
    return {"role": "tool", "tool_call_id": call_id, "content": content, **further(result)}


def result_from_wire(item: Mapping[str, Any], path: str, open_calls: list[str]) -> ToolResult:
    """The result in a tool message; one that names no call belongs to the first open one."""
    call_id = as_text(item.get("tool_call_id") or next(iter(open_calls), None), WIRE, f"{path}.tool_call_id")
    if call_id in open_calls:
        open_calls.remove(call_id)
    fields = rest(item, "role", "tool_call_id", "content")
    parts = checked_parts(freeze(item.get("content"), "content"), f"{path}.content")
    if isinstance(text := written(parts), str):
        content, is_error = read_error(text)
        return ToolResult(call_id, content, is_error, _ours(fields))
    only_text = all(part.get("type") in ("text", "document") for part in parts)
    return ToolResult(call_id, result_text(parts), False, _ours({**fields, "parts" if only_text else "content": parts}))


# ---- fields of the vendor's that a block itself has no place for


def further(block: Block) -> Body:
    """Those that were kept with the block, to be sent with it."""
    fields = block.metadata.get(WIRE, {})
    return {key: thaw(value) for key, value in fields.items() if key not in OUR_KEYS}


def rest(item: Mapping[str, Any], *known: str) -> Body:
    """Those of an item, to be kept."""
    return {key: value for key, value in item.items() if key not in known and value is not None}


def _ours(fields: Body) -> dict[str, Any]:
    return {WIRE: fields} if fields else {}


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
    fields = thaw(rest(function, "name", "description", "parameters"))
    return {
        "name": as_text(function.get("name"), WIRE, f"{path}.function.name"),
        "description": as_text(function.get("description") or "", WIRE, f"{path}.function.description"),
        "input_schema": thaw(as_object(function.get("parameters") or {}, WIRE, f"{path}.function.parameters")),
        **_ours(fields),
    }
