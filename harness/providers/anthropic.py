"""Anthropic Messages: a transcript as a request body and back, and the provider that talks to Claude.

A turn is a list of typed blocks, much like ours. What is special: tool results travel in the user turn, neighbours of
one role are one turn, and a thinking block goes back with its signature, unchanged and in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, assert_never

from ..errors import TranslationError
from ..frozen import freeze, thaw
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
from ..metadata import fingerprint
from . import PROVIDERS, _send
from ._handover import crosses, require_ours, require_whole, wire_ids
from ._models_anthropic import settings
from ._reading import as_count, as_list, as_object, as_text, plain, reading
from ._rules_anthropic import LEGAL_ID, check_request, lacks_thinking, turns_of
from ._turns_anthropic import Turn, is_plain_system, mended, require_places
from .base import ProviderResponse, StopReason, ToolSchema, stop_reason

__all__ = ["DEFAULT_MODEL", "WIRE", "AnthropicProvider", "check_request", "from_request", "from_response", "to_request"]

WIRE = "anthropic.messages"
DEFAULT_MODEL = "claude-sonnet-4-6"  # takes both ways of thinking; not deprecated (a test asks the SDK)

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
# Anthropic refuses an error result without content; an error without words is sent and read back as these.
EMPTY_ERROR = "(the tool failed and said nothing)"
# What a block's metadata keeps for one function here, and what is never sent.
KEPT_APART = ("content", "texts", "signature", "data", "covers")

Body = dict[str, Any]  # {"model": "claude-...", "max_tokens": 4096, "messages": [{"role": "user", "content": "hi"}]}


# ---- our shape to theirs


@dataclass(frozen=True)
class _Context:
    """What the translation of one message depends on besides the message."""

    provider: str | None
    model: str | None
    ids: Mapping[str, str]


def to_request(
    transcript: Transcript, tools: Sequence[ToolSchema] = (), *, model: str | None = None, provider: str | None = None
) -> Body:
    """The conversation as a request body: `system`, `messages` and `tools`; a model that is given is added.

    What is mended in silence stands in `mended`. Raises `TranslationError` for what this wire cannot say.
    """
    require_whole(transcript, WIRE)
    require_ours(transcript, WIRE)
    context = _Context(provider, model, wire_ids(transcript, _is_legal))
    said = [
        Turn(message.role, _message_content(message, context), thaw(_fields(message)), m)
        for m, message in enumerate(transcript)
    ]
    leading = [*takewhile(is_plain_system, said)]
    turns = mended(said[len(leading) :])
    require_places(turns, model, WIRE)
    body: Body = {"model": model} if model else {}
    if system := _system(transcript, leading):
        body["system"] = system
    body["messages"] = [{**turn.fields, "role": turn.role, "content": turn.content} for turn in turns]
    if tools:
        body["tools"] = [_tool_to_wire(tool, f"tools[{t}]") for t, tool in enumerate(tools)]
    return body


def _is_legal(call_id: str) -> bool:
    return LEGAL_ID.fullmatch(call_id) is not None


def _message_content(message: Message, context: _Context) -> list[Body]:
    ours = crosses(message, provider=context.provider, model=context.model)
    blocks = message.blocks if ours else [block for block in message.blocks if type(block) is not ReasoningBlock]
    items = [_block_to_wire(block, context) for block in blocks]
    return [item for item in items if item is not None]


def _block_to_wire(block: Block | OpaqueBlock, context: _Context) -> Body | None:
    """The wire's form of a block; None for what it takes in no form: empty text, reasoning that it did not sign."""
    match block:
        case TextBlock():
            return _with_fields({"type": "text", "text": block.text}, block) if block.text else None
        case ToolCall():
            id_ = context.ids.get(block.id, block.id)
            return _with_fields({"type": "tool_use", "id": id_, "name": block.name, "input": thaw(block.args)}, block)
        case ToolResult():
            id_ = context.ids.get(block.call_id, block.call_id)
            return _with_fields({"type": "tool_result", "tool_use_id": id_, **_result_content(block)}, block)
        case ReasoningBlock():
            return _thinking(block)
        case OpaqueBlock():
            return dict(thaw(block.payload))
        case _:
            assert_never(block)


def _result_content(result: ToolResult) -> Body:
    kept = _fields(result)
    parts = kept.get("content") or kept.get("texts")
    content = thaw(parts) if parts and _text_of(parts) == result.content else result.content
    if result.is_error:
        return {"content": content or EMPTY_ERROR, "is_error": True}
    return {"content": content} if content else {}


def _thinking(reasoning: ReasoningBlock) -> Body | None:
    kept = _fields(reasoning)
    if kept.get("data") and not reasoning.text:
        return {"type": "redacted_thinking", "data": kept["data"]}
    if kept.get("signature") and seal_holds(reasoning, WIRE):
        return {"type": "thinking", "thinking": reasoning.text, "signature": kept["signature"]}
    return None


