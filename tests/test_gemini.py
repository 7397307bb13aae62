"""Gemini generateContent: literal bodies both ways, the SDK's own types as the judge, its client against a double."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import httpx2
import pytest
from google import genai
from google.genai import models as sdk_models
from google.genai import types
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts, transcripts

from harness.agent import run
from harness.errors import HarnessError, InvalidValue, MissingCredentials, ProviderError, TranslationError
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
from harness.providers import anthropic
from harness.providers._gemini_json import camel
from harness.providers.gemini import (
    DEFAULT_MODEL,
    WIRE,
    GeminiProvider,
    check_request,
    from_request,
    from_response,
    to_request,
)

SIGNATURE = "c2lnbmVkK2J5L0dlbWluaQ=="
STAND_IN = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="  # "skip_thought_signature_validator"
TOOL = {
    "name": "tide",
    "description": "Height of the tide",
    "input_schema": {"type": "object", "properties": {"port": {"type": "string"}}, "required": ["port"]},
}
DECLARED = {"name": "tide", "description": "Height of the tide", "parametersJsonSchema": TOOL["input_schema"]}
ASK = {"role": "user", "parts": [{"text": "Can we sail?"}]}
CALL = {"functionCall": {"id": "c1", "name": "tide", "args": {"port": "Brest"}}}
SIGNED = {**CALL, "thoughtSignature": SIGNATURE}
RESULT = {"functionResponse": {"id": "c1", "name": "tide", "response": {"output": "4.2 m"}}}
PHOTO = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}


def model(*parts):
    return {"role": "model", "parts": list(parts)}


def user(*parts):
    return {"role": "user", "parts": list(parts)}


def conversation(*contents, **rest):
    return {**rest, "contents": list(contents)}


def answered(*parts):
    """The part(s) of a result, after the question and the call that it needs."""
    return conversation(ASK, model(CALL), user(*parts))


def again(body):
    """`body` after `from_request` and `to_request`."""
    return to_request(*from_request(body))


def sent(*messages, tools=(), **options):
    """What `to_request` makes of messages, judged by the SDK's types and by our rules."""
    body = to_request(Transcript(list(messages)), tools, **options)
    assert check_request(body) == []
    fits_the_sdk(body)
    return body


def fits_the_sdk(body):
    """The SDK's own types take the body: they forbid fields that they do not know."""
    for content in [*body["contents"], *([body["systemInstruction"]] if "systemInstruction" in body else [])]:
        types.Content.model_validate(content)
    settings = {"tools": body.get("tools", []), **body.get("generationConfig", {})}
    types.GenerateContentConfig.model_validate(settings)


def blocks_of(*parts, role="model"):
    return from_request(conversation({"role": role, "parts": list(parts)}))[0].messages[0].blocks


# ---- round trips

BODIES = {
    "a question": conversation(ASK),
    "a system instruction with its role": conversation(
        ASK, systemInstruction={"role": "user", "parts": [{"text": "S"}]}
    ),
    "a system instruction in two parts": conversation(ASK, systemInstruction={"parts": [{"text": "A"}, {"text": "B"}]}),
    "a signature on the first of two calls": answered(RESULT) | {"contents": [ASK, model(SIGNED), user(RESULT)]},
    "a signature on a text": conversation(ASK, model({"text": "Yes.", "thoughtSignature": SIGNATURE}), ASK),
    "a signature on an empty text": conversation(ASK, model({"text": "", "thoughtSignature": SIGNATURE}), ASK),
    "a signature alone": conversation(ASK, model({"thoughtSignature": SIGNATURE}), ASK),
    "thoughts between texts": conversation(
        ASK,
        model({"text": "Hm.", "thought": True}, {"text": "A"}, {"text": "So.", "thought": True}, {"text": "B"}),
        ASK,
    ),
    "code that Google ran": conversation(
        ASK,
        model(
            {"executableCode": {"language": "PYTHON", "code": "print(6*7)"}, "thoughtSignature": SIGNATURE},
            {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "42\n"}},
            {"text": "42"},
        ),
        ASK,
    ),
    "a tool that Google ran": conversation(
        ASK,
        model(
            {"toolCall": {"id": "s1", "toolType": "FILE_SEARCH", "args": {"my_key": 1}}, "thoughtSignature": SIGNATURE},
            {"toolResponse": {"id": "s1", "toolType": "FILE_SEARCH", "response": {"my_key": [2]}}},
        ),
        ASK,
    ),
    "pictures and files": conversation(user({"text": "What is it?"}, PHOTO, {"fileData": {"fileUri": "gs://a/b"}})),
    "fields beside the text": conversation(user({"text": "Hi", "partMetadata": {"my_key": "x"}})),
    "an empty question": conversation(user({"text": ""})),
    "calls and results without ids": conversation(
        ASK,
        model({"functionCall": {"name": "tide", "args": {}}}, {"functionCall": {"name": "wind", "args": {}}}),
        user(
            {"functionResponse": {"name": "wind", "response": {"output": "N"}}},
            {"functionResponse": {"name": "tide", "response": {"output": "4 m"}}},
        ),
    ),
    "a result that is any object": answered(
        {"functionResponse": {"id": "c1", "name": "tide", "response": {"height": 4.0, "unit": None, "ok": True}}}
    ),
    "a result with media": answered({"functionResponse": {**RESULT["functionResponse"], "parts": [PHOTO]}}),
    "a result that says when to be read": answered(
        {"functionResponse": {**RESULT["functionResponse"], "scheduling": "SILENT"}}
    ),
    "tools of every kind": conversation(
        ASK,
        tools=[
            {"functionDeclarations": [DECLARED, {"name": "bare"}]},
            {"googleSearch": {}},
            {
                "functionDeclarations": [
                    {"name": "old", "parameters": {"type": "OBJECT"}, "response": {"type": "STRING"}}
                ]
            },
        ],
    ),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_comes_back_as_it_was(body):
    fits_the_sdk(body)
    assert check_request(body) == []
    assert again(copy.deepcopy(body)) == body


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_saved_transcript_writes_the_same_body(body):
    transcript, tools = from_request(body)
    assert to_request(Transcript.from_json(transcript.to_json()), tools) == body


