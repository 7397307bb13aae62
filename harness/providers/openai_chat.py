"""Chat Completions: a transcript as a list of role-tagged messages and back, and the provider that speaks it.

What is special: a call hangs on its assistant message and its arguments are a string; each result is a message of its
own, directly after the calls; reasoning has no agreed field, so each dialect's goes back in the field it came in.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

from ..errors import ProviderError, TranslationError
from ..frozen import freeze
from ..messages import Block, OpaqueBlock, Provenance, TextBlock, ToolCall, Transcript
from . import _send
from ._chat_parts import REFUSAL_FIELD, REFUSAL_PART, Body, OpenCalls, read_tool, write_tools
from ._chat_reasoning import WIRE, silent_turns, split_thinking
from ._chat_turns import (
    Context,
    in_order,
    leading_system,
    message_items,
    read_fields,
    read_message,
    read_turn,
    system_items,
    system_text,
)
from ._dialects import ANY, DIALECTS, Dialect
from ._handover import require_ours, require_whole, wire_ids
from ._reading import as_count, as_list, as_object, plain, reading
from ._rules_openai_chat import check_request
from .base import ProviderResponse, StopReason, ToolSchema, stop_reason

__all__ = [
    "WIRE",
    "OpenAIChatCompletionsProvider",
    "check_request",
    "from_request",
    "from_response",
    "to_request",
]

STOP_REASONS: dict[str, StopReason] = {
    "stop": "end",
    "eos": "end",
    "": "end",
    "tool_calls": "tool_calls",
    "tool_call": "tool_calls",
    "function_call": "tool_calls",
    "length": "max_tokens",
    "model_length": "max_tokens",
    "content_filter": "content_filter",
    "sensitive": "content_filter",
}


# ---- our shape to theirs


def to_request(
    transcript: Transcript,
    tools: Sequence[ToolSchema] = (),
    *,
    model: str | None = None,
    provider: str | None = None,
    dialect: Dialect = ANY,
) -> Body:
    """The conversation part of a request body: messages and tools (and the model, when given).

    `provider` and `dialect` say who it goes to, and what is its own. Raises `TranslationError` for what this wire
    cannot say.
    """
    require_whole(transcript, WIRE)
    require_ours(transcript, WIRE)
    _require_places(transcript)
    renamed = wire_ids(transcript, dialect.is_legal, dialect.new_id.format)
    context = Context(provider, model, dialect, renamed)
    silent = silent_turns(transcript.messages, dialect.reasoning)
    items = system_items(transcript)
    for m, message in enumerate(transcript):
        items += message_items(message, context, think=m not in silent)
    return {**({"model": model} if model else {}), "messages": in_order(items), **write_tools(tools)}


def _require_places(transcript: Transcript) -> None:
    for m, message in enumerate(transcript):
        for b, block in enumerate(message.blocks if message.role != "assistant" else ()):
            if type(block) is ToolCall:
                raise TranslationError(WIRE, f"messages[{m}].blocks[{b}]", "is a call, which only an assistant makes")


# ---- their shape to ours


def from_request(body: Any) -> tuple[Transcript, list[ToolSchema]]:
    """The transcript and the tool schemas of a request body; raises `TranslationError` with the path of a fault.

    Leading system messages are the transcript's `system`. Ids that are missing are invented, the same for call and
    result.
    """
    body = as_object(body, WIRE, "body")
    if not isinstance(body.get("messages"), list):
        raise TranslationError(WIRE, "messages", "must be a list")
    raw = [as_object(message, WIRE, f"messages[{m}]") for m, message in enumerate(body["messages"])]
    leading = leading_system(raw)
    calls = OpenCalls()
    messages = [read_message(raw[m], f"messages[{m}]", calls) for m in range(len(leading), len(raw))]
    with reading(WIRE, "messages"):
        transcript = Transcript(messages, system_text(leading) if leading else None)
        if leading and leading != system_items(transcript):
            transcript.metadata = {WIRE: {"system": leading}}
    tools = [read_tool(tool, f"tools[{t}]") for t, tool in enumerate(as_list(body.get("tools"), WIRE, "tools"))]
    for f, function in enumerate(as_list(body.get("functions"), WIRE, "functions")):
        tools.append(read_tool({"legacy": True, "function": function}, f"functions[{f}]"))
    return transcript, tools


def from_response(body: Any) -> ProviderResponse:
    """The whole assistant turn of a response: a mapping, or the SDK's own object."""
    body = plain(body, WIRE)
    choices = as_list(body.get("choices"), WIRE, "choices")
    choice = as_object(choices[0] if choices else None, WIRE, "choices[0]")
    raw = as_object(choice.get("message"), WIRE, "choices[0].message")
    with reading(WIRE, "choices[0].message"):
        blocks = split_thinking(read_turn(raw, "choices[0].message", OpenCalls(_fresh_id)))
        stop = _stop_of(choice.get("finish_reason"), blocks)
        response_id = body["id"] if isinstance(body.get("id"), str) else None
        return ProviderResponse(
            text="" if raw.get("content") == "" and not blocks else None,
            blocks=blocks,
            stop_reason=stop,
            model=body["model"] if isinstance(body.get("model"), str) else None,
            id=response_id,
            provenance=Provenance(wire=WIRE, response_id=response_id, stop_reason=stop),
            metadata=freeze(read_fields(raw)),
            **_usage(body.get("usage")),
        )


