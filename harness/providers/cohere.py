"""Cohere v2 chat: a transcript as a request body and back, and the provider that talks to Cohere.

A message has fields rather than blocks: what is said in `content`, calls in `tool_calls`, the plan for them in
`tool_plan`. So the order within a turn is always plan, content, calls. Each result is a message of the role `tool`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from ..errors import HarnessError, TranslationError
from ..frozen import thaw
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
)
from ..metadata import fingerprint
from . import _send
from ._cohere_forms import (
    WIRE,
    Body,
    call_from_wire,
    call_to_wire,
    checked_parts,
    further,
    part_from_wire,
    parts_of,
    rest,
    result_from_wire,
    result_text,
    result_to_wire,
    tool_from_wire,
    tool_to_wire,
    written,
)
from ._handover import crosses, require_ours, require_whole, wire_ids
from ._reading import as_count, as_list, as_object, as_text, plain, reading
from ._rules_cohere import check_request
from .base import ProviderResponse, StopReason, ToolSchema, stop_reason

__all__ = ["WIRE", "CohereProvider", "check_request", "from_request", "from_response", "to_request"]

DEFAULT_MODEL = "command-a-plus-05-2026"
KEY_VARIABLE = "CO_API_KEY"

STOP_REASONS: dict[str, StopReason] = {
    "COMPLETE": "end",
    "STOP_SEQUENCE": "end",
    "TOOL_CALL": "tool_calls",
    "MAX_TOKENS": "max_tokens",
}


@dataclass(frozen=True)
class _Context:
    """What the translation of one message depends on besides the message."""

    provider: str | None
    model: str | None
    ids: Mapping[str, str]


# ---- our shape to theirs


def to_request(
    transcript: Transcript,
    tools: Sequence[ToolSchema] = (),
    *,
    model: str | None = None,
    provider: str | None = None,
    max_tokens: int | None = None,
    thinking: Mapping[str, Any] | None = None,
) -> Body:
    """The conversation part of a request body, and what the options add to it.

    Mended on the way: results directly follow their calls, and a turn with calls is one message.
    Raises `TranslationError` for what this wire cannot say.
    """
    require_whole(transcript, WIRE)
    require_ours(transcript, WIRE)
    context = _Context(provider, model, wire_ids(transcript, bool))
    items = [
        item for m, message in enumerate(transcript) for item in _message_items(message, context, f"messages[{m}]")
    ]
    body: Body = {"model": model} if model else {}
    body["messages"] = [*_system(transcript), *_in_order(items)]
    if tools:
        body["tools"] = [tool_to_wire(tool, f"tools[{t}]") for t, tool in enumerate(tools)]
    if max_tokens:
        body["max_tokens"] = max_tokens
    if thinking:
        body["thinking"] = thaw(thinking)
    return body


def _system(transcript: Transcript) -> list[Body]:
    kept = transcript.metadata.get(WIRE, {}).get("system")
    if kept and result_text(kept) == (transcript.system or ""):
        return [{"role": "system", "content": thaw(kept)}]
    return [{"role": "system", "content": transcript.system}] if transcript.system else []


def _message_items(message: Message, context: _Context, path: str) -> list[Body]:
    """One message of ours as messages of theirs: its results each by itself, and the rest of it."""
    item: Body = {"role": message.role}
    results: list[Body] = []
    parts: list[Body] = []
    keep_reasoning = crosses(message, provider=context.provider, model=context.model)
    for b, block in enumerate(message.blocks):
        match block:
            case TextBlock(text):
                parts.append({"type": "text", "text": text, **further(block)})
            case ReasoningBlock(text):
                field = block.metadata.get(WIRE, {}).get("field") if keep_reasoning else None
                if field == "tool_plan":
                    item["tool_plan"] = text
                elif field == "thinking":
                    parts.append({"type": "thinking", "thinking": text, **further(block)})
            case ToolCall():
                if message.role != "assistant":
                    raise TranslationError(WIRE, f"{path}.blocks[{b}]", "a call stands in an assistant message")
                item.setdefault("tool_calls", []).append(call_to_wire(block, context.ids))
            case ToolResult():
                results.append(result_to_wire(block, context.ids))
            case OpaqueBlock(_, payload):
                parts.append(thaw(payload))
            case _:
                assert_never(block)
    if parts:
        item["content"] = written(parts)
    said = [{**item, **_message_fields(message)}] if len(item) > 1 else []
    return said + results if message.role == "assistant" else results + said


def _message_fields(message: Message) -> Body:
    """Citations and other fields of the message, as long as its texts are those that they speak of."""
    fields = message.metadata.get(WIRE, {})
    if fields.get("covers", "") != _texts(message.blocks):
        return {}
    return {key: thaw(value) for key, value in fields.items() if key != "covers"}


def _texts(blocks: Iterable[Block | OpaqueBlock]) -> str:
    return fingerprint("\n".join(block.text for block in blocks if isinstance(block, TextBlock | ReasoningBlock)))


def _in_order(items: Iterable[Body]) -> list[Body]:
    """Tool messages right behind the calls that they answer, and a turn with calls in one message."""
    placed: list[Body] = []
    held: list[Body] = []  # what was said between calls and results comes after the results
    for item in items:
        if item["role"] == "tool":
            placed.append(item)
        elif item["role"] != "assistant":
            held.append(item)
        elif placed and "tool_calls" in placed[-1]:
            placed[-1] = _joined(placed[-1], item)
        else:
            placed += [*held, item]
            held = []
    return placed + held


def _joined(first: Body, second: Body) -> Body:
    joined = {**first, **second, "tool_calls": first["tool_calls"] + second.get("tool_calls", [])}
    if parts := parts_of(first.get("content")) + parts_of(second.get("content")):
        joined["content"] = written(parts)
    return joined


# ---- their shape to ours


def from_request(body: Mapping[str, Any]) -> tuple[Transcript, list[ToolSchema]]:
    """The transcript and the tool schemas of a request body; raises `TranslationError` with the path of a fault."""
    body = as_object(body, WIRE, "body")
    given = as_list(body.get("messages"), WIRE, "messages")
    items = [as_object(item, WIRE, f"messages[{m}]") for m, item in enumerate(given)]
    leads = bool(items) and items[0].get("role") == "system" and items[0].keys() <= {"role", "content"}
    open_calls: list[str] = []
    messages = [_message(item, f"messages[{m}]", open_calls) for m, item in enumerate(items) if m or not leads]
    transcript = Transcript(messages)
    if leads:
        with reading(WIRE, "messages[0].content"):
            parts = checked_parts(items[0].get("content"), "messages[0].content")
            transcript.system = result_text(parts) or None
            if written(parts) != (transcript.system or ""):
                transcript.metadata = {WIRE: {"system": parts}}
    tools = as_list(body.get("tools"), WIRE, "tools")
    return transcript, [tool_from_wire(tool, f"tools[{t}]") for t, tool in enumerate(tools)]


def from_response(body: Any) -> ProviderResponse:
    """The whole assistant turn of a response: a mapping, or the SDK's own object; raises `TranslationError`."""
    body = plain(body, WIRE)
    message = _message({"role": "assistant", **as_object(body.get("message"), WIRE, "message")}, "message", [])
    usage = as_object(body.get("usage") or {}, WIRE, "usage")
    counted = as_object(usage.get("tokens") or usage.get("billed_units") or {}, WIRE, "usage.tokens")
    response_id = as_text(body["id"], WIRE, "id") if body.get("id") else None
    has_calls = any(type(block) is ToolCall for block in message.blocks)
    stop = stop_reason(str(body.get("finish_reason")), STOP_REASONS, has_calls=has_calls)
    return ProviderResponse(
        blocks=message.blocks,
        stop_reason=stop,
        input_tokens=as_count(counted.get("input_tokens")),
        output_tokens=as_count(counted.get("output_tokens")),
        reasoning_tokens=as_count(counted.get("reasoning_tokens")),
        cached_tokens=as_count(usage.get("cached_tokens")),
        id=response_id,
        provenance=Provenance(wire=WIRE, response_id=response_id, stop_reason=stop),
        metadata=message.metadata,
    )