def test_snake_case_is_read_and_camel_case_written():
    call = {"function_call": {"name": "tide", "args": {"my_port": "x"}, "id": "c1"}, "thought_signature": SIGNATURE}
    result = {"function_response": {"id": "c1", "name": "tide", "response": {"high_water": "4.2"}}}
    body = {
        "system_instruction": {"parts": [{"text": "S"}]},
        "contents": [ASK, model(call), user(result, {"inline_data": {"mime_type": "image/png", "data": "AAAA"}})],
        "tools": [{"function_declarations": [{"name": "tide", "parameters_json_schema": {"type": "object"}}]}],
    }
    written = again(body)
    assert written == camel(body)
    assert written["contents"][1]["parts"][0]["functionCall"]["args"] == {"my_port": "x"}
    assert written["contents"][2]["parts"][0]["functionResponse"]["response"] == {"high_water": "4.2"}


@pytest.mark.parametrize(
    "contents",
    [
        "Can we sail?",
        ["Can we sail?"],
        ASK,
        [{"parts": "Can we sail?"}],
        [{"parts": [{"type": "text", **ASK["parts"][0]}]}],
    ],
)
def test_short_forms_of_a_question_are_read(contents):
    assert again({"contents": contents}) == {"contents": [ASK]}


def test_null_says_nothing():
    part = {"text": "Yes.", "functionCall": None, "thoughtSignature": None}
    assert again(conversation(model(part))) == conversation(model({"text": "Yes."}))


signed = st.builds(lambda text: ReasoningBlock(text, {WIRE: {"thought": True, "thoughtSignature": SIGNATURE}}), texts)


@given(transcripts(reasoning=signed))
def test_what_is_written_reads_back_with_equal_roles_and_blocks(transcript):
    body = to_request(transcript, [TOOL])
    assert check_request(body) == []
    fits_the_sdk(body)
    back, tools = from_request(json.loads(json.dumps(body)))
    assert back.system == transcript.system
    assert [(m.role, m.blocks) for m in back] == [(m.role, m.blocks) for m in transcript]
    assert tools == [TOOL]


def test_a_body_shares_nothing_with_the_transcript_or_the_tools():
    transcript, tools = from_request(BODIES["a result with media"])
    body = to_request(transcript, tools)
    body["contents"][1]["parts"][0]["functionCall"]["args"]["port"] = "elsewhere"
    body["contents"][2]["parts"][0]["functionResponse"]["parts"].clear()
    assert to_request(transcript, tools) == BODIES["a result with media"]
    body = to_request(Transcript([Message.user_text("q")]), [TOOL])
    body["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"].clear()
    assert TOOL["input_schema"]["type"] == "object"


# ---- results


@pytest.mark.parametrize(
    ("response", "content", "is_error"),
    [
        ({"output": "4.2 m"}, "4.2 m", False),
        ({"result": "4.2 m"}, "4.2 m", False),
        ({"error": "no such port"}, "no such port", True),
        ({"error": ""}, "", True),
        ({}, "", False),
        ({"output": [1, 2]}, '{"output":[1,2]}', False),
        ({"error": {"code": 3}}, '{"error":{"code":3}}', True),
        ({"error": None, "height": 4}, '{"error":null,"height":4}', False),
        ({"height": 4}, '{"height":4}', False),
    ],
)
def test_a_result_is_its_text_and_goes_back_as_it_came(response, content, is_error):
    body = answered({"functionResponse": {"id": "c1", "name": "tide", "response": response}})
    block = from_request(body)[0].messages[2].blocks[0]
    assert (block.content, block.is_error) == (content, is_error)
    assert again(body) == body