def _with_fields(item: Body, block: Block) -> Body:
    """`item` and what else the vendor put on the block; what the block itself says counts more."""
    for key, value in _fields(block).items():
        stale = key == "citations" and not seal_holds(block, WIRE)
        if key not in item and key not in KEPT_APART and not stale:
            item[key] = thaw(value)
    return item


def _fields(value: Block | Message | Transcript) -> Mapping[str, Any]:
    fields = value.metadata.get(WIRE) if value.metadata else None
    return fields if isinstance(fields, dict) else {}


def _system(transcript: Transcript, leading: Iterable[Turn]) -> str | list[Body]:
    parts: list[Body] = []
    if transcript.system:
        kept = _fields(transcript).get("system")
        plain_part = {"type": "text", "text": transcript.system}
        parts = thaw(kept) if kept and _text_of(kept, "\n\n") == transcript.system else [plain_part]
    parts += [part for turn in leading for part in turn.content]
    return parts[0]["text"] if len(parts) == 1 and len(parts[0]) == 2 else parts


def _tool_to_wire(tool: ToolSchema, path: str) -> Body:
    """A tool in Anthropic's shape, which is ours; what another wire keeps on it, under its name, stays here."""
    if "input_schema" not in tool and "type" not in tool:
        name = tool.get("name") or next(iter(tool), "it")
        raise TranslationError(WIRE, path, f"{name!r} is another vendor's own tool, or lacks its input_schema")
    wires = {entry.wire for entry in PROVIDERS.values()}
    return {key: thaw(value) for key, value in tool.items() if key not in wires}


# ---- their shape to ours


def from_request(body: Mapping[str, Any]) -> tuple[Transcript, list[ToolSchema]]:
    """The transcript and the tool schemas of a request body; raises `TranslationError` with the path of a fault."""
    body = as_object(body, WIRE, "body")
    messages = as_list(body.get("messages"), WIRE, "messages")
    transcript = Transcript([_read_message(message, f"messages[{m}]") for m, message in enumerate(messages)])
    with reading(WIRE, "system"):
        _read_system(body.get("system"), transcript)
    tools = as_list(body.get("tools"), WIRE, "tools")
    return transcript, [_read_tool(tool, f"tools[{t}]") for t, tool in enumerate(tools)]


def from_response(body: Any) -> ProviderResponse:
    """The whole assistant turn of a response: a mapping, or the SDK's own object."""
    body = plain(body, WIRE)
    blocks = _read_content(body.get("content"), "content")
    called = any(type(block) is ToolCall for block in blocks)
    stop = stop_reason(str(body.get("stop_reason")), STOP_REASONS, has_calls=called)
    with reading(WIRE, "body"):
        return ProviderResponse(
            blocks=blocks,
            stop_reason=stop,
            model=body.get("model"),
            id=body.get("id"),
            provenance=Provenance(wire=WIRE, response_id=body.get("id"), stop_reason=stop),
            **_read_usage(body.get("usage")),
        )


def _read_usage(usage: Any) -> dict[str, Any]:
    """Anthropic counts cached input apart, and thinking within the output."""
    usage = as_object(usage or {}, WIRE, "usage")
    details = as_object(usage.get("output_tokens_details") or {}, WIRE, "usage.output_tokens_details")
    cached = as_count(usage.get("cache_read_input_tokens"))
    written = as_count(usage.get("cache_creation_input_tokens"))
    return {
        "input_tokens": as_count(usage.get("input_tokens")) + written + cached,
        "output_tokens": as_count(usage.get("output_tokens")),
        "reasoning_tokens": as_count(details.get("thinking_tokens")),
        "cached_tokens": cached,
    }


def _read_message(message: Any, path: str) -> Message:
    message = as_object(message, WIRE, path)
    role = message.get("role")
    if role not in ("user", "assistant", "system"):
        raise TranslationError(WIRE, f"{path}.role", f"must be user, assistant or system, not {role!r}")
    blocks = _read_content(message.get("content"), f"{path}.content")
    with reading(WIRE, path):
        return Message(role, blocks, metadata=_kept(message, "role", "content"))


def _read_content(content: Any, path: str) -> tuple[Block | OpaqueBlock, ...]:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    return tuple(_read_block(item, f"{path}[{i}]") for i, item in enumerate(as_list(content, WIRE, path)))


def _read_block(item: Any, path: str) -> Block | OpaqueBlock:
    item = as_object(item, WIRE, path)

    def text(key: str) -> str:
        return as_text(item.get(key), WIRE, f"{path}.{key}")

    with reading(WIRE, path):
        match text("type"):
            case "text":
                return TextBlock(text("text"), _sealed(_kept(item, "type", "text"), text("text")))
            case "tool_use":
                args = as_object(item.get("input"), WIRE, f"{path}.input")
                return ToolCall(text("id"), text("name"), dict(args), _kept(item, "type", "id", "name", "input"))
            case "tool_result":
                return _read_result(item, text("tool_use_id"), f"{path}.content")
            case "thinking":
                return ReasoningBlock(text("thinking"), _kept(item, "type", "thinking"))
            case "redacted_thinking":
                return ReasoningBlock("", {WIRE: {"data": text("data")}})
            case _:
                return OpaqueBlock(WIRE, dict(item))


