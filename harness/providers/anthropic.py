"""Anthropic Messages: a transcript as a request body and back, and the provider that talks to Claude.

A turn is a list of typed blocks, much like ours. What is special: tool results travel in the user turn, neighbours of
one role are one turn, and a thinking block goes back with its signature, unchanged and in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from ..errors import HarnessError, TranslationError
from ..frozen import FrozenDict, thaw
from ..messages import (
    Block,
    Message,
    OpaqueBlock,
    Provenance,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
    seal_holds,
)
from . import _send
from ._handover import crosses, require_ours, require_whole, wire_ids
from .base import ProviderResponse, StopReason, ToolSchema, stop_reason

WIRE = "anthropic.messages"
DEFAULT_MODEL = "claude-sonnet-5"
LEGAL_ID = re.compile(r"[a-zA-Z0-9_-]+")

STOP_REASONS: dict[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool_calls",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "refusal": "refusal",
    "pause_turn": "pause",
    "compaction": "pause",
}

Body = dict[str, Any]  # {"model": "claude-...", "max_tokens": 4096, "messages": [{"role": "user", "content": "hi"}]}


@dataclass(frozen=True)
class _Context:
    """What the translation of one message depends on besides the message."""

    provider: str | None
    model: str | None
    ids: Mapping[str, str]


# ---- our shape to theirs


def to_request(
    transcript: Transcript, tools: Sequence[ToolSchema] = (), *, model: str | None = None, provider: str | None = None
) -> Body:
    """The conversation part of a request body: system, messages, tools (and the model, when given).

    Raises `TranslationError` for what this wire cannot say.
    """
    require_whole(transcript, WIRE)
    require_ours(transcript, WIRE)
    context = _Context(provider, model, wire_ids(transcript, lambda id_: bool(LEGAL_ID.fullmatch(id_))))
    body: Body = {"model": model} if model else {}
    leading = _leading_system(transcript.messages)
    if system := _system(transcript, leading, context):
        body["system"] = system
    body["messages"] = _turns(transcript.messages[len(leading) :], context)
    if tools:
        body["tools"] = [thaw(tool) for tool in tools]
    return body


def _leading_system(messages: Sequence[Message]) -> list[Message]:
    leading = []
    for message in messages:
        if message.role != "system" or any(type(block) is not TextBlock for block in message.blocks):
            break
        leading.append(message)
    return leading


def _system(transcript: Transcript, leading: Sequence[Message], context: _Context) -> str | list[Body]:
    parts: list[Body] = []
    if transcript.system:
        kept = transcript.metadata.get(WIRE, {}).get("system")
        parts = thaw(kept) if _text_of(kept) == transcript.system else [{"type": "text", "text": transcript.system}]
    for message in leading:
        parts += _message_content(message, context)
    return parts[0]["text"] if len(parts) == 1 and len(parts[0]) == 2 else parts


def _turns(messages: Sequence[Message], context: _Context) -> list[Body]:
    turns: list[Body] = []
    for message in messages:
        content = _message_content(message, context)
        if turns and turns[-1]["role"] == message.role:
            turns[-1]["content"] += content
        elif content:
            turns.append({"role": message.role, "content": content})
    for turn in turns:
        if turn["role"] == "user":
            turn["content"].sort(key=lambda block: block["type"] != "tool_result")
    return turns


def _message_content(message: Message, context: _Context) -> list[Body]:
    keep_reasoning = crosses(message, provider=context.provider, model=context.model)
    content = []
    for block in message.blocks:
        if type(block) is ReasoningBlock and not keep_reasoning:
            continue
        if (item := _block_to_wire(block, context)) is not None:
            content.append(item)
    return content


def _block_to_wire(block: Block | OpaqueBlock, context: _Context) -> Body | None:
    match block:
        case TextBlock(text):
            return _with_fields({"type": "text", "text": text}, block) if text else None
        case ToolCall(id_, name, args):
            call = {"type": "tool_use", "id": context.ids.get(id_, id_), "name": name, "input": thaw(args)}
            return _with_fields(call, block)
        case ToolResult(call_id, content, is_error):
            result: Body = {"type": "tool_result", "tool_use_id": context.ids.get(call_id, call_id)}
            if content:
                result["content"] = content
            if is_error:
                result["is_error"] = True
            return _with_fields(result, block)
        case ReasoningBlock(text):
            fields = block.metadata.get(WIRE, {})
            if fields.get("data") and not text:
                return {"type": "redacted_thinking", "data": fields["data"]}
            if fields.get("signature") and seal_holds(block, WIRE):
                return {"type": "thinking", "thinking": text, "signature": fields["signature"]}
            return None
        case OpaqueBlock(_, payload):
            return thaw(payload)
        case _:
            assert_never(block)


def _with_fields(item: Body, block: Block) -> Body:
    """`item` with the vendor's further fields of the block; what the block itself says counts more."""
    fields = block.metadata.get(WIRE, {})
    return {**item, **{key: thaw(value) for key, value in fields.items() if key not in item}}