def test_an_edited_result_is_written_anew():
    transcript, _ = from_request(
        answered({"functionResponse": {"id": "c1", "name": "tide", "response": {"height": 4}}})
    )
    edited = replace(transcript.messages[2].blocks[0], content="low", is_error=True)
    transcript.messages[2] = replace(transcript.messages[2], blocks=(edited,))
    result = to_request(transcript)["contents"][2]["parts"][0]["functionResponse"]
    assert result == {"id": "c1", "name": "tide", "response": {"error": "low"}}


@given(texts | st.just(""), st.booleans())
def test_a_content_and_its_error_mark_read_back_exactly(content, is_error):
    call = Message.assistant_tool_call(ToolCall("c1", "tide", {}))
    body = sent(Message.user_text("q"), call, Message.tool_result(ToolResult("c1", content, is_error)))
    assert from_request(body)[0].messages[2].blocks == (ToolResult("c1", content, is_error),)


def test_a_result_with_media_is_refused_elsewhere_and_one_without_is_not():
    media, _ = from_request(BODIES["a result with media"])
    assert media.messages[2].blocks[0].content == "4.2 m"
    with pytest.raises(TranslationError, match="more than text"):
        anthropic.to_request(media)
    any_object, _ = from_request(BODIES["a result that is any object"])
    assert anthropic.check_request(anthropic.to_request(any_object)) == []


# ---- calls and results find each other


def test_calls_without_ids_are_paired_by_name_and_in_order():
    calls = [{"functionCall": {"name": name}} for name in ("tide", "wind", "tide")]
    results = [{"functionResponse": {"name": n, "response": {"output": o}}} for n, o in [("wind", "w"), *two("tide")]]
    transcript, _ = from_request(conversation(ASK, model(*calls), user(*results)))
    first, second, third = (block.id for block in transcript.messages[1].blocks)
    assert len({first, second, third}) == 3
    assert [(b.call_id, b.content) for b in transcript.messages[2].blocks] == [
        (second, "w"),
        (first, "1"),
        (third, "2"),
    ]
    assert transcript.check() == []


def two(name):
    return [(name, "1"), (name, "2")]


def test_an_id_on_one_side_only_still_pairs_and_goes_back_as_it_was():
    nameless_call = {"functionCall": {"name": "tide", "args": {}}}
    for call, result in [
        (nameless_call, {"id": "late", "name": "tide", "response": {"output": "x"}}),
        (CALL, {"name": "tide", "response": {"output": "x"}}),
        (CALL, {"name": "renamed", "response": {"output": "x"}}),
    ]:
        body = conversation(ASK, model(call), user({"functionResponse": result}))
        assert from_request(body)[0].check() == []
        assert again(body) == body


def test_a_result_never_answers_a_call_of_an_earlier_turn():
    late = {"functionResponse": {"name": "tide", "response": {"output": "x"}}}
    call = {"functionCall": {"name": "tide", "args": {}}}
    transcript, _ = from_request(conversation(ASK, model(call), ASK, model({"text": "Well."}), user(late)))
    assert [problem.path for problem in transcript.check()] == ["messages[1].blocks[0]", "messages[4].blocks[0]"]


def test_ids_that_repeat_across_turns_keep_each_result_with_its_own_call():
    messages = []
    for name in ("tide", "wind"):
        messages += [
            Message.user_text("q"),
            Message.assistant_tool_call(ToolCall("same", name, {})),
            Message.tool_result(ToolResult("same", f"of {name}")),
        ]
    parts = [content["parts"][0] for content in sent(*messages)["contents"]]
    results = [part["functionResponse"] for part in parts if "functionResponse" in part]
    assert [(result["name"], result["response"]["output"]) for result in results] == [
        ("tide", "of tide"),
        ("wind", "of wind"),
    ]


def test_an_empty_id_is_replaced_for_call_and_result():
    body = sent(
        Message.user_text("q"),
        Message.assistant_tool_call(ToolCall("", "tide", {})),
        Message.tool_result(ToolResult("", "x")),
    )
    call, result = body["contents"][1]["parts"][0], body["contents"][2]["parts"][0]
    assert call["functionCall"]["id"] == result["functionResponse"]["id"] != ""


def test_results_of_parallel_calls_are_one_turn_and_come_first():
    body = sent(
        Message.user_text("q"),
        Message("assistant", (ToolCall("a", "tide", {}), ToolCall("b", "wind", {}))),
        Message.user_text("and hurry"),
        Message.tool_result(ToolResult("a", "1")),
        Message.tool_result(ToolResult("b", "2")),
    )
    assert [next(iter(part)) for part in body["contents"][2]["parts"]] == [
        "functionResponse",
        "functionResponse",
        "text",
    ]


