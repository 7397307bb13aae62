"""Bedrock Converse: a transcript as a request body and back, and the provider that talks to AWS.

One API in front of many vendors' models. A block is an object with a single key that names its kind; results travel
in the user turn; user and assistant alternate; and tools must be declared as long as the history mentions one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import HarnessError, MissingCredentials, TranslationError
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
from . import _send
from ._bedrock_blocks import WIRE, block_from_wire, block_to_wire, text_of
from ._bedrock_forms import called, tool_from_wire, tool_to_wire, with_bytes, without_bytes
from ._handover import crosses, require_ours, require_whole, wire_ids
from ._reading import as_count, as_list, as_object, as_text, plain, reading
from ._rules_bedrock import LEGAL_ID, check_request
from .base import ProviderResponse, StopReason, ToolSchema, stop_reason

__all__ = ["WIRE", "BedrockProvider", "check_request", "from_request", "from_response", "to_request"]

DEFAULT_MODEL = "global.amazon.nova-2-lite-v1:0"
BEARER_TOKEN = "AWS_BEARER_TOKEN_BEDROCK"  # a Bedrock API key; boto3 takes it before any other credentials
READ_TIMEOUT = 600  # seconds; boto3's own 60 are too few for a model that thinks, and each retry would be paid for

STOP_REASONS: dict[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool_calls",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "guardrail_intervened": "content_filter",
    "content_filtered": "content_filter",
}

Body = dict[str, Any]  # {"messages": [{"role": "user", "content": [{"text": "hi"}]}], "toolConfig": {"tools": [...]}}


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
    model_fields: Mapping[str, Any] | None = None,
) -> Body:
    """The conversation part of a request body, and what the options add to it.

    `model_fields` are the parameters that one vendor's models understand, such as Claude's `thinking`.
    Mended on the way: blank texts are left out, neighbours of one role are one turn, results come first in theirs,
    and the tools that the history calls are declared when `tools` is empty.
    Raises `TranslationError` for what this wire cannot say.
    """
    require_whole(transcript, WIRE)
    require_ours(transcript, WIRE)
    context = _Context(provider, model, wire_ids(transcript, lambda id_: bool(LEGAL_ID.fullmatch(id_))))
    leading = _leading_system(transcript.messages)
    body: Body = {"modelId": model} if model else {}
    if system := _system(transcript, leading, context):
        body["system"] = system
    body["messages"] = _turns(transcript.messages[len(leading) :], context)
    if declared := [tool_to_wire(tool, f"tools[{t}]") for t, tool in enumerate(tools)] or called(transcript):
        body["toolConfig"] = {"tools": declared}
    if max_tokens:
        body["inferenceConfig"] = {"maxTokens": max_tokens}
    if model_fields:
        body["additionalModelRequestFields"] = thaw(model_fields)
    return body


def _leading_system(messages: Sequence[Message]) -> list[Message]:
    """The system messages that open the conversation, unless this wire itself had them among its messages."""
    leading = []
    for message in messages:
        only_text = all(type(block) is TextBlock for block in message.blocks)
        if message.role != "system" or WIRE in message.metadata or not only_text:
            break
        leading.append(message)
    return leading


def _system(transcript: Transcript, leading: Sequence[Message], context: _Context) -> list[Body]:
    kept = transcript.metadata.get(WIRE, {}).get("system", [])
    text = transcript.system or ""
    if kept and _system_text(kept) == text:
        parts: list[Body] = thaw(kept)
    else:
        parts = [{"text": text}] if text.strip() else []
    for message in leading:
        parts += _message_content(message, context)
    return parts


def _system_text(parts: Sequence[Mapping[str, Any]]) -> str:
    return "\n".join(text for part in parts if (text := text_of(part)) is not None)


def _turns(messages: Sequence[Message], context: _Context) -> list[Body]:
    turns: list[Body] = []
    for message in _answered_first(messages):
        content = _message_content(message, context)
        if turns and turns[-1]["role"] == message.role:
            turns[-1]["content"] += content
        elif content:
            turns.append({"role": message.role, "content": content})
    for turn in turns:
        if turn["role"] == "user":
            turn["content"] = _results_first(turn["content"])
    return turns


def _answered_first(messages: Iterable[Message]) -> Iterator[Message]:
    """The messages in order, save that a system message waits until the calls before it have their results."""
    unanswered: set[str] = set()
    waiting: list[Message] = []
    for message in messages:
        if message.role == "system" and unanswered:
            waiting.append(message)
            continue
        unanswered |= {block.id for block in message.blocks if type(block) is ToolCall}
        unanswered -= {block.call_id for block in message.blocks if type(block) is ToolResult}
        yield message
        if not unanswered:
            yield from waiting
            waiting = []
    yield from waiting


def _results_first(content: list[Body]) -> list[Body]:
    """Results, then the rest; a cache point stays behind what it follows."""
    results: list[Body] = []
    rest: list[Body] = []
    group = rest
    for item in content:
        if "cachePoint" not in item:
            group = results if "toolResult" in item else rest
        group.append(item)
    return results + rest


def _message_content(message: Message, context: _Context) -> list[Body]:
    keep_reasoning = crosses(message, provider=context.provider, model=context.model)
    content: list[Body] = []
    for block in message.blocks:
        if type(block) is ReasoningBlock and not keep_reasoning:
            continue
        if (item := block_to_wire(block, context.ids)) is not None:
            content += [item, *_cache_point(block)]
    return content


def _cache_point(block: Block | OpaqueBlock) -> list[Body]:
    """The mark behind the block up to which the service keeps the conversation in its cache, if there is one."""
    fields = {} if isinstance(block, OpaqueBlock) else block.metadata.get(WIRE, {})
    return [{"cachePoint": thaw(fields["cachePoint"])}] if "cachePoint" in fields else []


# ---- their shape to ours


def from_request(body: Mapping[str, Any]) -> tuple[Transcript, list[ToolSchema]]:
    """The transcript and the tool schemas of a request body; raises `TranslationError` with the path of a fault."""
    body = as_object(body, WIRE, "body")
    items, system = as_list(body.get("messages"), WIRE, "messages"), as_list(body.get("system"), WIRE, "system")
    messages = [_message(item, f"messages[{m}]") for m, item in enumerate(items)]
    parts = [as_object(part, WIRE, f"system[{p}]") for p, part in enumerate(system)]
    config = as_object(body.get("toolConfig") or {}, WIRE, "toolConfig")
    tools = as_list(config.get("tools"), WIRE, "toolConfig.tools")
    with reading(WIRE, "system"):
        text = _system_text(parts)
        kept = {WIRE: {"system": parts}} if parts not in ([], [{"text": text}]) else {}
        transcript = Transcript(messages, text or None, kept)
    return transcript, [tool_from_wire(tool, f"toolConfig.tools[{t}]") for t, tool in enumerate(tools)]


def from_response(body: Any) -> ProviderResponse:
    """The whole assistant turn of a response, as JSON or as boto3 gives it; raises `TranslationError`."""
    with reading(WIRE, "body"):
        body = without_bytes(plain(body, WIRE))
    message = as_object(as_object(body.get("output"), WIRE, "output").get("message"), WIRE, "output.message")
    blocks = _blocks(message.get("content"), "output.message.content")
    usage = as_object(body.get("usage") or {}, WIRE, "usage")
    cached = as_count(usage.get("cacheReadInputTokens"))
    about = as_object(body.get("ResponseMetadata") or {}, WIRE, "ResponseMetadata")
    request_id = as_text(about["RequestId"], WIRE, "ResponseMetadata.RequestId") if about.get("RequestId") else None
    has_calls = any(type(block) is ToolCall for block in blocks)
    stop = stop_reason(str(body.get("stopReason")), STOP_REASONS, has_calls=has_calls)
    return ProviderResponse(
        blocks=blocks,
        stop_reason=stop,
        input_tokens=as_count(usage.get("inputTokens")) + cached + as_count(usage.get("cacheWriteInputTokens")),
        output_tokens=as_count(usage.get("outputTokens")),
        cached_tokens=cached,
        id=request_id,
        provenance=Provenance(wire=WIRE, response_id=request_id, stop_reason=stop),
    )


def _message(item: Any, path: str) -> Message:
    item = as_object(item, WIRE, path)
    role = item.get("role")
    if role not in ("user", "assistant", "system"):
        raise TranslationError(WIRE, f"{path}.role", f"must be user, assistant or system, not {role!r}")
    metadata = {WIRE: {"in_messages": True}} if role == "system" else {}  # its place is among the messages
    return Message(role, _blocks(item.get("content"), f"{path}.content"), metadata=metadata)


def _blocks(content: Any, path: str) -> tuple[Block | OpaqueBlock, ...]:
    blocks: list[Block | OpaqueBlock] = []
    for b, item in enumerate(as_list(content, WIRE, path)):
        here = f"{path}[{b}]"
        with reading(WIRE, here):
            block = block_from_wire(as_object(item, WIRE, here), here)
            if "cachePoint" in item and blocks and (marked := _marked(blocks[-1], item["cachePoint"])):
                blocks[-1] = marked
            else:
                blocks.append(block)
    return tuple(blocks)


def _marked(block: Block | OpaqueBlock, point: Any) -> Block | None:
    """The block with a cache point behind it; None when it can carry none: the point is then a block of its own."""
    if isinstance(block, OpaqueBlock) or "cachePoint" in block.metadata.get(WIRE, {}):
        return None
    fields = {**block.metadata.get(WIRE, {}), "cachePoint": point}
    return replace(block, metadata={**block.metadata, WIRE: fields})


# ---- the provider


class BedrockProvider:
    """Any vendor's model through boto3's `bedrock-runtime`; `client` may be any object with its `converse`.

    Without a client: credentials and region are those that boto3 finds (environment, profiles, at last the role of a
    machine in AWS, asked of that machine), a Bedrock API key in `AWS_BEARER_TOKEN_BEDROCK` first.
    Raises `MissingCredentials` when there are none.
    """

    name = "bedrock"

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        client: Any = None,
        *,
        region: str | None = None,
        max_tokens: int = 4096,
        model_fields: Mapping[str, Any] | None = None,
    ) -> None:
        self.model = model
        self.region = region
        self.max_tokens = max_tokens
        self.model_fields = model_fields
        self._client = client

    def request(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> Body:
        """The body that `complete` sends, as JSON: bytes in base64."""
        return to_request(
            transcript,
            tools,
            model=self.model,
            provider=self.name,
            max_tokens=self.max_tokens,
            model_fields=self.model_fields,
        )

    def complete(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> ProviderResponse:
        """The next assistant turn; raises `ProviderError` for what the service refuses."""
        raw = _send.create(self._ready().converse, with_bytes(self.request(transcript, tools)))
        response = from_response(raw)
        made_by = replace(response.provenance or Provenance(WIRE), provider=self.name, model=self.model)
        return replace(response, provenance=made_by)

    def _ready(self) -> Any:
        if self._client is None:
            session = _send.load_sdk("boto3", "bedrock").Session(region_name=self.region)
            if not os.environ.get(BEARER_TOKEN) and session.get_credentials() is None:
                raise MissingCredentials("Bedrock", BEARER_TOKEN)
            if session.region_name is None:
                raise HarnessError("Bedrock needs a region: set AWS_DEFAULT_REGION, or give region='us-east-1'")
            config = _send.load_sdk("botocore.config", "bedrock").Config(read_timeout=READ_TIMEOUT)
            self._client = session.client("bedrock-runtime", config=config)
        return self._client
