"""The loop: one result for every call, in order, whatever goes wrong; no unfinished answer is passed off as final."""

from __future__ import annotations

from typing import Any

import pytest

from harness import (
    Event,
    HarnessError,
    Message,
    MockProvider,
    ProviderResponse,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
    UnfinishedAnswer,
    run,
)
from harness.agent import dispatch

DONE = ProviderResponse(text="done")


def ask(*calls: ToolCall, **fields: Any) -> ProviderResponse:
    return ProviderResponse(tool_calls=calls, **fields)


def results(transcript: Transcript) -> list[ToolResult]:
    return [block for message in transcript for block in message.blocks if isinstance(block, ToolResult)]


def test_calls_are_dispatched_in_order_one_message_each() -> None:
    seen: list[int] = []

    def tool(n: int) -> str:
        seen.append(n)
        if n == 1:
            raise ValueError("one is bad")
        return str(n)

    transcript = Transcript()
    script = [ask(ToolCall("a", "tool", {"n": 1}), ToolCall("b", "tool", {"n": 2})), DONE]
    assert run(MockProvider(script), {"tool": tool}, [], "go", "sys", transcript=transcript) == "done"
    assert seen == [1, 2] and transcript.system == "sys"
    first, second = results(transcript)
    assert (first.call_id, first.is_error) == ("a", True) and "one is bad" in first.content
    assert second == ToolResult("b", "2")
    assert [message.role for message in transcript] == ["user", "assistant", "user", "user", "assistant"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (ToolCall("c", "nope", {}), ["unknown tool: nope", "boom, key"]),
        (ToolCall("c", "boom", {}), ["boom failed", "ZeroDivisionError"]),
        (ToolCall("c", "key", {}), ["key failed", "KeyError", "missing"]),
        (ToolCall("c", "key", {"wrong": 1}), ["key failed", "TypeError", "wrong"]),
        (ToolCall("c", "key", {}, {"openai.chat": {"arguments": "{oops"}}), ["no JSON object", "{oops"]),
    ],
)
def test_whatever_goes_wrong_becomes_a_result_that_says_what(call: ToolCall, words: list[str]) -> None:
    tools = {"boom": lambda: 1 / 0, "key": lambda: {}["missing"]}
    result = dispatch(call, tools)
    assert result.is_error and result.call_id == "c"
    assert all(word in result.content for word in words)


@pytest.mark.parametrize(
    ("value", "content"),
    [({"a": [1]}, '{"a": [1]}'), (None, "null"), (3, "3"), ({1}, "{1}"), ("\udcff", "?")],
)
def test_a_result_that_is_no_plain_string_is_serialised(value: object, content: str) -> None:
    assert dispatch(ToolCall("c", "t", {}), {"t": lambda: value}) == ToolResult("c", content)


def test_an_interrupt_leaves_a_transcript_that_can_be_continued() -> None:
    def stop() -> str:
        raise KeyboardInterrupt

    transcript = Transcript()
    calls = (ToolCall("a", "ok", {}), ToolCall("b", "stop", {}), ToolCall("c", "ok", {}))
    with pytest.raises(KeyboardInterrupt):
        run(MockProvider([ask(*calls)]), {"ok": lambda: "fine", "stop": stop}, [], "go", transcript=transcript)
    assert transcript.check() == []
    assert [result.is_error for result in results(transcript)] == [False, True, True]
    assert run(MockProvider([DONE]), {}, [], "go on", transcript=transcript) == "done"


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (ProviderResponse(text="half", stop_reason="max_tokens"), "max_tokens"),
        (ProviderResponse(text="no", stop_reason="refusal"), "refusal"),
        (ProviderResponse(stop_reason="content_filter"), "content_filter"),
        (ProviderResponse(text="?", stop_reason="other"), "other"),
        (ProviderResponse(), "empty"),
    ],
)
def test_an_unfinished_answer_is_an_error_with_reason_and_transcript(response: ProviderResponse, reason: str) -> None:
    with pytest.raises(UnfinishedAnswer) as caught:
        run(MockProvider([response]), {}, [], "go")
    assert caught.value.reason == reason and len(caught.value.transcript) == 2
    assert caught.value.transcript.check() == []


def test_a_call_in_a_turn_that_was_cut_off_is_not_executed_but_answered() -> None:
    ran: list[int] = []
    response = ask(ToolCall("a", "t", {}), stop_reason="max_tokens")
    with pytest.raises(UnfinishedAnswer) as caught:
        run(MockProvider([response]), {"t": lambda: ran.append(1)}, [], "go")
    assert ran == []
    [result] = results(caught.value.transcript)
    assert result.is_error and "not executed" in result.content


def test_a_paused_turn_is_sent_back_and_goes_on() -> None:
    seen: list[int] = []

    class Paused:
        name = "paused"

        def complete(self, transcript: Transcript, tools: list[dict[str, Any]]) -> ProviderResponse:
            seen.append(len(transcript))
            return DONE if len(seen) == 2 else ProviderResponse(blocks=(TextBlock("so far"),), stop_reason="pause")

    assert run(Paused(), {}, [], "go") == "done"
    assert seen == [1, 2]


def test_the_limit_of_turns_is_an_error_that_says_so() -> None:
    script = [ask(ToolCall(f"c{i}", "t", {})) for i in range(3)]
    with pytest.raises(UnfinishedAnswer, match="max_iterations") as caught:
        run(MockProvider(script), {"t": lambda: "x"}, [], "go", max_iterations=3)
    assert caught.value.reason == "iterations"


def test_a_second_system_prompt_is_refused() -> None:
    with pytest.raises(HarnessError, match="system"):
        run(MockProvider([DONE]), {}, [], "go", "mine", transcript=Transcript(system="there"))


def test_events_tell_each_step_with_the_messages_at_that_moment() -> None:
    events: list[Event] = []
    script = [ask(ToolCall("a", "t", {})), DONE]
    run(MockProvider(script), {"t": lambda: "x"}, [], "go", "sys", on_event=events.append)
    assert [(event.kind, event.turn, len(event.messages)) for event in events] == [
        ("request", 1, 1),
        ("response", 1, 2),
        ("result", 1, 3),
        ("request", 2, 3),
        ("response", 2, 4),
    ]
    assert events[2].result == ToolResult("a", "x") and events[0].system == "sys"


def test_a_used_up_script_says_what_it_was_asked() -> None:
    with pytest.raises(HarnessError, match=r"script of 0 responses.*'the question'"):
        run(MockProvider([]), {}, [], "the question")


def test_the_whole_turn_becomes_one_message() -> None:
    transcript = Transcript()
    blocks = (TextBlock("first"), ToolCall("a", "t", {}))
    run(MockProvider([ProviderResponse(blocks=blocks), DONE]), {"t": lambda: "x"}, [], "go", transcript=transcript)
    assert transcript.messages[1].blocks == blocks
    assert isinstance(transcript.messages[1], Message)
