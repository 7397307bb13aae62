"""One block, one item of OpenAI Responses: each `write_` turns ours into theirs, the `read_` after it turns it back.

What an item has besides what the block says is kept in the block's metadata, below the wire:
`item` (its id, status and other fields), `part` (a text with its annotations and the like), `joins` (a text that shares
its message item with the text before), `arguments`, `items` (a reasoning item as it came), `texts` and `content`
(a result in parts: texts only, or with images and files).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from ..errors import TranslationError
from ..frozen import freeze, thaw
from ..messages import Block, OpaqueBlock, ReasoningBlock, TextBlock, ToolCall, ToolResult, seal_holds
from ._reading import as_list, as_object, as_text, reading
from ._strings import ERROR_MARK, mark_error, read_arguments, read_error, write_arguments
from .base import ToolSchema

WIRE = "openai.responses"

# The parts of a message item that are text, and the key that holds it; then all parts.
TEXT_KEYS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}
PARTS = frozenset((*TEXT_KEYS, "input_image", "input_file", "input_audio"))

Json = dict[str, Any]  # {"type": "function_call", "call_id": "call_1", "name": "calc", "arguments": "{}"}


# ---- messages and their parts


def write_message(role: str, parts: Sequence[Block | OpaqueBlock], fields: Json) -> Json:
    """A message item of texts and opaque parts; one plain text is a string, an item with an id has its full form."""
    own = "output_text" if role == "assistant" else "input_text"
    content = [_write_part(part, own) for part in parts if is_part(part)]
    if role == "assistant" and "id" in fields:
        content = [{"annotations": [], **part} if part["type"] == "output_text" else part for part in content]
        return {"type": "message", "role": role, "status": "completed", "content": content, **fields}
    if len(content) == 1 and content[0].keys() == {"type", "text"}:
        return {"type": "message", "role": role, "content": content[0]["text"], **fields}
    return {"type": "message", "role": role, "content": content, **fields}


def read_message(item: Mapping[str, Any], path: str) -> list[Block | OpaqueBlock]:
    """The parts of a message item as blocks; an item with a part that we do not know stays whole."""
    own = "output_text" if item["role"] == "assistant" else "input_text"
    content = item.get("content")
    parts = [{"type": own, "text": content}] if isinstance(content, str) else _read_parts(content, f"{path}.content")
    if any(str(part.get("type")) not in PARTS for part in parts):
        return [OpaqueBlock(WIRE, dict(item))]
    kept = [_of_item(item, first=p == 0) for p in range(len(parts))]
    return [_read_part(part, own, kept[p], f"{path}.content[{p}]") for p, part in enumerate(parts)]


def _write_part(block: TextBlock | OpaqueBlock, own: str) -> Json:
    if isinstance(block, OpaqueBlock):
        return dict(thaw(block.payload))
    part = _kept(block).get("part", {})
    if part.get(TEXT_KEYS.get(part.get("type"), "")) == block.text:  # annotations count characters: void after an edit
        return dict(thaw(part))
    return {"type": own, "text": block.text}


def _read_part(part: Json, own: str, kept: Json, path: str) -> TextBlock | OpaqueBlock:
    key = TEXT_KEYS.get(part["type"])
    if key is None:
        return OpaqueBlock(WIRE, part)
    text = as_text(part.get(key), WIRE, f"{path}.{key}")
    said = {name for name, value in part.items() if value not in (None, [])}
    if said != {"type", key} or part["type"] not in (own, "text"):
        kept = {**kept, "part": part}
    return TextBlock(text, _below_wire(kept))


def _of_item(item: Mapping[str, Any], *, first: bool) -> Json:
    """What a text of the model keeps of its item; of other roles the message keeps it."""
    if item["role"] != "assistant":
        return {}
    return {"item": read_fields(item)} if first else {"joins": True}


def is_part(block: Block | OpaqueBlock) -> TypeGuard[TextBlock | OpaqueBlock]:
    """Whether a block is a part of a message item, and no item of its own."""
    return type(block) is TextBlock or (type(block) is OpaqueBlock and block.payload.get("type") in PARTS)


def joins(block: Block | OpaqueBlock, role: str) -> bool:
    """Whether a part shares the message item of the part before it: each text of the model has its own by default."""
    return role != "assistant" or type(block) is not TextBlock or "joins" in _kept(block)


# ---- calls


def write_call(call: ToolCall, call_id: str, fields: Json) -> Json:
    """A `function_call` item, its arguments byte for byte as the model wrote them."""
    item = {"type": "function_call", "call_id": call_id, "name": call.name, "arguments": write_arguments(call, WIRE)}
    return {**item, **fields}


def read_call(item: Mapping[str, Any], path: str) -> ToolCall:
    """The call of a `function_call` item; without a `call_id` it goes by the item's id, or by its place."""
    call_id = as_text(item.get("call_id") or item.get("id") or path, WIRE, f"{path}.call_id")
    name = as_text(item.get("name"), WIRE, f"{path}.name")
    args, kept = read_arguments(item.get("arguments"))
    return ToolCall(
        call_id, name, args, _below_wire({**kept, "item": read_fields(item, "call_id", "name", "arguments")})
    )


# ---- results


def write_result(result: ToolResult, call_id: str, fields: Json) -> Json:
    """A `function_call_output` item; the wire has no flag for errors, so an error begins with a mark."""
    return {"type": "function_call_output", "call_id": call_id, "output": _write_output(result), **fields}


