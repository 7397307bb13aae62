"""Whatever is done to a Cohere body: a transcript, or a `TranslationError` that says where; never anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from mutations import mutated

from harness.errors import Problem, TranslationError
from harness.providers.base import ProviderResponse
from harness.providers.cohere import check_request, from_request, from_response, to_request

SEEN = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw==", "detail": "low"}}
REQUEST = {
    "model": "command-z",
    "messages": [
        {"role": "system", "content": [{"type": "text", "text": "You keep the garden."}]},
        {"role": "user", "content": [{"type": "text", "text": "Is it time to water?"}, SEEN]},
        {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "The soil first."}, {"type": "text", "text": "I will look."}],
            "tool_plan": "Ask the soil, then the sky.",
            "tool_calls": [
                {"id": "soil_1", "type": "function", "function": {"name": "soil", "arguments": '{"bed":3}'}},
                {"id": "sky_1", "type": "function", "function": {"name": "sky", "arguments": ""}},
            ],
        },
        {"role": "tool", "tool_call_id": "soil_1", "content": "[tool error]\nno probe"},
        {
            "role": "tool",
            "tool_call_id": "sky_1",
            "content": [{"type": "document", "document": {"data": {"rain": "soon"}, "id": "d"}}],
        },
        {
            "role": "assistant",
            "content": "Wait for the rain.",
            "citations": [{"start": 13, "end": 17, "text": "rain", "sources": [{"type": "tool", "id": "sky_1:0"}]}],
        },
        {"role": "system", "content": "Answer in rhyme."},
        {"role": "user", "content": "Sure?"},
    ],
    "tools": [{"type": "function", "function": {"name": "soil", "description": "", "parameters": {"type": "object"}}}],
    "temperature": 0.1,
    "stop_sequences": ["."],
    "thinking": {"type": "enabled", "token_budget": 9},
}
RESPONSE = {
    "id": "r-1",
    "finish_reason": "TOOL_CALL",
    "message": REQUEST["messages"][2],
    "usage": {
        "billed_units": {"input_tokens": 4.0, "output_tokens": 2.0},
        "tokens": {"input_tokens": 30.0, "output_tokens": 20.0, "reasoning_tokens": 5.0},
        "cached_tokens": 10.0,
    },
}


def test_the_bodies_are_good_before_they_are_mutated():
    assert check_request(REQUEST) == []
    assert from_request(REQUEST)[0].check() == []
    assert from_response(RESPONSE).stop_reason == "tool_calls"


@given(mutated(REQUEST))
def test_any_request_gives_a_transcript_or_a_named_fault(body):
    try:
        transcript, tools = from_request(body)
        to_request(transcript, tools)
    except TranslationError as fault:
        assert fault.path


@given(mutated(RESPONSE))
def test_any_response_gives_an_answer_or_a_named_fault(body):
    try:
        assert isinstance(from_response(body), ProviderResponse)
    except TranslationError as fault:
        assert fault.path


@given(mutated(REQUEST))
def test_the_rules_can_be_asked_about_anything(body):
    assert all(isinstance(problem, Problem) and problem.path for problem in check_request(body))


@pytest.mark.parametrize("field", ["content", "tool_calls", "citations"])
def test_nesting_without_end_is_a_fault_and_no_crash(field):
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(TranslationError):
        from_request({"messages": [{"role": "assistant", field: [{"type": "x", "x": deep}]}]})
