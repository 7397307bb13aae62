"""OpenAI Responses: literal bodies both ways, the SDK's own types as the judge, and the SDK against a double."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable
from dataclasses import replace
from inspect import getsource
from typing import get_args

import httpx
import openai
import pytest
from hypothesis import given
from openai.types.responses import Response
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming
from openai.types.shared import chat_model
from pydantic import TypeAdapter, ValidationError
from strategies import texts, transcripts

from harness.errors import MissingCredentials, ProviderError, TranslationError
from harness.messages import (
    Message,
    OpaqueBlock,
    Provenance,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
)
from harness.providers._handover import require_ours
from harness.providers.openai import (
    DEFAULT_MODEL,
    WIRE,
    OpenAIProvider,
    check_request,
    from_request,
    from_response,
    to_request,
)

PARAMS = TypeAdapter(ResponseCreateParamsNonStreaming)

CALC = {"name": "calc", "description": "Calculates.", "input_schema": {"type": "object", "properties": {}}}
ASK = {"type": "message", "role": "user", "content": "17 * 23?"}
THOUGHT = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "Multiply."}, {"type": "summary_text", "text": "Carefully."}],
    "encrypted_content": "gAAA",
}
CALL = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "calc", "arguments": '{"x": 17}'}
OUTPUT = {"type": "function_call_output", "call_id": "call_1", "output": "391"}
COMMENT = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "phase": "commentary",
    "content": [{"type": "output_text", "text": "Let me see.", "annotations": []}],
}
ANSWER = {**COMMENT, "id": "msg_2", "phase": "final_answer"}
SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "17"}}
RESPONSE = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1764547200,
    "model": "gpt-5.4-mini-2026-03-17",
    "status": "completed",
    "output": [THOUGHT, COMMENT, {**CALL, "status": "completed"}],
    "usage": {
        "input_tokens": 50,
        "input_tokens_details": {"cached_tokens": 40, "cache_write_tokens": 0},
        "output_tokens": 30,
        "output_tokens_details": {"reasoning_tokens": 20},
        "total_tokens": 80,
    },
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
}


def conversation(*items):
    return {"input": list(items)}


def read(*items):
    """The transcript of a list of items."""
    return from_request(conversation(*items))[0]


def written(*messages, **options):
    """The items of a transcript of these messages."""
    return to_request(Transcript(list(messages)), **options)["input"]


def assistant(*blocks, **provenance):
    return Message("assistant", blocks, provenance=Provenance(WIRE, **provenance) if provenance else None)


def typed(body):
    """`body`, once the SDK's request types have accepted every item of it."""
    PARAMS.validate_python(_materialised(PARAMS.validate_python({"model": DEFAULT_MODEL, **body})))
    return body


def _materialised(value):
    """The SDK checks an iterable only when it is read."""
    if isinstance(value, dict):
        return {key: _materialised(inner) for key, inner in value.items()}
    return (
        [_materialised(inner) for inner in value]
        if isinstance(value, Iterable) and not isinstance(value, str)
        else value
    )


def rules(body):
    return {problem.path: problem.rule for problem in check_request(body)}


@pytest.mark.parametrize(
    "item",
    [
        {"type": "function_call", "call_id": "c"},
        {"role": "user", "content": [{"type": "input_text"}]},
        {**ANSWER, "content": [{}]},
    ],
)
def test_the_judge_can_say_no(item):
    with pytest.raises(ValidationError):
        typed(conversation(item))


# ---- both ways