def _fresh_id(_: int = 0) -> str:
    """An id for a call that has none, such as no other turn has."""
    return f"call_{uuid4().hex[:24]}"


def _stop_of(reason: Any, blocks: Sequence[Block | OpaqueBlock]) -> StopReason:
    refused = any(type(b) is TextBlock and b.metadata.get(WIRE) in (REFUSAL_FIELD, REFUSAL_PART) for b in blocks)
    has_calls = any(type(block) is ToolCall for block in blocks)
    # A missing reason is no good end: "none" is in no table.
    given = stop_reason(reason if isinstance(reason, str) else "none", STOP_REASONS, has_calls=has_calls)
    return "refusal" if refused and given != "max_tokens" else given


def _usage(usage: Any) -> dict[str, Any]:
    """Tokens in our one meaning. xAI counts reasoning beside the completion, which its total gives away."""
    usage = _object(usage)
    prompt, completion = as_count(usage.get("prompt_tokens")), as_count(usage.get("completion_tokens"))
    reasoning = as_count(_object(usage.get("completion_tokens_details")).get("reasoning_tokens"))
    beside = as_count(usage.get("total_tokens")) == prompt + completion + reasoning
    cached = [_object(usage.get("prompt_tokens_details")).get("cached_tokens")]
    cached += [usage.get(key) for key in ("cached_tokens", "num_cached_tokens", "prompt_cache_hit_tokens")]
    return {
        "input_tokens": prompt,
        "output_tokens": completion + reasoning if beside else completion,
        "reasoning_tokens": reasoning,
        "cached_tokens": max(map(as_count, cached)),
    }


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


# ---- the provider


