"""Whatever is done to a Gemini body: a transcript, or a `TranslationError` that says where; never anything else."""

from __future__ import annotations

import pytest
from hypothesis import given
from mutations import mutated

from harness.errors import Problem, TranslationError
from harness.providers.base import ProviderResponse
from harness.providers.gemini import check_request, from_request, from_response, to_request

PHOTO = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}
REQUEST = {
    "model": "gemini-2.5-pro",
    "systemInstruction": {"role": "user", "parts": [{"text": "You mend clocks."}, {"text": "Kindly."}]},
    "contents": [
        {"role": "user", "parts": [{"text": "Why does it stop?"}, PHOTO]},
        {
            "role": "model",
            "parts": [
                {"text": "Look inside.", "thought": True, "thoughtSignature": "c2ln"},
                {"functionCall": {"id": "a", "name": "open", "args": {"lid": [1, None]}}, "thoughtSignature": "c2ln"},
                {"functionCall": {"name": "listen", "args": {}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"id": "a", "name": "open", "response": {"wheels": 4}, "parts": [PHOTO]}},
                {"functionResponse": {"name": "listen", "response": {"error": "silence"}}},
            ],
        },
        {
            "role": "model",
            "parts": [
                {"executable_code": {"language": "PYTHON", "code": "print(4)"}, "thought_signature": "c2ln"},
                {"code_execution_result": {"outcome": "OUTCOME_OK", "output": "4"}},
                {"text": "", "thoughtSignature": "c2ln"},
            ],
        },
        {"parts": [{"text": "And now?", "partMetadata": {"from": "me"}}]},
    ],
    "tools": [
        {"functionDeclarations": [{"name": "open", "parameters": {"type": "OBJECT", "properties": {"lid": {}}}}]},
        {"function_declarations": {"name": "listen", "parameters_json_schema": {"type": "object"}}},
        {"googleSearch": {}},
    ],
    "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["open"]}},
    "generationConfig": {"temperature": 0.5, "thinkingConfig": {"thinkingBudget": 64}},
}
RESPONSE = {
    "candidates": [{"content": REQUEST["contents"][1], "finishReason": "STOP", "index": 0}],
    "promptFeedback": {"safetyRatings": []},
    "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 4, "thoughtsTokenCount": 2},
    "modelVersion": "gemini-2.5-pro",
    "responseId": "r-1",
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
        to_request(transcript, tools, model="gemini-3.8-flash")
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


@pytest.mark.parametrize("key", ["contents", "systemInstruction", "tools"])
def test_nesting_without_end_is_a_fault_and_no_crash(key):
    deep: list = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(TranslationError):
        from_request({**REQUEST, key: [{"role": "user", "parts": [{"x": deep}]}]})
    assert check_request({**REQUEST, key: deep})
