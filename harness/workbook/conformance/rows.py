"""The rows of the kit, in three steps; each tries its generated cases, the smallest first."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from ...messages import Message, Provenance, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript, Usage
from ...providers import adapters
from . import cases
from .laws import Departure, DoesNotApply, Laws
from .ours import OURS
from .vendor import Turn

STEPS = ("1 text and system", "2 calls and results", "3 reasoning, usage, handover")


@dataclass(frozen=True)
class KitRow:
    """One row: its step, its name, and the check that raises `Departure`."""

    step: str
    name: str
    check: Callable[[Laws, Random], None]


def _both_ways(laws: Laws, transcripts: list[Transcript], tools: list[dict[str, Any]] | None = None) -> None:
    for transcript in transcripts:
        laws.writes(transcript, tools or [])
    for transcript in transcripts:
        laws.reads(transcript, tools or [])


def _unshown(laws: Laws, transcript: Transcript, tools: list[dict[str, Any]] | None = None) -> None:
    """A case that no feedback quotes, so that nobody can write an answer for it alone."""
    try:
        _both_ways(laws, [transcript], tools)
    except Departure:
        raise Departure("", "a case that is not shown here fails: think of inputs unlike the shown ones") from None


def _text(laws: Laws, rng: Random) -> None:
    _both_ways(laws, [cases.talk(rng, turns) for turns in (1, 2, 3, 5, 9)])


def _system(laws: Laws, rng: Random) -> None:
    words = ("Be brief.", f"Speak of {rng.randrange(1000)}.\n\nIn two paragraphs: {{}} and 'quotes'.")
    _both_ways(laws, [Transcript(list(cases.talk(rng, 1)), system) for system in (None, *words)])


def _one_speaker(laws: Laws, rng: Random) -> None:
    for count in (2, 3, 5):
        laws.writes(Transcript([Message.user_text(cases.sentence(rng)) for _ in range(count)]), [])


def _odd_text(laws: Laws, rng: Random) -> None:
    *shown, unshown = [Transcript([Message.user_text(text)]) for text in cases.odd_texts(rng)]
    _both_ways(laws, shown)
    _unshown(laws, unshown)
    for text in ("", cases.sentence(rng)):
        laws.writes(Transcript([Message.user_text("?"), Message("assistant", (TextBlock(text), TextBlock("b")))]), [])


def _text_response(laws: Laws, rng: Random) -> None:
    for text in (cases.sentence(rng), "291", *cases.odd_texts(rng)):
        laws.hears(Turn((TextBlock(text),)))


def _tools(laws: Laws, rng: Random) -> None:
    for tools in cases.tool_sets(rng):
        _both_ways(laws, [cases.talk(rng, 1)], tools)


def _calls(laws: Laws, rng: Random) -> None:
    transcripts = [cases.with_calls(rng, count, text=text) for count in (1, 2, 4) for text in (False, True)]
    _both_ways(laws, transcripts, cases.TOOLS)
    for transcript in transcripts:  # each result in a message of its own, as the loop leaves them
        laws.writes(cases.apart(transcript), cases.TOOLS)


def _odd_arguments(laws: Laws, rng: Random) -> None:
    *shown, unshown = [cases.with_arguments(rng, args) for args in cases.odd_arguments(rng)]
    _both_ways(laws, shown, cases.TOOLS)
    _unshown(laws, unshown, cases.TOOLS)


def _failed(laws: Laws, rng: Random) -> None:
    for marks in ((True,), (False, True), (True, False, True)):
        _both_ways(laws, [cases.with_results(rng, marks, "not found")], cases.TOOLS)
    _both_ways(laws, [cases.with_results(rng, (False, True), "")], cases.TOOLS)


def _call_response(laws: Laws, rng: Random) -> None:
    for count in (1, 2, 3):
        calls = tuple(cases.call(rng, number) for number in range(count))
        laws.hears(Turn(calls, "tool_calls"))
        laws.hears(Turn((TextBlock(cases.sentence(rng)), *calls), "tool_calls"))


def _reasoning(laws: Laws, rng: Random) -> None:
    if not laws.vendor.takes_reasoning_back:
        raise DoesNotApply("no reasoning goes back on this wire")
    for texts in (("One step.",), ("", "Two steps."), (cases.sentence(rng), cases.sentence(rng))):
        blocks: list[Any] = [ReasoningBlock(text) for text in texts if text or laws.vendor.seal("") is not None]
        turn = Turn((*blocks, TextBlock("Let me see."), cases.call(rng, 1)), "tool_calls")
        transcript = _answered(laws, turn)
        body = laws.writes(transcript, cases.TOOLS, reasoning=True)
        _seals(laws, blocks, body)
        again = laws.adapter.from_request(body)[0]
        _seals(laws, blocks, laws.writes(again, cases.TOOLS, reasoning=True))


def _seals(laws: Laws, blocks: list[Any], body: Any) -> None:
    written = json.dumps(body)
    for block in blocks:
        seal = laws.vendor.seal(block.text)
        if seal is not None and json.dumps(seal) not in written:
            raise Departure("reasoning", f"the seal of {block.text!r} is lost on the way back", body)


def _usage(laws: Laws, rng: Random) -> None:
    for thought in (0, rng.randint(10, 90)):
        usage = Usage(rng.randint(100, 900), thought + rng.randint(5, 50), thought)
        response = laws.hears(Turn((TextBlock("291"),), usage=usage))
        counted = (response.input_tokens, response.output_tokens)
        if counted != (usage.input_tokens, usage.output_tokens):
            expected = f"{usage.input_tokens} in and {usage.output_tokens} out, reasoning included"
            found = f"{counted[0]} in and {counted[1]} out"
            raise Departure("usage", f"expected {expected}, but got {found}", laws.vendor.speak(Turn((), usage=usage)))
        if laws.vendor.counts_reasoning and response.reasoning_tokens != thought:
            raise Departure("usage", f"expected {thought} tokens of reasoning, but got {response.reasoning_tokens}")


def _cut_off(laws: Laws, rng: Random) -> None:
    laws.hears(Turn((TextBlock(cases.sentence(rng)),), "max_tokens"))
    laws.hears(Turn((TextBlock(cases.sentence(rng)),), "end"))


def _from_others(laws: Laws, rng: Random) -> None:
    for wire in ("anthropic.messages", "openai.responses"):
        if wire == laws.vendor.wire:
            continue
        calls = [cases.call(rng, number) for number in range(2)]
        turn = Turn((ReasoningBlock("Elsewhere."), TextBlock("So:"), *calls), "tool_calls")
        transcript = _answered(Laws(adapters()[wire], OURS[wire]), turn, failed=True)
        body = laws.writes(transcript, cases.TOOLS)
        if str(OURS[wire].seal("Elsewhere.")) in json.dumps(body):
            raise Departure("reasoning", "the seal of another vendor is sent to this one", body)
    only_thought = Message("assistant", (ReasoningBlock("Elsewhere.", {"signature": "theirs"}),))
    laws.writes(Transcript([Message.user_text("a"), only_thought, Message.user_text("b")]), [])


def _to_others(laws: Laws, rng: Random) -> None:
    turn = Turn((ReasoningBlock("Here."), TextBlock("So:"), cases.call(rng, 1)), "tool_calls")
    transcript = _answered(laws, turn)
    for wire in ("anthropic.messages", "openai.responses", "openai.chat"):
        if wire != laws.vendor.wire:
            body = Laws(adapters()[wire], OURS[wire]).writes(transcript, cases.TOOLS)
            if (seal := laws.vendor.seal("Here.")) is not None and seal in json.dumps(body):
                raise Departure("reasoning", f"the seal of this vendor would be sent on {wire}", body)


def _answered(laws: Laws, turn: Turn, *, failed: bool = False) -> Transcript:
    """A question, the turn as the adapter hears it, and the results of its calls."""
    response = laws.hears(turn)
    message = Message.from_assistant_response(response)
    if message.provenance is None:
        message = replace(message, provenance=Provenance(laws.vendor.wire, laws.vendor.wire))
    calls = [block for block in turn.blocks if isinstance(block, ToolCall)]
    results = [Message.tool_result(ToolResult(call.id, "291", failed)) for call in calls]
    return Transcript([Message.user_text("What is it?"), message, *results], "Be brief.")


ROWS = (
    KitRow(STEPS[0], "texts in turn, both ways", _text),
    KitRow(STEPS[0], "the system prompt, and none", _system),
    KitRow(STEPS[0], "several messages of one speaker", _one_speaker),
    KitRow(STEPS[0], "empty and unusual text", _odd_text),
    KitRow(STEPS[0], "a response of text", _text_response),
    KitRow(STEPS[1], "tools", _tools),
    KitRow(STEPS[1], "one call and several, with their results", _calls),
    KitRow(STEPS[1], "unusual arguments", _odd_arguments),
    KitRow(STEPS[1], "failed results told from good ones", _failed),
    KitRow(STEPS[1], "a response of calls", _call_response),
    KitRow(STEPS[2], "reasoning goes back as it came", _reasoning),
    KitRow(STEPS[2], "usage", _usage),
    KitRow(STEPS[2], "an answer that was cut off", _cut_off),
    KitRow(STEPS[2], "handover from other vendors", _from_others),
    KitRow(STEPS[2], "handover to other vendors", _to_others),
)
