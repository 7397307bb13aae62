"""Calls and results: what `check` lists, and what `repair` and `without_opaque` make of it."""

from __future__ import annotations

import pytest

from harness.messages import Message, OpaqueBlock, TextBlock, ToolCall, ToolResult, Transcript


def calls(*ids: str) -> Message:
    return Message("assistant", tuple(ToolCall(id_, "t", {}) for id_ in ids))


def results(*ids: str) -> Message:
    return Message("user", tuple(ToolResult(id_, "ok") for id_ in ids))


ASK, SAY = Message.user_text("?"), Message.assistant_text("!")

WHOLE = {
    "empty": [],
    "answered": [ASK, calls("a"), results("a"), SAY],
    "pending calls of the last message": [ASK, calls("a", "b")],
    "results in separate messages": [ASK, calls("a", "b"), results("a"), results("b"), SAY],
    "results in another order": [ASK, calls("a", "b"), results("b", "a")],
    "text before results": [ASK, calls("a"), ASK, results("a"), SAY],
    "an id used again in a later turn": [ASK, calls("a"), results("a"), calls("a"), results("a")],
    "a call in two neighbouring assistant messages": [ASK, calls("a"), SAY, results("a")],
    "a result for a server's call": [
        Message("assistant", (OpaqueBlock("openai.chat", {"type": "custom", "id": "a"}),)),
        results("a"),
    ],
}
BROKEN = {
    "a result whose call is gone": ([ASK, results("a")], [("messages[1].blocks[0]", "answers no open call")]),
    "a call never answered": (
        [ASK, calls("a", "b"), results("a"), SAY],
        [("messages[1].blocks[1]", "is a call that the next turn left without a result")],
    ),
    "a call not answered in the last message": (
        [ASK, calls("a", "b"), results("a")],
        [("messages[1].blocks[1]", "is a call that the next turn left without a result")],
    ),
    "one call answered twice": (
        [ASK, calls("a"), results("a", "a"), SAY],
        [("messages[2].blocks[1]", "answers a call that already has its result")],
    ),
}


@pytest.mark.parametrize("name", WHOLE)
def test_whole_transcripts_have_no_problem_and_are_not_touched_by_repair(name: str) -> None:
    transcript = Transcript(WHOLE[name])
    assert transcript.check() == []
    assert transcript.repair() == transcript


@pytest.mark.parametrize("name", BROKEN)
def test_broken_transcripts_are_listed_with_place_and_mended(name: str) -> None:
    messages, expected = BROKEN[name]
    transcript = Transcript(messages, system="s")
    assert [(problem.path, problem.rule) for problem in transcript.check()] == expected
    mended = transcript.repair()
    assert mended.check() == [] and mended.system == "s"
    assert transcript.messages == messages


def test_an_open_call_is_answered_by_an_interrupted_error_result() -> None:
    mended = Transcript([ASK, calls("a"), ASK, SAY]).repair()
    [result] = [block for message in mended for block in message.blocks if isinstance(block, ToolResult)]
    assert result.call_id == "a" and result.is_error and "interrupted" in result.content


def test_a_dropped_result_leaves_no_empty_message() -> None:
    assert [message.role for message in Transcript([ASK, results("x"), SAY]).repair()] == ["user", "assistant"]


def test_without_opaque_lets_go_of_server_calls_their_results_and_rich_content() -> None:
    rich = ToolResult("b", "a cat", metadata={"anthropic.messages": {"content": [{"type": "image"}]}})
    messages = [
        ASK,
        Message("assistant", (OpaqueBlock("openai.chat", {"type": "custom", "id": "a"}), ToolCall("b", "t", {}))),
        Message("user", (ToolResult("a", "gone"), rich)),
        Message("assistant", (OpaqueBlock("gemini", {"x": 1}), TextBlock("done"))),
    ]
    plain = Transcript(messages).without_opaque()
    assert plain.check() == []
    kinds = [[block.kind for block in message.blocks] for message in plain]
    assert kinds == [["text"], ["tool_call"], ["tool_result"], ["text"]]
    assert plain.messages[2].blocks == (ToolResult("b", "a cat"),)
