"""Cohere v2 chat: literal bodies both ways, the SDK's own types as the judge, and the SDK against a double."""

from __future__ import annotations

import copy
import json
import typing

import httpx
import pydantic
import pytest
from cohere import AssistantChatMessageV2, SystemChatMessageV2, ToolChatMessageV2, ToolV2, UserChatMessageV2
from hypothesis import given
from hypothesis import strategies as st
from strategies import texts, transcripts

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
from harness.providers.cohere import (
    DEFAULT_MODEL,
    WIRE,
    CohereProvider,
    check_request,
    from_request,
    from_response,
    to_request,
)

TOOL = {"name": "calc", "description": "Calculates", "input_schema": {"type": "object", "properties": {}}}
FUNCTION = {"name": "calc", "description": "Calculates", "parameters": TOOL["input_schema"]}
TYPES = {
    "user": UserChatMessageV2,
    "assistant": AssistantChatMessageV2,
    "system": SystemChatMessageV2,
    "tool": ToolChatMessageV2,
}

ASK = {"role": "user", "content": "17 * 23?"}
CALLS = {"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "calc", "arguments": '{"n":1}'}}]}
ANSWER = {"role": "tool", "tool_call_id": "c1", "content": "391"}
CITED = [{"start": 0, "end": 3, "text": "391", "sources": [{"type": "tool", "id": "c1:0"}]}]


def assistant(content=None, **fields):
    return {"role": "assistant", **({} if content is None else {"content": content}), **fields}


def conversation(*messages, **rest):
    return {"messages": list(messages), **rest}


def read(message):
    return from_request(conversation(message))[0].messages[0]


def judged(body):
    """A body that breaks no rule of ours and fits the SDK's own types, unknown parts and missing fields refused."""
    assert check_request(body) == []
    for message in body["messages"]:
        pydantic.TypeAdapter(TYPES[message["role"]]).validate_python(message, strict=True)
        assert set(message) <= set(TYPES[message["role"]].model_fields)
    for tool in body.get("tools", []):
        pydantic.TypeAdapter(ToolV2).validate_python(tool, strict=True)
    return body


def sent(*messages, tools=(), **options):
    return judged(to_request(Transcript(list(messages)), tools, **options))


def roundtrip(body):
    return to_request(*from_request(copy.deepcopy(body)))


# ---- both ways


@pytest.mark.parametrize(
    "body",
    [
        conversation(ASK),
        conversation({"role": "system", "content": "Be brief."}, ASK),
        conversation({"role": "system", "content": [{"type": "text", "text": t} for t in "ab"]}, ASK),
        conversation(ASK, {"role": "system", "content": "Be brief."}, ASK),
        conversation(ASK, assistant("391")),
        conversation(ASK, assistant("")),
        conversation(ASK, assistant(**CALLS), ANSWER),
        conversation(ASK, assistant(tool_plan="I will calculate.", **CALLS), ANSWER),
        conversation(ASK, assistant("Let me see.", tool_plan="I will calculate.", **CALLS), ANSWER),
        conversation(ASK, assistant([{"type": "thinking", "thinking": "Hm."}], **CALLS), ANSWER),
        conversation(
            ASK, assistant([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "391"}], citations=CITED)
        ),
        conversation({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x.y/z.png"}}]}),
        conversation(ASK, tools=[{"type": "function", "function": FUNCTION}]),
        conversation(ASK, tools=[{"type": "function", "function": {**FUNCTION, "strict": True}}]),
        conversation(ASK, tools=[{"type": "something_new", "depth": 3}]),
    ],
)
def test_a_body_comes_back_as_it_was(body):
    assert roundtrip(body) == body


def test_tools_are_read_as_name_description_and_schema():
    assert from_request(conversation(ASK, tools=[{"type": "function", "function": FUNCTION}]))[1] == [TOOL]


@pytest.mark.parametrize("raw", ['{"n": 1}', '{"n":1.0}', "", "null", "[1]", '{"n":'])
def test_argument_strings_go_back_byte_for_byte(raw):
    call = {"id": "c1", "type": "function", "function": {"name": "calc", "arguments": raw}}
    body = conversation(ASK, assistant(tool_calls=[call]), ANSWER)
    assert roundtrip(body) == body


@pytest.mark.parametrize(("raw", "unreadable"), [("", False), ("{}", False), ("null", True), ('{"n":', True)])
def test_arguments_that_are_no_object_are_never_executed(raw, unreadable):
    call = {"id": "c1", "function": {"name": "calc", "arguments": raw}}
    (block,) = read(assistant(tool_calls=[call])).blocks
    assert block.args == {}
    assert (block.unreadable is not None) == unreadable


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("391", "391"),
        ("", ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "document", "document": {"data": {"n": "391"}, "id": "d1"}}], '{"n":"391"}'),
        ([{"type": "document", "document": {"data": "391"}}], "391"),
        ([{"type": "text", "text": "see"}, {"type": "chart", "chart": {}}], "see"),
    ],
)
def test_a_result_has_its_text_in_content_and_goes_back_whole(content, text):
    body = conversation(ASK, assistant(**CALLS), {**ANSWER, "content": content})
    (block,) = from_request(body)[0].messages[2].blocks
    assert block.content == text
    assert roundtrip(body) == body


