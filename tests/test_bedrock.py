"""Bedrock Converse: literal bodies both ways, the SDK's own model as the judge, and boto3 against a double."""

from __future__ import annotations

import copy
import json
import os
import re
import socket
import sys

import pytest
from botocore.session import get_session
from botocore.stub import Stubber
from botocore.validate import validate_parameters
from hypothesis import given
from strategies import transcripts

from harness.errors import HarnessError, MissingCredentials, ProviderError, TranslationError
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
from harness.providers.bedrock import (
    DEFAULT_MODEL,
    WIRE,
    BedrockProvider,
    check_request,
    from_request,
    from_response,
    to_request,
    with_bytes,
)

TOOL = {"name": "calc", "description": "Calculates", "input_schema": {"type": "object", "properties": {}}}
SPEC = {"toolSpec": {"name": "calc", "description": "Calculates", "inputSchema": {"json": TOOL["input_schema"]}}}
SHAPE = get_session().get_service_model("bedrock-runtime").operation_model("Converse").input_shape

ASK = {"role": "user", "content": [{"text": "17 * 23?"}]}
CALL = {"toolUse": {"toolUseId": "t1", "name": "calc", "input": {"expression": "17 * 23"}}}
RESULT = {"toolResult": {"toolUseId": "t1", "content": [{"text": "391"}]}}


def turn(*content, role="assistant"):
    return {"role": role, "content": list(content)}


def conversation(*messages, **rest):
    return {"messages": list(messages), **rest}


def read(*blocks, role="assistant"):
    """The blocks of one message as it stands on the wire."""
    return from_request(conversation(turn(*blocks, role=role)))[0].messages[0].blocks


def sent(*messages, tools=(), **options):
    """What `to_request` makes of messages, judged by the SDK's model and by our rules."""
    body = to_request(Transcript(list(messages)), tools, **options)
    assert check_request(body) == []
    assert misfits(with_bytes(body), SHAPE, "body") == []
    return body


def misfits(value, shape, path):
    """What the SDK's service model does not allow: its validation, and the patterns and enums it leaves out."""
    if path == "body":
        report = validate_parameters({"modelId": "m", **value}, shape)
        assert report is None
    if shape.type_name == "structure" and not shape.is_document_type:
        return [e for k, v in value.items() for e in misfits(v, shape.members[k], f"{path}.{k}")]
    if shape.type_name == "list":
        return [e for i, v in enumerate(value) for e in misfits(v, shape.member, f"{path}[{i}]")]
    pattern, length = shape.metadata.get("pattern"), shape.metadata.get("max", 10**9)
    if shape.type_name == "string" and (
        (shape.enum and value not in shape.enum)
        or (pattern and not re.fullmatch(pattern, value))
        or len(value) > length
    ):
        return [f"{path}: {value!r}"]
    return []


def roundtrip(body):
    return to_request(*from_request(copy.deepcopy(body)))


# ---- both ways


@pytest.mark.parametrize(
    "body",
    [
        conversation(ASK),
        conversation(ASK, system=[{"text": "Be brief."}]),
        conversation(ASK, system=[{"text": "Be brief."}, {"cachePoint": {"type": "default"}}, {"text": "Be kind."}]),
        conversation(ASK, turn(CALL), turn(RESULT, role="user"), toolConfig={"tools": [SPEC]}),
        conversation(ASK, turn({"text": "Let me see."}, CALL), turn(RESULT, role="user"), toolConfig={"tools": [SPEC]}),
        conversation(ASK, toolConfig={"tools": [SPEC, {"systemTool": {"name": "nova_grounding"}}]}),
        conversation(ASK, toolConfig={"tools": [{"toolSpec": {**SPEC["toolSpec"], "strict": True}}]}),
        conversation(turn({"text": "Look"}, {"cachePoint": {"type": "default"}}, {"text": "here"}, role="user")),
        conversation(turn({"cachePoint": {"type": "default"}}, {"text": "Look"}, role="user")),
        conversation(turn({"guardContent": {"text": {"text": "Look", "qualifiers": ["query"]}}}, role="user")),
        conversation(turn({"image": {"format": "png", "source": {"bytes": "aGk="}}}, {"text": "?"}, role="user")),
        conversation(turn({"somethingNew": {"a": [1, None]}}, role="user")),
        conversation(
            ASK, turn({"citationsContent": {"content": [{"text": "Hi"}], "citations": [{"title": "t"}]}}), ASK
        ),
        conversation(ASK, turn({"reasoningContent": {"redactedContent": "aGk="}}, {"text": "Hi"}), ASK),
        conversation(ASK, turn({"text": "Hi"}, {"reasoningContent": {"reasoningText": {"text": "unsigned"}}}), ASK),
        conversation(ASK, turn({"text": "Hi"}), turn({"text": "From now on, French."}, role="system"), ASK),
        conversation(turn({"text": "Only French."}, role="system"), ASK),
    ],
)
def test_a_body_comes_back_as_it_was(body):
    assert roundtrip(body) == body