# ---- signatures and reasoning


def edit_first(transcript, **changes):
    message = transcript.messages[1]
    transcript.messages[1] = replace(message, blocks=(replace(message.blocks[0], **changes), *message.blocks[1:]))
    return to_request(transcript)["contents"][1]["parts"][0]


def test_a_signature_does_not_outlive_an_edit():
    text, _ = from_request(conversation(ASK, model({"text": "Yes.", "thoughtSignature": SIGNATURE}), ASK))
    assert edit_first(text, text="No.") == {"text": "No."}
    call, _ = from_request(conversation(ASK, model(SIGNED), user(RESULT)))
    assert edit_first(call, args={"port": "Nantes"}) == {
        "functionCall": {"id": "c1", "name": "tide", "args": {"port": "Nantes"}}
    }
    thought, _ = from_request(
        conversation(ASK, model({"text": "Hm", "thought": True, "thoughtSignature": SIGNATURE}), ASK)
    )
    assert edit_first(thought, text="Aha") == {"text": "Aha", "thought": True}


def test_an_empty_signature_is_never_sent():
    empty = {WIRE: {"thoughtSignature": ""}}
    blocks = (ReasoningBlock("Hm.", empty), TextBlock("Yes.", empty))
    body = sent(Message.user_text("q"), Message("assistant", blocks), Message.user_text("q"))
    assert body["contents"][1] == model({"text": "Hm.", "thought": True}, {"text": "Yes."})


def test_reasoning_and_signatures_cross_only_to_the_model_that_made_them():
    code = {"executableCode": {"language": "PYTHON", "code": "1"}, "thoughtSignature": SIGNATURE}
    parts = [{"text": "Hm", "thought": True}, {"text": "Yes.", "thoughtSignature": SIGNATURE}, code]
    transcript, _ = from_request(conversation(ASK, model(*parts), ASK))
    made_by = Provenance(wire=WIRE, provider="gemini", model="gemini-2.5-pro")
    transcript.messages[1] = replace(transcript.messages[1], provenance=made_by)
    own = to_request(transcript, model="gemini-2.5-pro", provider="gemini")
    other = to_request(transcript, model="gemini-2.5-flash", provider="gemini")
    assert own["contents"][1]["parts"] == parts
    assert other["contents"][1]["parts"] == [{"text": "Yes."}, {"executableCode": code["executableCode"]}]


def test_reasoning_of_another_wire_stays_at_home():
    foreign = ReasoningBlock("Hm.", {"signature": "Er0C"})
    body = sent(Message.user_text("q"), Message.assistant_text("Yes.", reasoning=foreign), Message.user_text("q"))
    assert body["contents"][1] == model({"text": "Yes."})
    body = sent(Message.user_text("q"), Message("assistant", (foreign,)), Message.user_text("q"))
    assert body == conversation(user({"text": "q"}, {"text": "q"}))


RICH = ToolResult("a", "1", metadata={"bedrock.converse": {"content": [{"image": {}}]}})


def foreign_calls():
    return [
        Message.user_text("q"),
        Message("assistant", (ToolCall("a", "tide", {}), ToolCall("b", "wind", {}))),
        Message("user", (ToolResult("a", "1"), ToolResult("b", "2"))),
    ]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [("gemini-3.8-flash", True), ("gemini-flash-latest", True), ("gemini-2.5-flash", False), ("gemma-3-27b", False)],
)
def test_calls_of_other_models_get_a_stand_in_signature_where_one_is_wanted(name, wanted):
    first, second = sent(*foreign_calls(), model=name)["contents"][1]["parts"]
    assert first.get("thoughtSignature") == (STAND_IN if wanted else None)
    assert "thoughtSignature" not in second
    assert "thoughtSignature" not in sent(*foreign_calls())["contents"][1]["parts"][0]


def test_a_signature_of_its_own_is_never_replaced():
    transcript, _ = from_request(conversation(ASK, model(SIGNED), user(RESULT)))
    assert to_request(transcript, model="gemini-3.8-flash")["contents"][1] == model(SIGNED)


# ---- system, neighbours, what has no place


def test_leading_system_messages_are_hoisted_and_a_later_one_is_loud():
    system, question = Message("system", (TextBlock("Also brief."),)), Message.user_text("q")
    transcript = Transcript([system, question], system="Be kind.")
    assert to_request(transcript)["systemInstruction"] == {"parts": [{"text": "Be kind."}, {"text": "Also brief."}]}
    with pytest.raises(TranslationError) as fault:
        to_request(Transcript([question, system]))
    assert fault.value.path == "messages[1]"


def test_a_changed_system_prompt_is_written_anew():
    transcript, _ = from_request(BODIES["a system instruction in two parts"])
    assert transcript.system == "A\n\nB"
    transcript.system = "C"
    assert to_request(transcript)["systemInstruction"] == {"parts": [{"text": "C"}]}


