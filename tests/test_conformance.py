"""The conformance kit: our own adapters pass it, and an adapter with one fault fails in the row that is about it."""

from __future__ import annotations

import copy
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from harness.messages import ReasoningBlock, TextBlock, ToolCall, Transcript
from harness.providers import PROVIDERS, adapters
from harness.workbook.conformance import OURS, ROWS, STEPS, conform

WIRES = sorted({entry.wire for entry in PROVIDERS.values()})


@pytest.mark.parametrize("wire", WIRES)
def test_every_registered_adapter_conforms(wire: str) -> None:
    table = conform(adapters()[wire], OURS[wire])
    assert table.passed, table
    assert [outcome.name for outcome in table.outcomes] == [row.name for row in ROWS]


def test_only_chat_completions_has_a_row_that_does_not_apply() -> None:
    skipped = {
        wire: [outcome.name for outcome in conform(adapters()[wire], OURS[wire]).outcomes if outcome.state != "pass"]
        for wire in WIRES
    }
    assert {wire: names for wire, names in skipped.items() if names} == {
        "openai.chat": ["reasoning goes back as it came"]
    }


def _faulty(**changes: Any) -> SimpleNamespace:
    adapter = adapters()["anthropic.messages"]
    functions = {name: getattr(adapter, name) for name in ("to_request", "from_request", "from_response")}
    return SimpleNamespace(**{**functions, **changes})


def _blocks(change: Any) -> Any:
    """`to_request` after a change of every block; None leaves one out."""

    def to_request(transcript: Transcript, tools: list[Any]) -> Any:
        messages = []
        for message in transcript:
            blocks = tuple(new for block in message.blocks if (new := change(block)) is not None)
            messages.append(replace(message, blocks=blocks))
        changed = Transcript(messages, transcript.system, transcript.metadata)
        return adapters()["anthropic.messages"].to_request(changed, tools)

    return to_request


def _without_mark(block: Any) -> Any:
    return replace(block, is_error=False) if hasattr(block, "is_error") else block


def _without_text(block: Any) -> Any:
    return None if isinstance(block, TextBlock) and block.text == "Let me see." else block


def _without_seal(block: Any) -> Any:
    return replace(block, metadata={}) if isinstance(block, ReasoningBlock) else block


def _flattened(block: Any) -> Any:
    return replace(block, args={key: str(value) for key, value in block.args.items()}) if _is_call(block) else block


def _is_call(block: Any) -> bool:
    return isinstance(block, ToolCall)


def _one_call(body: Any) -> Any:
    response = adapters()["anthropic.messages"].from_response(body)
    blocks = [block for block in response.blocks if not _is_call(block) or block is response.tool_calls[0]]
    flat = {"text": None, "tool_calls": (), "tool_call_id": None, "tool_name": None, "tool_args": None}
    return replace(response, blocks=tuple(blocks), **flat)


def _emptying(transcript: Transcript, tools: list[Any]) -> Any:
    body = adapters()["anthropic.messages"].to_request(transcript, copy.deepcopy(tools))
    tools.clear()
    return body


@pytest.mark.parametrize(
    ("changes", "row"),
    [
        ({"to_request": _blocks(_without_mark)}, "failed results told from good ones"),
        ({"to_request": _blocks(_without_text)}, "reasoning goes back as it came"),
        ({"to_request": _blocks(_without_seal)}, "reasoning goes back as it came"),
        ({"to_request": _blocks(_flattened)}, "unusual arguments"),
        ({"to_request": _emptying}, "tools"),
        ({"from_response": _one_call}, "a response of calls"),
        ({"to_request": lambda transcript, tools: {}}, "texts in turn, both ways"),
        ({"from_request": lambda body: (Transcript(), [])}, "texts in turn, both ways"),
    ],
)
def test_a_fault_is_found_in_the_row_that_is_about_it(changes: dict[str, Any], row: str) -> None:
    table = conform(_faulty(**changes), OURS["anthropic.messages"])
    failed = {outcome.name: outcome for outcome in table.outcomes if outcome.state == "fail"}
    assert row in failed
    assert failed[row].note
    assert failed[row].note in repr(table)


def test_a_failing_row_comes_with_the_body_on_the_wire() -> None:
    table = conform(_faulty(to_request=_blocks(_flattened)), OURS["anthropic.messages"])
    [failed] = [outcome for outcome in table.outcomes if outcome.name == "unusual arguments"]
    assert failed.note.startswith("messages[1].blocks[0]: expected")
    assert '"tool_use"' in failed.body
    assert "the body of the first failing row:" in repr(table)
    assert "<summary>the body</summary>" in table._repr_html_()


def test_an_adapter_that_gives_nothing_is_not_attempted_in_any_row() -> None:
    nothing = SimpleNamespace(
        to_request=lambda transcript, tools: None, from_request=lambda body: None, from_response=lambda body: None
    )
    table = conform(nothing, OURS["anthropic.messages"])
    assert {outcome.state for outcome in table.outcomes} == {"not attempted"}
    assert all(step in repr(table) for step in STEPS)


def test_markup_in_a_body_is_shown_and_not_obeyed() -> None:
    def shouting(transcript: Transcript, tools: list[Any]) -> Any:
        return {"messages": [{"role": "<script>", "content": "x"}]}

    assert "<script>" not in conform(_faulty(to_request=shouting), OURS["anthropic.messages"])._repr_html_()
