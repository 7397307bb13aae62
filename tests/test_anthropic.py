"""Anthropic Messages: literal bodies both ways, the SDK's own types as the judge, and the SDK against a double."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import httpx2
import pytest
from anthropic import Anthropic, types
from anthropic._base_client import SyncAPIClient
from anthropic._data import DEPRECATED_MODELS, MODELS_TO_WARN_WITH_THINKING_ENABLED
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter
from strategies import texts, transcripts

from harness.errors import InvalidValue, MissingCredentials, ProviderError, TranslationError
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
from harness.providers._models_anthropic import MOST_TOKENS
from harness.providers.anthropic import (
    DEFAULT_MODEL,
    EMPTY_ERROR,
    WIRE,
    AnthropicProvider,
    check_request,
    from_request,
    from_response,
    to_request,
)

SDK = TypeAdapter(MessageCreateParamsNonStreaming)
TOOL = {"name": "calc", "description": "Calculates", "input_schema": {"type": "object", "properties": {}}}
MARK = {"type": "ephemeral"}
SHOT = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBO"}}
SEARCH = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "tides"}}
FOUND = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
DOCUMENT = {"type": "document", "source": {"type": "url", "url": "https://example.org/tides.pdf"}}
PLACE = {"document_index": 0, "document_title": None, "start_char_index": 0, "end_char_index": 1}
CITED = [{"type": "char_location", "cited_text": "9", **PLACE}]
BY_CODE = {"type": "code_execution_20260120", "tool_id": "srvtoolu_9"}
HIDDEN = {"type": "redacted_thinking", "data": "b3BhcXVl"}
LATER = {"role": "system", "content": [{"type": "text", "text": "Be brief."}]}
THOUGHT = {"type": "thinking", "thinking": "Multiply.", "signature": "c2lnbmVk"}


def text(words, **extra):
    return {"type": "text", "text": words, **extra}


def call(id_="toolu_1", name="calc", **extra):
    return {"type": "tool_use", "id": id_, "name": name, "input": {"expression": "17 * 23"}, **extra}


def result(id_="toolu_1", content="391", **extra):
    return {"type": "tool_result", "tool_use_id": id_, "content": content, **extra}


def user(*content):
    return {"role": "user", "content": [*content] or [text("17 * 23?")]}


def assistant(*content):
    return {"role": "assistant", "content": [*content]}


def body(*messages, **rest):
    return {"messages": [*messages], **rest}


def sent(*messages, tools=(), **options):
    """What `to_request` makes of messages, judged by the SDK's types and by our rules."""
    made = to_request(Transcript(list(messages)), tools, **options)
    assert judged(made) == []
    return made["messages"]


def judged(made):
    """What our rules find in a body, once the SDK's types have taken it."""
    exhaust(SDK.validate_python({"model": DEFAULT_MODEL, "max_tokens": 1, **made}))
    return check_request(made)


def exhaust(value):
    """Walk a validated value: the SDK's types check what stands in an iterable only when it is taken out."""
    if isinstance(value, dict):
        value = value.values()
    if not isinstance(value, str) and hasattr(value, "__iter__"):
        for inner in value:
            exhaust(inner)


# ---- both ways

