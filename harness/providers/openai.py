"""OpenAI Responses: a transcript as a flat list of items and back, and the provider that talks to OpenAI.

A request holds `input`, a list of items: messages, `reasoning`, `function_call`, `function_call_output`, and the items
of OpenAI's own tools. One of our messages is several items; neighbouring items of the model are one of our messages.
How one block becomes one item stands in `_items_openai.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, assert_never

from ..errors import TranslationError
from ..frozen import thaw
from ..messages import (
    Block,
    Message,
    OpaqueBlock,
    Provenance,
    ReasoningBlock,
    Role,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
)
from . import _items_openai as wire
from . import _send
from ._handover import crosses, require_ours, require_whole, wire_ids
from ._items_openai import WIRE, Json
from ._reading import as_count, as_list, as_object, as_text, plain, reading
from ._rules_openai import ENCRYPTED, MAX_CALL_ID, ROLES, cannot_reason, check_request, check_settings
from .base import ProviderResponse, StopReason, ToolSchema, stop_reason

__all__ = ["DEFAULT_MODEL", "WIRE", "OpenAIProvider", "check_request", "from_request", "from_response", "to_request"]

DEFAULT_MODEL = "gpt-5.4-mini"

# The status of a response, or the reason why it is incomplete.
STOP_REASONS: dict[str, StopReason] = {
    "completed": "end",
    "max_output_tokens": "max_tokens",
    "content_filter": "content_filter",
}


# ---- our shape to theirs


@dataclass(frozen=True)
class _Context:
    """What the translation of one message depends on besides the message."""

    provider: str | None
    model: str | None
    stateless: bool
    ids: Mapping[str, str]


def to_request(
    transcript: Transcript,
    tools: Sequence[ToolSchema] = (),
    *,
    model: str | None = None,
    provider: str | None = None,
    stateless: bool = False,
    reasoning_effort: str | None = None,
    max_output_tokens: int | None = None,
) -> Json:
    """The conversation as a request body: `instructions`, `input` and `tools`; an option that is given is added.

    `stateless` asks OpenAI to store nothing and to hand out its reasoning encrypted; reasoning that came without
    encrypted content is left out then, as OpenAI could not look it up. Raises `TranslationError` for what this wire
    cannot say.
    """
    require_whole(transcript, WIRE)
    require_ours(transcript, WIRE)
    context = _Context(provider, model, stateless, wire_ids(transcript, _is_legal))
    body: Json = _options(model, stateless, reasoning_effort, max_output_tokens)
    if transcript.system:
        body["instructions"] = transcript.system
    body["input"] = [item for message in transcript for item in _message_items(message, context)]
    if tools:
        body["tools"] = [wire.write_tool(tool, f"tools[{i}]") for i, tool in enumerate(tools)]
    return body


def _is_legal(call_id: str) -> bool:
    return 0 < len(call_id) <= MAX_CALL_ID


def _options(model: str | None, stateless: bool, reasoning_effort: str | None, max_output_tokens: int | None) -> Json:
    """The settings of a request; an impossible one is a `TranslationError`, before the network."""
    options: Json = {"model": model} if model else {}
    if stateless:
        options["store"] = False
        if not cannot_reason(model):
            options["include"] = [ENCRYPTED]
    if reasoning_effort is not None:
        options["reasoning"] = {"effort": reasoning_effort}
    if max_output_tokens is not None:
        options["max_output_tokens"] = max_output_tokens
    for problem in check_settings(options):
        raise TranslationError(WIRE, problem.path, f"{problem.rule} ({problem.source})")
    return options


def _message_items(message: Message, context: _Context) -> list[Json]:
    """The items of one message, in order. Mended here: reasoning at the end, ids whose reasoning is not sent.

    OpenAI refuses a reasoning item that nothing follows, and an item that it knows by id without its reasoning.
    """
    ours = with_ids = crosses(message, provider=context.provider, model=context.model)
    items: list[Json] = []
    for run in _runs(message):
        block = run[0]
        fields = _fields(message, block, with_ids)
        match block:
            case ToolCall():
                items.append(wire.write_call(block, context.ids.get(block.id, block.id), fields))
            case ToolResult():
                items.append(wire.write_result(block, context.ids.get(block.call_id, block.call_id), fields))
            case TextBlock():
                items.append(wire.write_message(message.role, run, fields))
            case ReasoningBlock():
                reasoning = wire.write_reasoning(block, stateless=context.stateless) if ours else []
                with_ids = bool(reasoning)
                items += reasoning
            case OpaqueBlock() if wire.is_part(block):
                items.append(wire.write_message(message.role, run, fields))
            case OpaqueBlock(_, payload):
                items.append(thaw(payload))
            case _:
                assert_never(block)
    return items


def _runs(message: Message) -> list[list[Block | OpaqueBlock]]:
    """The blocks of each item: several where they are parts of one message item, else one; no reasoning at the end."""
    runs: list[list[Block | OpaqueBlock]] = []
    for block in message.blocks:
        if runs and wire.is_part(block) and wire.joins(block, message.role) and wire.is_part(runs[-1][0]):
            runs[-1].append(block)
        else:
            runs.append([block])
    while runs and type(runs[-1][0]) is ReasoningBlock:
        runs.pop()
    return runs


def _fields(message: Message, block: Block | OpaqueBlock, with_ids: bool) -> Json:
    """The further fields of a block's item: a user or system message keeps those of its one item itself."""
    if message.role != "assistant" and type(block) is not ToolResult:
        return wire.write_fields(message.metadata, with_ids=with_ids)
    return {} if isinstance(block, OpaqueBlock) else wire.write_fields(block.metadata, with_ids=with_ids)


