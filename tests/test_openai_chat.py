"""Chat Completions and its dialects: literal bodies both ways; the SDK's types as the judge; the SDK on a double."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from collections.abc import Iterable

import httpx2
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from openai.types.shared import chat_model
from pydantic import TypeAdapter
from strategies import texts, transcripts

from harness.agent import dispatch, run
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
from harness.providers import PROVIDERS, make_provider
from harness.providers._dialects import DIALECTS
from harness.providers.openai_chat import (
    WIRE,
    GroqProvider,
    MistralProvider,
    OpenAIChatCompletionsProvider,
    OpenRouterProvider,
    check_request,
    from_request,
    from_response,
    to_request,
)

SDK = TypeAdapter(CompletionCreateParamsNonStreaming)
TOOL = {"name": "calc", "description": "Calculates", "input_schema": {"type": "object", "properties": {}}}
CALC = {"type": "function", "function": {"name": "calc", "description": "Calculates", "parameters": {"type": "object"}}}
SHOT = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
SOUND = {"type": "input_audio", "input_audio": {"data": "AA==", "format": "wav"}}
SIGNED = {"google": {"thought_signature": "c2lnbmVk"}}
GREP = {"id": "call_g", "type": "custom", "custom": {"name": "grep", "input": "x"}}
FUNCTION_SAYS = {"role": "function", "name": "calc", "content": "391"}
DETAILS = [{"type": "reasoning.encrypted", "data": "gAAA", "index": 0}]


def user(content="Go on.", **extra):
    return {"role": "user", "content": content, **extra}


def assistant(content=None, *calls, **extra):
    return {"role": "assistant", "content": content, **({"tool_calls": list(calls)} if calls else {}), **extra}


def call(id_="call_1", name="calc", arguments='{"expression":"17 * 23"}', **extra):
    return {"id": id_, "type": "function", "function": {"name": name, "arguments": arguments}, **extra}


def result(id_="call_1", content="391", **extra):
    return {"role": "tool", "tool_call_id": id_, "content": content, **extra}


def answer(message, finish="stop", **extra):
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}
    return {"id": "chatcmpl-1", "model": "m-2026", "choices": [choice], **extra}


def read(*messages):
    return from_request({"messages": list(messages)})[0]


def there_and_back(*messages):
    return to_request(read(*messages))["messages"]


def sent_back(body):
    """The assistant message that goes back after an answer."""
    message = Message.from_assistant_response(from_response(body))
    results = [ToolResult(block.id, "done") for block in message.blocks if isinstance(block, ToolCall)]
    after = [Message.tool_result(each) for each in results] or [Message.user_text("Go on.")]
    return to_request(Transcript([Message.user_text("?"), message, *after]))["messages"][1]


def exhausted(value):
    """What pydantic validates lazily, validated to the end."""
    if isinstance(value, dict):
        return {key: exhausted(inner) for key, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [exhausted(inner) for inner in value]
    return value


def accepted(body):
    """Whether the SDK's own types take the body, and no rule is broken."""
    exhausted(SDK.validate_python({"model": "m", **body}))
    assert check_request(body) == []
    return True


# ---- round trip


@pytest.mark.parametrize(
    "messages",
    [
        [user("What is 17 * 23?")],
        [{"role": "system", "content": "Be exact."}, user()],
        [{"role": "system", "content": [{"type": "text", "text": "Be exact.", "cache_control": {}}]}, user()],
        [{"role": "system", "content": "Be exact."}, {"role": "system", "content": "Be brief."}, user()],
        [user(), {"role": "system", "content": "Be brief."}, user("Now.")],
        [user([{"type": "text", "text": "Look:"}, SHOT])],
        [user(name="anna", cache_control={"type": "ephemeral"})],
        [user([{"type": "text", "text": "a", "cache_control": {}}])],
        [user(), assistant("Hello."), user()],
        [user(), assistant("Hello."), assistant("Still there?"), user()],
        [user(), assistant(None, call()), result()],
        [user(), assistant("I calculate.", call(), call("call_2")), result(), result("call_2")],
        [user(), assistant(None, call(arguments='{ "expression" : "1" }')), result()],
        [user(), assistant(None, call(arguments="")), result()],
        [user(), assistant(None, call(arguments='{"expression": ')), result(content="[tool error]\nno JSON")],
        [user(), assistant(None, call(arguments={"expression": "1"})), result()],
        [user(), assistant(None, call(extra_content=SIGNED)), result()],
        [user(), assistant(None, call(), GREP), result(), result("call_g")],
        [user(), assistant(None, call()), result(name="calc", metadata={"took": 1})],
        [
            user(),
            assistant(None, call()),
            result(content=[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]),
        ],
        [user(), assistant(None, call()), result(content=[{"type": "text", "text": "Here:"}, SHOT])],
        [user(), assistant(None, call()), result(content={"value": 391})],
        [user(), assistant(None, call()), result(content="a\0b" + "x" * 1_000_000)],
        [user(), assistant("391", reasoning_content="Multiply.")],
        [user(), assistant("391", reasoning="Multiply.", reasoning_content="Multiply.")],
        [user(), assistant("391", reasoning="Multiply.", reasoning_content="And check.")],
        [user(), assistant("391", reasoning="Multiply.", reasoning_details=DETAILS)],
        [user(), assistant(None, call(), reasoning_details=DETAILS), result()],
        [user(), assistant([{"type": "thinking", "thinking": [{"type": "text", "text": "Multiply."}]}])],
        [user(), assistant("<think>Multiply.</think>391"), user()],
        [user(), assistant("", refusal="I can't help with that."), user()],
        [user(), assistant([{"type": "refusal", "refusal": "No."}]), user()],
        [user(), assistant("", audio={"id": "audio_1"}, name="bot"), user()],
        [user(), assistant(None, function_call={"name": "calc", "arguments": "{}"}), FUNCTION_SAYS],
        [user(), assistant(None, call(), function_call={"name": "calc", "arguments": "{}"}), result(), FUNCTION_SAYS],
    ],
)
def test_real_conversations_come_back_as_they_were(messages):
    transcript = read(*messages)
    assert to_request(transcript)["messages"] == messages
    assert Transcript.from_json(transcript.to_json()) == transcript


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({"role": "developer", "content": "Be exact."}, {"role": "system", "content": "Be exact."}),
        (user([{"type": "text", "text": "hi"}]), user("hi")),
        (user(name=None, tool_calls=None), user()),
        (assistant("hi", annotations=[], reasoning=None, refusal=""), assistant("hi")),
        (assistant(None), assistant("")),
    ],
)
def test_what_means_the_same_is_sent_in_one_way(given, sent):
    assert there_and_back(given, user("Now.")) == [sent, user("Now.")]