SAME = {
    "a string is one question": ("17 * 23?", [ASK]),
    "reasoning, a comment and parallel calls keep their order": (
        [
            ASK,
            THOUGHT,
            COMMENT,
            CALL,
            {**CALL, "id": "fc_2", "call_id": "call_2"},
            OUTPUT,
            {**OUTPUT, "call_id": "call_2"},
        ],
        None,
    ),
    "several reasoning items before one message": ([ASK, THOUGHT, {**THOUGHT, "id": "rs_2"}, ANSWER, ASK], None),
    "two messages of the model stay two, with their phases": ([ASK, COMMENT, ANSWER, ASK], None),
    "an answer without an id is a string": (
        [ASK, {"type": "message", "role": "assistant", "content": "391"}, ASK],
        None,
    ),
    "developer stays developer": ([{"type": "message", "role": "developer", "content": "Be brief."}, ASK], None),
    "a system message stays in its place": (
        [ASK, {"type": "message", "role": "system", "content": "Be brief."}, ASK],
        None,
    ),
    "one text in a list is a string": (
        [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}],
        [{"type": "message", "role": "user", "content": "hi"}],
    ),
    "a text and an image are one message": (
        [
            {
                "type": "message",
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "What is it?"},
                    {"type": "input_image", "image_url": "https://example.com/a.png", "detail": "low"},
                    {"type": "input_file", "file_id": "file_1"},
                ],
            }
        ],
        None,
    ),
    "annotations and refusals go back in one message": (
        [
            ASK,
            {
                **ANSWER,
                "content": [
                    {
                        "type": "output_text",
                        "text": "391",
                        "annotations": [{"type": "file_path", "file_id": "file_1", "index": 0}],
                    },
                    {"type": "refusal", "refusal": "No more."},
                ],
            },
        ],
        None,
    ),
    "a namespace stays on its call": ([ASK, {**CALL, "namespace": "maths"}, OUTPUT], None),
    "raw reasoning of other servers": (
        [
            ASK,
            {"type": "reasoning", "id": "r", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]},
            {"type": "message", "role": "assistant", "content": "391"},
        ],
        None,
    ),
    "items that the canon has no word for": (
        [
            ASK,
            SEARCH,
            {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"},
            {"type": "item_reference", "id": "msg_9"},
            {"type": "mcp_approval_request", "id": "a", "name": "calc", "arguments": "{}", "server_label": "maths"},
            {"type": "mcp_approval_response", "approval_request_id": "a", "approve": True},
        ],
        None,
    ),
    "a result with a picture": (
        [
            ASK,
            CALL,
            {
                **OUTPUT,
                "output": [
                    {"type": "input_text", "text": "See:"},
                    {"type": "input_image", "image_url": "data:image/png;base64,AA==", "detail": "auto"},
                ],
            },
        ],
        None,
    ),
    "a result without parts": ([ASK, CALL, {**OUTPUT, "output": []}], None),
    "a result in several texts": (
        [ASK, CALL, {**OUTPUT, "output": [{"type": "input_text", "text": "39"}, {"type": "input_text", "text": "1"}]}],
        None,
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_a_request_comes_back_as_it_was(name):
    given_items, wanted = SAME[name]
    transcript, tools = from_request({"input": given_items})
    body = to_request(transcript, tools)
    assert body == {"input": wanted or given_items}
    assert Transcript.from_json(transcript.to_json()) == transcript
    typed(body)


def test_the_models_neighbouring_items_are_one_message_and_results_are_one():
    transcript = read(
        ASK, THOUGHT, COMMENT, CALL, {**CALL, "call_id": "call_2"}, OUTPUT, {**OUTPUT, "call_id": "call_2"}
    )
    assert [(message.role, [block.kind for block in message.blocks]) for message in transcript] == [
        ("user", ["text"]),
        ("assistant", ["reasoning", "text", "tool_call", "tool_call"]),
        ("user", ["tool_result", "tool_result"]),
    ]


def test_one_reasoning_item_is_one_block_with_its_summary_as_text():
    block = read(ASK, THOUGHT, ANSWER).messages[1].blocks[0]
    assert block.text == "Multiply.\nCarefully."
    assert block.metadata["openai_items"] == [{key: THOUGHT[key] for key in ("id", "summary", "encrypted_content")}]


def test_instructions_are_the_system_prompt():
    transcript, _ = from_request({"instructions": "Be brief.", "input": [ASK]})
    assert transcript.system == "Be brief."
    assert to_request(transcript) == {"instructions": "Be brief.", "input": [ASK]}


@pytest.mark.parametrize(
    "arguments", ['{ "b":1,  "a":2}', "", "{}", '{"a": 1', "[1]", '{"a":"\\u00e9"}', '{"a":1.0,"a":2}', "null"]
)
def test_an_argument_string_goes_back_byte_for_byte(arguments):
    transcript = read(ASK, {**CALL, "arguments": arguments}, OUTPUT)
    assert to_request(transcript)["input"][1]["arguments"] == arguments


def test_unreadable_arguments_are_kept_and_told_from_none():
    calls = [read(ASK, {**CALL, "arguments": raw}).messages[1].blocks[0] for raw in ('{"a": ', "", "{}")]
    assert [call.args for call in calls] == [{}, {}, {}]
    assert [call.unreadable for call in calls] == ['{"a": ', None, None]


def test_an_edited_call_loses_the_old_string():
    call = read(ASK, CALL).messages[1].blocks[0]
    assert written(assistant(replace(call, args={"x": 18})))[0]["arguments"] == '{"x":18}'


def test_an_edited_text_loses_its_annotations():
    part = {"type": "output_text", "text": "See a.", "annotations": [{"type": "file_path", "file_id": "f", "index": 4}]}
    message = read({**ANSWER, "content": [part]}).messages[0]
    edited = replace(message, blocks=(replace(message.blocks[0], text="See b."),))
    assert written(edited)[0]["content"] == [{"type": "output_text", "text": "See b.", "annotations": []}]


TOOLS = [
    {
        "type": "function",
        "name": "calc",
        "description": "Calculates.",
        "parameters": {"type": "object"},
        "strict": True,
    },
    {"type": "function", "name": "wind", "description": "", "parameters": None, "strict": False},
    {"type": "function", "name": "far", "description": "", "parameters": {}, "strict": False, "defer_loading": True},
    {"type": "web_search", "filters": {"allowed_domains": ["example.com"]}},
]


def test_tools_come_back_as_they_were():
    transcript, tools = from_request({"input": [ASK], "tools": TOOLS})
    assert to_request(transcript, tools)["tools"] == TOOLS
    typed(to_request(transcript, tools))
    assert tools[0] == {
        "name": "calc",
        "description": "Calculates.",
        "input_schema": {"type": "object"},
        WIRE: {"strict": True},
    }


def test_a_tool_nested_as_on_chat_completions_stays_nested():
    nested = {"type": "function", "function": {"name": "calc", "description": "", "parameters": {}, "strict": True}}
    transcript, tools = from_request({"input": [ASK], "tools": [nested]})
    assert tools[0]["name"] == "calc"
    assert to_request(transcript, tools)["tools"] == [nested]


def test_a_plain_schema_is_sent_as_it_is_and_not_made_strict():
    body = to_request(Transcript([Message.user_text("hi")]), [CALC])
    assert body["tools"] == [
        {
            "type": "function",
            "name": "calc",
            "description": "Calculates.",
            "parameters": CALC["input_schema"],
            "strict": False,
        }
    ]
    typed(body)


@pytest.mark.parametrize(
    "tool", [{"type": "web_search_20250305", "name": "web_search"}, {"input_schema": {}}, "calc", {WIRE: 7}]
)
def test_another_vendors_own_tool_and_what_is_no_tool_are_refused(tool):
    with pytest.raises(TranslationError, match=r"tools\[0\]"):
        to_request(Transcript([Message.user_text("hi")]), [tool])


def test_a_body_shares_nothing_with_the_transcript_or_the_schemas():
    transcript, tools = from_request({"input": [ASK, THOUGHT, SEARCH, CALL, OUTPUT], "tools": TOOLS})
    first = to_request(transcript, tools)
    for item in first["input"]:
        item.clear()
    first["tools"][0]["parameters"]["type"] = "array"
    assert to_request(transcript, tools) == {"input": [ASK, THOUGHT, SEARCH, CALL, OUTPUT], "tools": TOOLS}


def thoughts(text):
    """A reasoning block as this wire reads it."""
    item = {"id": "rs_1", "summary": [{"type": "summary_text", "text": text}], "encrypted_content": "gAAA"}
    return ReasoningBlock(text, {WIRE: {"items": [item]}})


@given(transcripts(texts.map(thoughts)))
def test_a_transcript_in_normal_form_reads_back_as_it_was(transcript):
    body = to_request(transcript, [CALC])
    again, tools = from_request(json.loads(json.dumps(body)))
    assert tools == [CALC]
    assert again.system == transcript.system
    assert [(message.role, message.blocks) for message in again] == [
        (message.role, message.blocks) for message in transcript
    ]
    assert to_request(again, tools) == body
    typed(body)


# ---- what a transcript must survive


BROKEN = {
    "a result whose call is gone": [Message.tool_result(ToolResult("gone", "391"))],
    "a call that was never answered": [assistant(ToolCall("c", "calc", {})), Message.user_text("well?")],
    "a call that was answered twice": [
        assistant(ToolCall("c", "calc", {})),
        Message.tool_result(ToolResult("c", "391")),
        Message.tool_result(ToolResult("c", "392")),
    ],
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_transcript_is_refused_until_it_is_repaired(name):
    transcript = Transcript([Message.user_text("hi"), *BROKEN[name]])
    with pytest.raises(TranslationError, match="repair"):
        to_request(transcript)
    assert check_request(to_request(transcript.repair())) == []


def test_a_nul_and_a_megabyte_go_and_come_back_exactly():
    output = "\x00" + "naïve 日本 " * 100_000
    items = written(assistant(ToolCall("c", "calc", {})), Message.tool_result(ToolResult("c", output)))
    assert read(*json.loads(json.dumps(items))).messages[1].blocks[0].content == output


def test_an_error_carries_a_mark_that_reads_back():
    call = assistant(ToolCall("call_1", "calc", {}))
    items = written(call, Message.tool_result(ToolResult("call_1", "no such thing", is_error=True)))
    assert items[1]["output"] == "[tool error]\nno such thing"
    result = read(*items).messages[1].blocks[0]
    assert (result.content, result.is_error) == ("no such thing", True)


def test_an_output_that_begins_with_the_mark_is_no_error():
    call = assistant(ToolCall("call_1", "calc", {}))
    items = written(call, Message.tool_result(ToolResult("call_1", "[tool error]\nin the log")))
    result = read(*items).messages[1].blocks[0]
    assert (result.content, result.is_error) == ("[tool error]\nin the log", False)


def test_an_error_with_a_picture_carries_the_mark_as_its_first_part():
    picture = {"type": "input_image", "image_url": "data:image/png;base64,AA==", "detail": "auto"}
    transcript = read(ASK, CALL, {**OUTPUT, "output": [picture]})
    call, result = transcript.messages[1:]
    failed = replace(result, blocks=(replace(result.blocks[0], is_error=True),))
    items = written(call, failed)
    assert items[1]["output"] == [{"type": "input_text", "text": "[tool error]\n"}, picture]
    assert read(*items).messages[1].blocks == failed.blocks


def test_an_id_that_is_too_long_is_replaced_for_call_and_result_alike():
    long = "x" * 65
    items = written(assistant(ToolCall(long, "calc", {})), Message.tool_result(ToolResult(long, "391")))
    assert items[0]["call_id"] == items[1]["call_id"]
    assert len(items[0]["call_id"]) <= 64
    legal = "x" * 64
    assert written(assistant(ToolCall(legal, "calc", {})))[0]["call_id"] == legal


def test_an_id_that_repeats_in_a_later_turn_stays():
    items = [ASK, CALL, OUTPUT, {"type": "message", "role": "assistant", "content": "391"}, ASK, CALL, OUTPUT]
    assert to_request(read(*items))["input"] == items


def test_a_result_without_an_id_answers_the_open_call():
    transcript = read(ASK, CALL, {"type": "function_call_output", "output": "391"})
    assert transcript.messages[2].blocks[0].call_id == "call_1"


def test_a_call_without_arguments_or_call_id_goes_by_its_item():
    call = read(ASK, {"type": "function_call", "id": "fc_7", "name": "calc"}).messages[1].blocks[0]
    assert (call.id, call.args, call.unreadable) == ("fc_7", {}, None)


def test_what_openai_alone_knows_is_refused_elsewhere_by_name():
    with pytest.raises(TranslationError, match="web_search_call"):
        require_ours(read(ASK, SEARCH), "openai.chat")


def test_what_another_wire_alone_knows_is_refused_here_by_name():
    with pytest.raises(TranslationError, match=r"messages\[0\].blocks\[0\].*'document' of anthropic.messages"):
        written(Message("user", (OpaqueBlock("anthropic.messages", {"type": "document"}),)))
    rich = ToolResult("c", "x", metadata={"anthropic.messages": {"content": [{"type": "image"}]}})
    with pytest.raises(TranslationError, match="more than text"):
        written(assistant(ToolCall("c", "calc", {})), Message.tool_result(rich))


def test_an_unknown_part_keeps_its_message_whole():
    message = {"type": "message", "role": "user", "content": [{"type": "input_smell", "data": "rose"}]}
    transcript = read(message)
    assert transcript.messages[0].blocks == (OpaqueBlock(WIRE, message),)
    assert to_request(transcript)["input"] == [message]


def test_empty_texts_go_as_they_are():
    assert written(Message.user_text(""), assistant(TextBlock(""))) == [
        {"type": "message", "role": "user", "content": ""},
        {"type": "message", "role": "assistant", "content": ""},
    ]


# ---- reasoning


def test_reasoning_at_the_end_of_a_turn_is_not_sent():
    transcript = read(ASK, THOUGHT, ASK)
    assert len(transcript.messages[1].blocks) == 1
    assert to_request(transcript)["input"] == [ASK, ASK]


def test_the_pure_half_keeps_reasoning_without_encrypted_content_and_a_stateless_request_leaves_it_out():
    bare = {key: value for key, value in THOUGHT.items() if key != "encrypted_content"}
    transcript = read(ASK, bare, CALL, OUTPUT)
    assert to_request(transcript)["input"] == [ASK, bare, CALL, OUTPUT]
    stateless = to_request(transcript, stateless=True)
    assert stateless["input"] == [ASK, {key: value for key, value in CALL.items() if key != "id"}, OUTPUT]
    assert check_request(stateless) == []


def test_an_id_is_not_sent_once_its_reasoning_was_left_out():
    transcript = read(ASK, THOUGHT, COMMENT, CALL, OUTPUT)
    foreign = replace(transcript.messages[1], provenance=Provenance(WIRE, "xai", "grok-4.3"))
    transcript.messages[1] = foreign
    items = to_request(transcript, provider="openai", model="gpt-5.4-mini")["input"]
    assert items == [
        ASK,
        {"type": "message", "role": "assistant", "content": "Let me see.", "phase": "commentary"},
        {key: value for key, value in CALL.items() if key != "id"},
        OUTPUT,
    ]


@pytest.mark.parametrize(
    ("made_by", "sent"),
    [
        ({}, True),
        ({"provider": "openai", "model": "gpt-5.4-mini"}, True),
        ({"provider": "openai"}, True),
        ({"provider": "openai", "model": "gpt-5.5"}, False),
        ({"provider": "azure", "model": "gpt-5.4-mini"}, False),
    ],
)
def test_reasoning_goes_back_to_the_provider_and_model_that_made_it(made_by, sent):
    message = assistant(thoughts("Hm."), TextBlock("391"), **made_by)
    items = written(message, provider="openai", model="gpt-5.4-mini")
    assert [item["type"] for item in items] == (["reasoning", "message"] if sent else ["message"])


def test_reasoning_of_another_wire_is_not_sent():
    block = ReasoningBlock("Hm.", {"signature": "Er0C"})
    assert written(assistant(block, TextBlock("391"))) == [{"type": "message", "role": "assistant", "content": "391"}]


def test_an_edited_summary_is_not_sent_with_the_old_seal():
    edited = replace(thoughts("Hm."), text="Hm!")
    assert written(assistant(edited, TextBlock("391"))) == [{"type": "message", "role": "assistant", "content": "391"}]


def test_the_chapters_flat_items_are_sent_whatever_the_text():
    spec = [{"id": "rs_1", "encrypted_content": "gAAA", "summary": []}, {"id": "rs_2", "encrypted_content": "gBBB"}]
    block = ReasoningBlock("what the model showed", {"openai_items": spec})
    assert written(assistant(block, TextBlock("391")))[:2] == [
        {"type": "reasoning", "id": "rs_1", "encrypted_content": "gAAA", "summary": []},
        {"type": "reasoning", "id": "rs_2", "encrypted_content": "gBBB", "summary": []},
    ]


def test_malformed_flat_items_are_a_named_fault():
    block = ReasoningBlock("Hm.", {"openai_items": ["rs_1"]})
    with pytest.raises(TranslationError, match=r"openai_items\[0\]"):
        written(assistant(block, TextBlock("391")))


# ---- responses


def test_a_response_is_the_whole_turn_in_order():
    response = from_response(RESPONSE)
    assert [block.kind for block in response.blocks] == ["reasoning", "text", "tool_call"]
    assert (response.text, response.reasoning_text, response.tool_args) == (
        "Let me see.",
        "Multiply.\nCarefully.",
        {"x": 17},
    )
    assert response.stop_reason == "tool_calls"
    assert (response.id, response.model) == ("resp_1", "gpt-5.4-mini-2026-03-17")
    assert response.provenance == Provenance(WIRE, response_id="resp_1", stop_reason="tool_calls")


def test_a_turn_goes_back_as_it_came():
    message = Message.from_assistant_response(from_response(RESPONSE))
    assert written(message) == [THOUGHT, COMMENT, CALL]


def test_the_sdks_own_object_reads_like_its_body():
    body = {**RESPONSE, "output": [THOUGHT, COMMENT, {**CALL, "async": True}]}  # `async_` on the SDK's object
    assert from_response(Response.model_validate(body)) == from_response(body)


def test_input_includes_cached_and_output_includes_reasoning():
    response = from_response(RESPONSE)
    counts = (response.input_tokens, response.cached_tokens, response.output_tokens, response.reasoning_tokens)
    assert counts == (50, 40, 30, 20)
    bare = from_response({**RESPONSE, "usage": None})
    assert (bare.input_tokens, bare.output_tokens, bare.reasoning_tokens) == (0, 0, 0)


REFUSAL = {**ANSWER, "content": [{"type": "refusal", "refusal": "I will not."}]}
CUT = {"reason": "max_output_tokens"}
FILTERED = {"reason": "content_filter"}


@pytest.mark.parametrize(
    ("status", "details", "output", "stop"),
    [
        ("completed", None, [ANSWER], "end"),
        ("completed", None, [CALL], "tool_calls"),
        ("completed", None, [REFUSAL], "refusal"),
        ("incomplete", CUT, [ANSWER], "max_tokens"),
        ("incomplete", CUT, [CALL], "max_tokens"),
        ("incomplete", CUT, [THOUGHT], "max_tokens"),
        ("incomplete", CUT, [REFUSAL], "max_tokens"),
        ("incomplete", FILTERED, [ANSWER], "content_filter"),
        ("incomplete", FILTERED, [CALL], "content_filter"),
        ("failed", None, [], "other"),
        ("cancelled", None, [ANSWER], "other"),
        ("queued", None, [], "other"),
    ],
)
def test_stop_reasons(status, details, output, stop):
    response = from_response({**RESPONSE, "status": status, "incomplete_details": details, "output": output})
    assert response.stop_reason == stop
    assert response.is_final == (stop == "end")


def test_a_body_that_is_no_response_is_a_named_fault():
    with pytest.raises(TranslationError, match="output"):
        from_response({"error": {"message": "no"}})


def test_what_the_user_said_in_a_compacted_output_is_not_what_the_model_said():
    repeated = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}
    response = from_response({**RESPONSE, "output": [repeated]})
    assert response.text is None
    assert response.blocks == (OpaqueBlock(WIRE, repeated),)


# ---- bodies that are none


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ([], "body"),
        ({"input": 7}, "input"),
        ({"input": ["hi"]}, "input[0]"),
        ({"input": [ASK, {"role": "user", "content": [{"type": "input_text"}]}]}, "input[1].content[0].text"),
        ({"input": [{"role": "user", "content": [7]}]}, "input[0].content[0]"),
        ({"input": [{**CALL, "name": None}]}, "input[0].name"),
        ({"input": [OUTPUT | {"call_id": None}]}, "input[0].call_id"),
        ({"input": [{**OUTPUT, "output": {}}]}, "input[0].output"),
        ({"input": [{**THOUGHT, "summary": "Hm."}]}, "input[0].summary"),
        ({"input": [{"role": "user", "content": "\ud800"}]}, "input[0]"),
        ({"input": [], "instructions": ["Be brief."]}, "instructions"),
        ({"input": [], "tools": [{"type": "function"}]}, "tools[0].name"),
    ],
)
def test_a_fault_is_named_by_its_path(body, path):
    with pytest.raises(TranslationError) as fault:
        from_request(body)
    assert (fault.value.wire, fault.value.path) == (WIRE, path)