# ---- their shape to ours


@dataclass
class _Turn:
    """A message in the making: `alone` when it is one message item, which no neighbour joins."""

    role: Role
    alone: bool
    metadata: Json
    blocks: list[Block | OpaqueBlock] = field(default_factory=list)


def from_request(body: Mapping[str, Any]) -> tuple[Transcript, list[ToolSchema]]:
    """The transcript and the tool schemas of a request body; raises `TranslationError` with the path of a fault."""
    body = as_object(body, WIRE, "body")
    items = body.get("input")
    items = [{"role": "user", "content": items}] if isinstance(items, str) else as_list(items, WIRE, "input")
    with reading(WIRE, "instructions"):
        transcript = Transcript(system=as_text(body.get("instructions") or "", WIRE, "instructions") or None)
    transcript.extend(_messages(items))
    tools = as_list(body.get("tools"), WIRE, "tools")
    return transcript, [wire.read_tool(tool, f"tools[{i}]") for i, tool in enumerate(tools)]


def from_response(body: Any) -> ProviderResponse:
    """The whole assistant turn of a response: a mapping, or the SDK's own object."""
    body = plain(body, WIRE)
    if body.get("output") is None:
        raise TranslationError(WIRE, "output", "is missing")
    open_calls: list[str] = []
    blocks: list[Block | OpaqueBlock] = []
    for i, item in enumerate(as_list(body["output"], WIRE, "output")):
        blocks += _blocks(as_object(item, WIRE, f"output[{i}]"), f"output[{i}]", open_calls, ("assistant",))
    stop = _stop(body, blocks)
    response_id = _text_or_none(body.get("id"))
    with reading(WIRE, "body"):
        return ProviderResponse(
            blocks=tuple(blocks),
            stop_reason=stop,
            model=_text_or_none(body.get("model")),
            id=response_id,
            provenance=Provenance(wire=WIRE, response_id=response_id, stop_reason=stop),
            **_usage(body.get("usage")),
        )


def _messages(items: Sequence[Any]) -> list[Message]:
    """The messages behind a list of items: neighbours of the model, and results, are one message each."""
    turns: list[_Turn] = []
    open_calls: list[str] = []
    for i, item in enumerate(items):
        path = f"input[{i}]"
        turn = _turn(as_object(item, WIRE, path))
        turn.blocks += _blocks(item, path, open_calls)
        if turns and not turn.alone and not turns[-1].alone and turns[-1].role == turn.role:
            turns[-1].blocks += turn.blocks
        else:
            turns.append(turn)
    with reading(WIRE, "input"):
        return [Message(turn.role, tuple(turn.blocks), metadata=turn.metadata) for turn in turns]