def test_neighbours_of_one_role_are_one_content():
    body = sent(Message.user_text("a"), Message.user_text("b"), Message.assistant_text("c"), Message.user_text("d"))
    assert body["contents"] == [user({"text": "a"}, {"text": "b"}), model({"text": "c"}), user({"text": "d"})]


def test_a_message_without_blocks_is_kept_as_it_came_and_left_out_for_sending():
    transcript = Transcript([Message.user_text("a"), Message("assistant", ()), Message.user_text("b")])
    assert to_request(transcript)["contents"][1] == model()
    assert to_request(transcript, model="gemini-3.8-flash")["contents"] == [user({"text": "a"}, {"text": "b"})]


def test_a_conversation_that_begins_with_a_call_gets_an_empty_turn_before_it():
    _, call, results = foreign_calls()
    assert sent(call, results)["contents"][0] == user({"text": ""})


@pytest.mark.parametrize(
    ("messages", "path"),
    [
        ([Message.tool_result(ToolResult("gone", "x"))], "messages[0].blocks[0]"),
        ([*foreign_calls()[:2], Message.user_text("so?")], "messages[1].blocks[0]"),
        ([*foreign_calls(), Message.tool_result(ToolResult("a", "again"))], "messages[3].blocks[0]"),
        ([Message("user", (OpaqueBlock("openai.chat", {"type": "audio"}),))], "messages[0].blocks[0]"),
        (
            [*foreign_calls()[:2], Message("user", (RICH, ToolResult("b", "2")))],
            "messages[2].blocks[0]",
        ),
    ],
)
def test_what_this_wire_cannot_say_is_loud(messages, path):
    with pytest.raises(TranslationError) as fault:
        to_request(Transcript(messages))
    assert fault.value.path == path


def test_an_unknown_part_is_kept_for_gemini_and_refused_elsewhere_by_name():
    body = conversation(user({"hologramData": {"shape": "cube"}}))
    assert again(body) == body
    with pytest.raises(TranslationError, match="hologramData"):
        anthropic.to_request(from_request(body)[0])


@pytest.mark.parametrize("text", ["\x00", "line\u2028", "🌊" * 1000, "x" * 1_000_000])
def test_unusual_texts_come_back_exactly(text):
    assert blocks_of({"text": text}) == (TextBlock(text),)
    assert again(conversation(user({"text": text}))) == conversation(user({"text": text}))


# ---- tools


def test_an_openapi_schema_is_read_as_json_schema_and_goes_back_as_it_came():
    schema = {
        "type": "OBJECT",
        "properties": {
            "type": {"type": "STRING", "enum": ["STRING"]},
            "n": {"any_of": [{"type_": 3}, {"type": "NULL"}]},
        },
    }
    body = conversation(ASK, tools=[{"functionDeclarations": [{"name": "f", "parameters": schema}]}])
    _, tools = from_request(body)
    assert tools[0]["input_schema"] == {
        "type": "object",
        "properties": {
            "type": {"type": "string", "enum": ["STRING"]},
            "n": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        },
    }
    assert again(body) == body
    tools[0]["description"] = "Changed"
    written = to_request(Transcript([Message.user_text("q")]), tools)["tools"][0]["functionDeclarations"][0]
    assert written == {"name": "f", "description": "Changed", "parametersJsonSchema": tools[0]["input_schema"]}


def test_another_vendors_own_tool_is_loud():
    with pytest.raises(TranslationError) as fault:
        to_request(Transcript([Message.user_text("q")]), [TOOL, {"type": "web_search", "name": "web"}])
    assert fault.value.path == "tools[1]"


def test_a_tool_without_a_name_is_loud():
    with pytest.raises(TranslationError) as fault:
        to_request(Transcript([Message.user_text("q")]), [{"input_schema": {"type": "object"}}])
    assert fault.value.path == "tools[0].name"


# ---- malformed bodies


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ([], "body"),
        (conversation(7), "contents[0]"),
        (conversation({"role": "narrator", "parts": []}), "contents[0].role"),
        (conversation({"role": ["user"], "parts": []}), "contents[0].role"),
        (conversation(ASK, model({"text": 5})), "contents[1].parts[0]"),
        (conversation(user({"text": "\ud800"})), "contents[0].parts[0]"),
        (conversation(user({"text": "a", **CALL})), "contents[0].parts[0]"),
        (conversation(model({"functionCall": {"args": {}}})), "contents[0].parts[0].functionCall.name"),
        (conversation(model({"functionCall": {"name": "f", "args": []}})), "contents[0].parts[0].functionCall.args"),
        (conversation(model({"functionCall": {"name": "f", "id": 4}})), "contents[0].parts[0].functionCall.id"),
        (
            answered({"functionResponse": {"name": "f", "response": "x"}}),
            "contents[2].parts[0].functionResponse.response",
        ),
        (answered({"functionResponse": {"name": 1}}), "contents[2].parts[0].functionResponse.name"),
        (conversation(user({"x": float("nan")})), "contents[0].parts[0]"),
        (conversation(ASK, systemInstruction=[3]), "systemInstruction"),
        (conversation(ASK, tools=[3]), "tools[0]"),
        (conversation(ASK, tools=[{"functionDeclarations": True}]), "tools[0].functionDeclarations[0]"),
        (conversation(ASK, tools=[{"functionDeclarations": [{}]}]), "tools[0].functionDeclarations[0].name"),
    ],
)
def test_a_malformed_body_is_named_with_its_path(body, path):
    with pytest.raises(TranslationError) as fault:
        from_request(body)
    assert fault.value.path == path


