"""The loop: ask the provider, run the tools it calls, tell it what they gave, until it answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .errors import HarnessError, UnfinishedAnswer
from .messages import Message, ToolCall, ToolResult, Transcript
from .providers.base import Provider, ProviderResponse, ToolSchema

MAX_ITERATIONS = 20

INTERRUPTED = "interrupted by the user before it ran to its end"
CUT_OFF = "not executed: the answer was cut off in the middle of this call; ask again with shorter arguments"

ADVICE = {
    "max_tokens": "The answer was cut off: raise max_tokens, or ask for less.",
    "refusal": "The model refused: change the request.",
    "content_filter": "A filter of the vendor stopped the answer: change the request.",
    "empty": "The response has neither text nor a call: ask again, or try another model.",
    "iterations": "The limit of turns was reached: raise max_iterations, or see what the tools return.",
}

Tools = Mapping[str, Callable[..., Any]]


@dataclass(frozen=True)
class Event:
    """One step of a run: what happened in which turn (from 1), and the messages at that moment.

    A "request" (with the tools on offer) comes before each call of the provider, a "response" after it, a "result"
    after each tool call.
    """

    kind: Literal["request", "response", "result"]
    turn: int
    messages: tuple[Message, ...]
    system: str | None = None
    tools: tuple[ToolSchema, ...] = ()
    response: ProviderResponse | None = None
    call: ToolCall | None = None
    result: ToolResult | None = None


def run(
    provider: Provider,
    tools: Tools,
    tool_schemas: Sequence[ToolSchema],
    user_message: str,
    system: str | None = None,
    *,
    transcript: Transcript | None = None,
    max_iterations: int = MAX_ITERATIONS,
    on_event: Callable[[Event], None] | None = None,
) -> str:
    """The provider's final answer to `user_message`, after as many turns of tool calls as it takes.

    A given `transcript` is continued in place. Raises `UnfinishedAnswer` (with the transcript so far) when the answer
    was cut off, refused or empty, or `max_iterations` turns were not enough; what the provider raises passes through.
    """
    transcript = _opened(transcript, system, user_message)

    for turn in range(1, max_iterations + 1):
        _tell(on_event, "request", turn, transcript, tools=tuple(tool_schemas))
        response = provider.complete(transcript, list(tool_schemas))
        transcript.append(Message.from_assistant_response(response))
        _tell(on_event, "response", turn, transcript, response=response)

        if response.stop_reason == "pause":
            continue
        if response.stop_reason not in ("tool_calls", "end"):
            _close(transcript, response.tool_calls, CUT_OFF)
            raise _unfinished(response.stop_reason or "other", transcript)
        if not response.tool_calls:
            if response.text is None:
                raise _unfinished("empty", transcript)
            return response.text

        _dispatch_all(response.tool_calls, tools, transcript, turn, on_event)

    raise _unfinished("iterations", transcript)


def dispatch(call: ToolCall, tools: Tools) -> ToolResult:
    """The result of one call; whatever goes wrong becomes an error result that tells the model what to do."""
    if call.unreadable is not None:
        return _failed(call, f"the arguments are no JSON object: {call.unreadable!r}; call again with one")
    if call.name not in tools:
        return _failed(call, f"unknown tool: {call.name}; the tools are: {', '.join(sorted(tools)) or 'none'}")
    try:
        return ToolResult(call.id, _as_text(tools[call.name](**call.args)))
    except Exception as error:
        return _failed(call, f"{call.name} failed: {type(error).__name__}: {error}")


def _dispatch_all(
    calls: Sequence[ToolCall],
    tools: Tools,
    transcript: Transcript,
    turn: int,
    on_event: Callable[[Event], None] | None,
) -> None:
    """Run the calls in arrival order, one result each, also when the user interrupts half way."""
    for done, call in enumerate(calls):
        try:
            result = dispatch(call, tools)
        except BaseException:  # KeyboardInterrupt: the transcript must stay one that can be continued
            _close(transcript, calls[done:], INTERRUPTED)
            raise
        transcript.append(Message.tool_result(result))
        _tell(on_event, "result", turn, transcript, call=call, result=result)


def _opened(transcript: Transcript | None, system: str | None, user_message: str) -> Transcript:
    if transcript is None:
        transcript = Transcript()
    if system is not None:
        if transcript.system is not None:
            raise HarnessError("the transcript has a system prompt already: leave out `system`, or start a new one")
        transcript.system = system
    transcript.append(Message.user_text(user_message))
    return transcript


def _close(transcript: Transcript, calls: Sequence[ToolCall], reason: str) -> None:
    for call in calls:
        transcript.append(Message.tool_result(_failed(call, reason)))


def _failed(call: ToolCall, reason: str) -> ToolResult:
    return ToolResult(call.id, _printable(reason), is_error=True)


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return _printable(value)
    try:
        return _printable(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return _printable(str(value))


def _printable(text: str) -> str:
    """Text without lone surrogates (as in file names that are no UTF-8), which no request can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _unfinished(reason: str, transcript: Transcript) -> UnfinishedAnswer:
    return UnfinishedAnswer(reason, transcript, ADVICE.get(reason, "The vendor gave no reason that we know."))


def _tell(
    on_event: Callable[[Event], None] | None, kind: Any, turn: int, transcript: Transcript, **details: Any
) -> None:
    if on_event is not None:
        on_event(Event(kind, turn, tuple(transcript), transcript.system, **details))