BODIES = {
    "a question": body(user()),
    "a system prompt": body(user(), system="You are brief."),
    "a system prompt of parts": body(user(), system=[text("Be brief."), text("Be kind.", cache_control=MARK)]),
    "a tool": body(user(), tools=[{**TOOL, "cache_control": MARK, "strict": True}]),
    "a server tool": body(user(), tools=[{"type": "web_search_20250305", "name": "web_search", "max_uses": 2}]),
    "a call and its result": body(user(), assistant(text("I calculate."), call()), user(result())),
    "parallel calls": body(user(), assistant(call("a"), call("b")), user(result("a"), result("b"), text("Go on."))),
    "a result that is an error": body(user(), assistant(call()), user(result(content="overflow", is_error=True))),
    "a result without content": body(
        user(), assistant(call()), user({"type": "tool_result", "tool_use_id": "toolu_1"})
    ),
    "an error without words": body(user(), assistant(call()), user(result(content=EMPTY_ERROR, is_error=True))),
    "a result of two texts": body(user(), assistant(call()), user(result(content=[text("3"), text("91")]))),
    "a result with a picture": body(user(), assistant(call()), user(result(content=[text("Seen."), SHOT]))),
    "thinking before a call": body(user(), assistant(THOUGHT, text("So."), call()), user(result())),
    "thinking between texts": body(user(), assistant(text("Hm."), THOUGHT, text("391")), user()),
    "thinking that is hidden": body(user(), assistant({**THOUGHT, "thinking": ""}, HIDDEN, call()), user(result())),
    "cache marks": body(
        user(text("Hi.", cache_control=MARK)), assistant(call(cache_control=MARK)), user(result(cache_control=MARK))
    ),
    "citations": body(user(DOCUMENT), assistant(text("High at nine.", citations=CITED)), user()),
    "a call made by code": body(user(), assistant(call(caller=BY_CODE)), user(result())),
    "a server tool's call and result": body(user(), assistant(SEARCH, FOUND, text("At nine.")), user()),
    "a paused turn": body(user(), assistant(text("I look."), SEARCH)),
    "a picture and a document": body(user(SHOT, DOCUMENT, text("What?"))),
    "a later system message": body(user(), LATER, assistant(text("391")), user()),
    "a prefilled answer": body(user(), assistant(text("{"))),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_body_comes_back_as_it_was_and_breaks_no_rule(name):
    given_body = BODIES[name]
    before = copy.deepcopy(given_body)
    made = to_request(*from_request(given_body))
    assert json.loads(json.dumps(made)) == before == given_body
    assert judged(made) == []


def test_a_string_is_one_text_block():
    transcript, tools = from_request(body({"role": "user", "content": "hi"}, system="Be kind."))
    assert [(message.role, message.blocks) for message in transcript] == [("user", (TextBlock("hi"),))]
    assert (transcript.system, transcript.metadata, tools) == ("Be kind.", {}, [])


def test_each_kind_of_block_is_read():
    transcript, _ = from_request(
        body(user(), assistant(THOUGHT, text("I calculate."), call(), SEARCH), user(result(is_error=True)))
    )
    assert [message.blocks for message in transcript] == [
        (TextBlock("17 * 23?"),),
        (
            ReasoningBlock("Multiply.", {"signature": "c2lnbmVk"}),
            TextBlock("I calculate."),
            ToolCall("toolu_1", "calc", {"expression": "17 * 23"}),
            OpaqueBlock(WIRE, SEARCH),
        ),
        (ToolResult("toolu_1", "391", is_error=True),),
    ]


def test_what_says_no_more_than_the_default_is_not_kept():
    blocks = from_request(body(user(), assistant(text("x", citations=None), call(caller={"type": "direct"}))))[
        0
    ].messages[1]
    assert [block.metadata for block in blocks.blocks] == [{}, {}]


def test_a_body_is_the_callers_own():
    transcript, tools = from_request(BODIES["cache marks"] | {"tools": [TOOL]})
    made = to_request(transcript, tools)
    made["messages"][1]["content"][0]["input"]["expression"] = "0"
    made["messages"][0]["content"][0]["cache_control"]["ttl"] = "1h"
    made["tools"][0]["input_schema"]["type"] = "string"
    assert to_request(transcript, tools) == BODIES["cache marks"] | {"tools": [TOOL]}


signed = st.builds(ReasoningBlock, texts, st.just({"signature": "c2lnbmVk"}))


@given(transcripts(signed))
def test_a_transcript_in_normal_form_comes_back(transcript):
    made = to_request(transcript, [TOOL])
    again, tools = from_request(made)
    assert [(m.role, m.blocks) for m in again] == [(m.role, m.blocks) for m in transcript]
    assert (again.system, tools) == (transcript.system, [TOOL])


@given(transcripts(signed))
def test_a_transcript_in_normal_form_satisfies_the_sdk_and_the_rules(transcript):
    pending = [ToolResult(b.id, "done") for b in transcript.messages[-1].blocks if isinstance(b, ToolCall)]
    transcript.append(Message("user", pending or [TextBlock("Go on.")]))
    assert judged(to_request(transcript, [TOOL])) == []


@pytest.mark.parametrize("content", ["a\0b", "x" * 1_000_000, "🌊 \u2028"])
def test_odd_and_large_output_comes_back_exactly(content):
    sent_body = body(user(), assistant(call()), user(result(content=content)))
    assert json.loads(json.dumps(to_request(*from_request(sent_body)))) == sent_body


def test_arguments_that_no_one_could_read_are_sent_as_none():
    unreadable = ToolCall("a", "calc", {}, {"openai.chat": {"arguments": "{17 *"}})
    told = Message.tool_result(ToolResult("a", "call again with an object", is_error=True))
    asked = sent(Message.user_text("?"), Message.assistant_tool_call(unreadable), told)[1]["content"]
    assert asked == [{"type": "tool_use", "id": "a", "name": "calc", "input": {}}]


def test_what_is_left_without_a_server_tools_blocks_is_sent():
    transcript, _ = from_request(BODIES["a server tool's call and result"])
    assert to_request(transcript.without_opaque())["messages"][1] == assistant(text("At nine."))


# ---- mended in silence


def test_results_in_messages_of_their_own_are_one_turn():
    calls = Message("assistant", [ToolCall("a", "calc", {}), ToolCall("b", "calc", {})])
    messages = sent(Message.user_text("?"), calls, *(Message.tool_result(ToolResult(i, i)) for i in "ab"))
    assert [m["role"] for m in messages] == ["user", "assistant", "user"]
    assert [block["tool_use_id"] for block in messages[2]["content"]] == ["a", "b"]


def test_results_come_before_text():
    asked = Message.assistant_tool_call(ToolCall("a", "calc", {}))
    messages = sent(Message.user_text("?"), asked, Message("user", [TextBlock("Also:"), ToolResult("a", "391")]))
    assert [block["type"] for block in messages[2]["content"]] == ["tool_result", "text"]


def test_empty_text_is_left_out_and_its_neighbours_are_one_turn():
    messages = sent(Message.user_text("a"), Message.assistant_text(""), Message.user_text("b"), Message.user_text(""))
    assert messages == [user(text("a"), text("b"))]


def test_a_turn_of_white_space_alone_is_left_out_and_white_space_among_text_stays():
    messages = sent(
        Message.user_text("a"), Message.assistant_text(" \n"), Message("user", [TextBlock("\n"), TextBlock("b")])
    )
    assert messages == [user(text("a"), text("\n"), text("b"))]


def test_white_space_at_the_end_of_a_last_assistant_message_is_stripped_on_the_wire_alone():
    answer = Message.assistant_text("391 \n")
    assert sent(Message.user_text("?"), answer) == [user(text("?")), assistant(text("391"))]
    assert sent(Message.user_text("?"), answer, Message.user_text("!"))[1] == assistant(text("391 \n"))
    assert answer.blocks == (TextBlock("391 \n"),)


def test_a_turn_does_not_end_in_thinking():
    thought = ReasoningBlock("Hm.", {"signature": "c2ln"})
    cut_off = Message("assistant", [thought])
    assert sent(Message.user_text("?"), cut_off, Message.user_text("!")) == [user(text("?"), text("!"))]
    both = sent(Message.user_text("?"), Message("assistant", [TextBlock("a "), thought]))
    assert both[1] == assistant(text("a"))


def test_leading_system_messages_join_the_system_prompt():
    transcript = Transcript([Message("system", [TextBlock("Be kind.")]), Message.user_text("hi")], system="Be brief.")
    made = to_request(transcript)
    assert made == body(user(text("hi")), system=[text("Be brief."), text("Be kind.")])
    assert to_request(Transcript(transcript.messages))["system"] == "Be kind."


def test_an_error_without_words_is_sent_with_some_and_read_back_without():
    asked = Message.assistant_tool_call(ToolCall("a", "calc", {}))
    failed = Message.tool_result(ToolResult("a", "", is_error=True))
    messages = sent(Message.user_text("?"), asked, failed)
    assert messages[2]["content"] == [result("a", EMPTY_ERROR, is_error=True)]
    assert from_request(body(*messages))[0].messages[2].blocks == failed.blocks


def test_ids_that_anthropic_refuses_are_renamed_one_to_one_and_legal_ones_stay():
    odd = [ToolCall("call:1", "calc", {}), ToolCall("call_0", "calc", {}), ToolCall("", "calc", {})]
    answers = [ToolResult(c.id, "x") for c in odd]
    messages = sent(Message.user_text("?"), Message("assistant", odd), Message("user", answers))
    ids = [block["id"] for block in messages[1]["content"]]
    assert ids == ["call_1", "call_0", "call_2"]
    assert [block["tool_use_id"] for block in messages[2]["content"]] == ids


def test_an_id_that_repeats_in_a_later_turn_stays():
    turns = [Message.assistant_tool_call(ToolCall("a", "calc", {})), Message.tool_result(ToolResult("a", "x"))]
    messages = sent(Message.user_text("?"), *turns, *turns)
    assert [m["content"][0].get("id", m["content"][0].get("tool_use_id")) for m in messages[1:]] == ["a"] * 4


def test_calls_of_one_turn_that_share_an_id_are_told_apart():
    asked = Message("assistant", [ToolCall("a", "calc", {"n": n}) for n in (1, 2)])
    messages = sent(Message.user_text("?"), asked, Message("user", [ToolResult("a", "1"), ToolResult("a", "2")]))
    assert [block["id"] for block in messages[1]["content"]] == ["a", "a_2"]
    assert [(block["tool_use_id"], block["content"]) for block in messages[2]["content"]] == [("a", "1"), ("a_2", "2")]


# ---- reasoning


def reasoning_sent(block, made_by=None, **options):
    messages = [Message.user_text("?"), Message("assistant", [block, TextBlock("391")], provenance=made_by)]
    return sent(*messages, Message.user_text("!"), **options)[1]["content"][:-1]


def test_reasoning_is_sent_with_its_signature_only_while_both_are_as_they_came():
    block = ReasoningBlock("Multiply.", {"signature": "c2lnbmVk"})
    assert reasoning_sent(block) == [THOUGHT]
    assert reasoning_sent(ReasoningBlock("Multiply!", block.metadata)) == []
    assert reasoning_sent(ReasoningBlock("Multiply.", {"signature": ""})) == []
    assert reasoning_sent(ReasoningBlock("Multiply.")) == []


def test_reasoning_of_another_wire_provider_or_model_is_left_out():
    block = ReasoningBlock("Multiply.", {"signature": "c2lnbmVk"})
    foreign = ReasoningBlock("", {"openai.responses": {"items": [{"encrypted_content": "x"}]}})
    assert reasoning_sent(foreign) == []
    ours = Provenance(WIRE, "anthropic", "claude-opus-5")
    assert reasoning_sent(block, ours, provider="anthropic", model="claude-opus-5") == [THOUGHT]
    assert reasoning_sent(block, ours, provider="bedrock") == []
    assert reasoning_sent(block, ours, provider="anthropic", model="claude-haiku-5-5") == []


def test_thinking_goes_back_also_when_thinking_is_off():
    thought = ReasoningBlock("Multiply.", {"signature": "c2lnbmVk"})
    asked = Message.assistant_tool_call(ToolCall("a", "calc", {}), reasoning=thought)
    made = AnthropicProvider().request(
        Transcript([Message.user_text("?"), asked, Message.tool_result(ToolResult("a", "391"))])
    )
    assert "thinking" not in made
    assert made["messages"][1]["content"][0] == THOUGHT


# ---- loud


def refusal(*messages, tools=(), **options):
    with pytest.raises(TranslationError) as caught:
        to_request(Transcript(list(messages)), tools, **options)
    assert caught.value.wire == WIRE
    return caught.value.path, caught.value.problem


ASKED = Message.assistant_tool_call(ToolCall("a", "calc", {}))
LATE = [Message.user_text("?"), Message("system", [TextBlock("Be brief.")])]


def test_a_broken_transcript_is_refused_with_the_way_out():
    path, problem = refusal(Message.user_text("?"), ASKED, Message.user_text("!"))
    assert path == "messages[1].blocks[0]"
    assert "repair()" in problem


def test_another_wires_own_blocks_and_results_are_refused_by_name():
    path, problem = refusal(Message("assistant", [OpaqueBlock("openai.responses", {"type": "web_search_call"})]))
    assert (path, "web_search_call" in problem) == ("messages[0].blocks[0]", True)
    rich = ToolResult("a", "Seen.", metadata={"openai.responses": {"content": [{"type": "input_image"}]}})
    assert refusal(Message.user_text("?"), ASKED, Message.tool_result(rich))[0] == "messages[2].blocks[0]"


@pytest.mark.parametrize("tool", [{"name": "web", "openai.responses": {"type": "web_search"}}, {"googleSearch": {}}])
def test_another_vendors_own_tool_is_refused(tool):
    assert refusal(Message.user_text("?"), tools=[TOOL, tool])[0] == "tools[1]"


@pytest.mark.parametrize("wire", ["openai.chat", "gemini", "bedrock.converse"])
def test_what_another_wire_keeps_on_a_tool_stays_behind(wire):
    assert to_request(Transcript([Message.user_text("?")]), [{**TOOL, wire: {"strict": True}}])["tools"] == [TOOL]


def test_citations_hold_for_the_text_they_came_with():
    transcript, _ = from_request(BODIES["citations"])
    cited = transcript.messages[1].blocks[0]
    turns = [Message("assistant", [block]) for block in (cited, replace(cited, text="High at ten."))]
    made = [sent(Message.user_text("?"), turn, Message.user_text("!"))[1]["content"][0] for turn in turns]
    assert made == [text("High at nine.", citations=CITED), text("High at ten.")]


def test_a_block_that_its_role_cannot_say_is_refused():
    ask, answer = Message.user_text("?"), Message.assistant_text("391")
    thinking_user = Message("user", [ReasoningBlock("Hm.", {"signature": "c2ln"}), TextBlock("?")])
    showing = [Message(role, [OpaqueBlock(WIRE, SHOT), TextBlock("x")]) for role in ("assistant", "system")]
    assert refusal(thinking_user) == (
        "messages[0]",
        "a block of the type thinking has no place in a message of the role user",
    )
    assert refusal(ask, showing[0]) == (
        "messages[1]",
        "a block of the type image has no place in a message of the role assistant",
    )
    path, problem = refusal(ask, showing[1], answer)
    assert (path, "role system" in problem) == ("messages[1]", True)


def test_a_later_system_message_stands_between_a_user_and_an_assistant_turn_or_last():
    assert sent(*LATE)[1] == {"role": "system", "content": [text("Be brief.")]}
    assert sent(*LATE, Message.assistant_text("391"), model="claude-opus-5")[1]["role"] == "system"
    assert refusal(*LATE, Message.user_text("!"))[0] == "messages[1]"
    assert refusal(Message.user_text("?"), Message.assistant_text("391"), LATE[1])[0] == "messages[2]"


def test_a_later_system_message_is_refused_for_a_model_that_takes_none():
    path, problem = refusal(*LATE, model="claude-sonnet-4-6")
    assert (path, "claude-sonnet-4-6" in problem) == ("messages[1]", True)


@pytest.mark.parametrize(
    ("broken", "path"),
    [
        ([], "body"),
        (body("hi"), "messages[0]"),
        ({"messages": {}}, "messages"),
        (body({"role": "tool", "content": "x"}), "messages[0].role"),
        (body({"role": "user", "content": 5}), "messages[0].content"),
        (body(user("hi")), "messages[0].content[0]"),
        (body(user({"text": "hi"})), "messages[0].content[0].type"),
        (body(user(text(None))), "messages[0].content[0].text"),
        (body(user(text("a \ud800"))), "messages[0].content[0]"),
        (body(user(text("a \ud800", citations=CITED))), "messages[0].content[0]"),
        (body(user(), assistant({**call(), "input": "{}"})), "messages[1].content[0].input"),
        (body(user(), assistant({**call(), "input": {"n": float("nan")}})), "messages[1].content[0]"),
        (body(user(), assistant({**call(), "id": None})), "messages[1].content[0].id"),
        (body(user(result(content=[text("a"), "b"]))), "messages[0].content[0].content[1]"),
        (body(user(result(content=[text(3)]))), "messages[0].content[0].content[0].text"),
        (body(user(), assistant({"type": "redacted_thinking"})), "messages[1].content[0].data"),
        (body(user(), system=[SHOT]), "system[0].text"),
        (body(user(), tools=["calc"]), "tools[0]"),
    ],
)
def test_a_malformed_body_is_refused_with_the_place(broken, path):
    with pytest.raises(TranslationError) as caught:
        from_request(broken)
    assert caught.value.path == path


# ---- responses


def response(*content, **rest):
    usage = {"input_tokens": 10, "output_tokens": 30}
    return {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "content": [*content],
            "stop_reason": "end_turn", "stop_sequence": None, "usage": usage, **rest}  # fmt: skip


def test_a_response_is_the_whole_turn_in_order():
    answer = from_response(response(THOUGHT, text("Both."), call("a"), call("b"), stop_reason="tool_use"))
    assert [block.kind for block in answer.blocks] == ["reasoning", "text", "tool_call", "tool_call"]
    assert (answer.text, answer.reasoning_text, answer.tool_call_id) == ("Both.", "Multiply.", "a")
    assert answer.reasoning_metadata["signature"] == "c2lnbmVk"
    assert answer.provenance == Provenance(WIRE, response_id="msg_1", stop_reason="tool_calls")
    assert (answer.model, answer.id) == ("claude-x", "msg_1")


@pytest.mark.parametrize(
    ("vendor", "ours"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("max_tokens", "max_tokens"),
        ("model_context_window_exceeded", "max_tokens"),
        ("refusal", "refusal"),
        ("pause_turn", "pause"),
        ("compaction", "pause"),
        ("something_new", "other"),
        (None, "other"),
        ([], "other"),
    ],
)
def test_stop_reasons(vendor, ours):
    assert from_response(response(text("x"), stop_reason=vendor)).stop_reason == ours


def test_a_call_counts_more_than_the_stop_reason_and_the_token_limit_more_than_a_call():
    assert from_response(response(call())).stop_reason == "tool_calls"
    assert from_response(response(call(), stop_reason="max_tokens")).stop_reason == "max_tokens"


def test_input_includes_cached_tokens_and_output_the_thinking():
    usage = {"input_tokens": 10, "cache_read_input_tokens": 70, "cache_creation_input_tokens": 5,
             "output_tokens": 30, "output_tokens_details": {"thinking_tokens": 20}}  # fmt: skip
    answer = from_response(response(text("x"), usage=usage))
    counted = (answer.input_tokens, answer.cached_tokens, answer.output_tokens, answer.reasoning_tokens)
    assert counted == (85, 70, 30, 20)


def test_the_sdks_own_object_reads_like_its_body():
    given_body = response(THOUGHT, text("x"), call(), stop_reason="tool_use")
    assert from_response(types.Message.model_validate(given_body)) == from_response(given_body)


def test_a_body_that_is_no_message_is_refused():
    for broken, path in [({"content": 5}, "content"), ("x", "body"), (response(usage=[1]), "usage")]:
        with pytest.raises(TranslationError) as caught:
            from_response(broken)
        assert caught.value.path == path


def test_a_turn_that_was_answered_goes_back_as_it_came():
    turn = [THOUGHT, SEARCH, FOUND, text("At nine."), call()]
    message = Message.from_assistant_response(from_response(response(*turn)))
    made = sent(Message.user_text("?"), message, Message.tool_result(ToolResult("toolu_1", "391")))
    assert made[1] == assistant(*turn)


# ---- rules: each of these bodies breaks one, at this place, and no other

THINKS = {"thinking": {"type": "enabled", "budget_tokens": 1024}, "max_tokens": 2000}
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}