def test_a_successful_status_is_the_default_and_left_out():
    ok = {"toolResult": {**RESULT["toolResult"], "status": "success"}}
    body = conversation(ASK, turn(CALL), turn(ok, role="user"), toolConfig={"tools": [SPEC]})
    assert roundtrip(body)["messages"][2] == turn(RESULT, role="user")


def test_tools_are_read_as_name_description_and_schema():
    assert from_request(conversation(ASK, toolConfig={"tools": [SPEC]}))[1] == [TOOL]


def test_a_server_side_call_stays_opaque_and_is_no_client_call():
    run = {"toolUse": {"toolUseId": "s1", "name": "nova_code_interpreter", "input": {}, "type": "server_tool_use"}}
    ran = {
        "toolResult": {
            "toolUseId": "s1",
            "content": [{"json": {"stdOut": "7"}}],
            "type": "nova_code_interpreter_result",
        }
    }
    body = conversation(ASK, turn(run, ran, {"text": "7"}), ASK)
    transcript, _ = from_request(body)
    assert [type(block) for block in transcript.messages[1].blocks] == [OpaqueBlock, OpaqueBlock, TextBlock]
    assert transcript.check() == []
    assert roundtrip(body) == body
    assert check_request(body) == []


def test_the_type_of_a_client_call_goes_back():
    typed = {"toolUse": {**CALL["toolUse"], "type": "tool_use"}}
    assert read(typed)[0] == ToolCall("t1", "calc", {"expression": "17 * 23"}, {WIRE: {"type": "tool_use"}})
    body = conversation(ASK, turn(typed), turn(RESULT, role="user"), toolConfig={"tools": [SPEC]})
    assert roundtrip(body) == body


def test_arguments_that_are_no_object_are_kept_and_never_executed():
    (call,) = read({"toolUse": {"toolUseId": "t1", "name": "calc", "input": [1]}})
    assert call.args == {}
    assert call.unreadable == "[1]"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([], ""),
        ([{"text": "391"}], "391"),
        ([{"text": ""}], ""),
        ([{"text": "a"}, {"text": "b"}], "a\nb"),
        ([{"json": {"n": 391}}], '{"n":391}'),
        ([{"text": "see"}, {"image": {"format": "png", "source": {"bytes": "aGk="}}}], "see"),
        ([{"searchResult": {"source": "s", "title": "t", "content": [{"text": "found"}]}}], "found"),
    ],
)
def test_a_result_has_its_text_in_content_and_goes_back_whole(content, text):
    result = {"toolResult": {"toolUseId": "t1", "content": content}}
    body = conversation(ASK, turn(CALL), turn(result, role="user"), toolConfig={"tools": [SPEC]})
    assert from_request(body)[0].messages[2].blocks[0].content == text
    assert roundtrip(body) == body


def test_only_a_result_with_more_than_text_is_refused_elsewhere():
    image = {"image": {"format": "png", "source": {"bytes": "aGk="}}}
    (rich,) = read({"toolResult": {"toolUseId": "t1", "content": [image]}}, role="user")
    (plain,) = read({"toolResult": {"toolUseId": "t1", "content": [{"json": {"n": 1}}]}}, role="user")
    assert "content" in rich.metadata[WIRE]
    assert "content" not in plain.metadata[WIRE]


def test_texts_with_citations_are_texts_until_they_are_edited():
    cited = {"citationsContent": {"content": [{"text": "It is "}, {"text": "391."}], "citations": []}}
    (block,) = read(cited)
    assert block.text == "It is 391."
    edited = TextBlock("It is 392.", block.metadata)
    assert sent(Message.user_text("?"), Message("assistant", (edited,)))["messages"][1] == turn({"text": "It is 392."})


