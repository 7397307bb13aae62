"""What leaves through a vendor's plain client: the same request as ever, made of bytes that are remembered."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain

import anthropic
import httpx2
import openai
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import Message, OpaqueBlock, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript
from harness.errors import ProviderError, TranslationError
from harness.messages import Provenance
from harness.providers import _send
from harness.providers.anthropic import AnthropicProvider
from harness.providers.openai import OpenAIProvider
from harness.providers.openai_chat import DeepSeekProvider, MistralProvider, OpenAIChatCompletionsProvider

TOOL = {"name": "look", "description": "Looks.", "input_schema": {"type": "object", "properties": {}}}
ANSWERS = {
    "/v1/messages": {"id": "m", "type": "message", "role": "assistant", "content": [{"type": "text", "text": "Yes."}]},
    "/v1/responses": {
        "id": "r",
        "status": "completed",
        "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]}],
    },
    "/v1/chat/completions": {
        "id": "c",
        "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": "Yes."}}],
    },
}
PROVIDERS = {
    "anthropic": lambda client=None: AnthropicProvider(client=client),
    "anthropic, budget": lambda client=None: AnthropicProvider(
        client=client, enable_thinking=True, thinking_budget_tokens=1024
    ),
    "responses": lambda client=None: OpenAIProvider(client=client, reasoning_effort="low"),
    "chat": lambda client=None: OpenAIChatCompletionsProvider(client=client),
    "deepseek": lambda client=None: DeepSeekProvider(client=client),
    "mistral": lambda client=None: MistralProvider(client=client),
}
each_provider = pytest.mark.parametrize("new", PROVIDERS.values(), ids=PROVIDERS)


class Server:
    """A transport that answers in process and keeps the requests it was given."""

    def __init__(self, *statuses: int) -> None:
        self.requests: list[httpx2.Request] = []
        self._statuses = list(statuses)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        status = self._statuses.pop(0) if self._statuses else 200
        body = ANSWERS[request.url.path] if status == 200 else {"error": {"message": "no"}}
        return httpx2.Response(status, json=body)

    def client(self, new, **options):
        sdk = anthropic.Anthropic if isinstance(new(), AnthropicProvider) else openai.OpenAI
        return self.of(sdk, **options)

    def of(self, sdk, **options):
        http_client = httpx2.Client(transport=httpx2.MockTransport(self))
        return sdk(api_key="test", http_client=http_client, max_retries=1, **options)


def sent(server, provider, transcript):
    """The body that arrives at the server."""
    provider.complete(transcript, [TOOL])
    return json.loads(server.requests[-1].content)


# ---- a conversation as bytes is the conversation


ids = st.sampled_from(["call_1", "call_2", "abcdefgh1", "abcdefgh2", "call 3", "call_" + "x" * 70, "call_0"])
said = st.sampled_from(["Do.", "é \u2028", " ", "", "ends in space "])
numbers = st.sampled_from([1, True, 1.0, 2**70, "1", None])
blocks = {
    "text": st.builds(TextBlock, said),
    "call": st.builds(ToolCall, ids, st.just("look"), st.dictionaries(st.just("n"), numbers)),
    "result": st.builds(ToolResult, ids, said, st.booleans()),
    "reasoning": st.sampled_from(
        [
            ReasoningBlock("Hm.", {"signature": "sig"}),
            ReasoningBlock("Hm.", {"openai_items": [{"id": "rs_1", "encrypted_content": "e", "summary": []}]}),
            ReasoningBlock("Hm.", {"openai.chat": {"fields": ["reasoning_content"]}}),
            ReasoningBlock("Hm.", {"openai.chat": {"inline": True}}),
        ]
    ),
    "opaque": st.sampled_from(
        [
            OpaqueBlock("anthropic.messages", {"type": "server_tool_use", "id": "call_1", "name": "s", "input": {}}),
            OpaqueBlock("openai.responses", {"type": "custom_tool_call", "call_id": "call_1", "name": "s"}),
            OpaqueBlock("openai.chat", {"type": "custom", "id": "call_1", "custom": {"name": "s"}}),
            OpaqueBlock("openai.chat", {"type": "image_url", "image_url": {"url": "data:,"}}),
        ]
    ),
}
anything = st.one_of(*blocks.values())
makers = st.sampled_from(
    [
        None,
        Provenance("anthropic.messages", "anthropic", "claude-other"),
        Provenance("openai.responses", "openai", "gpt-other"),
    ]
)
loose = st.builds(
    lambda role, inner, made_by: Message(role, tuple(inner), provenance=made_by),
    st.sampled_from(["user", "user", "assistant", "assistant", "system"]),
    st.lists(anything, max_size=3),
    makers,
)


@st.composite
def loops(draw):
    """What one question leads to: turns with calls and their results, and an answer."""
    messages = [Message.user_text(draw(said))] if draw(st.booleans()) else []
    for _ in range(draw(st.integers(0, 3))):
        calls = draw(st.lists(blocks["call"], min_size=1, max_size=2, unique_by=lambda call: call.id))
        inner = [*draw(st.lists(blocks["reasoning"] | blocks["text"], max_size=2)), *calls]
        messages.append(Message("assistant", inner, provenance=draw(makers)))
        messages += [Message.tool_result(ToolResult(call.id, draw(said), draw(st.booleans()))) for call in calls]
    return [*messages, *([Message.assistant_text(draw(said))] if draw(st.booleans()) else [])]


@st.composite
def edited(draw, transcript):
    """The conversation after it went on, or after its history was changed."""
    messages, system = list(transcript.messages), transcript.system
    place = draw(st.integers(0, len(messages)))
    match draw(st.sampled_from(["go on", "go on", "insert", "delete", "replace", "reorder", "end", "system", "same"])):
        case "go on":
            messages += draw(loops())
        case "insert":
            messages.insert(place, draw(loose))
        case "delete":
            del messages[place : place + draw(st.integers(1, 2))]
        case "replace" if place < len(messages):
            inner = draw(st.lists(anything, max_size=2))
            messages[place] = replace(messages[place], blocks=tuple(inner))
        case "reorder":
            messages = draw(st.permutations(messages)) if len(messages) < 8 else messages[place:] + messages[:place]
        case "end":
            del messages[place:]
        case "system":
            system = draw(st.none() | said)
    changed = Transcript(messages, system)
    return changed.repair() if draw(st.integers(0, 3)) else changed


def outcome(make, *arguments):
    try:
        return json.dumps(make(*arguments), sort_keys=True)
    except TranslationError as error:
        return str(error)


@each_provider
@settings(max_examples=150)
@given(data=st.data())
def test_remembered_bytes_say_what_a_fresh_translation_says(new, data):
    server = Server()
    provider = new(server.client(new))
    transcript = Transcript(data.draw(st.lists(loops(), max_size=3).map(chain.from_iterable)), "Be brief.")
    for _ in range(data.draw(st.integers(1, 5))):
        transcript = data.draw(edited(transcript))
        if data.draw(st.integers(0, 9)) == 0:
            provider.model = data.draw(st.sampled_from(["claude-other", "gpt-other", "claude-opus-4-8"]))
        assert outcome(sent, server, provider, transcript) == outcome(provider.request, transcript, [TOOL])


@pytest.fixture
def line():
    """`line(name)`: a provider over an in-process server, as a function from a transcript to the body that arrives."""

    def open_line(name, **settings):
        server = Server()
        provider = PROVIDERS[name](server.client(PROVIDERS[name]))

        def arrived(transcript):
            vars(provider).update(settings if server.requests else {})
            body = sent(server, provider, transcript)
            assert body == provider.request(transcript, [TOOL])
            return body

        return arrived

    return open_line


def test_a_message_is_known_by_identity_as_zero_equals_false(line):
    arrived, transcript = line("anthropic"), looked(3)
    arrived(transcript)
    call = ToolCall("call_0", "look", {"n": False})
    transcript.messages[1] = replace(transcript.messages[1], blocks=(call,))
    assert arrived(transcript)["messages"][1]["content"][0]["input"]["n"] is False


def test_what_follows_can_join_what_was_remembered(line):
    arrived, transcript = line("anthropic"), looked(3)
    arrived(transcript)
    transcript.messages[5:] = [Message.user_text("Wait."), Message.assistant_text("Yes?"), Message.user_text("Go on.")]
    assert len(arrived(transcript)["messages"]) == 7


def test_another_model_gets_no_reasoning_that_it_cannot_read(line):
    transcript = looked(4)
    for place in (1, 3):
        made_by = Provenance("anthropic.messages", "anthropic", AnthropicProvider().model)
        blocks = (ReasoningBlock("Hm.", {"signature": "sig"}), *transcript.messages[place].blocks)
        transcript.messages[place] = Message("assistant", blocks, provenance=made_by)
    arrived = line("anthropic", model="claude-opus-4-8")
    assert len(arrived(transcript)["messages"][1]["content"]) == 2
    assert len(arrived(transcript)["messages"][1]["content"]) == 1


def test_a_budget_is_given_up_for_a_loop_that_began_without_thinking(line):
    arrived, transcript = line("anthropic, budget"), looked(2)
    thought = ReasoningBlock("Hm.", {"signature": "sig"})
    for turn in range(2, 5):
        extend(transcript, turn)
        call = transcript.messages[-2].blocks
        transcript.messages[-2] = replace(transcript.messages[-2], blocks=(thought, *call))
        assert "thinking" not in arrived(transcript)
    transcript.extend([Message.assistant_text("Done."), Message.user_text("And?")])
    assert "thinking" in arrived(transcript)


def test_deepseek_hears_the_reasoning_of_a_turn_with_calls(line):
    arrived, transcript = line("deepseek"), looked(3)
    thought = ReasoningBlock("Hm.", {"openai.chat": {"fields": ["reasoning_content"]}})
    transcript.append(Message("assistant", (thought, TextBlock("Done."))))
    assert arrived(transcript)["messages"][-1]["reasoning_content"] == "Hm."


# ---- only what is new is made anew


def looked(turns, ids="call_{}"):
    """One question and so many turns of looking."""
    transcript = Transcript([Message.user_text("Look.")], "Be brief.")
    for turn in range(turns):
        extend(transcript, turn, ids)
    return transcript


def extend(transcript, turn, ids="call_{}"):
    transcript.append(Message.assistant_tool_call(ToolCall(ids.format(turn), "look", {"n": turn})))
    transcript.append(Message.tool_result(ToolResult(ids.format(turn), "seen")))


def translated(provider, monkeypatch):
    """How many messages each call of `provider.request` is given."""
    counts, request = [], type(provider).request

    def counting(self, transcript, tools=()):
        counts.append(len(transcript))
        return request(self, transcript, tools)

    monkeypatch.setattr(type(provider), "request", counting)
    return counts


def steady(new, monkeypatch, conversation, add):
    """The most messages that one request translates, once the first is sent."""
    server = Server()
    provider = new(server.client(new))
    sent(server, provider, conversation)
    most = 0
    for turn in range(100, 103):
        add(conversation, turn)
        counts = translated(provider, monkeypatch)
        sent(server, provider, conversation)
        monkeypatch.undo()
        most = max(most, sum(counts))
    return most


@pytest.mark.parametrize("name", ["anthropic", "responses", "chat"])
def test_a_long_loop_is_translated_once(name, monkeypatch):
    assert steady(PROVIDERS[name], monkeypatch, looked(50), extend) < 10


@each_provider
def test_a_long_talk_is_translated_once(new, monkeypatch):
    def add(transcript, turn):
        transcript.extend([Message.assistant_text(f"Yes, {turn}."), Message.user_text("And now?")])

    talk = Transcript([Message.user_text("Hi.")])
    for turn in range(50):
        add(talk, turn)
    assert steady(new, monkeypatch, talk, add) < 10


def test_an_edit_of_the_end_keeps_what_stands_before_it(monkeypatch):
    server = Server()
    provider = PROVIDERS["responses"](server.client(PROVIDERS["responses"]))
    transcript = looked(0)
    for turn in range(50):
        extend(transcript, turn)
        sent(server, provider, transcript)
    del transcript.messages[-6:]
    counts = translated(provider, monkeypatch)
    sent(server, provider, transcript)
    assert sum(counts) < 10


def test_ids_that_must_be_replaced_are_replaced_in_the_whole():
    server = Server()
    provider = PROVIDERS["mistral"](server.client(PROVIDERS["mistral"]))
    transcript = looked(3, "look no. {}")
    for turn in range(3, 6):
        extend(transcript, turn, "look no. {}")
        assert sent(server, provider, transcript) == provider.request(transcript, [TOOL])


# ---- who is served so, and who is not


@each_provider
def test_a_body_that_is_handed_out_shares_nothing_with_what_is_remembered(new):
    server = Server()
    provider, transcript = new(server.client(new)), looked(4)
    first = sent(server, provider, transcript)
    spoilt = provider.request(transcript, [TOOL])
    for item in spoilt.get("messages", spoilt.get("input")):
        item.clear()
    assert sent(server, provider, transcript) == first


@each_provider
def test_the_plain_client_sends_what_create_sends(new):
    """But for the body's layout: address, headers and time limit are those of the SDK's own method."""
    fast, slow = Server(), Server()
    client = slow.client(new)
    derived = slow.of(type("Derived", (type(client),), {}))
    new(fast.client(new)).complete(looked(3), [TOOL])
    new(derived).complete(looked(3), [TOOL])
    one, other = fast.requests[0], slow.requests[0]
    assert json.loads(one.content) == json.loads(other.content)
    assert (one.method, one.url, one.extensions) == (other.method, other.url, other.extensions)
    differing = {"content-length", "user-agent"}  # the class has its name there
    assert {k: v for k, v in one.headers.items() if k not in differing} == {
        k: v for k, v in other.headers.items() if k not in differing
    }


def test_an_administrators_key_is_not_used():
    server = Server()
    client = server.of(openai.OpenAI, admin_api_key="admin")
    OpenAIProvider(client=client).complete(looked(0))
    assert server.requests[0].headers["authorization"] == "Bearer test"


@each_provider
def test_the_sdk_tries_again_and_a_refusal_is_told_in_the_vendors_words(new):
    server = Server(500)
    new(server.client(new)).complete(looked(0))
    assert len(server.requests) == 2
    with pytest.raises(ProviderError) as caught:
        new(Server(400).client(new)).complete(looked(0))
    assert (caught.value.status, caught.value.vendor_message) == (400, "no")


def test_only_the_plain_client_with_its_own_method_is_posted_to():
    plain = openai.OpenAI(api_key="test")
    assert _send.is_plain(plain, plain.responses.create, "openai.OpenAI")
    azure = openai.AzureOpenAI(api_key="test", azure_endpoint="https://x.test", api_version="1")
    assert not _send.is_plain(azure, azure.responses.create, "openai.OpenAI")
    assert not _send.is_plain(plain, plain.responses.create, "anthropic.Anthropic")


def test_a_method_that_somebody_replaced_is_called(monkeypatch):
    server = Server()
    client = server.of(openai.OpenAI)
    bodies = []
    monkeypatch.setattr(client.responses, "create", lambda **body: bodies.append(body) or ANSWERS["/v1/responses"])
    provider = OpenAIProvider(client=client)
    provider.complete(looked(1))
    assert (bodies, server.requests) == ([provider.request(looked(1))], [])


def test_a_number_that_the_fast_encoder_does_not_know_is_sent():
    server = Server()
    provider = AnthropicProvider(client=server.of(anthropic.Anthropic))
    transcript = looked(0)
    extend(transcript, 2**70)
    assert sent(server, provider, transcript)["messages"][1]["content"][0]["input"] == {"n": 2**70}