# ---- responses

ANSWER = {
    "candidates": [
        {
            "content": model(
                {"text": "Ask the port.", "thought": True},
                {"text": "I look.", "thoughtSignature": "+/+/"},
                SIGNED,
                {"functionCall": {"name": "wind", "args": {}}},
            ),
            "finishReason": "STOP",
            "index": 0,
        }
    ],
    "usageMetadata": {
        "promptTokenCount": 100,
        "cachedContentTokenCount": 60,
        "toolUsePromptTokenCount": 5,
        "candidatesTokenCount": 20,
        "thoughtsTokenCount": 30,
        "totalTokenCount": 155,
    },
    "modelVersion": "gemini-3.8-flash-001",
    "responseId": "r1",
}


def test_a_response_is_read_whole_and_in_order_and_goes_back_unchanged():
    response = from_response(ANSWER)
    assert [block.kind for block in response.blocks] == ["reasoning", "text", "tool_call", "tool_call"]
    assert (response.input_tokens, response.output_tokens) == (105, 50)
    assert (response.reasoning_tokens, response.cached_tokens) == (30, 60)
    assert (response.model, response.id, response.stop_reason) == ("gemini-3.8-flash-001", "r1", "tool_calls")
    assert response.provenance == Provenance(wire=WIRE, response_id="r1", stop_reason="tool_calls")
    messages = [Message.user_text("q"), Message.from_assistant_response(response)]
    messages += [Message.tool_result(ToolResult(call.id, "x")) for call in response.tool_calls]
    body = to_request(Transcript(messages))
    assert body["contents"][1] == ANSWER["candidates"][0]["content"]
    assert "id" not in body["contents"][2]["parts"][1]["functionResponse"]


def test_what_a_content_has_beside_its_parts_stays_on_the_message():
    content = {**model({"text": "Yes."}), "language": "en"}
    message = Message.from_assistant_response(from_response({"candidates": [{"content": content}]}))
    assert to_request(Transcript([Message.user_text("q"), message]))["contents"][1] == content


def test_calls_without_ids_of_two_responses_get_different_ids():
    assert from_response(ANSWER).tool_calls[1].id != from_response(ANSWER).tool_calls[1].id


def test_the_sdks_own_object_says_the_same_as_its_json():
    read = from_response(types.GenerateContentResponse.model_validate(ANSWER))
    plain = from_response(ANSWER)
    assert read.blocks[:3] == plain.blocks[:3]
    assert (read.stop_reason, read.output_tokens, read.id) == (plain.stop_reason, plain.output_tokens, plain.id)


@pytest.mark.parametrize(
    ("finish", "ours"),
    [
        ("STOP", "end"),
        (None, "end"),
        (1, "end"),
        ("MAX_TOKENS", "max_tokens"),
        (2, "max_tokens"),
        ("SAFETY", "content_filter"),
        ("RECITATION", "content_filter"),
        ("MALFORMED_FUNCTION_CALL", "other"),
        ("SOMETHING_NEW", "other"),
    ],
)
def test_stop_reasons_in_our_words(finish, ours):
    candidate = {"content": model({"text": "Well"}), "finishReason": finish}
    assert from_response({"candidates": [candidate]}).stop_reason == ours


def test_a_call_counts_more_than_the_finish_reason_unless_it_was_cut_off():
    def stop(finish):
        return from_response({"candidates": [{"content": model(CALL), "finishReason": finish}]}).stop_reason

    assert stop("STOP") == stop("UNEXPECTED_TOOL_CALL") == "tool_calls"
    assert stop("MAX_TOKENS") == "max_tokens"