def test_documents_are_text_and_anything_else_in_a_result_is_refused_elsewhere():
    document = {"type": "document", "document": {"data": {"n": "391"}}}
    transcript, _ = from_request(conversation(ASK, assistant(**CALLS), {**ANSWER, "content": [document]}))
    assert "content" not in transcript.messages[2].blocks[0].metadata[WIRE]
    transcript, _ = from_request(conversation(ASK, assistant(**CALLS), {**ANSWER, "content": [{"type": "chart"}]}))
    assert "content" in transcript.messages[2].blocks[0].metadata[WIRE]


def test_a_result_or_call_without_an_id_pairs_with_the_nearest_open_call():
    call = {"function": {"name": "calc", "arguments": "{}"}}
    transcript, _ = from_request(conversation(ASK, assistant(tool_calls=[call]), {"role": "tool", "content": "1"}))
    assert transcript.check() == []


def test_citations_ride_on_the_message_until_its_text_is_edited():
    message = read(assistant("391", citations=CITED))
    assert sent(Message.user_text("?"), message)["messages"][1]["citations"] == CITED
    edited = Message("assistant", (TextBlock("392"),), metadata=message.metadata)
    assert sent(Message.user_text("?"), edited)["messages"][1] == assistant("392")


def ours(field):
    return texts.map(lambda text: ReasoningBlock(text, {WIRE: {"field": field}}))


@given(transcripts(st.one_of(ours("thinking"), ours("tool_plan"))))
def test_what_is_written_reads_back_with_equal_roles_and_blocks(transcript):
    back, _ = from_request(json.loads(json.dumps(judged(to_request(transcript)))))
    back_turns, turns = merged(back), merged(transcript)
    assert back_turns == turns
    assert back.system == transcript.system


def merged(transcript):
    """Each turn's role and blocks: results, which are messages of their own here, count as one turn of the user."""
    turns = []
    for message in transcript:
        if turns and turns[-1][0] == message.role:
            turns[-1][1].extend(message.blocks)
        else:
            turns.append((message.role, list(message.blocks)))
    return turns


# ---- what is mended


def test_results_directly_follow_their_calls_and_what_was_said_comes_after():
    calls = Message("assistant", (ToolCall("a", "calc", {}), ToolCall("b", "calc", {})))
    said = Message("user", (TextBlock("And?"), ToolResult("b", "2")))
    body = sent(Message.user_text("?"), calls, said, Message.tool_result(ToolResult("a", "1")))
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "tool", "tool", "user"]


def test_a_turn_with_calls_is_one_message():
    messages = (Message.assistant_tool_call(ToolCall("a", "calc", {})), Message.assistant_text("One moment."))
    body = sent(Message.user_text("?"), *messages, Message.tool_result(ToolResult("a", "1")))
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "tool"]
    assert body["messages"][1]["content"] == "One moment."