# ---- rules


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (conversation(), "input"),
        (conversation({"role": "tool", "content": "391"}), "input[0].role"),
        (conversation({"role": "user", "content": None}), "input[0].content"),
        (
            conversation({"role": "user", "content": [{"type": "output_text", "text": "hi"}]}),
            "input[0].content[0].type",
        ),
        (
            conversation({"role": "assistant", "content": [{"type": "input_text", "text": "hi"}]}),
            "input[0].content[0].type",
        ),
        (conversation(ASK, {**CALL, "arguments": {}}, OUTPUT), "input[1].arguments"),
        (conversation(ASK, {**CALL, "name": "two words"}, OUTPUT), "input[1].name"),
        (conversation(ASK, CALL | {"call_id": "x" * 65}, OUTPUT | {"call_id": "x" * 65}), "input[1].call_id"),
        (conversation(ASK, CALL), "input[1]"),
        (conversation(ASK, OUTPUT), "input[1]"),
        (conversation(ASK, CALL, {**OUTPUT, "output": None}), "input[2].output"),
        (conversation(ASK, THOUGHT), "input[1]"),
        (conversation(ASK, THOUGHT, ASK), "input[1]"),
        (conversation(ASK, THOUGHT, {"role": "assistant", "content": "edited"}), "input[1]"),
        (conversation(ASK, {"type": "reasoning", "id": "rs_1"}, ANSWER), "input[1].summary"),
        (conversation(ASK, THOUGHT | {"encrypted_content": None}, ANSWER) | {"store": False}, "input[1]"),
        (conversation(ASK, {"text": "hi"}), "input[1]"),
        (
            conversation(
                {"role": "user", "content": [{"type": "input_file", "file_url": "https://example.com/a.mp3"}]}
            ),
            "input[0].content[0].file_url",
        ),
        (conversation(ASK) | {"tools": [{"name": "calc"}]}, "tools[0].type"),
        (conversation(ASK) | {"tools": [{"type": "function", "name": "a.b", "parameters": {}}]}, "tools[0].name"),
        (
            conversation(ASK)
            | {"tools": [{"type": "function", "name": "a", "parameters": {"properties": {"x": {}}}, "strict": True}]},
            "tools[0].parameters.required",
        ),
        (conversation(ASK) | {"reasoning": {"effort": "extreme"}}, "reasoning.effort"),
        (conversation(ASK) | {"reasoning": {"effort": "low"}, "model": "gpt-4.1"}, "reasoning.effort"),
        (conversation(ASK) | {"include": ["reasoning.encrypted_content"], "model": "gpt-4o"}, "include"),
        (conversation(ASK) | {"temperature": -1}, "temperature"),
        (conversation(ASK) | {"max_output_tokens": 8}, "max_output_tokens"),
        (conversation(ASK) | {"previous_response_id": "resp_1", "conversation": "conv_1"}, "previous_response_id"),
    ],
)
def test_a_broken_rule_is_found_at_its_place(body, path):
    found = check_request(body)
    assert path in [problem.path for problem in found]
    assert all(problem.rule and problem.source for problem in found)