@pytest.mark.parametrize("content", [None, ""])
def test_beside_calls_no_content_empty_content_and_null_are_one(content):
    missing = {key: value for key, value in assistant(content, call()).items() if key != "content"}
    assert there_and_back(user(), missing, result())[1] == assistant(None, call())
    assert there_and_back(user(), assistant(content, call()), result())[1] == assistant(None, call())


def test_leading_system_messages_are_the_system_prompt_and_an_edit_of_it_drops_their_parts():
    transcript = read({"role": "system", "content": [{"type": "text", "text": "A", "cache_control": {}}]}, user())
    assert transcript.system == "A"
    transcript.system = "B"
    assert to_request(transcript)["messages"][0] == {"role": "system", "content": "B"}


@pytest.mark.parametrize(
    "tool",
    [
        CALC,
        {"type": "function", "function": {"name": "calc"}},
        {"type": "function", "function": {"name": "calc", "parameters": {}, "strict": True}},
        {"function": {"name": "calc", "description": None, "parameters": {"type": "object"}}},
        {**CALC, "cache_control": {"type": "ephemeral"}},
        {"type": "vendor:web_search", "parameters": {"depth": 2}},
        {"type": "custom", "custom": {"name": "grep"}},
    ],
)
def test_tools_come_back_as_they_were(tool):
    transcript, tools = from_request({"messages": [user()], "tools": [tool]})
    assert to_request(transcript, tools)["tools"] == [tool]


def test_functions_of_the_older_form_come_back_as_such():
    body = {"messages": [user()], "functions": [{"name": "calc", "parameters": {"type": "object"}}]}
    transcript, tools = from_request(body)
    assert to_request(transcript, tools) == body
    assert tools[0]["input_schema"] == {"type": "object"}


def test_an_edited_tool_is_sent_as_edited():
    _, [tool] = from_request({"messages": [user()], "tools": [{**CALC, "cache_control": {}}]})
    sent = to_request(read(user()), [{**tool, "description": "New"}])["tools"]
    assert sent == [{"type": "function", "function": {**CALC["function"], "description": "New"}}]


def test_a_body_shares_nothing_with_the_transcript_or_the_tools():
    transcript = read(user(), assistant("a", call(extra_content=SIGNED), reasoning_details=DETAILS), result())
    before = transcript.to_json(), json.dumps(TOOL)
    body = to_request(transcript, [TOOL])
    body["messages"][1]["tool_calls"][0]["extra_content"]["google"] = body["messages"][1]["reasoning_details"][0] = {}
    body["tools"][0]["function"]["parameters"]["properties"]["x"] = 1
    assert (transcript.to_json(), json.dumps(TOOL)) == before


reasoning = texts.map(lambda text: ReasoningBlock(text, {WIRE: {"fields": ["reasoning_content"]}}))


def spread(transcript):
    """Each result a message of its own, as this wire has them."""
    apart = [
        dataclasses.replace(message, blocks=(block,)) if isinstance(block, ToolResult) else message
        for message in transcript
        for block in (message.blocks if isinstance(message.blocks[0], ToolResult) else message.blocks[:1])
    ]
    return Transcript(apart, transcript.system)


@given(transcripts(reasoning))
def test_a_transcript_in_normal_form_reads_back_as_it_was(drawn):
    transcript = spread(drawn)
    body = to_request(transcript, [TOOL])
    back, tools = from_request(json.loads(json.dumps(body)))
    assert [(m.role, m.blocks) for m in back] == [(m.role, m.blocks) for m in transcript]
    assert (back.system, tools) == (transcript.system, [TOOL])