# ---- their shape to ours


def from_request(body: Mapping[str, Any]) -> tuple[Transcript, list[ToolSchema]]:
    """The transcript and the tool schemas of a request body."""
    messages = [
        Message(message["role"], tuple(_blocks(message["content"], f"messages[{m}].content")))
        for m, message in enumerate(body["messages"])
    ]
    system = body.get("system") or None
    return Transcript(messages, _text_of(system) if system else None), [dict(tool) for tool in body.get("tools") or ()]


def from_response(body: Any) -> ProviderResponse:
    """The whole assistant turn of a response: a mapping, or the SDK's own object."""
    if not isinstance(body, Mapping):
        body = body.model_dump(mode="json", exclude_unset=True)
    blocks = tuple(_blocks(body["content"], "content"))
    usage = body.get("usage") or {}
    cached = usage.get("cache_read_input_tokens") or 0
    stop = stop_reason(
        body.get("stop_reason"), STOP_REASONS, has_calls=any(type(block) is ToolCall for block in blocks)
    )
    return ProviderResponse(
        blocks=blocks,
        stop_reason=stop,
        input_tokens=usage.get("input_tokens", 0) + cached + (usage.get("cache_creation_input_tokens") or 0),
        output_tokens=usage.get("output_tokens", 0),
        reasoning_tokens=(usage.get("output_tokens_details") or {}).get("thinking_tokens") or 0,
        cached_tokens=cached,
        model=body.get("model"),
        id=body.get("id"),
        provenance=Provenance(wire=WIRE, response_id=body.get("id"), stop_reason=stop),
    )


def _blocks(content: Any, path: str) -> Iterator[Block | OpaqueBlock]:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for b, item in enumerate(content):
        try:
            yield _block_from_wire(item)
        except (HarnessError, KeyError, TypeError) as error:
            raise TranslationError(WIRE, f"{path}[{b}]", str(error)) from error


def _block_from_wire(item: Mapping[str, Any]) -> Block | OpaqueBlock:
    match item["type"]:
        case "text":
            return TextBlock(item["text"], _fields(item, "text"))
        case "tool_use":
            return ToolCall(item["id"], item["name"], item["input"], _fields(item, "id", "name", "input"))
        case "tool_result":
            text = _text_of(item.get("content"))
            fields = _fields(item, "tool_use_id", "is_error", "content")
            return ToolResult(item["tool_use_id"], text, bool(item.get("is_error")), fields)
        case "thinking":
            return ReasoningBlock(item["thinking"], {WIRE: {"signature": item.get("signature")}})
        case "redacted_thinking":
            return ReasoningBlock("", {WIRE: {"data": item["data"]}})
        case _:
            return OpaqueBlock(WIRE, dict(item))


def _fields(item: Mapping[str, Any], *known: str) -> dict[str, Any]:
    extra = {key: value for key, value in item.items() if key not in (*known, "type") and value is not None}
    return {WIRE: extra} if extra else FrozenDict()


def _text_of(content: Any) -> str:
    if isinstance(content, str) or not content:
        return content or ""
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


def check_request(body: Any) -> list[Any]:
    """The documented rules that a request body breaks."""
    return []


# ---- the provider


class AnthropicProvider:
    """Claude through Anthropic's SDK; `client` may be any object with its `messages.create`."""

    name = "anthropic"

    def __init__(self, model: str = DEFAULT_MODEL, client: Any = None, max_tokens: int = 4096) -> None:
        self.model = model
        self.max_tokens = max_tokens
        self._client = client

    def request(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> Body:
        """The body that `complete` sends."""
        conversation = to_request(transcript, tools, model=self.model, provider=self.name)
        return {"model": self.model, "max_tokens": self.max_tokens, **conversation}

    def complete(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> ProviderResponse:
        """The next assistant turn."""
        raw = _send.create(self._ready().messages.create, self.request(transcript, tools))
        response = from_response(raw)
        made_by = replace(response.provenance or Provenance(WIRE), provider=self.name, model=self.model)
        return replace(response, provenance=made_by)

    def _ready(self) -> Any:
        if self._client is None:
            _send.require_key("Anthropic", "ANTHROPIC_API_KEY")
            from anthropic import Anthropic

            self._client = Anthropic()
        return self._client