BROKEN = [
    ([], "body"),
    ({}, "messages"),
    (body(), "messages"),
    (body("hi"), "messages[0]"),
    (body({"role": "tool", "content": "x"}), "messages[0].role"),
    (body({"role": "user", "content": 5}), "messages[0].content"),
    (body({"role": "user", "content": ""}), "messages[0].content"),
    (body(user("hi")), "messages[0].content[0]"),
    (body(user(text("a"), text(""))), "messages[0].content[1].text"),
    (body(user(text(5))), "messages[0].content[0].text"),
    (body(user(text(" "))), "messages[0]"),
    (body(user(), assistant(text("391 "))), "messages[1].content[0].text"),
    (body(user(), assistant({**call(), "input": []}), user(result())), "messages[1].content[0].input"),
    (
        body(user(), assistant(call("a b")), user(result("a b"))),
        "messages[1].content[0].id messages[2].content[0].tool_use_id",
    ),
    (body(user(), assistant(call("a"), call("a")), user(result("a"))), "messages[1].content[1].id"),
    (body(user(), assistant(call())), "messages[1].content[0]"),
    (body(user(), assistant(call()), user()), "messages[1].content[0]"),
    (body(user(result())), "messages[0].content[0]"),
    (body(user(), assistant(call()), user(text("a"), result())), "messages[2].content[1]"),
    (body(user(), assistant(call()), user(result(), result())), "messages[2].content[1]"),
    (body(user(), assistant(call()), user(result(content="", is_error=True))), "messages[2].content[0].content"),
    (body(user(), assistant(call()), user(result(content=5))), "messages[2].content[0].content"),
    (body(user(), assistant({**THOUGHT, "signature": ""}, text("x"))), "messages[1].content[0].signature"),
    (body(user(), assistant(text("x"), THOUGHT)), "messages[1].content[1]"),
    (body(user(THOUGHT, text("x"))), "messages[0].content[0]"),
    (body(user({**SHOT, "source": {"type": "base64"}})), "messages[0].content[0].source.media_type"),
    (body(user(text("a", cache_control={"type": "ephemeral", "ttl": "2h"}))), "messages[0].content[0].cache_control"),
    (body({"role": "system", "content": "x"}, assistant(text("y"))), "messages[0]"),
    (body(user(), {"role": "system", "content": "x"}, user()), "messages[1]"),
    (body(user(), {"role": "system", "content": "x"}, model="claude-opus-4-6"), "messages[1]"),
    (body(user(), system=5), "system"),
    (body(user(), system=[SHOT]), "system[0]"),
    (body(user(), system=[text("")]), "system[0].text"),
    (body(user(), tools={}), "tools"),
    (body(user(), tools=[{**TOOL, "name": "a b"}]), "tools[0].name"),
    (body(user(), tools=[TOOL, TOOL]), "tools[1].name"),
    (body(user(), tools=[{**TOOL, "input_schema": {}}]), "tools[0].input_schema"),
    (body(user(), tools=[{**TOOL, "input_schema": {"type": "object", "anyOf": []}}]), "tools[0].input_schema"),
    (body(user(), tools=[{**TOOL, "function": {}}]), "tools[0].function"),
    (body(user(), tool_choice={"type": "any"}), "tool_choice"),
    (body(user(), tools=[TOOL], tool_choice={"type": "must"}), "tool_choice.type"),
    (body(user(), tools=[TOOL], tool_choice={"type": "tool", "name": "other"}), "tool_choice.name"),
    (body(user(), model=""), "model"),
    (body(user(), max_tokens="many"), "max_tokens"),
    (body(user(), temperature=2), "temperature"),
    (body(user(), temperature=0.5, model="claude-opus-5"), "temperature"),
    (body(user(), thinking={"type": "on"}), "thinking.type"),
    (body(user(), thinking={"type": "enabled", "budget_tokens": 1000}), "thinking.budget_tokens"),
    (body(user(), **THINKS | {"max_tokens": 1024}), "thinking.budget_tokens"),
    (body(user(), **THINKS, model="claude-opus-5"), "thinking.type"),
    (body(user(), thinking={"type": "adaptive"}, model="claude-haiku-4-5"), "thinking.type"),
    (body(user(), **THINKS, temperature=0.5), "temperature"),
    (body(user(), **THINKS, top_k=5), "top_k"),
    (body(user(), **THINKS, tools=[TOOL], tool_choice={"type": "any"}), "tool_choice.type"),
    (body(user(), assistant(call()), user(result()), **THINKS), "thinking"),
    (body(user(), output_config={"effort": "utmost"}), "output_config.effort"),
    (body(user(), output_config={"effort": "xhigh"}, model="claude-opus-4-6"), "output_config.effort"),
    (body(user(), output_format={"type": "json_schema"}), "output_format.schema"),
    (body(user(), output_config={"format": {"schema": SCHEMA}}), "output_config.format.schema.properties.n.minimum"),
]


