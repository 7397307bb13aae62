"""The messages of Chat Completions: what one of ours is on this wire, in which order, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from ..errors import TranslationError
from ..frozen import thaw
from ..messages import Block, Message, OpaqueBlock, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript
from ._chat_parts import (
    REFUSAL_FIELD,
    Body,
    OpenCalls,
    further,
    is_call,
    is_legacy_call,
    is_text,
    read_call,
    read_content,
    read_result,
    text_of,
    write_call,
    write_content,
    write_result,
    write_text,
)
from ._chat_reasoning import WIRE, read_reasoning, write_reasoning
from ._dialects import Dialect
from ._handover import crosses
from ._reading import as_list, reading


@dataclass(frozen=True)
class Context:
    """What the translation of one message depends on besides the message."""

    provider: str | None
    model: str | None
    dialect: Dialect
    ids: Mapping[str, str]


# ---- our shape to theirs


def system_items(transcript: Transcript) -> list[Body]:
    """The system prompt as messages: as they came while their text is the same."""
    if transcript.system is None:
        return []
    kept = transcript.metadata.get(WIRE, {}).get("system")
    if kept and system_text(kept) == transcript.system:
        return list(thaw(kept))
    return [{"role": "system", "content": transcript.system}]


def message_items(message: Message, context: Context, *, think: bool) -> list[Body]:
    """A message on this wire: one item for what is said, thought and called, and one for each result.

    Text goes before the calls of its message, as this wire has no other place for it.
    """
    ours = crosses(message, provider=context.provider, model=context.model)
    item: Body = {}
    parts: list[Any] = []
    calls: list[Body] = []
    results: list[Body] = []
    opening = ""
    for block in message.blocks:
        match block:
            case TextBlock() if block.metadata.get(WIRE) == REFUSAL_FIELD:
                item["refusal"] = block.text
            case TextBlock():
                parts.append(write_text(block, opening))
                opening = ""
            case ReasoningBlock():
                opening += write_reasoning(block, item, parts) if ours and think else ""
            case ToolCall():
                call_id = context.ids.get(block.id, block.id)
                call = write_call(block, call_id, signed=ours, raw=context.dialect.raw_arguments)
                if call.pop("legacy", False):
                    item["function_call"] = call["function"]
                else:
                    calls.append(call)
            case ToolResult():
                results.append(write_result(block, context.ids.get(block.call_id, block.call_id)))
            case OpaqueBlock(_, payload):
                (calls if is_call(payload) else parts).append(thaw(payload))
            case _:
                assert_never(block)
    if opening:
        parts.append({"type": "text", "text": opening})
    if message.blocks and not (item or parts or calls):
        return results  # nothing is left to say: results only, or reasoning of somebody else
    content = write_content(parts, has_calls=bool(calls) or "function_call" in item)
    said = {"role": message.role, **_fields(message, context, ours), "content": content, **item}
    if calls:
        said["tool_calls"] = calls
    return [said, *results] if message.role == "assistant" else [*results, said]


def _fields(message: Message, context: Context, ours: bool) -> Body:
    """What the vendor put on the message as a whole, as far as it takes it back."""
    fields = message.metadata.get(WIRE) if ours else None
    if not fields:
        return {}
    accepted = context.dialect.message_fields
    return {key: thaw(value) for key, value in fields.items() if accepted is None or key in accepted}


def in_order(items: Iterable[Body]) -> list[Body]:
    """The one place where order is mended: results directly follow their calls, whatever stood between comes after.

    Calls of one turn that came as several messages become one, as results may only follow all of them.
    """
    ordered: list[Body] = []
    waiting: list[Body] = []
    unanswered: set[str] = set()
    for item in items:
        calls = {call["id"] for call in item["tool_calls"]} if "tool_calls" in item else set()
        if item["role"] == "tool":
            ordered.append(item)
            unanswered.discard(item["tool_call_id"])
        elif item["role"] != "assistant" and unanswered:
            waiting.append(item)
        elif item["role"] == "assistant" and unanswered and ordered[-1]["role"] == "assistant" and not waiting:
            ordered[-1] = _merged(ordered[-1], item)
            unanswered |= calls
        else:
            ordered += [*waiting, item]
            waiting, unanswered = [], calls
        if not unanswered:
            ordered += waiting
            waiting = []
    return ordered + waiting


def _merged(first: Body, second: Body) -> Body:
    contents = (item["content"] for item in (first, second) if item["content"])
    parts = [part for content in contents for part in ([_text(content)] if isinstance(content, str) else content)]
    calls = [*first["tool_calls"], *second.get("tool_calls", ())]
    return {**second, **first, "content": write_content(parts, has_calls=True), "tool_calls": calls}


def _text(text: str) -> Body:
    return {"type": "text", "text": text}


# ---- their shape to ours


def leading_system(messages: Sequence[Mapping[str, Any]]) -> list[Body]:
    """The system messages at the beginning that are nothing but text."""
    leading = []
    for message in messages:
        content = message.get("content")
        said = isinstance(content, str) or (isinstance(content, list) and all(map(is_text, content)))
        if message.get("role") not in ("system", "developer") or not said:
            break
        given = {key: value for key, value in message.items() if value is not None}
        leading.append({**given, "role": "system"})
    return leading


def system_text(messages: Iterable[Mapping[str, Any]]) -> str:
    """What system messages say, as one text."""
    return "\n\n".join(text_of(message.get("content")) for message in messages)


def read_message(raw: Mapping[str, Any], path: str, calls: OpenCalls) -> Message:
    """One of our messages from one of this wire."""
    with reading(WIRE, path):
        match raw.get("role"):
            case "assistant":
                return Message("assistant", read_turn(raw, path, calls), metadata=read_fields(raw))
            case "tool" | "function":
                return Message("user", (read_result(raw, path, calls),))
            case "user" | "system" | "developer" as role:
                blocks = tuple(read_content(raw.get("content"), f"{path}.content"))
                fields = further(raw, "role", "content")
                return Message("user" if role == "user" else "system", blocks or (TextBlock(""),), metadata=fields)
            case role:
                raise TranslationError(WIRE, f"{path}.role", f"is {role!r}, which is no role of this wire")


def read_turn(raw: Mapping[str, Any], path: str, calls: OpenCalls) -> tuple[Block | OpaqueBlock, ...]:
    """The blocks of an assistant message: what it thinks, says and calls."""
    blocks: list[Block | OpaqueBlock] = list(read_reasoning(raw))
    blocks += read_content(raw.get("content") or None, f"{path}.content")
    if isinstance(refusal := raw.get("refusal"), str) and refusal:
        blocks.append(TextBlock(refusal, {WIRE: REFUSAL_FIELD}))
    for c, call in enumerate(as_list(raw.get("tool_calls"), WIRE, f"{path}.tool_calls")):
        blocks.append(read_call(call, f"{path}.tool_calls[{c}]", calls))
    if is_legacy_call(raw.get("function_call")):
        legacy = {"function": raw["function_call"], "legacy": True}
        blocks.append(read_call(legacy, f"{path}.function_call", calls))
    return tuple(blocks)


def read_fields(raw: Mapping[str, Any]) -> dict[str, Any]:
    """What an assistant message has besides what `read_turn` reads, as metadata."""
    return further(raw, *(key for key, value in raw.items() if _is_read(key, value)))


def _is_read(key: str, value: Any) -> bool:
    match key:
        case "role" | "content" | "tool_calls":
            return True
        case "reasoning_content" | "reasoning" | "refusal":
            return isinstance(value, str)
        case "reasoning_details":
            return isinstance(value, list)
        case "function_call":
            return is_legacy_call(value)
        case "annotations" | "citations":
            return bool(value == [])
    return False