@pytest.mark.parametrize("content", ["no such file", "", "[tool error]\nquoted", "[tool output, verbatim]\nquoted"])
@pytest.mark.parametrize("is_error", [False, True])
def test_the_error_mark_survives(content, is_error):
    result = ToolResult("a", content, is_error)
    call = Message.assistant_tool_call(ToolCall("a", "calc", {}))
    body = sent(Message.user_text("?"), call, Message.tool_result(result))
    assert from_request(body)[0].messages[2].blocks == (result,)


def test_a_system_message_between_calls_and_results_waits_for_the_results():
    call = Message.assistant_tool_call(ToolCall("a", "calc", {}))
    said = Message("system", (TextBlock("Hurry."),))
    body = sent(Message.user_text("?"), call, said, Message.tool_result(ToolResult("a", "1")))
    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "tool", "system"]


@pytest.mark.parametrize("text", ["", "a\x00b", "x" * 1_000_000, "\u2028 \U0001f600"])
def test_odd_and_long_texts_go_there_and_back(text):
    call = Message.assistant_tool_call(ToolCall("a", "calc", {"text": text}))
    messages = [Message.user_text(text), call, Message.tool_result(ToolResult("a", text))]
    back, _ = from_request(json.loads(json.dumps(sent(*messages))))
    assert [message.blocks for message in back] == [message.blocks for message in messages]


# ---- reasoning


def reasoning_sent(block, provenance=None, **options):
    message = Message("assistant", (block, TextBlock("Hi")), provenance=provenance)
    return sent(Message.user_text("?"), message, Message.user_text("!"), **options)["messages"][1]


def test_thinking_goes_back_to_the_model_that_was_asked_and_to_no_other():
    thinking, _ = read(assistant([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Hi"}])).blocks
    made_by = Provenance(WIRE, "cohere", "a")
    assert reasoning_sent(thinking, made_by, provider="cohere", model="a")["content"][0]["thinking"] == "Hm."
    assert reasoning_sent(thinking, made_by, provider="cohere", model="b") == assistant("Hi")


def test_reasoning_of_another_wire_stays_at_home():
    assert reasoning_sent(ReasoningBlock("Hm.", {"signature": "an anthropic one"})) == assistant("Hi")
    assert reasoning_sent(ReasoningBlock("Hm.")) == assistant("Hi")


def test_a_message_of_nothing_but_foreign_reasoning_is_left_out():
    message = Message("assistant", (ReasoningBlock("Hm."),))
    assert len(sent(Message.user_text("?"), message, Message.user_text("!"))["messages"]) == 2


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
        (
            [
                Message.assistant_tool_call(ToolCall("a", "calc", {})),
                Message("user", (ToolResult("a", "", metadata={"anthropic.messages": {"content": []}}),)),
            ],
            "messages[1].blocks[0]",
        ),
        ([Message("user", (OpaqueBlock("gemini", {"executableCode": {}}),))], "messages[0].blocks[0]"),
        (
            [Message("user", (ToolCall("a", "calc", {}),)), Message.tool_result(ToolResult("a", "1"))],
            "messages[0].blocks[0]",
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
        (conversation({"role": "function", "content": ""}), "messages[0].role"),
        (conversation({"role": "user", "content": 1}), "messages[0].content"),
        (conversation({"role": "user", "content": ["hi"]}), "messages[0].content[0]"),
        (conversation({"role": "user", "content": [{"type": "text"}]}), "messages[0].content[0].text"),
        (conversation({"role": "user", "content": "\ud800"}), "messages[0]"),
        (conversation({"role": "system", "content": "\ud800"}), "messages[0].content"),
        (conversation(assistant(tool_plan=1)), "messages[0].tool_plan"),
        (conversation(assistant(tool_calls=[{"id": "a"}])), "messages[0].tool_calls[0].function"),
        (conversation({"role": "tool", "content": "1"}), "messages[0].tool_call_id"),
        (conversation(ASK, tools=[{"function": {}}]), "tools[0].function.name"),
    ],
)
def test_a_malformed_body_is_named_with_its_path(body, path):
    with pytest.raises(TranslationError) as caught:
        from_request(body)
    assert caught.value.path == path


# ---- responses


def response(finish="COMPLETE", **message):
    usage = {
        "billed_units": {"input_tokens": 9.0, "output_tokens": 3.0},
        "tokens": {"input_tokens": 500.0, "output_tokens": 40.0, "reasoning_tokens": 12.0},
        "cached_tokens": 448.0,
    }
    return {"id": "r1", "finish_reason": finish, "message": {"role": "assistant", **message}, "usage": usage}


def test_a_response_is_read_whole():
    answer = from_response(response("TOOL_CALL", tool_plan="I will calculate.", **CALLS))
    assert answer.reasoning_text == "I will calculate."
    assert answer.tool_calls == (ToolCall("c1", "calc", {"n": 1}),)
    assert (answer.stop_reason, answer.id) == ("tool_calls", "r1")
    assert (answer.input_tokens, answer.cached_tokens) == (500, 448)
    assert (answer.output_tokens, answer.reasoning_tokens) == (40, 12)


def test_a_response_goes_back_as_it_came():
    content = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "391"}]
    message = Message.from_assistant_response(from_response(response(content=content, citations=CITED)))
    assert sent(Message.user_text("?"), message)["messages"][1] == assistant(content, citations=CITED)


