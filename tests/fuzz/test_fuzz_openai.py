"""Whatever is done to a Responses body: a transcript, or a `TranslationError` that says where; never anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from mutations import mutated

from harness.errors import Problem, TranslationError
from harness.providers.base import ProviderResponse
from harness.providers.openai import check_request, from_request, from_response, to_request

THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Look."}]}
SAID = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "phase": "commentary",
    "content": [
        {"type": "output_text", "text": "I look it up.", "annotations": [{"type": "url_citation", "end_index": 2}]},
        {"type": "refusal", "refusal": "Not that."},
    ],
}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "tide",
    "arguments": '{"port": "Brest"}',
    "status": "completed",
    "namespace": "sea",
}
SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "tide"}}
REQUEST = {
    "model": "gpt-5.4-mini",
    "instructions": "You keep the harbour.",
    "input": [
        {"role": "developer", "content": "Be brief."},
        {
            "role": "user",
            "content": [
                {"type": "input_text", "text": "When is high water?"},
                {"type": "input_image", "image_url": "data:image/png;base64,AA==", "detail": "low"},
            ],
        },
        {**THOUGHT, "encrypted_content": "gAAA"},
        SAID,
        SEARCH,
        CALL,
        {"type": "function_call_output", "call_id": "call_1", "output": [{"type": "input_text", "text": "At six."}]},
        {"type": "reasoning", "content": [{"type": "reasoning_text", "text": "So six."}], "summary": []},
        {"role": "assistant", "content": "At six."},
        {"type": "message", "role": "user", "content": "Thanks."},
    ],
    "tools": [
        {
            "type": "function",
            "name": "tide",
            "description": "Tells the tide.",
            "parameters": {
                "type": "object",
                "properties": {"port": {}},
                "required": ["port"],
                "additionalProperties": False,
            },
            "strict": True,
        },
        {"type": "function", "function": {"name": "wind", "parameters": {"type": "object"}}},
        {"type": "web_search", "filters": None},
    ],
    "reasoning": {"effort": "low"},
    "include": ["reasoning.encrypted_content"],
    "store": False,
    "max_output_tokens": 64,
}
RESPONSE = {
    "id": "resp_1",
    "model": "gpt-5.4-mini-2026-03-17",
    "status": "incomplete",
    "incomplete_details": {"reason": "content_filter"},
    "output": [THOUGHT, SAID, SEARCH, CALL, {"type": "message", "role": "user", "content": []}],
    "usage": {
        "input_tokens": 9,
        "input_tokens_details": {"cached_tokens": 2},
        "output_tokens": 7,
        "output_tokens_details": {"reasoning_tokens": 3},
    },
}


def test_the_bodies_are_good_before_they_are_mutated():
    assert check_request(REQUEST) == []
    assert from_request(REQUEST)[0].check() == []
    assert from_response(RESPONSE).stop_reason == "refusal"


@given(mutated(REQUEST))
def test_any_request_gives_a_transcript_or_a_named_fault(body):
    try:
        transcript, tools = from_request(body)
        to_request(transcript, tools, stateless=True)
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


@pytest.mark.parametrize("key", ["input", "tools"])
def test_nesting_without_end_is_a_fault_and_no_crash(key):
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(TranslationError):
        from_request({**REQUEST, key: [{"type": "new", "x": deep}]})