@given(transcripts(reasoning))
def test_what_is_written_is_valid_by_the_rules_and_by_the_types_of_the_sdk(drawn):
    body = to_request(drawn, [TOOL])
    if drawn.last() and not any(isinstance(block, ToolCall) for block in drawn.last().blocks):
        for message in body["messages"]:
            message.pop("reasoning_content", None)  # a dialect's field, which OpenAI's types do not know
        assert accepted(body)


@given(st.text(), st.booleans())
def test_an_error_mark_survives_and_a_genuine_output_that_looks_like_one_is_exact(content, is_error):
    for text in (content, f"[tool error]\n{content}", f"[tool output, verbatim]\n[tool error]\n{content}"):
        blocks = ToolCall("call_1", "calc", {}), ToolResult("call_1", text, is_error)
        transcript = Transcript([Message("assistant", blocks[:1]), Message("user", blocks[1:])])
        assert from_request(to_request(transcript))[0].last().blocks == blocks[1:]


# ---- order and mending


def turn(*blocks):
    return Message("assistant", blocks)


def test_results_follow_their_calls_and_what_stood_between_comes_after():
    one, two = ToolCall("a", "calc", {}), ToolCall("b", "calc", {})
    transcript = Transcript(
        [
            Message.user_text("Both."),
            turn(one, two),
            Message("user", (TextBlock("Wait."), ToolResult("b", "2"))),
            Message("system", (TextBlock("Be brief."),)),
            Message("user", (ToolResult("a", "1"),)),
        ]
    )
    body = to_request(transcript)
    assert [m.get("tool_call_id") or m["content"] for m in body["messages"]] == [
        "Both.",
        None,
        "b",
        "a",
        "Wait.",
        "Be brief.",
    ]
    assert accepted(body)


def test_calls_of_one_turn_in_several_messages_become_one_message():
    transcript = Transcript(
        [
            Message.user_text("Both."),
            turn(TextBlock("First."), ToolCall("a", "calc", {})),
            turn(TextBlock("Second."), ToolCall("b", "calc", {})),
            Message("user", (ToolResult("a", "1"), ToolResult("b", "2"))),
        ]
    )
    body = to_request(transcript)
    assert [call["id"] for call in body["messages"][1]["tool_calls"]] == ["a", "b"]
    assert [part["text"] for part in body["messages"][1]["content"]] == ["First.", "Second."]
    assert accepted(body)


def test_text_after_a_call_goes_before_it():
    transcript = Transcript(
        [turn(ToolCall("a", "calc", {}), TextBlock("Then.")), Message("user", (ToolResult("a", "1"),))]
    )
    assert to_request(transcript)["messages"][0]["content"] == "Then."


@pytest.mark.parametrize(
    "messages",
    [
        [Message("user", (ToolResult("a", "1"),))],
        [turn(ToolCall("a", "calc", {})), Message.user_text("And?")],
        [turn(ToolCall("a", "calc", {})), Message("user", (ToolResult("a", "1"), ToolResult("a", "2")))],
        [Message("user", (ToolCall("a", "calc", {}),)), turn(TextBlock("?"))],
        [turn(OpaqueBlock("anthropic.messages", {"type": "server_tool_use", "id": "s"}))],
        [
            turn(ToolCall("a", "calc", {})),
            Message("user", (ToolResult("a", "", metadata={"gemini": {"content": []}}),)),
        ],
    ],
    ids=["stray result", "open call", "answered twice", "call of a user", "foreign block", "foreign rich result"],
)
def test_what_this_wire_cannot_say_is_refused_with_its_place(messages):
    with pytest.raises(TranslationError, match=r"openai\.chat: messages\[\d\]"):
        to_request(Transcript(messages))


def test_a_tool_of_another_vendor_is_refused_with_its_place():
    with pytest.raises(TranslationError, match=r"tools\[1\]"):
        to_request(read(user()), [TOOL, {"type": "web_search_20250305", "name": "web_search"}])


# ---- ids and arguments


def test_missing_ids_are_invented_the_same_for_call_and_result():
    calls = [call(id_, name) for id_, name in ((None, "a"), ("", "b"))]
    transcript = read(user(), assistant(None, *calls), result(None, "2", name="b"), result("", "1"))
    a, b = transcript.messages[1].blocks
    assert a.id != b.id
    assert [m.blocks[0].call_id for m in transcript.messages[2:]] == [b.id, a.id]
    assert transcript.check() == []


def test_ids_may_repeat_across_turns():
    messages = [user(), assistant(None, call()), result(), assistant(None, call()), result(content="2")]
    assert there_and_back(*messages) == messages


def test_mistral_gets_ids_of_nine_letters_or_digits_the_same_for_call_and_result():
    transcript = Transcript(
        [
            turn(ToolCall("toolu_01AbC", "calc", {}), ToolCall("Ab3dE6gH9", "calc", {})),
            Message("user", (ToolResult("toolu_01AbC", "1"), ToolResult("Ab3dE6gH9", "2"))),
        ]
    )
    sent = MistralProvider(client=object()).request(transcript)["messages"]
    ids = [entry["id"] for entry in sent[0]["tool_calls"]]
    assert [re.fullmatch("[a-zA-Z0-9]{9}", id_) is not None for id_ in ids] == [True, True]
    assert ids == [message["tool_call_id"] for message in sent[1:]]
    assert ids[1] == "Ab3dE6gH9"