def test_a_blocked_prompt_and_an_empty_answer_are_read():
    blocked = from_response({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 3}})
    assert (blocked.blocks, blocked.stop_reason, blocked.input_tokens) == ((), "content_filter", 3)
    nothing = from_response({"usageMetadata": {"promptTokenCount": 3}, "responseId": "r"})
    assert (nothing.blocks, nothing.stop_reason) == ((), "other")
    empty = from_response({"candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}]})
    assert (empty.blocks, empty.stop_reason) == ((), "max_tokens")


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (None, "body"),
        ({}, "candidates"),
        ({"error": {"message": "no"}}, "candidates"),
        ({"candidates": [5]}, "candidates[0]"),
        ({"promptFeedback": 5}, "promptFeedback"),
        ({"candidates": {}}, "candidates"),
        ({"candidates": [{"content": 5}]}, "candidates[0].content"),
        ({"candidates": [{"content": {"parts": [{"text": []}]}}]}, "candidates[0].content.parts[0]"),
    ],
)
def test_a_malformed_response_is_named_with_its_path(body, path):
    with pytest.raises(TranslationError) as fault:
        from_response(body)
    assert fault.value.path == path


# ---- rules


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (7, "body"),
        ({}, "contents"),
        (conversation(), "contents"),
        (conversation(ASK, {"role": "assistant", "parts": [{"text": "x"}]}), "contents[1].role"),
        (conversation(ASK, model()), "contents[1].parts"),
        (conversation(ASK, {"role": "model"}), "contents[1].parts"),
        (conversation(user({"text": "a", **PHOTO})), "contents[0].parts[0]"),
        (conversation(user({"text": 3})), "contents[0].parts[0].text"),
        (conversation(user({"inlineData": {"data": "AAAA"}})), "contents[0].parts[0].inlineData.mimeType"),
        (conversation(user({"fileData": {}})), "contents[0].parts[0].fileData.fileUri"),
        (conversation(ASK, model({"text": "a", "thoughtSignature": 1})), "contents[1].parts[0].thoughtSignature"),
        (conversation(ASK, model({"functionCall": {}})), "contents[1].parts[0].functionCall.name"),
        (
            conversation(ASK, model({"functionCall": {"name": "f", "args": "{}"}})),
            "contents[1].parts[0].functionCall.args",
        ),
        (answered({"functionResponse": {"name": "f"}}), "contents[2].parts[0].functionResponse.response"),
        (conversation(model(CALL), user(RESULT)), "contents[0]"),
        (answered(RESULT, RESULT), "contents[2]"),
        (conversation(user(RESULT)), "contents[0]"),
        (conversation(ASK, model(CALL, CALL), user(RESULT)), "contents[2]"),
        (conversation(ASK, model(CALL), user(RESULT), model="gemini-3.8-flash"), "contents[1].parts[0]"),
        (conversation(ASK, systemInstruction={"parts": [PHOTO]}), "systemInstruction.parts[0]"),
        (
            conversation(ASK, tools=[{"functionDeclarations": [{"name": "2x"}]}]),
            "tools[0].functionDeclarations[0].name",
        ),
        (conversation(ASK, tools=[{"functionDeclarations": [DECLARED] * 2}]), "tools[0].functionDeclarations[1].name"),
        (
            conversation(ASK, tools=[{"functionDeclarations": [{**DECLARED, "parameters": {"type": "OBJECT"}}]}]),
            "tools[0].functionDeclarations[0]",
        ),
        (
            conversation(ASK, toolConfig={"functionCallingConfig": {"mode": "MUST"}}),
            "toolConfig.functionCallingConfig.mode",
        ),
        (
            conversation(ASK, toolConfig={"functionCallingConfig": {"mode": "AUTO", "allowedFunctionNames": ["f"]}}),
            "toolConfig.functionCallingConfig.allowedFunctionNames",
        ),
        (conversation(ASK, generationConfig={"temperature": 1000}), "generationConfig.temperature"),
        (conversation(ASK, generationConfig={"maxOutputTokens": 0}), "generationConfig.maxOutputTokens"),
        (
            conversation(ASK, generationConfig={"thinkingConfig": {"thinkingBudget": 1, "thinkingLevel": "LOW"}}),
            "generationConfig.thinkingConfig",
        ),
    ],
)
def test_a_broken_rule_is_found_where_it_is_broken(body, path):
    assert [problem.path for problem in check_request(body)] == [path]


@pytest.mark.parametrize(
    "body",
    [
        conversation(ASK, model(CALL), model(CALL), user(RESULT, RESULT)),
        conversation(ASK, model(CALL), ASK),
        conversation(ASK, model(CALL), user(RESULT), model({"text": "ok"}), ASK, model="gemini-3.8-flash"),
        conversation(ASK, model(SIGNED, CALL), user(RESULT, RESULT), model="gemini-3.8-flash"),
        conversation(ASK, generationConfig={"temperature": 2.0}),
        {"contents": [{"parts": [{"text": "x"}]}], "tools": [{"google_search": {}}]},
    ],
)
def test_what_is_accepted_is_no_problem(body):
    assert check_request(body) == []


# ---- the provider, through the vendor's own SDK