@pytest.mark.parametrize(("broken", "path"), BROKEN)
def test_a_broken_rule_is_named_with_its_place(broken, path):
    problems = check_request(broken)
    assert [problem.path for problem in problems] == path.split()
    assert all(problem.rule and problem.source for problem in problems)


def test_a_turn_may_go_on_with_a_budget_once_it_began_with_thinking():
    goes_on = body(user(), assistant(THOUGHT, call("a")), user(result("a")), assistant(call("b")), user(result("b")))
    assert check_request(goes_on | THINKS) == []


# ---- the provider

HI = Transcript([Message.user_text("hi")])


def test_the_default_model_is_no_deprecated_one_and_its_thinking_draws_no_warning():
    assert DEFAULT_MODEL not in DEPRECATED_MODELS
    for model in (DEFAULT_MODEL, *MODELS_TO_WARN_WITH_THINKING_ENABLED):
        assert AnthropicProvider(model, enable_thinking=True).request(HI)["thinking"] == {"type": "adaptive"}


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ({}, {}),
        ({"effort": "max"}, {"output_config": {"effort": "max"}}),
        ({"enable_thinking": True}, {"thinking": {"type": "adaptive"}}),
        (
            {"enable_thinking": True, "thinking_budget_tokens": 4000, "max_tokens": 16000},
            {"thinking": {"type": "enabled", "budget_tokens": 4000}, "max_tokens": 16000},
        ),
        (
            {"model": "claude-haiku-4-5", "enable_thinking": True},
            {"thinking": {"type": "enabled", "budget_tokens": 2000}, "model": "claude-haiku-4-5"},
        ),
        ({"model": "claude-opus-5"}, {"thinking": {"type": "disabled"}, "model": "claude-opus-5"}),
        ({"model": "claude-sonnet-5-5"}, {"thinking": {"type": "between_tools"}, "model": "claude-sonnet-5-5"}),
        ({"model": "claude-opus-5-5"}, {"model": "claude-opus-5-5"}),
    ],
)
def test_options_become_the_settings_that_the_model_takes(options, settings):
    made = AnthropicProvider(**options).request(HI)
    assert made == {"model": DEFAULT_MODEL, "max_tokens": 4096} | body(user(text("hi"))) | settings
    assert judged(made) == []


