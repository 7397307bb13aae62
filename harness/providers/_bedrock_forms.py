"""The parts of Bedrock's form that are no blocks: tools, and bytes in base64."""

from __future__ import annotations

import base64
from typing import Any

from ..errors import TranslationError
from ..frozen import thaw
from ..messages import ToolCall, Transcript
from ._bedrock_blocks import WIRE
from ._reading import as_object, as_text
from .base import ToolSchema

OWN_TOOLS = {"systemTool", "cachePoint"}  # entries of `tools` that are no client's function
DATA = {"input", "json", "additionalModelRequestFields"}  # below these keys everything is the caller's or the model's

Body = dict[str, Any]


# ---- tools


def tool_to_wire(tool: ToolSchema, path: str) -> Body:
    """A tool's schema; a cache point or a tool of the service's own goes back as it came."""
    if "name" not in tool or "input_schema" not in tool:
        if len(tool) == 1 and tool.keys() <= OWN_TOOLS:
            own: Body = thaw(tool)
            return own
        raise TranslationError(WIRE, path, "has no name and input_schema: a tool that another vendor runs itself")
    description = {"description": tool["description"]} if tool.get("description") else {}
    schema = {"inputSchema": {"json": thaw(tool["input_schema"])}}
    return {"toolSpec": {"name": tool["name"], **description, **schema, **thaw(tool.get(WIRE, {}))}}


def called(transcript: Transcript) -> list[Body]:
    """A bare declaration of each tool that the history calls: the service refuses calls and results without one."""
    names = {block.name: None for message in transcript for block in message.blocks if type(block) is ToolCall}
    return [{"toolSpec": {"name": name, "inputSchema": {"json": {"type": "object"}}}} for name in names]


def tool_from_wire(tool: Any, path: str) -> ToolSchema:
    """The schema of a tool, with what else the service wants to know of it under its wire."""
    spec = as_object(tool, WIRE, path).get("toolSpec")
    if not isinstance(spec, dict):
        own: ToolSchema = thaw(tool)
        return own
    schema = as_object(spec.get("inputSchema"), WIRE, f"{path}.toolSpec.inputSchema").get("json")
    known = ("name", "description", "inputSchema")
    further = {key: value for key, value in spec.items() if key not in known and value is not None}
    return {
        "name": as_text(spec.get("name"), WIRE, f"{path}.toolSpec.name"),
        "description": as_text(spec.get("description") or "", WIRE, f"{path}.toolSpec.description"),
        "input_schema": thaw(as_object(schema, WIRE, f"{path}.toolSpec.inputSchema.json")),
        **({WIRE: thaw(further)} if further else {}),
    }


# ---- bytes


def with_bytes(value: Any, key: str = "") -> Any:
    """A body as boto3 wants it: bytes where the wire has base64."""
    if key in ("bytes", "redactedContent") and isinstance(value, str):
        try:
            return base64.b64decode(value)
        except ValueError:
            raise TranslationError(WIRE, key, "is no base64") from None
    if isinstance(value, dict):
        return {name: inner if name in DATA else with_bytes(inner, name) for name, inner in value.items()}
    return [with_bytes(item) for item in value] if isinstance(value, list) else value


def without_bytes(value: Any) -> Any:
    """A body as the wire has it: base64 where boto3 gives bytes."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, dict):
        return {name: without_bytes(inner) for name, inner in value.items()}
    return [without_bytes(item) for item in value] if isinstance(value, list) else value