@pytest.mark.parametrize(
    ("arguments", "args", "unreadable"),
    [
        (None, {}, None),
        ("", {}, None),
        ("{}", {}, None),
        ('{"a": 1.0}', {"a": 1.0}, None),
        ({"a": 1}, {"a": 1}, None),
        ('{"a": ', {}, '{"a": '),
        ("[1]", {}, "[1]"),
        ('"a"', {}, '"a"'),
    ],
)
def test_arguments_are_an_object_or_kept_as_unreadable(arguments, args, unreadable):
    [block] = from_response(answer(assistant(None, call(arguments=arguments)))).blocks
    assert (block.args, block.unreadable) == (args, unreadable)


def test_unreadable_arguments_are_answered_with_an_error_and_go_back_as_they_were():
    response = from_response(answer(assistant(None, call(arguments="{oops"))))
    outcome = dispatch(response.tool_calls[0], {"calc": lambda **_: pytest.fail("was executed")})
    assert outcome.is_error
    assert (
        sent_back(answer(assistant(None, call(arguments="{oops"))))["tool_calls"][0]["function"]["arguments"] == "{oops"
    )


def test_a_server_that_reads_the_history_gets_no_arguments_that_are_no_json():
    transcript = read(user(), assistant(None, call(arguments="{oops")), result(content="[tool error]\nno JSON"))
    for provider, arguments in ((OpenAIChatCompletionsProvider, "{oops"), (GroqProvider, "{}")):
        [sent] = provider(client=object()).request(transcript)["messages"][1]["tool_calls"]
        assert sent["function"]["arguments"] == arguments


def test_edited_arguments_are_sent_as_edited_and_without_the_signature():
    transcript = read(user(), assistant(None, call(arguments='{ "a":1 }', extra_content=SIGNED)), result())
    old = transcript.messages[1].blocks[0]
    transcript.messages[1] = turn(dataclasses.replace(old, args={"a": 2}))
    assert to_request(transcript)["messages"][1]["tool_calls"] == [call(arguments='{"a":2}')]


# ---- reasoning


@pytest.mark.parametrize(
    "fields",
    [
        {"reasoning_content": "Multiply."},
        {"reasoning": "Multiply."},
        {"reasoning": "Multiply.", "reasoning_details": DETAILS},
        {"reasoning_details": [{"type": "reasoning.text", "text": "Multiply.", "signature": "c2ln"}]},
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Multiply."}], "closed": True}]},
        {"content": "<think>Multiply.</think>"},
    ],
)
def test_each_form_of_reasoning_is_read_and_goes_back_as_it_came(fields):
    body = answer({"content": "391", **fields})
    assert from_response(body).reasoning_text == "Multiply."
    assert sent_back(body) == {"role": "assistant", "content": "391", **fields}


def test_inline_reasoning_is_no_part_of_the_text_of_an_answer():
    response = from_response(answer({"content": "<think>\nMultiply.\n</think>\n\n391"}))
    assert (response.reasoning_text, response.text) == ("\nMultiply.\n", "\n\n391")


@pytest.mark.parametrize("text", ["<think>cut off", "391 <think>x</think>", "</think>391"])
def test_text_that_only_looks_like_inline_reasoning_stays_text(text):
    assert from_response(answer({"content": text})).blocks == (TextBlock(text),)


def test_edited_reasoning_goes_back_as_edited_and_without_what_was_signed():
    message = Message.from_assistant_response(
        from_response(answer({"content": "391", "reasoning": "Multiply.", "reasoning_details": DETAILS}))
    )
    thought, said = message.blocks
    edited = Message("assistant", (dataclasses.replace(thought, text="Add."), said))
    assert to_request(Transcript([edited]))["messages"] == [assistant("391", reasoning="Add.")]


@pytest.mark.parametrize(
    ("made_by", "goes_to", "sent"),
    [
        ({}, {}, True),
        ({"provider": "groq"}, {"provider": "groq"}, True),
        ({"provider": "groq"}, {"provider": "deepseek"}, False),
        ({"provider": "groq", "model": "a"}, {"provider": "groq", "model": "b"}, False),
        ({"provider": "groq"}, {"provider": "groq", "model": "b"}, True),
    ],
)
def test_what_only_its_maker_understands_crosses_between_equal_provider_and_model(made_by, goes_to, sent):
    thought = ReasoningBlock("Multiply.", {WIRE: {"fields": ["reasoning"]}})
    signed = ToolCall("call_1", "calc", {}, {WIRE: {"extra_content": SIGNED}})
    message = Message("assistant", (thought, signed), provenance=Provenance(WIRE, **made_by), metadata={WIRE: {"x": 1}})
    [item] = to_request(Transcript([message]), **goes_to)["messages"]
    assert ("reasoning" in item, "extra_content" in item["tool_calls"][0], "x" in item) == (sent, sent, sent)