@pytest.mark.parametrize(
    "body",
    [
        {"input": ""},
        {"previous_response_id": "resp_1", "input": [OUTPUT]},
        {"prompt": {"id": "pmpt_1"}},
        conversation(ASK, THOUGHT, CALL, OUTPUT),
        conversation(ASK, {key: THOUGHT[key] for key in THOUGHT if key != "id"}, {"role": "assistant", "content": "a"}),
        conversation(ASK, THOUGHT, {"role": "assistant", "content": "a"}) | {"store": False},
        conversation(ASK, SEARCH, ANSWER, {"type": "item_reference", "id": "msg_9"}, {"id": "msg_10"}),
    ],
)
def test_no_rule_is_found_broken_where_none_is(body):
    assert check_request(body) == []


# ---- the provider


def server(body=RESPONSE, status=200):
    """The SDK's own client with a transport that answers in process, and the requests that it saw."""
    seen = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(json.loads(request.content))
        return httpx.Response(status, json=body)

    http_client = httpx.Client(transport=httpx.MockTransport(answer))
    return openai.OpenAI(api_key="none", http_client=http_client, max_retries=0), seen


def question():
    return Transcript([Message.user_text("17 * 23?")], system="Be brief.")


def test_a_request_is_always_stateless_and_asks_for_encrypted_reasoning():
    client, seen = server()
    OpenAIProvider(client=client).complete(question(), [CALC])
    assert seen == [
        {
            "model": DEFAULT_MODEL,
            "store": False,
            "include": ["reasoning.encrypted_content"],
            "instructions": "Be brief.",
            "input": [ASK],
            "tools": to_request(question(), [CALC])["tools"],
        }
    ]
    assert check_request(seen[0]) == []