@pytest.mark.parametrize(
    ("finish", "ours"),
    [
        ("COMPLETE", "end"),
        ("STOP_SEQUENCE", "end"),
        ("MAX_TOKENS", "max_tokens"),
        ("ERROR", "other"),
        ("TIMEOUT", "other"),
        (None, "other"),
    ],
)
def test_stop_reasons_in_our_words(finish, ours):
    assert from_response(response(finish, content=[{"type": "text", "text": "Hi"}])).stop_reason == ours


@pytest.mark.parametrize(
    ("body", "path"),
    [([], "body"), ({}, "message"), ({"message": {}, "usage": 1}, "usage"), ({"message": {}, "id": 1}, "id")],
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
        (conversation({"role": "function", "content": ""}), "messages[0].role"),
        (conversation({"role": "user"}), "messages[0].content"),
        (conversation(assistant()), "messages[0]"),
        (conversation({"role": "user", "content": 1}), "messages[0].content"),
        (conversation({"role": "user", "content": [{"type": "document"}]}), "messages[0].content[0].type"),
        (conversation({"role": "user", "content": [{"type": "image_url"}]}), "messages[0].content[0].image_url"),
        (conversation({"role": "tool", "content": "1"}), "messages[0].tool_call_id"),
        (conversation(ANSWER), "messages[0].tool_call_id"),
        (conversation(ASK, assistant(**CALLS), ASK), "messages[2]"),
        (conversation({**ASK, **CALLS}), "messages[0].tool_calls"),
        (
            conversation(assistant(tool_calls=[{"function": CALLS["tool_calls"][0]["function"]}])),
            "messages[0].tool_calls[0].id",
        ),
        (
            conversation(assistant(tool_calls=[{"id": "a", "function": {"name": "calc"}}])),
            "messages[0].tool_calls[0].function.arguments",
        ),
        (conversation(ASK, tools={}), "tools"),
        (conversation(ASK, tools=[{"type": "web", "function": FUNCTION}]), "tools[0].type"),
        (conversation(ASK, tools=[{"function": {"name": "calc"}}]), "tools[0].function.parameters"),
        (conversation(ASK, p=1), "p"),
        (conversation(ASK, stop_sequences=list("abcdef")), "stop_sequences"),
        (conversation(ASK, tool_choice="REQUIRED"), "tool_choice"),
        (conversation(ASK, thinking={"type": "enabled", "token_budget": 0}), "thinking.token_budget"),
    ],
)
def test_a_broken_rule_is_found_where_it_is_broken(body, path):
    assert path in [problem.path for problem in check_request(body)]