def test_reasoning_of_another_wire_is_left_out_and_stays_in_the_transcript():
    foreign = ReasoningBlock("Multiply.", {"anthropic.messages": {"signature": "c2ln"}})
    transcript = Transcript([turn(foreign), turn(foreign, TextBlock("391"))])
    assert to_request(transcript)["messages"] == [assistant("391")]
    assert transcript.messages[1].blocks[0] == foreign


@pytest.mark.parametrize(
    ("rule", "sent"),
    [
        ("always", ["greet", "calculate", "say it"]),
        ("tool_turns", [None, "calculate", "say it"]),
        ("never", [None, None, None]),
    ],
)
def test_a_dialects_rule_says_which_turns_go_back_with_their_reasoning(rule, sent):
    def thought(text):
        return ReasoningBlock(text, {WIRE: {"fields": ["reasoning_content"]}})

    transcript = Transcript(
        [
            Message.user_text("Hello."),
            turn(thought("greet"), TextBlock("Hello.")),
            Message.user_text("17 * 23?"),
            turn(thought("calculate"), ToolCall("a", "calc", {})),
            Message("user", (ToolResult("a", "391"),)),
            turn(thought("say it"), TextBlock("391")),
            Message.user_text("Thanks."),
        ]
    )
    dialect = dataclasses.replace(DIALECTS["deepseek"], reasoning=rule)
    body = OpenAIChatCompletionsProvider(client=object(), dialect=dialect).request(transcript)
    assert [m.get("reasoning_content") for m in body["messages"] if m["role"] == "assistant"] == sent
    assert DIALECTS["deepseek"].reasoning == "tool_turns"


def test_fields_of_an_answer_go_back_where_requests_accept_them():
    body = answer({"content": "Hi.", "annotations": [{"type": "file"}], "executed_tools": [{"index": 0}]})
    message = Message.from_assistant_response(from_response(body))
    transcript = Transcript([message, Message.user_text("Go on.")])
    everything = to_request(transcript)["messages"][0]
    openrouter = OpenRouterProvider(client=object()).request(transcript)["messages"][0]
    groq = GroqProvider(client=object()).request(transcript)["messages"][0]
    assert ("executed_tools" in everything, "annotations" in everything) == (True, True)
    assert ("executed_tools" in openrouter, "annotations" in openrouter) == (False, True)
    assert groq == assistant("Hi.")


# ---- answers


@pytest.mark.parametrize(
    ("message", "finish", "stop"),
    [
        ({"content": "391"}, "stop", "end"),
        ({"content": "391"}, "eos", "end"),
        ({"content": "391"}, "", "end"),
        ({"content": "391"}, None, "other"),
        ({"content": "391"}, "new_reason", "other"),
        ({"content": "39"}, "length", "max_tokens"),
        ({"content": ""}, "content_filter", "content_filter"),
        ({"content": None, "refusal": "No."}, "stop", "refusal"),
        ({"content": [{"type": "refusal", "refusal": "No."}]}, "stop", "refusal"),
        ({"content": None, "refusal": "No, becau"}, "length", "max_tokens"),
        ({"content": None, "tool_calls": [call()]}, "stop", "tool_calls"),
        ({"content": None, "tool_calls": [call()]}, "tool_call", "tool_calls"),
        ({"content": None, "tool_calls": [call()]}, "length", "max_tokens"),
        ({"content": None, "function_call": {"name": "calc", "arguments": "{}"}}, "function_call", "tool_calls"),
        ({"content": ""}, "tool_calls", "other"),
    ],
)
def test_content_decides_why_an_answer_stopped_before_its_field_does(message, finish, stop):
    response = from_response(answer(message, finish))
    assert response.stop_reason == stop
    assert response.provenance.stop_reason == stop


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        (None, (0, 0, 0, 0)),
        ({"prompt_tokens": 9, "completion_tokens": 7, "total_tokens": 16}, (9, 7, 0, 0)),
        (
            {"prompt_tokens": 9, "completion_tokens": 7, "total_tokens": 16}
            | {"completion_tokens_details": {"reasoning_tokens": 3}, "prompt_tokens_details": {"cached_tokens": 2}},
            (9, 7, 3, 2),
        ),
        # xAI: reasoning is counted beside the completion
        (
            {"prompt_tokens": 9, "completion_tokens": 7, "total_tokens": 19}
            | {"completion_tokens_details": {"reasoning_tokens": 3}},
            (9, 10, 3, 0),
        ),
        # gateways that report more reasoning than completion
        (
            {"prompt_tokens": 9, "completion_tokens": 7, "completion_tokens_details": {"reasoning_tokens": 8}},
            (9, 8, 8, 0),
        ),
        ({"prompt_tokens": 9, "completion_tokens": 7, "prompt_cache_hit_tokens": 4}, (9, 7, 0, 4)),
        ({"prompt_tokens": 9, "completion_tokens": 7, "num_cached_tokens": 4}, (9, 7, 0, 4)),
        ({"prompt_tokens": 9, "completion_tokens": 7, "prompt_tokens_details": None}, (9, 7, 0, 0)),
    ],
)
def test_tokens_have_one_meaning(usage, counts):
    response = from_response(answer({"content": "391"}, usage=usage))
    tokens = response.input_tokens, response.output_tokens, response.reasoning_tokens, response.cached_tokens
    assert tokens == counts