def _write_output(result: ToolResult) -> str | list[Json]:
    kept = _kept(result)
    parts = thaw(kept.get("content", kept.get("texts")))
    if not isinstance(parts, list) or _text_of(parts) != result.content:
        return mark_error(result.content, result.is_error)
    return [{"type": "input_text", "text": ERROR_MARK}, *parts] if result.is_error else parts


def read_result(item: Mapping[str, Any], path: str, open_call: str | None) -> ToolResult:
    """The result of a `function_call_output` item; without a `call_id` it answers the open call."""
    call_id = as_text(item.get("call_id") or open_call, WIRE, f"{path}.call_id")
    content, is_error, kept = _read_output(item.get("output"), f"{path}.output")
    return ToolResult(call_id, content, is_error, _below_wire({**kept, "item": read_fields(item, "call_id", "output")}))


def _read_output(output: Any, path: str) -> tuple[str, bool, Json]:
    if isinstance(output, str) or output is None:
        return *read_error(output or ""), {}
    parts = _read_parts(output, path)
    is_error = bool(parts) and parts[0] == {"type": "input_text", "text": ERROR_MARK}
    parts = parts[is_error:]
    rich = any(part.get("type") != "input_text" for part in parts)
    return _text_of(parts), is_error, {"content" if rich else "texts": parts}


# ---- reasoning


def write_reasoning(block: ReasoningBlock, *, stateless: bool) -> list[Json]:
    """The reasoning items behind a block; none when its text was changed or OpenAI could not read them."""
    kept = as_list(_kept(block).get("items"), WIRE, "openai_items")
    items = [as_object(thaw(item), WIRE, f"openai_items[{i}]") for i, item in enumerate(kept)]
    if not seal_holds(block, WIRE) or (stateless and not all(item.get("encrypted_content") for item in items)):
        return []
    return [{"type": "reasoning", "summary": [], **item} for item in items]


def read_reasoning(item: Mapping[str, Any], path: str) -> ReasoningBlock:
    """One reasoning item as one block: its text is the summary, or the raw reasoning where there is no summary."""
    parts = [_read_parts(item.get(key), f"{path}.{key}") for key in ("summary", "content")]
    kept = {key: value for key, value in item.items() if key != "type" and value is not None}
    return ReasoningBlock(_text_of(parts[0] or parts[1]), {WIRE: {"items": [kept]}})


# ---- tools


def write_tool(schema: ToolSchema, path: str) -> Json:
    """A tool schema as OpenAI's `function`, or OpenAI's own tool as it came."""
    tool = as_object(schema, WIRE, path)
    extra: Json = thaw(as_object(tool.get(WIRE, {}), WIRE, f"{path}.{WIRE}"))
    if "input_schema" not in tool:
        if not extra:
            problem = f"has no input_schema; a tool of OpenAI's own is {{'name': ..., {WIRE!r}: {{'type': ...}}}}"
            raise TranslationError(WIRE, path, problem)
        return extra
    function = {
        "name": as_text(tool.get("name"), WIRE, f"{path}.name"),
        "description": tool.get("description") or "",
        "parameters": thaw(tool["input_schema"]),
    }
    if isinstance(nested := extra.get("function"), dict):
        return {"type": "function", **extra, "function": {**function, **nested}}
    return {"type": "function", **function, "strict": False, **extra}


def read_tool(item: Any, path: str) -> ToolSchema:
    """The schema of a `function` tool, also where it is nested as on Chat Completions; others are kept as they are."""
    with reading(WIRE, path):
        tool = thaw(freeze(as_object(item, WIRE, path)))
    if tool.get("type") != "function":
        return {"name": str(tool.get("name") or tool.get("type")), WIRE: tool}
    nested = "function" in tool
    function = as_object(tool["function"], WIRE, f"{path}.function") if nested else tool
    schema = {
        "name": as_text(function.get("name"), WIRE, f"{path}.name"),
        "description": as_text(function.get("description") or "", WIRE, f"{path}.description"),
        "input_schema": as_object(function.get("parameters") or {}, WIRE, f"{path}.parameters"),
    }
    extra = {key: value for key, value in function.items() if key not in ("type", "parameters", *schema)}
    if function.get("parameters") is None:
        extra["parameters"] = None
    if nested:
        extra = {**{key: value for key, value in tool.items() if key != "type"}, "function": extra}
    elif extra.get("strict") is False:
        del extra["strict"]
    return {**schema, WIRE: extra} if extra else schema


# ---- what all of them use


def write_fields(metadata: Mapping[str, Any], *, with_ids: bool) -> Json:
    """What an item has besides what the block says; the status belongs to the id."""
    kept = metadata.get(WIRE)
    if not kept or "item" not in kept:
        return {}
    fields: Json = thaw(kept["item"])
    if not with_ids and fields.pop("id", None) is not None:
        fields.pop("status", None)
    return fields


def read_fields(item: Mapping[str, Any], *known: str) -> Json:
    """What an item has besides `known`; a null says nothing, nor does the status of every finished item."""
    silent = ("type", "role", "content", *known)
    return {
        key: value
        for key, value in item.items()
        if key not in silent and value is not None and not (key == "status" and value == "completed")
    }


def _read_parts(content: Any, path: str) -> list[Json]:
    """The parts of a content, each an object."""
    return [dict(as_object(part, WIRE, f"{path}[{p}]")) for p, part in enumerate(as_list(content, WIRE, path))]


def _text_of(parts: list[Any]) -> str:
    return "\n".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))


def _kept(block: Block) -> Mapping[str, Any]:
    kept: Mapping[str, Any] = block.metadata.get(WIRE, {})
    return kept


def _below_wire(kept: Json) -> Json:
    kept = {key: value for key, value in kept.items() if value != {}}
    return {WIRE: kept} if kept else {}