@given(transcripts())
def test_what_is_written_reads_back_with_equal_roles_and_blocks(transcript):
    body = to_request(transcript)
    assert check_request(body) == []
    assert misfits(with_bytes(body), SHAPE, "body") == []
    back, _ = from_request(json.loads(json.dumps(body)))
    assert [(m.role, m.blocks) for m in back] == [(m.role, m.blocks) for m in transcript]
    assert back.system == transcript.system


# ---- what is mended


def test_results_of_parallel_calls_come_first_and_in_one_turn():
    calls = Message("assistant", (ToolCall("a", "calc", {}), ToolCall("b", "calc", {})))
    results = [Message("user", (TextBlock("And?"), ToolResult("b", "2"))), Message.tool_result(ToolResult("a", "1"))]
    body = sent(Message.user_text("?"), calls, *results, tools=[TOOL])
    assert [next(iter(block)) for block in body["messages"][2]["content"]] == ["toolResult", "toolResult", "text"]


def test_a_cache_point_stays_behind_the_result_it_follows():
    marked = ToolResult("a", "1", metadata={WIRE: {"cachePoint": {"type": "default"}}})
    messages = (Message.assistant_tool_call(ToolCall("a", "calc", {})), Message("user", (TextBlock("And?"), marked)))
    content = sent(Message.user_text("?"), *messages, tools=[TOOL])["messages"][2]["content"]
    assert [next(iter(block)) for block in content] == ["toolResult", "cachePoint", "text"]


def test_blank_texts_and_empty_messages_are_left_out_and_neighbours_merged():
    body = sent(Message.user_text("a"), Message("assistant", (TextBlock(" \n"),)), Message.user_text("b"))
    assert body["messages"] == [turn({"text": "a"}, {"text": "b"}, role="user")]


@pytest.mark.parametrize(
    ("result", "content"),
    [
        (ToolResult("t1", ""), {"content": []}),
        (ToolResult("t1", "no", is_error=True), {"content": [{"text": "no"}], "status": "error"}),
        (
            ToolResult("t1", "", is_error=True),
            {"content": [{"text": "(the tool failed without a message)"}], "status": "error"},
        ),
    ],
)
def test_errors_and_silent_results_survive(result, content):
    call = Message.assistant_tool_call(ToolCall("t1", "calc", {}))
    body = sent(Message.user_text("?"), call, Message.tool_result(result), tools=[TOOL])
    assert body["messages"][2]["content"] == [{"toolResult": {"toolUseId": "t1", **content}}]
    assert from_request(body)[0].messages[2].blocks == (result,)


def test_tools_that_the_history_calls_are_declared_when_none_are_given():
    call = Message.assistant_tool_call(ToolCall("t1", "calc", {}))
    body = sent(Message.user_text("?"), call, Message.tool_result(ToolResult("t1", "1")))
    assert [tool["toolSpec"]["name"] for tool in body["toolConfig"]["tools"]] == ["calc"]


def test_ids_that_the_service_refuses_are_replaced_for_call_and_result():
    call, result = ToolCall("call|1", "calc", {}), ToolResult("call|1", "1")
    body = sent(Message.user_text("?"), Message.assistant_tool_call(call), Message.tool_result(result), tools=[TOOL])
    assert body["messages"][1]["content"][0]["toolUse"]["toolUseId"] == "call_0"
    assert body["messages"][2]["content"][0]["toolResult"]["toolUseId"] == "call_0"


def test_leading_system_messages_are_hoisted_and_later_ones_stay_in_place():
    transcript = Transcript(
        [Message("system", (TextBlock("B"),)), Message.user_text("Hi"), Message("system", (TextBlock("C"),))], "A"
    )
    body = to_request(transcript)
    assert body["system"] == [{"text": "A"}, {"text": "B"}]
    assert [message["role"] for message in body["messages"]] == ["user", "system"]


def test_a_system_message_between_calls_and_results_waits_for_the_results():
    """The service wants results right after their calls, whatever was said in between."""
    call = Message.assistant_tool_call(ToolCall("t1", "calc", {}))
    said = Message("system", (TextBlock("Hurry."),))
    body = sent(Message.user_text("?"), call, said, Message.tool_result(ToolResult("t1", "1")), tools=[TOOL])
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user", "system"]