def _message(item: Mapping[str, Any], path: str, open_calls: list[str]) -> Message:
    """One message; `open_calls` are the ids of calls that have no result yet, for results that name none."""
    role = item.get("role")
    with reading(WIRE, path):
        if role == "tool":
            return Message("user", (result_from_wire(item, path, open_calls),))
        if role not in ("user", "assistant", "system"):
            raise TranslationError(WIRE, f"{path}.role", f"must be user, assistant, system or tool, not {role!r}")
        parts = checked_parts(item.get("content"), f"{path}.content")
        plan = item.get("tool_plan")
        blocks: list[Block | OpaqueBlock] = []
        if plan is not None:
            blocks.append(ReasoningBlock(as_text(plan, WIRE, f"{path}.tool_plan"), {WIRE: {"field": "tool_plan"}}))
        blocks += [part_from_wire(part, f"{path}.content[{p}]") for p, part in enumerate(parts)]
        for c, call in enumerate(as_list(item.get("tool_calls"), WIRE, f"{path}.tool_calls")):
            blocks.append(call_from_wire(call, f"{path}.tool_calls[{c}]", open_calls))
        fields = rest(item, "role", "content", "tool_plan", "tool_calls")
        metadata = {WIRE: {**fields, "covers": _texts(blocks)}} if fields else {}
        return Message(role, tuple(blocks), metadata=metadata)


# ---- the provider


class CohereProvider:
    """Cohere's models through its SDK; `client` may be any object with its `chat` (of `cohere.ClientV2`).

    Thinking is on by default in models that can: `enable_thinking=False` turns it off, `thinking_budget_tokens` limits
    it. Raises `MissingCredentials` when `CO_API_KEY` is not set.
    """

    name = "cohere"

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        client: Any = None,
        *,
        enable_thinking: bool | None = None,
        thinking_budget_tokens: int | None = None,
        max_tokens: int | None = None,
    ) -> None:
        if enable_thinking is False and thinking_budget_tokens:
            raise HarnessError("a thinking budget needs thinking: leave out enable_thinking=False, or the budget")
        self.model = model
        self.enable_thinking = enable_thinking
        self.thinking_budget_tokens = thinking_budget_tokens
        self.max_tokens = max_tokens
        self._client = client

    def request(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> Body:
        """The body that `complete` sends."""
        return to_request(
            transcript,
            tools,
            model=self.model,
            provider=self.name,
            max_tokens=self.max_tokens,
            thinking=self._thinking(),
        )

    def _thinking(self) -> Body | None:
        if self.enable_thinking is None and not self.thinking_budget_tokens:
            return None
        budget = {"token_budget": self.thinking_budget_tokens} if self.thinking_budget_tokens else {}
        return {"type": "disabled" if self.enable_thinking is False else "enabled", **budget}

    def complete(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> ProviderResponse:
        """The next assistant turn; raises `ProviderError` for what the service refuses."""
        response = from_response(_send.create(self._ready().chat, self.request(transcript, tools)))
        made_by = replace(response.provenance or Provenance(WIRE), provider=self.name, model=self.model)
        return replace(response, provenance=made_by)

    def _ready(self) -> Any:
        if self._client is None:
            _send.require_key("Cohere", KEY_VARIABLE)
            self._client = _send.load_sdk("cohere", "cohere").ClientV2()
        return self._client
