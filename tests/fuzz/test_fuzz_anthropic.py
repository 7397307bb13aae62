"""Whatever is done to a Messages body: a transcript, or a `TranslationError` that says where; never anything else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from mutations import mutated

from harness.errors import Problem, TranslationError
from harness.providers.anthropic import check_request, from_request, from_response, to_request
from harness.providers.base import ProviderResponse

MARK = {"type": "ephemeral", "ttl": "1h"}
CHART = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "iVBO"},
    "cache_control": MARK,
}
THINKING = [
    {"type": "thinking", "thinking": "Ask the gauge.", "signature": "c2lnbmVk"},
    {"type": "redacted_thinking", "data": "b3BhcXVl"},
]
CALLS = [
    {"type": "tool_use", "id": "toolu_1", "name": "gauge", "input": {"at": ["pier", 3]}, "caller": {"type": "direct"}},
    {"type": "tool_use", "id": "toolu_2", "name": "wind", "input": {}, "cache_control": MARK},
]
REQUEST = {
    "model": "claude-opus-5",
    "max_tokens": 2048,
    "system": [
        {"type": "text", "text": "You watch the tide."},
        {"type": "text", "text": "Kindly.", "cache_control": MARK},
    ],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Is it high?"}, CHART]},
        {"role": "assistant", "content": [*THINKING, {"type": "text", "text": "I look."}, *CALLS]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "4 m"}, CHART]},
                {"type": "tool_result", "tool_use_id": "toolu_2", "content": "calm", "is_error": True},
                {"type": "text", "text": "Well?"},
            ],
        },
        {"role": "system", "content": [{"type": "text", "text": "Be brief."}]},
        {
            "role": "assistant",
            "content": [
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tide"}},
                {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
                {"type": "text", "text": "High.", "citations": [{"type": "page_location", "cited_text": "High"}]},
            ],
        },
        {"role": "user", "content": "Thanks."},
    ],
    "tools": [
        {
            "name": "gauge",
            "description": "Reads it",
            "input_schema": {"type": "object", "properties": {}},
            "strict": True,
        },
        {"type": "web_search_20250305", "name": "web_search"},
    ],
    "tool_choice": {"type": "tool", "name": "gauge"},
    "thinking": {"type": "enabled", "budget_tokens": 1024},
    "output_config": {
        "effort": "high",
        "format": {"type": "json_schema", "schema": {"properties": {"a": {"items": {}}}}},
    },
}
RESPONSE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-opus-5",
    "content": [*THINKING, {"type": "text", "text": "I look.", "citations": None}, *CALLS],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {
        "input_tokens": 3,
        "cache_read_input_tokens": 2,
        "output_tokens": 9,
        "output_tokens_details": {"thinking_tokens": 4},
    },
}


@given(mutated(REQUEST))
def test_a_mutated_request_becomes_a_transcript_or_an_error_with_a_path(body):
    try:
        transcript, tools = from_request(body)
        json.dumps(to_request(transcript, tools), allow_nan=False).encode()
    except TranslationError as error:
        assert error.path


@given(mutated(REQUEST))
def test_what_is_read_is_written_again_as_it_was_read(body):
    try:
        made = to_request(*from_request(body))
    except TranslationError:
        return
    assert to_request(*from_request(made)) == made


@given(mutated(RESPONSE))
def test_a_mutated_response_becomes_a_response_or_an_error_with_a_path(body):
    try:
        assert isinstance(from_response(body), ProviderResponse)
    except TranslationError as error:
        assert error.path


@given(mutated(REQUEST))
def test_rules_are_checked_on_anything(body):
    problems = check_request(body)
    assert all(isinstance(problem, Problem) and problem.path for problem in problems)


@pytest.mark.parametrize("depth", [150, 5000])
def test_depth_ends_in_a_round_trip_or_an_error(depth):
    value: object = {}
    for _ in range(depth):
        value = {"items": value}
    body = {"messages": [{"role": "assistant", "content": [{**CALLS[1], "input": {"value": value}}]}]}
    schema = {"output_config": {"format": {"schema": value}}}
    assert check_request({**body, **schema})
    if depth == 150:
        assert to_request(*from_request(body)) == body
        return
    with pytest.raises(TranslationError):
        from_request(body)
