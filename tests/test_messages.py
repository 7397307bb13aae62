"""Blocks, messages and transcripts: values that never change, and that keep what a vendor needs back."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import get_args

import pytest

from harness.errors import InvalidValue
from harness.messages import (
    Block,
    Message,
    OpaqueBlock,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
    seal_holds,
)

BLOCKS = [
    TextBlock("hi"),
    ToolCall("c", "calc", {"expression": "1"}),
    ToolResult("c", "1"),
    ReasoningBlock("hm", {"signature": "s"}),
    OpaqueBlock("gemini", {"x": [1]}),
]


def test_a_block_is_one_of_exactly_four_kinds_each_told_by_kind_and_by_class() -> None:
    assert get_args(Block) == (TextBlock, ToolCall, ToolResult, ReasoningBlock)
    assert [block.kind for block in BLOCKS] == ["text", "tool_call", "tool_result", "reasoning", "opaque"]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_survives_copy_and_pickle_and_can_be_hashed(block: Block) -> None:
    assert copy.copy(block) == copy.deepcopy(block) == pickle.loads(pickle.dumps(block)) == block
    assert hash(pickle.loads(pickle.dumps(block))) == hash(block)


def test_blocks_and_messages_cannot_be_rebound() -> None:
    message = Message.user_text("hi")
    with pytest.raises(dataclasses.FrozenInstanceError):
        message.blocks[0].text = "ho"  # type: ignore[misc, union-attr]
    with pytest.raises(dataclasses.FrozenInstanceError):
        message.role = "assistant"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        message.blocks.append(TextBlock("ho"))  # type: ignore[attr-defined]


def test_the_callers_dict_and_list_are_not_aliased() -> None:
    args, blocks = {"a": [1]}, [TextBlock("x")]
    call, message = ToolCall("c", "t", args), Message("user", blocks)  # type: ignore[arg-type]
    args["a"].append(2)
    blocks.clear()
    assert call.args == {"a": [1]} and len(message.blocks) == 1


def test_arguments_can_be_spread_into_a_function() -> None:
    assert dict(**ToolCall("c", "t", {"a": 1}).args) == {"a": 1}


@pytest.mark.parametrize(
    ("build", "path"),
    [
        (lambda: TextBlock(None), "text"),  # type: ignore[arg-type]
        (lambda: TextBlock("\ud800"), "text"),
        (lambda: ToolCall("c", "t", [1]), "args"),  # type: ignore[arg-type]
        (lambda: ToolCall("c", "t", {"a": [float("nan")]}), "args.a[0]"),
        (lambda: ToolResult("c", 291), "content"),  # type: ignore[arg-type]
        (lambda: ReasoningBlock("x", {"w": {1: 2}}), "metadata.w"),
        (lambda: Message("tool", ()), "role"),  # type: ignore[arg-type]
        (lambda: Message("user", ("x",)), "blocks[0]"),  # type: ignore[arg-type]
        (lambda: Message("user", (), datetime(2026, 1, 1)), "created_at"),
        (lambda: Transcript(["x"]), "messages[0]"),  # type: ignore[list-item]
        (lambda: Transcript().append("x"), "messages[0]"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_block_is_refused_with_its_place(build: object, path: str) -> None:
    with pytest.raises(InvalidValue) as caught:
        build()  # type: ignore[operator]
    assert caught.value.path == path


def test_the_flat_spellings_of_reasoning_metadata_are_read_and_kept_by_wire() -> None:
    block = ReasoningBlock("hm", {"signature": "s", "openai_items": [{"id": "r"}], "provider_tokens": 7})
    assert block.metadata["signature"] == block.metadata["anthropic.messages"]["signature"] == "s"
    assert block.metadata["openai_items"] == block.metadata["openai.responses"]["items"] == [{"id": "r"}]
    assert block.metadata.get("provider_tokens") == 7
    assert "signature" in block.metadata and "openai_items" in block.metadata
    assert "signature" not in ReasoningBlock("hm").metadata and ReasoningBlock("hm").metadata.get("signature") is None
    with pytest.raises(KeyError):
        ReasoningBlock("hm").metadata["signature"]


def test_a_signature_holds_only_while_the_text_is_unchanged() -> None:
    block = ReasoningBlock("hm", {"signature": "s"})
    assert seal_holds(block, "anthropic.messages")
    assert not seal_holds(dataclasses.replace(block, text="edited"), "anthropic.messages")
    assert seal_holds(pickle.loads(pickle.dumps(block)), "anthropic.messages")


def test_a_call_that_cannot_be_read_is_told_from_one_without_arguments() -> None:
    raw = ToolCall("c", "t", {}, {"openai.chat": {"arguments": "{oops"}})
    assert raw.unreadable == "{oops"
    assert ToolCall("c", "t", {}).unreadable is None
    assert ToolCall("c", "t", {}, {"openai.chat": {"arguments": ""}}).unreadable is None
    assert dataclasses.replace(raw, args={"a": 1}).unreadable is None


def test_the_factories_put_reasoning_first() -> None:
    reasoning, call = ReasoningBlock("hm"), ToolCall("c", "t", {})
    assert Message.assistant_text("x", reasoning=reasoning).blocks == (reasoning, TextBlock("x"))
    assert Message.assistant_tool_call(call, reasoning=reasoning).blocks == (reasoning, call)
    assert Message.tool_result(ToolResult("c", "1")).role == "user"


def test_ids_differ_and_times_are_aware_and_utc() -> None:
    first, second = Message.user_text("x"), Message.user_text("x")
    assert first.id != second.id
    assert first.created_at.utcoffset() == timedelta(0) and first.created_at <= datetime.now(UTC)


def test_any_object_with_the_responses_fields_becomes_a_message() -> None:
    response = SimpleNamespace(
        text="I look.",
        reasoning_text="hm",
        reasoning_metadata={"signature": "s"},
        reasoning_tokens=3,
        output_tokens=9,
        tool_calls=[SimpleNamespace(id="a", name="t", args={}), SimpleNamespace(id="b", name="t", args={"x": 1})],
    )
    message = Message.from_assistant_response(response)
    assert [block.kind for block in message.blocks] == ["reasoning", "text", "tool_call", "tool_call"]
    assert message.usage and message.usage.reasoning_tokens == 3 and message.usage.output_tokens == 9


def test_extend_adds_all_or_nothing() -> None:
    transcript = Transcript()
    with pytest.raises(InvalidValue):
        transcript.extend([Message.user_text("a"), "b"])  # type: ignore[list-item]
    assert len(transcript) == 0 and transcript.last() is None


def test_reprs_are_short_and_name_no_id_or_time() -> None:
    transcript = Transcript([Message.user_text("x" * 500)], system="s")
    assert len(repr(transcript)) < 200
    assert transcript.messages[0].id not in repr(transcript) + transcript._repr_html_()


def test_html_in_content_is_escaped() -> None:
    html = Transcript([Message.user_text("<script>alert(1)</script>")])._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html