def test_an_answer_that_is_an_object_is_its_json_and_goes_back_as_an_object():
    body = answer({"content": {"age": 32}})
    assert from_response(body).text == '{"age":32}'
    assert sent_back(body)["content"] == {"age": 32}


def test_an_empty_text_is_an_answer_and_a_missing_one_is_none():
    assert from_response(answer({"content": ""})).text == ""
    assert from_response(answer({"content": None})).text is None


def test_calls_without_ids_get_ids_that_no_other_turn_has():
    body = answer(assistant(None, call(None), call("")))
    ids = [call.id for _ in range(2) for call in from_response(body).tool_calls]
    assert len(set(ids)) == 4


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ([], "body"),
        ({}, "choices[0]"),
        ({"choices": []}, "choices[0]"),
        ({"choices": [{"message": None}]}, "choices[0].message"),
        (answer({"content": 5}), "choices[0].message.content"),
        (answer({"content": ["\ud800"]}), "choices[0].message.content[0]"),
        (answer({"tool_calls": [{"id": "a"}]}), "choices[0].message.tool_calls[0].function"),
        (answer(assistant(None, call(name=None))), "choices[0].message.tool_calls[0].function.name"),
        (
            answer(assistant(None, call(arguments={"x": float("nan")}))),
            "choices[0].message.tool_calls[0].function.arguments",
        ),
    ],
)
def test_a_malformed_answer_is_a_fault_with_a_path(body, path):
    with pytest.raises(TranslationError) as caught:
        from_response(body)
    assert (caught.value.wire, caught.value.path) == (WIRE, path)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ("x", "body"),
        ({}, "messages"),
        ({"messages": ["x"]}, "messages[0]"),
        ({"messages": [{"role": "robot", "content": "x"}]}, "messages[0].role"),
        ({"messages": [user(), user(5)]}, "messages[1].content"),
        ({"messages": [user([{"type": "text"}])]}, "messages[0].content[0].text"),
        ({"messages": [user(), assistant(None, 5)]}, "messages[1].tool_calls[0]"),
        ({"messages": [result(content=5)]}, "messages[0].content"),
        ({"messages": [user()], "tools": ["x"]}, "tools[0]"),
    ],
)
def test_a_malformed_request_is_a_fault_with_a_path(body, path):
    with pytest.raises(TranslationError) as caught:
        from_request(body)
    assert caught.value.path == path


# ---- rules


ONE_CALL = [user(), assistant(None, call()), result()]