@pytest.mark.parametrize("text", ["a\x00b", "x" * 1_000_000, "\u2028 \U0001f600"])
def test_odd_and_long_texts_go_there_and_back(text):
    call = Message.assistant_tool_call(ToolCall("t1", "calc", {"text": text}))
    messages = [Message.user_text(text), call, Message.tool_result(ToolResult("t1", text))]
    back, _ = from_request(json.loads(json.dumps(sent(*messages, tools=[TOOL]))))
    assert [message.blocks for message in back] == [message.blocks for message in messages]


# ---- reasoning


def reasoning_sent(block, provenance=None, **options):
    message = Message("assistant", (block, TextBlock("Hi")), provenance=provenance)
    content = sent(Message.user_text("?"), message, Message.user_text("!"), **options)["messages"][1]["content"]
    return [item["reasoningContent"] for item in content if "reasoningContent" in item]


def test_signed_reasoning_goes_back_until_it_is_edited():
    (block,) = read({"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "sig"}}})
    assert reasoning_sent(block) == [{"reasoningText": {"text": "Hm.", "signature": "sig"}}]
    assert reasoning_sent(ReasoningBlock("Hm!", block.metadata)) == []


def test_reasoning_of_another_wire_or_without_any_stays_at_home():
    assert reasoning_sent(ReasoningBlock("Hm.", {"signature": "an anthropic one"})) == []
    assert reasoning_sent(ReasoningBlock("Hm.")) == []


def test_reasoning_crosses_only_to_the_model_that_was_asked():
    (block,) = read({"reasoningContent": {"reasoningText": {"text": "Hm."}}})
    made_by = Provenance(WIRE, "bedrock", "us.deepseek.r1-v1:0")
    assert reasoning_sent(block, made_by, provider="bedrock", model="us.deepseek.r1-v1:0") != []
    assert reasoning_sent(block, made_by, provider="bedrock", model="us.amazon.nova-2-lite-v1:0") == []


def test_an_empty_signature_is_never_sent():
    (block,) = read({"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": ""}}})
    assert reasoning_sent(block) == [{"reasoningText": {"text": "Hm."}}]


# ---- what is refused


@pytest.mark.parametrize(
    ("messages", "path"),
    [
        ([Message.tool_result(ToolResult("x", "1"))], "messages[0].blocks[0]"),
        ([Message.assistant_tool_call(ToolCall("a", "calc", {})), Message.user_text("?")], "messages[0].blocks[0]"),
        (
            [
                Message.assistant_tool_call(ToolCall("a", "calc", {})),
                Message("user", (ToolResult("a", "1"), ToolResult("a", "2"))),
            ],
            "messages[1].blocks[1]",
        ),
        ([Message("user", (OpaqueBlock("gemini", {"executableCode": {}}),))], "messages[0].blocks[0]"),
        (
            [
                Message.assistant_tool_call(ToolCall("a", "calc", {})),
                Message("user", (ToolResult("a", "", metadata={"anthropic.messages": {"content": []}}),)),
            ],
            "messages[1].blocks[0]",
        ),
    ],
)
def test_what_this_wire_cannot_say_is_loud(messages, path):
    with pytest.raises(TranslationError) as caught:
        to_request(Transcript(messages))
    assert (caught.value.wire, caught.value.path) == (WIRE, path)


def test_a_tool_that_another_vendor_runs_is_loud():
    with pytest.raises(TranslationError, match=r"tools\[0\]"):
        to_request(Transcript([Message.user_text("?")]), [{"type": "web_search"}])


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (None, "body"),
        ({"messages": {}}, "messages"),
        (conversation("hi"), "messages[0]"),
        (conversation({"role": "tool", "content": []}), "messages[0].role"),
        (conversation(turn("hi")), "messages[0].content[0]"),
        (conversation(turn({"text": 1})), "messages[0].content[0].text"),
        (conversation(turn({"text": "\ud800"})), "messages[0].content[0]"),
        (conversation(turn({"toolUse": {"name": "calc"}})), "messages[0].content[0].toolUse.toolUseId"),
        (
            conversation(turn({"toolResult": {"toolUseId": "a", "content": "no"}})),
            "messages[0].content[0].toolResult.content",
        ),
        (conversation(ASK, system="Be brief."), "system"),
        (
            conversation(ASK, toolConfig={"tools": [{"toolSpec": {"name": "a"}}]}),
            "toolConfig.tools[0].toolSpec.inputSchema",
        ),
    ],
)
def test_a_malformed_body_is_named_with_its_path(body, path):
    with pytest.raises(TranslationError) as caught:
        from_request(body)
    assert caught.value.path == path


