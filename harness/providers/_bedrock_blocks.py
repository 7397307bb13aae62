"""The blocks of Bedrock Converse, each kind in both directions: an object with one key that names its kind."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, assert_never

from ..frozen import freeze, thaw
from ..messages import Block, OpaqueBlock, ReasoningBlock, TextBlock, ToolCall, ToolResult, seal_holds
from ._reading import as_list, as_object, as_text

WIRE = "bedrock.converse"

# An error result must say something (the service refuses an empty one): a silent one says this and is read back as "".
SILENT_ERROR = "(the tool failed without a message)"

# What we keep in the metadata of a call or result under our own names; everything else there is a field of the wire.
OUR_KEYS = {"arguments", "cachePoint", "content", "covers", "parts"}
PLAIN = (None, "tool_use")  # types of a call that the client runs, and of its result; others the service ran itself

Body = dict[str, Any]


def block_to_wire(block: Block | OpaqueBlock, ids: Mapping[str, str]) -> Body | None:
    """A block as this wire has it, or None where it has nothing to send; `ids` are call ids to be replaced."""
    match block:
        case TextBlock(text):
            return _text_to_wire(block) if text.strip() else None
        case ToolCall():
            return {"toolUse": _call_to_wire(block, ids)}
        case ToolResult():
            return {"toolResult": _result_to_wire(block, ids)}
        case ReasoningBlock():
            return _reasoning_to_wire(block)
        case OpaqueBlock(_, payload):
            own: Body = thaw(payload)
            return own
        case _:
            assert_never(block)


def block_from_wire(item: Mapping[str, Any], path: str) -> Block | OpaqueBlock:
    """The block for an object with one key; one that the canon has no word for stays opaque."""
    given = [key for key, value in item.items() if value is not None]
    kind = given[0] if len(given) == 1 else ""
    match kind:
        case "text":
            return TextBlock(as_text(item["text"], WIRE, f"{path}.text"))
        case "citationsContent" | "guardContent" if (text := text_of(item) or "").strip():
            return TextBlock(text, {WIRE: {kind: item[kind]}})
        case "toolUse" | "toolResult" if (inner := as_object(item[kind], WIRE, f"{path}.{kind}")).get("type") in PLAIN:
            return (_call_from_wire if kind == "toolUse" else _result_from_wire)(inner, f"{path}.{kind}")
        case "reasoningContent":
            return _reasoning_from_wire(item, f"{path}.reasoningContent")
        case _:
            return OpaqueBlock(WIRE, dict(item))


# ---- text, which may come with citations or for a guardrail


def _text_to_wire(block: TextBlock) -> Body:
    fields = block.metadata.get(WIRE, {})
    raw = {kind: fields[kind] for kind in ("citationsContent", "guardContent") if kind in fields}
    item: Body = thaw(raw) if raw and text_of(raw) == block.text else {"text": block.text}
    return item


def text_of(item: Mapping[str, Any]) -> str | None:
    """The text of a block that may have more than text, or None when it has none."""
    if isinstance(item.get("text"), str):
        return str(item["text"])
    if isinstance(guarded := item.get("guardContent"), dict) and isinstance(guarded.get("text"), dict):
        return text_of(guarded["text"])
    if isinstance(cited := item.get("citationsContent"), dict) and isinstance(cited.get("content"), list):
        return "".join(text_of(part) or "" for part in cited["content"] if isinstance(part, dict))
    return None


# ---- calls


def _call_to_wire(call: ToolCall, ids: Mapping[str, str]) -> Body:
    return {"toolUseId": ids.get(call.id, call.id), "name": call.name, "input": thaw(call.args), **_further(call)}


def _call_from_wire(use: Mapping[str, Any], path: str) -> ToolCall:
    fields = _rest(use, "toolUseId", "name", "input")
    args = use.get("input")
    if not isinstance(args, dict | None):
        fields, args = {**fields, "arguments": json.dumps(freeze(args, "input"))}, {}  # found by ToolCall.unreadable
    call_id = as_text(use.get("toolUseId"), WIRE, f"{path}.toolUseId")
    return ToolCall(call_id, as_text(use.get("name"), WIRE, f"{path}.name"), args or {}, _ours(fields))


# ---- results


def _result_to_wire(result: ToolResult, ids: Mapping[str, str]) -> Body:
    status = {"status": "error"} if result.is_error else {}
    call_id = ids.get(result.call_id, result.call_id)
    return {"toolUseId": call_id, "content": _result_content(result), **status, **_further(result)}


def _result_content(result: ToolResult) -> list[Body]:
    fields = result.metadata.get(WIRE, {})
    kept = fields.get("content") or fields.get("parts")
    if kept and _result_text(kept) == result.content:
        content: list[Body] = thaw(kept)
        return content
    if not result.content.strip():
        return [{"text": SILENT_ERROR}] if result.is_error else []
    return [{"text": result.content}]


def _result_from_wire(result: Mapping[str, Any], path: str) -> ToolResult:
    fields = _rest(result, "toolUseId", "content", "status")
    content = as_list(freeze(result.get("content"), "content"), WIRE, f"{path}.content")
    parts = [as_object(part, WIRE, f"{path}.content[{p}]") for p, part in enumerate(content)]
    is_error = result.get("status") == "error"
    text = _result_text(parts)
    text = "" if is_error and text == SILENT_ERROR else text
    call_id = as_text(result.get("toolUseId"), WIRE, f"{path}.toolUseId")
    plain = ToolResult(call_id, text, is_error, _ours(fields))
    if _result_content(plain) == parts:
        return plain
    only_text = all(part.keys() <= {"text", "json"} for part in parts)
    return replace(plain, metadata=_ours({**fields, "parts" if only_text else "content": parts}))


def _result_text(parts: Sequence[Mapping[str, Any]]) -> str:
    """The text of a result: its texts and search results as they are, its JSON written out."""
    texts = []
    for part in parts:
        if "json" in part:
            texts.append(json.dumps(part["json"], ensure_ascii=False, separators=(",", ":")))
        elif (text := text_of(part)) is not None:
            texts.append(text)
        elif isinstance(found := part.get("searchResult"), dict) and isinstance(found.get("content"), list):
            texts += [text for inner in found["content"] if isinstance(inner, dict) and (text := text_of(inner))]
    return "\n".join(texts)


# ---- reasoning


def _reasoning_to_wire(block: ReasoningBlock) -> Body | None:
    """Reasoning goes back as it came; with a signature that no longer holds, or of another wire, not at all."""
    if WIRE not in block.metadata or not seal_holds(block, WIRE):
        return None
    fields = block.metadata[WIRE]
    if "redactedContent" in fields:
        return {"reasoningContent": {"redactedContent": fields["redactedContent"]}}
    return {"reasoningContent": {"reasoningText": {"text": block.text, **_signed(fields.get("signature", ""))}}}


def _reasoning_from_wire(item: Mapping[str, Any], path: str) -> ReasoningBlock | OpaqueBlock:
    content = as_object(item["reasoningContent"], WIRE, path)
    if isinstance(inner := content.get("reasoningText"), dict):
        path = f"{path}.reasoningText"
        signature = as_text(inner.get("signature") or "", WIRE, f"{path}.signature")
        return ReasoningBlock(as_text(inner.get("text"), WIRE, f"{path}.text"), {WIRE: _signed(signature)})
    if isinstance(content.get("redactedContent"), str):
        return ReasoningBlock("", {WIRE: {"redactedContent": content["redactedContent"]}})
    return OpaqueBlock(WIRE, dict(item))


def _signed(signature: str) -> dict[str, str]:
    return {"signature": signature} if signature else {}


# ---- fields of the vendor's that a block itself has no place for, such as the `type` of a call


def _further(block: Block) -> Body:
    fields = block.metadata.get(WIRE, {})
    return {key: thaw(value) for key, value in fields.items() if key not in OUR_KEYS}


def _rest(item: Mapping[str, Any], *known: str) -> Body:
    return {key: value for key, value in item.items() if key not in known and value is not None}


def _ours(fields: Body) -> dict[str, Any]:
    return {WIRE: fields} if fields else {}
