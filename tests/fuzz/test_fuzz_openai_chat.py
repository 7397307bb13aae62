"""Whatever is done to a Chat Completions body: a transcript, or a `TranslationError` that says where; nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from mutations import mutated

from harness.errors import Problem, TranslationError
from harness.providers.base import ProviderResponse
from harness.providers.openai_chat import check_request, from_request, from_response, to_request

SIGNED = {"google": {"thought_signature": "c2lnbmVk"}}
TIDE = {"id": "call_1", "type": "function", "function": {"name": "tide", "arguments": '{"port": "Brest"}'}}
GREP = {"id": "call_2", "type": "custom", "custom": {"name": "grep", "input": "ebb"}}
THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": "Ebb, then."}]}
DETAILS = [
    {"type": "reasoning.text", "text": "Look.", "signature": "c2ln", "index": 0},
    {"type": "reasoning.encrypted", "data": "gAAA", "index": 1},
]
REQUEST = {
    "model": "gpt-6-sol",
    "messages": [
        {"role": "developer", "content": [{"type": "text", "text": "You keep the harbour.", "cache_control": {}}]},
        {
            "role": "user",
            "name": "anna",
            "content": [
                {"type": "text", "text": "When is high water?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
            ],
        },
        {
            "role": "assistant",
            "content": "I look it up.",
            "reasoning": "Look.",
            "reasoning_details": DETAILS,
            "annotations": [{"type": "url_citation"}],
            "tool_calls": [{**TIDE, "index": 0, "extra_content": SIGNED}, GREP],
        },
        {"role": "tool", "tool_call_id": "call_1", "name": "tide", "content": [{"type": "text", "text": "At six."}]},
        {"role": "tool", "tool_call_id": "call_2", "content": "[tool error]\nno file"},
        {"role": "system", "content": "Be brief."},
        {"role": "assistant", "content": [THINKING, {"type": "text", "text": "At six."}], "refusal": None},
        {"role": "user", "content": "And the wind?"},
        {"role": "assistant", "content": None, "function_call": {"name": "wind", "arguments": "{}"}},
        {"role": "function", "name": "wind", "content": "West, four."},
        {"role": "assistant", "refusal": "Not that.", "reasoning_content": "No."},
        {"role": "user", "content": "Thanks."},
    ],
    "tools": [
        {
            "type": "function",
            "function": {"name": "tide", "description": "Tells the tide.", "parameters": {"type": "object"}},
        },
        {"type": "custom", "custom": {"name": "grep"}},
        {"type": "vendor:search", "parameters": {"deep": True}},
    ],
    "functions": [{"name": "wind", "parameters": {"type": "object", "properties": {}}}],
    "tool_choice": {"type": "function", "function": {"name": "tide"}},
    "response_format": {"type": "json_schema", "json_schema": {"name": "tides", "schema": {}}},
    "reasoning_effort": "low",
    "temperature": 0.5,
    "stop": ["ebb"],
    "max_completion_tokens": 64,
}
RESPONSE = {
    "id": "chatcmpl-1",
    "model": "gpt-6-sol",
    "choices": [
        {
            "index": 0,
            "finish_reason": "stop",
            "message": {
                "role": "assistant",
                "content": "<think>Look.</think>I look it up.",
                "reasoning_details": DETAILS,
                "refusal": "Not that.",
                "audio": {"id": "a", "data": "", "expires_at": 0, "transcript": ""},
                "tool_calls": [TIDE, {**GREP, "id": None, "function": {"name": "grep", "arguments": {}}}],
                "function_call": {"name": "wind", "arguments": ""},
            },
        }
    ],
    "usage": {
        "prompt_tokens": 9,
        "prompt_tokens_details": {"cached_tokens": 2},
        "completion_tokens": 7,
        "completion_tokens_details": {"reasoning_tokens": 3},
        "total_tokens": 16,
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


@pytest.mark.parametrize(
    "body",
    [
        lambda deep: {"messages": [{"role": "user", "content": [{"type": "new", "x": deep}]}]},
        lambda deep: {"messages": [{"role": "user", "content": "x", "extra": deep}]},
        lambda deep: {"messages": [{"role": "assistant", "content": {"x": deep}}]},
        lambda deep: {"messages": [{"role": "assistant", "reasoning_details": [deep]}]},
        lambda deep: {"messages": [{**REQUEST["messages"][2], "tool_calls": [{**TIDE, "x": deep}]}]},
        lambda deep: {"messages": [], "tools": [{"type": "new", "x": deep}]},
    ],
)
def test_nesting_without_end_is_a_fault_and_no_crash(body):
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(TranslationError):
        from_request(body(deep))