@pytest.mark.parametrize(
    ("options", "path"),
    [
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": MOST_TOKENS + 1}, "max_tokens"),
        ({"enable_thinking": True, "thinking_budget_tokens": 1023}, "thinking_budget_tokens"),
        ({"enable_thinking": True, "thinking_budget_tokens": 4096}, "max_tokens"),
        ({"enable_thinking": True, "thinking_budget_tokens": 2000, "model": "claude-opus-5"}, "thinking_budget_tokens"),
        ({"effort": "xhigh"}, "effort"),
        ({"effort": "low", "model": "claude-haiku-4-5"}, "effort"),
        ({"effort": "max", "model": "claude-opus-5"}, "effort"),
    ],
)
def test_an_impossible_pair_is_refused_when_the_provider_is_made(options, path):
    with pytest.raises(InvalidValue) as caught:
        AnthropicProvider(**options)
    assert caught.value.path == path


def test_the_largest_answer_is_the_largest_that_the_sdk_lets_go_unstreamed():
    client = Anthropic(api_key="none")
    assert SyncAPIClient._calculate_nonstreaming_timeout(client, MOST_TOKENS, None)
    with pytest.raises(ValueError, match="Streaming is required"):
        SyncAPIClient._calculate_nonstreaming_timeout(client, MOST_TOKENS + 1, None)