@pytest.mark.parametrize(
    ("body", "path"),
    [
        (None, "body"),
        ({}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": ["x"]}, "messages[0]"),
        ({"messages": [{"role": "robot", "content": "x"}]}, "messages[0].role"),
        ({"messages": [user(None)]}, "messages[0].content"),
        ({"messages": [user([])]}, "messages[0].content"),
        ({"messages": [user(5)]}, "messages[0].content"),
        ({"messages": [user(), assistant(None)]}, "messages[1].content"),
        ({"messages": [user([{"text": "x"}])]}, "messages[0].content[0]"),
        ({"messages": [user([{"type": "text"}])]}, "messages[0].content[0].text"),
        ({"messages": [user([{"type": "image_url", "image_url": {}}])]}, "messages[0].content[0].image_url.url"),
        (
            {"messages": [user([{"type": "image_url", "image_url": {"url": "AA=="}}])]},
            "messages[0].content[0].image_url.url",
        ),
        (
            {"messages": [user([{"type": "input_audio", "input_audio": {"data": "AA"}}])]},
            "messages[0].content[0].input_audio.format",
        ),
        ({"messages": [user([{"type": "file", "file": {"filename": "a"}}])]}, "messages[0].content[0].file"),
        ({"messages": [user([SOUND])], "model": "gpt-6-sol"}, "messages[0].content[0]"),
        ({"messages": [user(tool_calls=[call()])]}, "messages[0].tool_calls"),
        ({"messages": [{"role": "function", "content": "x"}]}, "messages[0].name"),
        ({"messages": [user(), assistant(None, call(""))]}, "messages[1].tool_calls[0].id"),
        (
            {"messages": [user(), assistant(None, call(name="a b")), result()]},
            "messages[1].tool_calls[0].function.name",
        ),
        (
            {"messages": [user(), assistant(None, call(arguments={})), result()]},
            "messages[1].tool_calls[0].function.arguments",
        ),
        (
            {"messages": [user(), assistant(None, {"id": "a", "type": "custom"}), result("a")]},
            "messages[1].tool_calls[0].custom",
        ),
        ({"messages": ONE_CALL[:2]}, "messages[1].tool_calls[0]"),
        ({"messages": [*ONE_CALL[:2], user(), ONE_CALL[2]]}, "messages[1].tool_calls[0]"),
        ({"messages": [*ONE_CALL[:2], user(), ONE_CALL[2]]}, "messages[3].tool_call_id"),
        ({"messages": [*ONE_CALL, result()]}, "messages[3].tool_call_id"),
        ({"messages": [*ONE_CALL[:2], result("call_9")]}, "messages[2].tool_call_id"),
        ({"messages": [result()]}, "messages[0].tool_call_id"),
        ({"messages": [user(), assistant(None, call(), call()), result()]}, "messages[1].tool_calls"),
        ({"messages": [user()], "tools": {}}, "tools"),
        ({"messages": [user()], "tools": [CALC] * 129}, "tools"),
        ({"messages": [user()], "tools": [{"type": "function"}]}, "tools[0].function"),
        (
            {"messages": [user()], "tools": [{"type": "function", "function": {"name": "a b"}}]},
            "tools[0].function.name",
        ),
        (
            {
                "messages": [user()],
                "tools": [{"type": "function", "function": {"name": "a", "parameters": {"type": "array"}}}],
            },
            "tools[0].function.parameters.type",
        ),
        ({"messages": [user()], "tool_choice": "auto"}, "tool_choice"),
        (
            {"messages": [user()], "tools": [CALC], "tool_choice": {"type": "function", "function": {"name": "b"}}},
            "tool_choice.function.name",
        ),
        ({"messages": [user()], "temperature": 2.1}, "temperature"),
        ({"messages": [user()], "top_p": True}, "top_p"),
        ({"messages": [user()], "presence_penalty": -3}, "presence_penalty"),
        ({"messages": [user()], "max_tokens": 0}, "max_tokens"),
        ({"messages": [user()], "max_tokens": 9, "max_completion_tokens": 9}, "max_tokens"),
        ({"messages": [user()], "reasoning_effort": "extreme"}, "reasoning_effort"),
        ({"messages": [user()], "stop": ["a"] * 5}, "stop"),
        ({"messages": [user()], "model": "gpt-5-mini", "stop": "a"}, "stop"),
        ({"messages": [user()], "top_logprobs": 2}, "top_logprobs"),
        ({"messages": [user()], "stream_options": {}}, "stream_options"),
        ({"messages": [user()], "response_format": {"type": "xml"}}, "response_format"),
        ({"messages": [user()], "response_format": {"type": "json_schema"}}, "response_format.json_schema"),
        ({"messages": [user()], "model": 5}, "model"),
    ],
)
def test_a_broken_rule_is_found_at_its_place(body, path):
    found = check_request(body)
    assert path in [problem.path for problem in found]
    assert all(problem.rule and problem.source for problem in found)


@pytest.mark.parametrize(
    "body",
    [
        {"messages": [*ONE_CALL, assistant("391"), user()], "tools": [CALC], "tool_choice": "required"},
        {"messages": [user(), assistant(None, call()), {"role": "tool", "content": "391"}]},
        {"messages": [user(), assistant(None, refusal="No."), user()], "model": "gpt-6-sol", "stop": ["a"] * 4},
        {"messages": [user()], "tools": [{"type": "vendor:web_search"}], "temperature": 2},
        {"messages": [user([SOUND])], "model": "gpt-audio-mini"},
        {"messages": [user([SHOT])], "stream": True, "stream_options": {"include_usage": True}},
    ],
)
def test_no_rule_is_broken_where_none_is(body):
    assert check_request(body) == []


# ---- the talking half: the real SDK against a double


class Double:
    """An in-process server that checks each request, notes it, and plays its answers."""

    def __init__(self, *answers, status=200):
        self.bodies, self.requests = [], []
        self._answers, self._status = list(answers), status

    def __call__(self, request):
        body = json.loads(request.content)
        self.bodies.append(body)
        self.requests.append(request)
        assert request.url.path.endswith("/chat/completions")
        assert accepted(body)
        return httpx2.Response(self._status, json=self._answers.pop(0))

    def client(self):
        transport = httpx2.Client(transport=httpx2.MockTransport(self))
        return openai.OpenAI(api_key="test", base_url="https://double.test/v1", http_client=transport, max_retries=0)


def test_a_conversation_with_a_tool_runs_to_its_end_through_the_sdk():
    double = Double(
        answer({"content": None, "tool_calls": [call()]}, "tool_calls", usage={"prompt_tokens": 9}),
        answer({"content": "It is 391."}),
    )
    provider = OpenAIChatCompletionsProvider(client=double.client(), max_tokens=64, reasoning_effort="low")
    transcript = Transcript()
    said = run(provider, {"calc": lambda expression: "391"}, [TOOL], "17 * 23?", "Be exact.", transcript=transcript)
    assert said == "It is 391."
    assert double.bodies[1]["messages"] == [
        {"role": "system", "content": "Be exact."},
        user("17 * 23?"),
        assistant(None, call()),
        result(),
    ]
    assert (double.bodies[0]["max_completion_tokens"], double.bodies[0]["reasoning_effort"]) == (64, "low")
    made_by = transcript.messages[1].provenance
    assert (made_by.wire, made_by.provider, made_by.model) == (WIRE, "openai", provider.model)
    assert transcript.messages[1].usage.input_tokens == 9


def test_the_request_shown_is_the_request_sent():
    double = Double(answer({"content": "Hi."}))
    provider = OpenAIChatCompletionsProvider("m", double.client())
    provider.complete(read(user()), [TOOL])
    assert double.bodies == [provider.request(read(user()), [TOOL])]


def test_what_a_dialect_adds_to_an_answer_comes_through_the_sdk():
    double = Double(answer({"content": "391", "reasoning": "Multiply.", "reasoning_details": DETAILS}))
    response = OpenRouterProvider(client=double.client()).complete(read(user()))
    assert response.blocks[0].metadata[WIRE]["reasoning_details"] == DETAILS


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"error": {"message": "Overloaded", "code": 529}}, 529),
        ({"error": "Overloaded"}, None),
        (
            answer({"content": ""}) | {"choices": [{"error": {"message": "Overloaded", "code": 502}, "message": {}}]},
            502,
        ),
    ],
)
def test_an_error_in_a_good_status_is_an_error(body, status):
    with pytest.raises(ProviderError, match="Overloaded") as caught:
        OpenRouterProvider(client=Double(body).client()).complete(read(user()))
    assert caught.value.status == status