class Double:
    """Google's address in this process: it checks each request and gives the prepared answers in order."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    def client(self):
        options = types.HttpOptions(client_args={"transport": httpx2.MockTransport(self.handle)})
        return genai.Client(api_key="no-key", http_options=options)

    def handle(self, request):
        body = json.loads(request.content)
        self.requests.append((request.url.path, body))
        if problems := check_request(body):
            return httpx2.Response(400, json={"error": {"code": 400, "message": str(problems[0])}})
        status, answer = self.answers.pop(0)
        return httpx2.Response(status, json=answer)


def text_answer(text):
    return 200, {"candidates": [{"content": model({"text": text}), "finishReason": "STOP"}]}


def test_a_tool_conversation_through_google_genai():
    double = Double((200, ANSWER), text_answer("High water."))
    provider = GeminiProvider(client=double.client())
    transcript = Transcript(system="You are a harbour master.")
    tools = {"tide": lambda port: f"4.2 m in {port}", "wind": lambda: 1 / 0}
    assert run(provider, tools, [TOOL], "Can we sail?", transcript=transcript) == "High water."
    (path, first), (_, second) = double.requests
    assert path.endswith(f"/models/{DEFAULT_MODEL}:generateContent")
    assert first["tools"] == [{"functionDeclarations": [DECLARED]}]
    assert second["contents"][1] == ANSWER["candidates"][0]["content"]
    results = [part["functionResponse"] for part in second["contents"][2]["parts"]]
    assert results[0] == {"id": "c1", "name": "tide", "response": {"output": "4.2 m in Brest"}}
    assert list(results[1]) == ["name", "response"]
    assert "ZeroDivisionError" in results[1]["response"]["error"]
    assert transcript.messages[1].provenance == Provenance(WIRE, "gemini", DEFAULT_MODEL, "r1", "tool_calls")


def test_what_is_sent_is_what_request_shows_and_unknown_parts_survive_the_sdk():
    new = {"hologramData": {"my_shape": "cube"}}
    double = Double((200, {"candidates": [{"content": model(new), "finishReason": "STOP"}]}))
    transcript = Transcript([Message("user", (OpaqueBlock(WIRE, camel(new)), TextBlock("What is it?")))])
    provider = GeminiProvider("gemini-2.5-pro", double.client(), max_tokens=50)
    response = provider.complete(transcript, [TOOL])
    assert response.blocks == (OpaqueBlock(WIRE, camel(new)),)
    shown = provider.request(transcript, [TOOL])
    assert shown.pop("model") == "gemini-2.5-pro"
    assert double.requests[0][1] == shown


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ({}, {}),
        ({"max_tokens": 9}, {"maxOutputTokens": 9}),
        ({"enable_thinking": True}, {"thinkingConfig": {"includeThoughts": True}}),
        ({"thinking_budget_tokens": 0}, {"thinkingConfig": {"thinkingBudget": 0}}),
        ({"reasoning_effort": "low"}, {"thinkingConfig": {"thinkingLevel": "LOW"}}),
    ],
)
def test_options_become_the_generation_config(options, settings):
    body = GeminiProvider(**options).request(Transcript([Message.user_text("q")]))
    assert body.get("generationConfig", {}) == settings
    assert check_request(body) == []
    fits_the_sdk(body)


def test_impossible_options_are_clear_errors_before_any_request():
    with pytest.raises(InvalidValue, match="together"):
        GeminiProvider(reasoning_effort="low", thinking_budget_tokens=100)
    with pytest.raises(InvalidValue, match="minimal"):
        GeminiProvider(reasoning_effort="extreme")


def test_a_refusal_of_the_service_is_a_provider_error():
    error = {"error": {"code": 429, "message": "Slow down, key AIzaSyD-1234567890", "status": "RESOURCE_EXHAUSTED"}}
    provider = GeminiProvider(client=Double((429, error)).client())
    with pytest.raises(ProviderError) as refused:
        provider.complete(Transcript([Message.user_text("q")]), [])
    assert (refused.value.status, refused.value.vendor_message) == (429, "Slow down, key (key)")


def test_an_answer_that_is_no_json_is_a_named_fault():
    transport = httpx2.MockTransport(lambda request: httpx2.Response(200, text="<html>"))
    client = genai.Client(api_key="no-key", http_options=types.HttpOptions(client_args={"transport": transport}))
    with pytest.raises(HarnessError, match="object"):
        GeminiProvider(client=client).complete(Transcript([Message.user_text("q")]), [])


def test_a_missing_key_is_said_before_any_network(monkeypatch):
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    with pytest.raises(MissingCredentials) as missing:
        GeminiProvider().complete(Transcript([Message.user_text("q")]), [])
    assert missing.value.variable == "GEMINI_API_KEY"


def test_the_default_model_is_one_that_the_sdks_own_examples_use():
    assert f"model='{DEFAULT_MODEL}'" in (sdk_models.Models.generate_content.__doc__ or "")