# ---- responses


def response(*content, stop="end_turn", **usage):
    tokens = {"inputTokens": 10, "outputTokens": 5, **usage}
    return {"output": {"message": turn(*content)}, "stopReason": stop, "usage": tokens}


def test_a_response_is_read_whole_and_in_order():
    hm = {"reasoningContent": {"reasoningText": {"text": "Hm."}}}
    answer = from_response(
        response({"text": "Yes"}, hm, {"text": "!"}, cacheReadInputTokens=3, cacheWriteInputTokens=4)
    )
    assert [block.kind for block in answer.blocks] == ["text", "reasoning", "text"]
    assert (answer.text, answer.reasoning_text) == ("Yes!", "Hm.")
    assert (answer.input_tokens, answer.cached_tokens, answer.output_tokens) == (17, 3, 5)


@pytest.mark.parametrize(
    ("stop", "ours"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("max_tokens", "max_tokens"),
        ("model_context_window_exceeded", "max_tokens"),
        ("guardrail_intervened", "content_filter"),
        ("content_filtered", "content_filter"),
        ("malformed_tool_use", "other"),
        (None, "other"),
    ],
)
def test_stop_reasons_in_our_words(stop, ours):
    assert from_response(response({"text": "Hi"}, stop=stop)).stop_reason == ours


def test_a_call_counts_more_than_the_stop_reason_unless_it_was_cut_off():
    assert from_response(response(CALL, stop="end_turn")).stop_reason == "tool_calls"
    assert from_response(response(CALL, stop="max_tokens")).stop_reason == "max_tokens"


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ([], "body"),
        ({}, "output"),
        ({"output": {}}, "output.message"),
        ({"output": {"message": {"content": [1]}}}, "output.message.content[0]"),
        ({"output": {"message": {"content": []}}, "usage": 3}, "usage"),
    ],
)
def test_a_malformed_response_is_named_with_its_path(body, path):
    with pytest.raises(TranslationError) as caught:
        from_response(body)
    assert caught.value.path == path


# ---- rules


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ([], "body"),
        ({}, "messages"),
        (conversation(ASK, ASK), "messages[1].role"),
        (conversation({"role": "tool", "content": [{"text": "x"}]}), "messages[0].role"),
        (conversation(turn(role="user")), "messages[0].content"),
        (conversation(turn({"text": " "}, role="user")), "messages[0].content[0].text"),
        (conversation(turn({"text": "a", "cachePoint": {"type": "default"}}, role="user")), "messages[0].content[0]"),
        (
            conversation(turn({"image": {"format": "png", "source": {}}}, role="user")),
            "messages[0].content[0].image.source",
        ),
        (conversation(ASK, system=[{"text": ""}]), "system[0].text"),
        (conversation(ASK, toolConfig={"tools": []}), "toolConfig.tools"),
        (
            conversation(ASK, toolConfig={"tools": [{"toolSpec": {"name": "a"}}]}),
            "toolConfig.tools[0].toolSpec.inputSchema.json",
        ),
        (conversation(ASK, toolConfig={"tools": [SPEC], "toolChoice": {"none": {}}}), "toolConfig.toolChoice"),
        (conversation(ASK, inferenceConfig={"temperature": 2}), "inferenceConfig.temperature"),
        (conversation(ASK, turn(CALL), turn(RESULT, role="user")), "toolConfig"),
    ],
)
def test_a_broken_rule_is_found_where_it_is_broken(body, path):
    assert [problem.path for problem in check_request(body)] == [path]


@pytest.mark.parametrize(
    ("blocks", "path"),
    [
        ([turn({"toolUse": {**CALL["toolUse"], "toolUseId": "a b"}})], "messages[1].content[0].toolUse.toolUseId"),
        ([turn({"toolUse": {**CALL["toolUse"], "name": "a.b"}})], "messages[1].content[0].toolUse.name"),
        ([turn({"toolUse": {**CALL["toolUse"], "input": []}})], "messages[1].content[0].toolUse.input"),
        ([turn(CALL), turn({"text": "so?"}, role="user")], "messages[2].content"),
        ([turn({"text": "Hm"}), turn(RESULT, role="user")], "messages[2].content"),
        (
            [turn(CALL), turn({"toolResult": {"toolUseId": "t1", "content": [], "status": "error"}}, role="user")],
            "messages[2].content[0].toolResult.content",
        ),
    ],
)
def test_rules_of_calls_and_results(blocks, path):
    assert [problem.path for problem in check_request(conversation(ASK, *blocks, toolConfig={"tools": [SPEC]}))] == [
        path
    ]