def _turn(item: Mapping[str, Any]) -> _Turn:
    role, kind = item.get("role"), _kind(item)
    if role in ("user", "system", "developer"):
        fields = wire.read_fields(item) if kind == "message" else {}
        if role == "developer":
            fields["role"] = "developer"
        return _Turn("user" if role == "user" else "system", True, {WIRE: {"item": fields}} if fields else {})
    by_client = kind == "mcp_approval_response" or (kind.endswith("_output") and item.get("execution") != "server")
    return _Turn("user" if by_client else "assistant", False, {})


def _kind(item: Mapping[str, Any]) -> str:
    return str(item.get("type") or ("message" if "role" in item else "item_reference"))


def _blocks(
    item: Mapping[str, Any], path: str, open_calls: list[str], roles: tuple[str, ...] = ROLES
) -> list[Block | OpaqueBlock]:
    """The blocks of one item; what the canon has no word for, and a message of none of the `roles`, stays whole."""
    with reading(WIRE, path):
        match _kind(item):
            case "message" if item.get("role") in roles:
                return wire.read_message(item, path)
            case "function_call":
                call = wire.read_call(item, path)
                open_calls.append(call.id)
                return [call]
            case "function_call_output":
                result = wire.read_result(item, path, open_calls[0] if open_calls else None)
                if result.call_id in open_calls:
                    open_calls.remove(result.call_id)
                return [result]
            case "reasoning":
                return [wire.read_reasoning(item, path)]
            case _:
                return [OpaqueBlock(WIRE, dict(item))]


def _stop(body: Mapping[str, Any], blocks: Sequence[Block | OpaqueBlock]) -> StopReason:
    details = body.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, Mapping) else None
    if reason != "max_output_tokens" and any(_is_refusal(block) for block in blocks):
        return "refusal"
    has_calls = any(type(block) is ToolCall for block in blocks)
    return stop_reason(str(reason or body.get("status")), STOP_REASONS, has_calls=has_calls)


def _is_refusal(block: Block | OpaqueBlock) -> bool:
    return type(block) is TextBlock and block.metadata.get(WIRE, {}).get("part", {}).get("type") == "refusal"


def _usage(usage: Any) -> dict[str, Any]:
    """The counts by our names: here input includes cached tokens and output includes reasoning already."""
    return {
        "input_tokens": _count(usage, "input_tokens"),
        "output_tokens": _count(usage, "output_tokens"),
        "reasoning_tokens": _count(usage, "output_tokens_details", "reasoning_tokens"),
        "cached_tokens": _count(usage, "input_tokens_details", "cached_tokens"),
    }


def _count(usage: Any, *keys: str) -> int:
    for key in keys:
        usage = usage.get(key) if isinstance(usage, Mapping) else None
    return as_count(usage)


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None


# ---- the provider


ROUTE = _send.Route("openai.OpenAI", "/responses", "input", _is_legal)


class OpenAIProvider:
    """OpenAI's models through its SDK, always stateless; `client` may be any object with its `responses.create`."""

    name = "openai"

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        client: Any = None,
        reasoning_effort: str | None = None,
        max_output_tokens: int | None = None,
    ) -> None:
        self.model = model
        self.reasoning_effort = reasoning_effort
        self.max_output_tokens = max_output_tokens
        self._client = client
        self._sender = _send.Sender()

    def request(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> Json:
        """The body that `complete` sends."""
        return to_request(
            transcript,
            tools,
            model=self.model,
            provider=self.name,
            stateless=True,
            reasoning_effort=self.reasoning_effort,
            max_output_tokens=self.max_output_tokens,
        )

    def complete(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> ProviderResponse:
        """The next assistant turn; raises `MissingCredentials`, `TranslationError` or `ProviderError`."""
        client = self._ready()
        response = from_response(self._sender.send(self, client, client.responses.create, transcript, tools, ROUTE))
        made_by = replace(response.provenance or Provenance(WIRE), provider=self.name, model=self.model)
        return replace(response, provenance=made_by)

    def _ready(self) -> Any:
        if self._client is None:
            _send.require_key("OpenAI", "OPENAI_API_KEY")
            from openai import OpenAI

            self._client = OpenAI()
        return self._client
