"""Whatever is done to a Converse body: a transcript, or a `TranslationError` that says where; never anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from mutations import mutated

from harness.errors import Problem, TranslationError
from harness.providers.base import ProviderResponse
from harness.providers.bedrock import check_request, from_request, from_response, to_request

CACHE = {"cachePoint": {"type": "default", "ttl": "5m"}}
SHOT = {"image": {"format": "jpeg", "source": {"bytes": "/9j/4A=="}}}
REQUEST = {
    "modelId": "eu.meta.llama-9",
    "system": [{"text": "You keep the lighthouse."}, {"guardContent": {"text": {"text": "Kindly."}}}, CACHE],
    "messages": [
        {"role": "user", "content": [{"text": "Is the lamp lit?"}, SHOT, CACHE]},
        {
            "role": "assistant",
            "content": [
                {"reasoningContent": {"reasoningText": {"text": "Ask the lamp.", "signature": "c2ln"}}},
                {"reasoningContent": {"redactedContent": "aGlkZGVu"}},
                {"text": "I will look."},
                {"toolUse": {"toolUseId": "look_1", "name": "lamp", "input": {"floor": 3}, "type": "tool_use"}},
                {"toolUse": {"toolUseId": "look_2", "name": "wind", "input": {}}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"toolResult": {"toolUseId": "look_1", "content": [{"json": {"lit": None}}], "status": "error"}},
                {"toolResult": {"toolUseId": "look_2", "content": [{"text": "NW"}, SHOT]}},
                CACHE,
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"citationsContent": {"content": [{"text": "It is dark."}], "citations": [{"title": "log"}]}},
                {"toolUse": {"toolUseId": "s", "name": "web", "input": {}, "type": "server_tool_use"}},
                {"toolResult": {"toolUseId": "s", "content": [], "type": "web_result"}},
            ],
        },
        {"role": "system", "content": [{"text": "Hurry."}]},
        {"role": "user", "content": [{"document": {"name": "log", "source": {"text": "day 1"}}}, {"text": "Well?"}]},
    ],
    "toolConfig": {
        "tools": [
            {"toolSpec": {"name": "lamp", "description": "Looks", "inputSchema": {"json": {"type": "object"}}}},
            {"systemTool": {"name": "web"}},
            CACHE,
        ],
        "toolChoice": {"auto": {}},
    },
    "inferenceConfig": {"maxTokens": 64, "temperature": 0.5},
}
RESPONSE = {
    "output": {"message": REQUEST["messages"][1]},
    "stopReason": "tool_use",
    "usage": {"inputTokens": 9, "outputTokens": 4, "cacheReadInputTokens": 2, "cacheWriteInputTokens": 1},
    "ResponseMetadata": {"RequestId": "r-1", "HTTPStatusCode": 200},
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


@pytest.mark.parametrize("key", ["messages", "system", "toolConfig"])
def test_nesting_without_end_is_a_fault_and_no_crash(key):
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(TranslationError):
        from_request({**REQUEST, key: [{"role": "user", "content": [{"x": deep}]}]})