def test_the_rules_about_parts_are_those_of_the_sdk():
    """Each kind of part that we know for a role is one of the SDK's union, and there are no others."""
    from harness.providers._rules_cohere import PARTS

    for role, message_type in TYPES.items():
        kinds = set()
        for model in models_in(message_type.model_fields["content"].annotation):
            kinds.add(model.model_fields["type"].default)
        assert kinds == set(PARTS[role])


def models_in(annotation):
    if isinstance(annotation, type) and issubclass(annotation, pydantic.BaseModel):
        return [annotation]
    return [model for inner in typing.get_args(annotation) for model in models_in(inner)]


# ---- the provider, through the SDK


def cohere_client(answer, seen):
    """The SDK's own client in front of a double that keeps each request and gives `answer`."""
    import cohere

    def reply(request):
        seen.append(request)
        return answer

    return cohere.ClientV2(api_key="test", httpx_client=httpx.Client(transport=httpx.MockTransport(reply)))


def test_a_turn_through_the_sdk():
    seen = []
    client = cohere_client(httpx.Response(200, json=response("TOOL_CALL", tool_plan="Hm.", **CALLS)), seen)
    provider = CohereProvider(client=client, max_tokens=100, thinking_budget_tokens=50)
    transcript, _ = from_request(
        conversation(
            {"role": "system", "content": "Be brief."},
            ASK,
            assistant(tool_plan="I will calculate.", **CALLS),
            {**ANSWER, "content": [{"type": "document", "document": {"data": {"n": "391"}}}]},
            assistant([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "391"}], citations=CITED),
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x.y/z.png"}}]},
        )
    )
    answer = provider.complete(transcript, [TOOL])
    body = json.loads(seen[0].content)
    assert body == {**provider.request(transcript, [TOOL]), "stream": False}
    assert check_request(body) == []
    assert body["thinking"] == {"type": "enabled", "token_budget": 50}
    assert seen[0].url.path == "/v2/chat"
    assert answer.blocks == from_response(response("TOOL_CALL", tool_plan="Hm.", **CALLS)).blocks
    made_by = Message.from_assistant_response(answer).provenance
    assert (made_by.provider, made_by.model) == ("cohere", DEFAULT_MODEL)


@pytest.mark.filterwarnings("ignore:The `__fields__` attribute is deprecated")  # the SDK's own way of reading
def test_the_sdks_object_says_the_same_as_its_json():
    content = [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "391"}]
    body = response(content=content, citations=CITED)
    client = cohere_client(httpx.Response(200, json=body), [])
    raw = client.chat(model="m", messages=[ASK])
    assert from_response(raw) == from_response(body)


def test_a_refusal_of_the_service_is_a_provider_error():
    client = cohere_client(httpx.Response(400, json={"id": "e1", "message": "invalid request: no such tool"}), [])
    with pytest.raises(ProviderError, match="no such tool") as caught:
        CohereProvider(client=client).complete(Transcript([Message.user_text("?")]))
    assert caught.value.status == 400
    assert "headers" not in str(caught.value)


def test_a_missing_key_is_said_before_any_network(monkeypatch):
    monkeypatch.delenv("CO_API_KEY", raising=False)
    with pytest.raises(MissingCredentials, match="CO_API_KEY"):
        CohereProvider().complete(Transcript([Message.user_text("?")]))


def test_thinking_can_be_turned_off_but_not_with_a_budget():
    request = CohereProvider(client=object(), enable_thinking=False).request(Transcript([Message.user_text("?")]))
    assert request["thinking"] == {"type": "disabled"}
    assert "thinking" not in CohereProvider(client=object()).request(Transcript([Message.user_text("?")]))
    with pytest.raises(HarnessError, match="budget"):
        CohereProvider(enable_thinking=False, thinking_budget_tokens=50)


def test_the_default_model_is_the_one_in_the_sdks_own_example():
    import cohere

    assert f'model="{DEFAULT_MODEL}"' in (cohere.ClientV2.chat.__doc__ or "")