def test_a_turn_that_began_without_thinking_goes_on_without_a_budget():
    provider = AnthropicProvider(enable_thinking=True, thinking_budget_tokens=2000)
    going = Transcript([Message.user_text("?"), ASKED, Message.tool_result(ToolResult("a", "391"))])
    assert "thinking" not in provider.request(going)
    assert "thinking" in provider.request(HI)


def test_a_name_on_any_platform_finds_its_row():
    for name in ("claude-haiku-4-5-20251001", "us.anthropic.claude-haiku-4-5-v1:0", "claude-haiku-4-5@20251001"):
        with pytest.raises(InvalidValue):
            AnthropicProvider(name, effort="low")


def double(answer, status=200):
    """The vendor's real SDK over a transport that keeps each body it is given and answers with `answer`."""
    bodies = []

    def handle(request):
        bodies.append(json.loads(request.content))
        return httpx2.Response(status, json=answer)

    transport = httpx2.Client(transport=httpx2.MockTransport(handle))
    return Anthropic(api_key="none", http_client=transport, max_retries=0), bodies


def test_a_turn_through_the_sdk():
    client, bodies = double(response(THOUGHT, call(), stop_reason="tool_use"))
    provider = AnthropicProvider(client=client, enable_thinking=True)
    answer = provider.complete(HI, [TOOL])
    assert bodies == [provider.request(HI, [TOOL])]
    assert answer.provenance == Provenance(WIRE, "anthropic", DEFAULT_MODEL, "msg_1", "tool_calls")
    message = Message.from_assistant_response(answer)
    going = Transcript([*HI.messages, message, Message.tool_result(ToolResult("toolu_1", "391"))])
    assert provider.request(going)["messages"][1] == assistant(THOUGHT, call())


def test_a_rejection_is_told_in_the_vendors_words():
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens: too many"}}
    client, _ = double(error, 400)
    with pytest.raises(ProviderError) as caught:
        AnthropicProvider(client=client).complete(HI)
    assert (caught.value.status, caught.value.vendor_message) == (400, "max_tokens: too many")


def test_a_missing_key_is_named_before_anything_is_sent(monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(MissingCredentials) as caught:
        AnthropicProvider().complete(HI)
    assert caught.value.variable == "ANTHROPIC_API_KEY"