class OpenAIChatCompletionsProvider:
    """Chat Completions through OpenAI's SDK; `client` may be any object with its `chat.completions.create`.

    `max_tokens` limits the answer, `reasoning_effort` says how long to think; both are sent when given. `base_url` is
    another address, such as a proxy's, which may need no key. A server that is in no row of the table of dialects can
    be told as a `dialect`.
    """

    dialect: Dialect = DIALECTS["openai"]

    def __init__(
        self,
        model: str | None = None,
        client: Any = None,
        *,
        base_url: str | None = None,
        max_tokens: int | None = None,
        reasoning_effort: str | None = None,
        dialect: Dialect | None = None,
    ) -> None:
        self.dialect = dialect or self.dialect
        self.name = self.dialect.name
        self.model = model or self.dialect.model
        self.max_tokens = max_tokens
        self.reasoning_effort = reasoning_effort
        self._base_url = base_url
        self._client = client
        self._sender = _send.Sender()

    def request(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> Body:
        """The body that `complete` sends."""
        body = to_request(transcript, tools, model=self.model, provider=self.name, dialect=self.dialect)
        options = {self.dialect.limit: self.max_tokens, "reasoning_effort": self.reasoning_effort}
        return {**body, **{key: value for key, value in options.items() if value is not None}}

    def complete(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> ProviderResponse:
        """The next assistant turn. Raises `ProviderError`, also for an error that comes with a good status."""
        client, by_loop = self._ready(), self.dialect.reasoning == "tool_turns"
        route = _send.Route("openai.OpenAI", "/chat/completions", "messages", self.dialect.is_legal, by_loop)
        try:
            create = client.chat.completions.create
            raw = plain(self._sender.send(self, client, create, transcript, tools, route), WIRE)
            _raise_hidden(raw)
            response = from_response(raw)
        except ProviderError as error:
            response = _unusable_call(error, tools)
        made_by = replace(response.provenance or Provenance(WIRE), provider=self.name, model=self.model)
        return replace(response, provenance=made_by)

    def _ready(self) -> Any:
        if self._client is None:
            variable = self.dialect.key_variable
            if variable and not self._base_url:
                _send.require_key(self.dialect.label, variable)
            from openai import OpenAI

            key = os.environ.get(variable or "") or "not-needed"
            self._client = OpenAI(base_url=self._base_url or self.dialect.base_url, api_key=key)
        return self._client


def _raise_hidden(body: Mapping[str, Any]) -> None:
    """Raise the error that a body of status 200 holds, in itself (gateways) or in its first choice (OpenRouter)."""
    choices = body.get("choices")
    for spot in (body, *(choices[:1] if isinstance(choices, list) else ())):
        if isinstance(spot, Mapping) and (error := spot.get("error")):
            fields = error if isinstance(error, Mapping) else {"message": error}
            status = fields.get("code") if isinstance(fields.get("code"), int) else None
            raise ProviderError(status, str(fields.get("message") or "an error without words"), "Try again.")


def _unusable_call(error: ProviderError, tools: Sequence[ToolSchema]) -> ProviderResponse:
    """The turn of a model whose call the vendor refused (Groq's `tool_use_failed`), else `error` again.

    The call is one that is never executed; its result tells the model what was wrong.
    """
    body = getattr(error.__cause__, "body", None)
    detail = body.get("error", body) if isinstance(body, Mapping) else None
    if not tools or not isinstance(detail, Mapping) or detail.get("code") != "tool_use_failed":
        raise error
    generated = str(detail.get("failed_generation") or "")
    name = next((tool["name"] for tool in tools if tool["name"] in generated), tools[0]["name"])
    # Words come first, so that this is never an object: the call is unreadable, whatever was generated.
    arguments = f"refused: {error.vendor_message} {generated}"
    call = ToolCall(_fresh_id(), name, {}, {WIRE: {"arguments": arguments}})
    return ProviderResponse(blocks=(call,), stop_reason="tool_calls", provenance=Provenance(wire=WIRE))


class GroqProvider(OpenAIChatCompletionsProvider):
    """Chat Completions as Groq speaks it."""

    dialect = DIALECTS["groq"]


class TogetherProvider(OpenAIChatCompletionsProvider):
    """Chat Completions as Together AI speaks it."""

    dialect = DIALECTS["together"]


class DeepSeekProvider(OpenAIChatCompletionsProvider):
    """Chat Completions as DeepSeek speaks it."""

    dialect = DIALECTS["deepseek"]


class XAIProvider(OpenAIChatCompletionsProvider):
    """Chat Completions as xAI speaks it."""

    dialect = DIALECTS["xai"]


class MistralProvider(OpenAIChatCompletionsProvider):
    """Chat Completions as Mistral speaks it."""

    dialect = DIALECTS["mistral"]


class OpenRouterProvider(OpenAIChatCompletionsProvider):
    """Chat Completions as OpenRouter speaks it."""

    dialect = DIALECTS["openrouter"]


class CerebrasProvider(OpenAIChatCompletionsProvider):
    """Chat Completions as Cerebras speaks it."""

    dialect = DIALECTS["cerebras"]


class ZAIProvider(OpenAIChatCompletionsProvider):
    """Chat Completions as Z.ai speaks it."""

    dialect = DIALECTS["zai"]