def test_what_is_shown_is_what_is_sent():
    client, seen = server()
    provider = OpenAIProvider(client=client, reasoning_effort="high", max_output_tokens=1000)
    provider.complete(question(), [CALC])
    assert seen == [typed(provider.request(question(), [CALC]))]
    assert (seen[0]["reasoning"], seen[0]["max_output_tokens"]) == ({"effort": "high"}, 1000)


def test_a_response_says_who_made_it():
    client, _ = server()
    response = OpenAIProvider("gpt-5.5", client).complete(question(), [])
    assert response.provenance == Provenance(WIRE, "openai", "gpt-5.5", "resp_1", "tool_calls")


def test_the_second_turn_sends_the_first_back_unchanged():
    client, seen = server()
    provider, transcript = OpenAIProvider(client=client), question()
    transcript.append(Message.from_assistant_response(provider.complete(transcript, [CALC])))
    transcript.append(Message.tool_result(ToolResult("call_1", "391")))
    provider.complete(transcript, [CALC])
    assert seen[1]["input"] == [ASK, THOUGHT, COMMENT, CALL, OUTPUT]
    assert check_request(seen[1]) == []


@pytest.mark.parametrize("effort", ["none", "minimal", "low", "medium", "high", "xhigh", "max"])
def test_every_effort_of_the_sdk_can_be_asked_for(effort):
    typed(OpenAIProvider(reasoning_effort=effort).request(question(), []))


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"reasoning_effort": "extreme"}, "reasoning.effort"),
        ({"model": "gpt-4.1", "reasoning_effort": "low"}, "reasoning.effort"),
        ({"max_output_tokens": 8}, "max_output_tokens"),
    ],
)
def test_an_impossible_option_is_refused_before_the_network(options, path):
    client, seen = server()
    with pytest.raises(TranslationError) as fault:
        OpenAIProvider(client=client, **options).complete(question(), [])
    assert (fault.value.path, seen) == (path, [])


