"""Stand-ins: the vendors' own SDKs talk to a double that keeps the rules and refuses in the vendor's shape."""

from __future__ import annotations

from typing import Any

import pytest

from harness import Message, ProviderError, ProviderResponse, ToolCall, Transcript, UnfinishedAnswer, run
from harness.workbook import samples, standins
from harness.workbook.kinds import kind_of

OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("anthropic", {}),
    ("anthropic", {"enable_thinking": True, "thinking_budget_tokens": 2000, "max_tokens": 4096}),
    ("openai", {}),
    ("openai", {"reasoning_effort": "medium"}),
    ("openai_chat", {}),
]


@pytest.mark.parametrize(("name", "options"), OPTIONS)
def test_the_calculator_question_is_answered_through_the_real_sdk(name: str, options: dict[str, Any]) -> None:
    provider = standins.provider(name, **options)
    transcript = Transcript()
    answer = run(
        provider, samples.TOOLS, samples.schemas(), samples.QUESTION, samples.SYSTEM, transcript=transcript
    )
    assert "291" in answer and kind_of(provider) == "stand-in"
    kinds = [block.kind for message in transcript for block in message.blocks]
    assert kinds.count("tool_call") == kinds.count("tool_result") == 1
    assert ("reasoning" in kinds) == bool(options)
    assert all(message.provenance.provider == f"{name} stand-in" for message in transcript if message.provenance)


@pytest.mark.parametrize("name", ["anthropic", "openai", "openai_chat"])
def test_a_second_question_goes_on_in_the_same_conversation(name: str) -> None:
    transcript = Transcript()
    provider = standins.provider(name)
    run(provider, samples.TOOLS, samples.schemas(), samples.QUESTION, transcript=transcript)
    assert "6" in run(provider, samples.TOOLS, samples.schemas(), "What is 2 * 3?", transcript=transcript)
    assert transcript.check() == []


def test_an_edited_thinking_block_is_refused_in_anthropics_shape() -> None:
    from anthropic import BadRequestError

    client = standins.client("anthropic")
    thinking = {"type": "thinking", "thinking": "edited", "signature": "stand-in-0"}
    call = {"type": "tool_use", "id": "t", "name": "calc", "input": {}}
    messages = [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": [thinking, call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "1"}]},
    ]
    with pytest.raises(BadRequestError) as caught:
        client.messages.create(model="claude", max_tokens=100, messages=messages)
    body: Any = caught.value.body
    assert body["type"] == "error" and body["error"]["type"] == "invalid_request_error"
    assert body["error"]["message"].startswith("messages.1.content.0.signature: ")


def test_arguments_left_as_objects_are_refused_in_openais_shape() -> None:
    from openai import BadRequestError

    client = standins.client("openai")
    items: list[Any] = [
        {"role": "user", "content": "?"},
        {"type": "function_call", "call_id": "c", "name": "calc", "arguments": {"expression": "1"}},
        {"type": "function_call_output", "call_id": "c", "output": "1"},
    ]
    with pytest.raises(BadRequestError) as caught:
        client.responses.create(model="gpt", input=items)
    assert caught.value.status_code == 400 and caught.value.param == "input[1].arguments"


def test_a_refusal_reaches_the_reader_as_one_provider_error() -> None:
    provider = standins.provider("openai_chat", [])
    with pytest.raises(ProviderError, match="used up"):
        provider.complete(Transcript([Message.user_text("?")]), [])


def test_a_scripted_turn_that_is_cut_off_is_told_as_such() -> None:
    cut = ProviderResponse(tool_calls=(ToolCall("c", "calc", {}),), stop_reason="max_tokens")
    for name in standins.available():
        with pytest.raises(UnfinishedAnswer) as caught:
            run(standins.provider(name, [cut]), samples.TOOLS, samples.schemas(), "?")
        assert caught.value.reason == "max_tokens"


def test_there_is_a_stand_in_for_each_of_the_chapters_wires_and_no_key_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert standins.available()[:3] == ["anthropic", "openai", "openai_chat"]
    assert "4" in run(standins.provider("openai"), samples.TOOLS, samples.schemas(), "What is 2 + 2?")