# ---- the provider, through boto3


def boto3_client(monkeypatch):
    import boto3

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    return boto3.Session().client("bedrock-runtime", region_name="us-east-1")


def test_a_turn_through_boto3(monkeypatch):
    client = boto3_client(monkeypatch)
    provider = BedrockProvider(client=client, max_tokens=100, model_fields={"reasoningConfig": {"type": "disabled"}})
    transcript = Transcript([Message.user_text("17 * 23?")], "Be brief.")
    expected = {
        "modelId": DEFAULT_MODEL,
        "system": [{"text": "Be brief."}],
        "messages": [ASK],
        "toolConfig": {"tools": [SPEC]},
        "inferenceConfig": {"maxTokens": 100},
        "additionalModelRequestFields": {"reasoningConfig": {"type": "disabled"}},
    }
    with Stubber(client) as stub:
        full = response({"reasoningContent": {"redactedContent": b"hi"}}, CALL, stop="tool_use", totalTokens=15)
        stub.add_response("converse", {**full, "metrics": {"latencyMs": 1}}, expected)
        answer = provider.complete(transcript, [TOOL])
    assert provider.request(transcript, [TOOL]) == expected
    assert check_request(expected) == []
    assert answer.tool_calls == (ToolCall("t1", "calc", {"expression": "17 * 23"}),)
    assert answer.blocks[0] == ReasoningBlock("", {WIRE: {"redactedContent": "aGk="}})
    made_by = Message.from_assistant_response(answer).provenance
    assert (made_by.wire, made_by.provider, made_by.model) == (WIRE, "bedrock", DEFAULT_MODEL)


def test_bytes_leave_as_the_wire_has_them(monkeypatch):
    """What the SDK puts on the wire is the body that `request` shows, base64 and all."""
    client = boto3_client(monkeypatch)
    seen = []
    client.meta.events.register("before-send", lambda request, **_: seen.append(request) or answer_200())
    image = {"image": {"format": "png", "source": {"bytes": "aGk="}}}
    transcript, _ = from_request(conversation(turn({"text": "?"}, image, role="user")))
    provider = BedrockProvider(client=client)
    assert provider.complete(transcript).text == "Hi"
    body = provider.request(transcript)
    assert json.loads(seen[0].body) == {key: value for key, value in body.items() if key != "modelId"}
    assert check_request(json.loads(seen[0].body)) == []


def answer_200():
    from botocore.awsrequest import AWSResponse

    content = json.dumps(response({"text": "Hi"})).encode()
    raw = type("Raw", (), {"stream": lambda self: iter([content])})()
    return AWSResponse("https://example.invalid", 200, {"Content-Type": "application/json"}, raw)


def test_a_refusal_of_the_service_is_a_provider_error(monkeypatch):
    client = boto3_client(monkeypatch)
    with Stubber(client) as stub:
        stub.add_client_error("converse", "ValidationException", "The model identifier is invalid.", 400)
        with pytest.raises(ProviderError, match="model identifier is invalid") as caught:
            BedrockProvider(client=client).complete(Transcript([Message.user_text("?")]))
    assert caught.value.status == 400


@pytest.fixture
def no_credentials(monkeypatch, tmp_path):
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    def refuse(*_, **__):
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_missing_credentials_are_said_before_any_network(no_credentials):
    with pytest.raises(MissingCredentials, match="AWS_BEARER_TOKEN_BEDROCK"):
        BedrockProvider(region="us-east-1").complete(Transcript([Message.user_text("?")]))


def test_a_missing_region_is_said_before_any_network(no_credentials, monkeypatch):
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "test")
    with pytest.raises(HarnessError, match="region"):
        BedrockProvider().complete(Transcript([Message.user_text("?")]))


def test_a_missing_sdk_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(HarnessError, match=r"pip install 'harness-workbook\[bedrock\]'"):
        BedrockProvider().complete(Transcript([Message.user_text("?")]))


def test_the_default_model_fits_the_sdk():
    assert re.fullmatch(SHAPE.members["modelId"].metadata["pattern"], DEFAULT_MODEL)
