"""What must hold between an adapter and its wire, and what is told when it does not."""

from __future__ import annotations

import contextlib
import copy
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ...messages import ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript
from ...providers.base import ProviderResponse, ToolSchema
from .vendor import Adapter, Turn, Vendor


class Departure(Exception):
    """A case that does not conform: where, what is wrong there, and the wire body at hand."""

    def __init__(self, path: str, problem: str, body: Any = None) -> None:
        self.path, self.problem, self.body = path, problem, body
        super().__init__(f"{path}: {problem}" if path else problem)


class NotAttempted(Exception):
    """A translator that gives nothing yet."""


class DoesNotApply(Exception):
    """A row that has no meaning on this wire."""


@dataclass(frozen=True)
class Laws:
    """The laws for one adapter on one wire; each raises `Departure`."""

    adapter: Adapter
    vendor: Vendor

    def writes(self, transcript: Transcript, tools: list[ToolSchema], *, reasoning: bool = False) -> Any:
        """`to_request` breaks no rule of the vendor, which reads in the body what the transcript says; the body."""
        body = _call(self.adapter.to_request, "to_request", transcript, tools)
        if problems := self.vendor.check_request(body):
            raise Departure(problems[0].path, f"{problems[0].rule} ({problems[0].source})", body)
        _compare(transcript, tools, self.vendor.read(body), body, "the vendor reads", reasoning)
        return body

    def reads(self, transcript: Transcript, tools: list[ToolSchema]) -> None:
        """`from_request` finds in the vendor's own spelling what the transcript says."""
        body = self.vendor.write(transcript, tools)
        outcome = _call(self.adapter.from_request, "from_request", body)
        if not (isinstance(outcome, tuple) and len(outcome) == 2 and isinstance(outcome[0], Transcript)):
            raise Departure("from_request", "gives a pair: a Transcript and a list of tool schemas", body)
        _compare(transcript, tools, outcome, body, "from_request gives", reasoning=False)

    def hears(self, turn: Turn) -> ProviderResponse:
        """`from_response` gives the turn: blocks in order, stop reason, usage; the response."""
        body = self.vendor.speak(turn)
        response = _call(self.adapter.from_response, "from_response", body)
        if not isinstance(response, ProviderResponse):
            raise Departure("from_response", f"gives a ProviderResponse, not a {type(response).__name__}", body)
        wanted = [_said(block) for block in turn.blocks if self._carried(block)]
        found = [_said(block) for block in response.blocks if self._carried(block)]
        if wanted != found:
            raise Departure("blocks", f"expected {_words(wanted)}, but got {_words(found)}", body)
        if response.stop_reason != turn.stop:
            raise Departure("stop_reason", f"expected {turn.stop!r}, but got {response.stop_reason!r}", body)
        return response

    def _carried(self, block: Any) -> bool:
        return self.vendor.takes_reasoning_back or not isinstance(block, ReasoningBlock)


def _call(function: Callable[..., Any], name: str, *arguments: Any) -> Any:
    """What a translator gives: the same twice, with what it was given left as it was."""
    given = copy.deepcopy(arguments)  # never the kit's own, which the next row needs whole
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        first, second = function(*given), function(*copy.deepcopy(arguments))
    if first is None:
        raise NotAttempted(f"`{name}` gives nothing yet")
    if not _equal(given, arguments):
        raise Departure(name, "changes what it was given", arguments[0] if isinstance(arguments[0], dict) else None)
    if isinstance(first, dict) and not _equal(first, second):
        raise Departure(name, "gives two different bodies for the same transcript", first)
    return first


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:
        return False


def _compare(
    transcript: Transcript,
    tools: list[ToolSchema],
    outcome: tuple[Transcript, list[ToolSchema]],
    body: Any,
    who: str,
    reasoning: bool,
) -> None:
    other, found = outcome
    if (transcript.system or None) != (other.system or None):
        raise Departure("system", f"expected {_words(transcript.system)}, but {who} {_words(other.system)}", body)
    mine, theirs = list(_flat(transcript, reasoning)), list(_flat(other, reasoning))
    for (path, said), (_, got) in zip(mine, theirs, strict=False):
        if said != got:
            raise Departure(path, f"expected {_words(said)}, but {who} {_words(got)}", body)
    if len(mine) > len(theirs):
        path, said = mine[len(theirs)]
        raise Departure(path, f"expected {_words(said)}, but it is lost on the way", body)
    if len(theirs) > len(mine):
        raise Departure("messages", f"{who} something more: {_words(theirs[len(mine)][1])}", body)
    if _schemas(tools) != _schemas(found):
        raise Departure("tools", f"expected {_words(_schemas(tools))}, but {who} {_words(_schemas(found))}", body)


def _flat(transcript: Transcript, reasoning: bool) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Each thing said, with its path; how messages of one speaker are cut is no difference, nor is an empty text."""
    for m, message in enumerate(transcript):
        for b, block in enumerate(message.blocks):
            empty = isinstance(block, TextBlock) and not block.text
            if not empty and (reasoning or not isinstance(block, ReasoningBlock)):
                yield f"messages[{m}].blocks[{b}]", (message.role, *_said(block))


def _said(block: Any) -> tuple[Any, ...]:
    match block:
        case TextBlock(text):
            return ("text", text)
        case ReasoningBlock(text):
            return ("reasoning", text)
        case ToolCall(id_, name, args):
            return ("call", id_, name, json.dumps(args, sort_keys=True))
        case ToolResult(call_id, content, is_error):
            return ("failed result" if is_error else "result", call_id, content)
    return (type(block).__name__,)


def _schemas(tools: list[ToolSchema]) -> list[tuple[Any, ...]]:
    return [
        (tool.get("name"), tool.get("description") or None, json.dumps(tool.get("input_schema"), sort_keys=True))
        for tool in tools
    ]


def _words(value: Any, limit: int = 160) -> str:
    text = " ".join(map(repr, value)) if isinstance(value, tuple) else repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