def test_a_model_that_cannot_reason_is_not_asked_for_encrypted_reasoning():
    body = OpenAIProvider("gpt-4.1").request(question(), [])
    assert body["store"] is False
    assert "include" not in body
    assert check_request(body) == []


def test_a_refused_request_is_a_provider_error_with_the_vendors_words():
    error = {"error": {"message": "Incorrect API key provided: sk-abcdefgh12345678.", "type": "invalid_request_error"}}
    client, _ = server(error, 401)
    with pytest.raises(ProviderError, match="Incorrect API key") as fault:
        OpenAIProvider(client=client).complete(question(), [])
    assert fault.value.status == 401
    assert "abcdefgh" not in str(fault.value)


def test_without_a_key_nothing_is_loaded_or_sent(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(socket, "socket", None)
    with pytest.raises(MissingCredentials, match="OPENAI_API_KEY"):
        OpenAIProvider().complete(question(), [])


def test_the_default_model_is_known_to_the_sdk_and_not_to_be_shut_down():
    assert DEFAULT_MODEL in get_args(chat_model.ChatModel)
    deprecated = getsource(chat_model).partition("Deprecated values:")[2]
    assert '"gpt-5"' in deprecated  # the list is where we look for it
    assert f'"{DEFAULT_MODEL}"' not in deprecated