def _read_result(item: Mapping[str, Any], call_id: str, path: str) -> ToolResult:
    """A result whose content is text; other parts make it rich, and then the whole is kept as well."""
    content, is_error = item.get("content") or "", bool(item.get("is_error"))
    parts = [] if isinstance(content, str) else _read_parts(content, path)
    text = content if isinstance(content, str) else _text_of(parts)
    metadata = _kept(item, "type", "tool_use_id", "content", "is_error")
    if parts and parts != [{"type": "text", "text": text}]:
        key = "texts" if all(part.get("type") == "text" for part in parts) else "content"
        metadata = {WIRE: {**metadata.get(WIRE, {}), key: parts}}
    if is_error and text == EMPTY_ERROR:
        text = ""
    return ToolResult(call_id, text, is_error, metadata)


def _read_parts(parts: Any, path: str) -> list[Mapping[str, Any]]:
    found = [as_object(part, WIRE, f"{path}[{p}]") for p, part in enumerate(as_list(parts, WIRE, path))]
    for p, part in enumerate(found):
        if part.get("type") == "text":
            as_text(part.get("text"), WIRE, f"{path}[{p}].text")
    return found


def _read_system(system: Any, transcript: Transcript) -> None:
    """System parts are kept whole where they say more than their text: several of them, or cache marks."""
    parts = [{"type": "text", "text": system}] if isinstance(system, str) else _read_parts(system, "system")
    for p, part in enumerate(parts):
        as_text(part.get("text"), WIRE, f"system[{p}].text")
    transcript.system = _text_of(parts, "\n\n") or None
    if transcript.system and parts != [{"type": "text", "text": transcript.system}]:
        transcript.metadata = {WIRE: {"system": parts}}


def _read_tool(tool: Any, path: str) -> ToolSchema:
    with reading(WIRE, path):
        return dict(thaw(freeze(as_object(tool, WIRE, path))))


def _kept(item: Mapping[str, Any], *known: str) -> Body:
    """Metadata of what an item has besides what is known; a null says nothing, nor does the usual caller."""
    kept = {key: value for key, value in item.items() if key not in known and value is not None}
    if kept.get("caller") == {"type": "direct"}:
        del kept["caller"]
    return {WIRE: kept} if kept else {}


def _sealed(metadata: Body, text: str) -> Body:
    """Metadata whose citations hold for this text only: an edit of the block voids them."""
    if "citations" in metadata.get(WIRE, {}):
        metadata[WIRE]["covers"] = fingerprint(text)
    return metadata


def _text_of(parts: Any, between: str = "\n") -> str:
    texts = [part.get("text") for part in parts if isinstance(part, Mapping) and part.get("type") == "text"]
    return between.join(text for text in texts if isinstance(text, str))


# ---- the provider


ROUTE = _send.Route("anthropic.Anthropic", "/v1/messages", "messages", _is_legal)


class AnthropicProvider:
    """Claude through Anthropic's SDK; `client` may be any object with its `messages.create`.

    `enable_thinking` lets the model decide how much to think, or sets a budget for models that know no other way, and
    for those that take both when `thinking_budget_tokens` is given; a few models think always. `effort` is one of
    `low`, `medium`, `high`, `xhigh`, `max`. Raises `InvalidValue` for a pair that Anthropic would refuse.
    """

    name = "anthropic"

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        client: Any = None,
        enable_thinking: bool = False,
        thinking_budget_tokens: int | None = None,
        max_tokens: int = 4096,
        effort: str | None = None,
    ) -> None:
        self.model = model
        self._client = client
        self._sender = _send.Sender()
        self._settings = settings(
            model,
            enable_thinking=enable_thinking,
            thinking_budget_tokens=thinking_budget_tokens,
            effort=effort,
            max_tokens=max_tokens,
        )

    def request(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> Body:
        """The body that `complete` sends.

        A turn that another model began, or this one with thinking off, cannot go on with a thinking budget: then that
        one request is sent without.
        """
        body: Body = to_request(transcript, tools, model=self.model, provider=self.name) | thaw(self._settings)
        if body.get("thinking", {}).get("type") == "enabled" and lacks_thinking(turns_of(body["messages"])):
            del body["thinking"]
        return body

    def complete(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> ProviderResponse:
        """The next assistant turn."""
        client = self._ready()
        # With a budget it matters whether the first turn of a loop has thinking: see `request`.
        route = ROUTE._replace(whole_loops="budget_tokens" in self._settings.get("thinking", ()))
        response = from_response(self._sender.send(self, client, client.messages.create, transcript, tools, route))
        made_by = replace(response.provenance or Provenance(WIRE), provider=self.name, model=self.model)
        return replace(response, provenance=made_by)

    def _ready(self) -> Any:
        if self._client is None:
            _send.require_key("Anthropic", "ANTHROPIC_API_KEY")
            from anthropic import Anthropic

            self._client = Anthropic()
        return self._client
