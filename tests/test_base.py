"""ProviderResponse: blocks and the chapter's flat fields are two spellings of one turn."""

from __future__ import annotations

import dataclasses

import pytest

from harness.errors import InvalidValue
from harness.messages import ReasoningBlock, TextBlock, ToolCall
from harness.providers.base import ProviderResponse, stop_reason


def test_flat_fields_build_the_blocks() -> None:
    response = ProviderResponse(reasoning_text="hm", tool_call_id="c", tool_name="calc", tool_args={"e": "1"})
    assert response.blocks == (ReasoningBlock("hm"), ToolCall("c", "calc", {"e": "1"}))
    assert response.tool_calls == (ToolCall("c", "calc", {"e": "1"}),)
    assert response.is_tool_call and not response.is_final and response.stop_reason == "tool_calls"


def test_blocks_give_the_flat_views() -> None:
    blocks = (
        ReasoningBlock("a", {"signature": "s"}),
        TextBlock("x"),
        ReasoningBlock("b"),
        TextBlock("y"),
        ToolCall("c1", "t", {"n": 1}),
        ToolCall("c2", "t", {}),
    )
    response = ProviderResponse(blocks=blocks)
    assert (response.text, response.reasoning_text) == ("xy", "a\nb")
    assert response.reasoning_metadata["signature"] == "s"
    assert (response.tool_call_id, response.tool_name, response.tool_args) == ("c1", "t", {"n": 1})
    assert [call.id for call in response.tool_calls] == ["c1", "c2"]


def test_the_chapters_mock_script_works() -> None:
    assert ProviderResponse(text="hi").is_final and ProviderResponse(text="hi").blocks == (TextBlock("hi"),)
    assert ProviderResponse(text="").text == "" and ProviderResponse(text="").blocks == ()


def test_a_flat_field_that_contradicts_the_blocks_is_refused() -> None:
    response = ProviderResponse(blocks=(TextBlock("x"),))
    with pytest.raises(InvalidValue, match="blocks"):
        dataclasses.replace(response, text="y")
    assert dataclasses.replace(response, id="r").text == "x"


def test_reasoning_is_part_of_output_and_cached_part_of_input() -> None:
    response = ProviderResponse(text="x", output_tokens=5, reasoning_tokens=9, input_tokens=2, cached_tokens=3)
    assert (response.output_tokens, response.reasoning_tokens) == (9, 9)
    assert (response.input_tokens, response.cached_tokens) == (3, 3)


@pytest.mark.parametrize(
    ("vendor", "has_calls", "ours"),
    [
        ("stop", False, "end"),
        ("stop", True, "tool_calls"),
        ("length", True, "max_tokens"),
        ("novel", False, "other"),
        (None, False, "other"),
        (None, True, "tool_calls"),
        ("tool_calls", False, "other"),
    ],
)
def test_rows_above_win_and_a_call_counts_more_than_the_field(vendor: str, has_calls: bool, ours: str) -> None:
    table = {"stop": "end", "length": "max_tokens", "tool_calls": "tool_calls"}
    assert stop_reason(vendor, table, has_calls=has_calls) == ours  # type: ignore[arg-type]