REFUSED = {"message": "Call failed validation.", "type": "invalid_request_error", "code": "tool_use_failed"}


@pytest.mark.parametrize(
    "generated",
    ['[{"name": "calc", "parameters": {"expression": 5}}]', '{"expression": 5}', "<function=calc>{oops", ""],
)
def test_a_call_that_groq_refuses_is_never_executed_and_its_result_says_why(generated):
    double = Double({"error": {**REFUSED, "failed_generation": generated}}, status=400)
    response = GroqProvider(client=double.client()).complete(read(user()), [TOOL])
    assert (response.stop_reason, response.tool_name) == ("tool_calls", "calc")
    outcome = dispatch(response.tool_calls[0], {"calc": lambda **_: pytest.fail("was executed")})
    assert outcome.is_error
    assert "Call failed validation." in outcome.content
    transcript = Transcript([Message.from_assistant_response(response), Message.tool_result(outcome)])
    body = GroqProvider(client=double.client()).request(transcript)
    assert accepted(body)
    assert body["messages"][0]["tool_calls"][0]["function"]["arguments"] == "{}"


def test_another_error_of_groq_is_an_error():
    double = Double({"error": {**REFUSED, "code": "model_not_found"}}, status=404)
    with pytest.raises(ProviderError, match="Call failed"):
        GroqProvider(client=double.client()).complete(read(user()), [TOOL])


def test_any_object_with_the_sdks_create_will_do():
    class Completions:
        def create(self, **body):
            self.body = body
            return answer({"content": "Hi."})

    class Chat:
        completions = Completions()

    class Client:
        chat = Chat()

    assert OpenAIChatCompletionsProvider("m", Client()).complete(read(user())).text == "Hi."
    assert Chat.completions.body["model"] == "m"


# ---- the dialects


CHAT = [name for name, entry in PROVIDERS.items() if entry.module == "openai_chat"]


def test_each_dialect_is_a_provider_and_each_provider_a_dialect():
    assert sorted(make_provider(name).name for name in CHAT) == sorted(DIALECTS)


@pytest.mark.parametrize("name", CHAT)
def test_each_provider_asks_for_its_own_key_before_any_network(name, monkeypatch):
    variable = PROVIDERS[name].key_variable
    monkeypatch.delenv(variable, raising=False)
    provider = make_provider(name)
    assert variable == provider.dialect.key_variable
    with pytest.raises(MissingCredentials, match=variable):
        provider.complete(read(user()))


@pytest.mark.parametrize("name", CHAT)
def test_each_provider_talks_to_its_own_address_with_its_own_key(name, monkeypatch):
    provider = make_provider(name)
    monkeypatch.setenv(provider.dialect.key_variable, "secret")
    client = provider._ready()
    assert str(client.base_url).rstrip("/") == (provider.dialect.base_url or "https://api.openai.com/v1")
    assert client.api_key == "secret"


def test_another_address_needs_no_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    client = OpenAIChatCompletionsProvider("m", base_url="http://localhost:1/v1")._ready()
    assert str(client.base_url) == "http://localhost:1/v1/"


def test_the_default_model_is_current():
    listed = inspect.getsource(chat_model).partition("Deprecated values")
    assert f'"{DIALECTS["openai"].model}"' in listed[0]
    assert f'"{DIALECTS["openai"].model}"' not in listed[2]


def test_a_wrong_name_is_an_error_that_names_the_providers():
    with pytest.raises(HarnessError, match="deepseek"):
        make_provider("deepsek")


@pytest.mark.parametrize("thinking", [True, -1, 2.5, {}, None, "", [None, 3, {"text": 4}]])
def test_a_thinking_part_that_holds_no_list_of_texts_is_kept_as_it_came(thinking):
    messages = [user(), assistant([{"type": "thinking", "thinking": thinking}, {"type": "text", "text": "So."}])]
    transcript, tools = from_request({"messages": messages})
    assert [block.kind for block in transcript.messages[1].blocks] == ["reasoning", "text"]
    assert to_request(transcript, tools)["messages"] == messages
