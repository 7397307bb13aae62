"""Stand-ins: the vendors' own SDKs talk to a double that keeps the rules and refuses in the vendor's shape."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness import (
    HarnessError,
    Message,
    ProviderError,
    ProviderResponse,
    ReasoningBlock,
    ToolCall,
    Transcript,
    UnfinishedAnswer,
    run,
)
from harness.providers import PROVIDERS, adapters
from harness.workbook import samples, sdks, standins
from harness.workbook.kinds import kind_of

WIRES = ["anthropic", "openai", "openai_chat", "gemini", "bedrock", "cohere"]
PLAIN: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in WIRES if name != "cohere"),
    ("groq", {}),
    ("mistral", {}),
]
THINKING: list[tuple[str, dict[str, Any]]] = [
    ("anthropic", {"enable_thinking": True, "thinking_budget_tokens": 2000, "max_tokens": 4096}),
    ("openai", {"reasoning_effort": "medium"}),
    ("gemini", {"enable_thinking": True}),
    ("bedrock", {"model_fields": {"thinking": {"type": "enabled", "budget_tokens": 2000}}}),
    ("bedrock", {"model_fields": {"reasoningConfig": {"type": "enabled", "maxReasoningEffort": "low"}}}),
    ("cohere", {}),
    ("cohere", {"enable_thinking": False}),  # then it tells its plan
]


def ask(name: str, options: dict[str, Any]) -> tuple[Any, Transcript, str]:
    """A stand-in that was asked the calculator question, the conversation, the answer."""
    provider, transcript = standins.provider(name, **options), Transcript()
    answer = run(provider, samples.TOOLS, samples.schemas(), samples.QUESTION, samples.SYSTEM, transcript=transcript)
    return provider, transcript, answer


@pytest.mark.parametrize(("name", "options"), [*PLAIN, *THINKING])
def test_the_calculator_question_is_answered_through_the_real_sdk(name: str, options: dict[str, Any]) -> None:
    provider, transcript, answer = ask(name, options)
    assert "291" in answer and kind_of(provider) == "stand-in"
    kinds = [block.kind for message in transcript for block in message.blocks]
    assert kinds.count("tool_call") == kinds.count("tool_result") == 1
    assert ("reasoning" in kinds) == ((name, options) in THINKING)
    made = [message.provenance for message in transcript if message.provenance]
    assert [(by.provider, by.wire) for by in made] == [(f"{name} stand-in", PROVIDERS[name].wire)] * 2


@pytest.mark.parametrize("name", [*WIRES, "groq"])
def test_usage_is_told_in_our_one_meaning(name: str) -> None:
    said = ProviderResponse(text="Two.", reasoning_text="One and one is two.")
    answer = standins.provider(name, [said]).complete(Transcript([Message.user_text("1 + 1?")]), samples.schemas())
    assert answer.text == "Two." and answer.stop_reason == "end"
    assert answer.input_tokens > 10 and answer.output_tokens > 0
    assert answer.reasoning_tokens <= answer.output_tokens


# ---- reasoning goes back to whom it came from, sealed


@pytest.mark.parametrize(("name", "options"), THINKING)
def test_reasoning_goes_back_exactly_as_it_came(name: str, options: dict[str, Any]) -> None:
    provider, transcript, _ = ask(name, options)
    (thought,) = [block for message in transcript for block in message.blocks if isinstance(block, ReasoningBlock)]
    wire = PROVIDERS[name].wire
    back, _ = adapters()[wire].from_request(provider.request(transcript, samples.schemas()))
    (returned,) = [block for message in back for block in message.blocks if isinstance(block, ReasoningBlock)]
    assert (returned.text, returned.metadata[wire]) == (thought.text, thought.metadata[wire])


@pytest.mark.parametrize(("name", "options"), THINKING)
def test_made_up_reasoning_never_goes_to_the_vendor(name: str, options: dict[str, Any]) -> None:
    provider, transcript, _ = ask(name, options)
    body = provider.request(transcript, samples.schemas())
    provider.name = name
    live = provider.request(transcript, samples.schemas())
    assert "use the calculator" in repr(body) and "use the calculator" not in repr(live)


def forged(name: str, seal: str) -> tuple[Any, Transcript]:
    """A conversation with a stand-in, in which the signature on the call's turn is another one."""
    options = dict(THINKING)[name] if name != "bedrock" else THINKING[3][1]
    provider, transcript, _ = ask(name, options)
    wire, place = PROVIDERS[name].wire, 1
    message = transcript.messages[place]
    blocks = [
        replace(block, metadata={wire: {**block.metadata[wire], seal: "Zm9yZ2Vk"}})
        if seal in getattr(block, "metadata", {}).get(wire, {})
        else block
        for block in message.blocks
    ]
    assert blocks != list(message.blocks)
    transcript.messages[place] = replace(message, blocks=tuple(blocks))
    return provider, transcript


@pytest.mark.parametrize(
    ("name", "seal", "words"),
    [
        ("anthropic", "signature", "does not belong to this thinking"),
        ("bedrock", "signature", "does not belong to this reasoning"),
        ("gemini", "thoughtSignature", "not one that this model gave"),
    ],
)
def test_a_forged_signature_is_refused(name: str, seal: str, words: str) -> None:
    provider, transcript = forged(name, seal)
    with pytest.raises(ProviderError, match=words) as caught:
        provider.complete(transcript, samples.schemas())
    assert caught.value.status == 400


def test_a_gemini_model_gets_its_signature_back_even_where_it_shows_no_thoughts() -> None:
    provider, transcript, _ = ask("gemini", {})
    parts = provider.request(transcript, samples.schemas())["contents"][1]["parts"]
    assert [sorted(part) for part in parts] == [["functionCall", "thoughtSignature"]]


# ---- a broken request is refused in the vendor's shape


def test_an_edited_thinking_block_is_refused_in_anthropics_shape() -> None:
    from anthropic import BadRequestError

    client = standins.client("anthropic")
    thinking = {"type": "thinking", "thinking": "edited", "signature": "stand-in-0"}
    call = {"type": "tool_use", "id": "t", "name": "calc", "input": {}}
    messages = [
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": [thinking, call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "1"}]},
    ]
    with pytest.raises(BadRequestError) as caught:
        client.messages.create(model="claude", max_tokens=100, messages=messages)
    body: Any = caught.value.body
    assert body["type"] == "error" and body["error"]["type"] == "invalid_request_error"
    assert body["error"]["message"].startswith("messages.1.content.0.signature: ")


def test_arguments_left_as_objects_are_refused_in_openais_shape() -> None:
    from openai import BadRequestError

    client = standins.client("openai")
    items: list[Any] = [
        {"role": "user", "content": "?"},
        {"type": "function_call", "call_id": "c", "name": "calc", "arguments": {"expression": "1"}},
        {"type": "function_call_output", "call_id": "c", "output": "1"},
    ]
    with pytest.raises(BadRequestError) as caught:
        client.responses.create(model="gpt", input=items)
    assert caught.value.status_code == 400 and caught.value.param == "input[1].arguments"


def test_a_content_without_parts_is_refused_in_googles_shape() -> None:
    from google.genai import errors

    extra = {"contents": [{"role": "user", "parts": []}]}
    config: Any = {"http_options": {"extra_body": extra}}
    client = standins.client("gemini")
    with pytest.raises(errors.ClientError) as caught:
        client.models.generate_content(model="gemini-3.8-flash", contents="", config=config)
    assert (caught.value.code, caught.value.status) == (400, "INVALID_ARGUMENT")
    assert caught.value.message.startswith("GenerateContentRequest.contents[0].parts: ")


def test_a_result_without_a_call_is_refused_in_bedrocks_shape() -> None:
    client = standins.client("bedrock")
    result = {"toolResult": {"toolUseId": "t", "content": [{"text": "1"}]}}
    with pytest.raises(client.exceptions.ValidationException) as caught:
        client.converse(modelId="amazon.nova-2-lite-v1:0", messages=[{"role": "user", "content": [result]}])
    answer = caught.value.response
    assert answer["Error"]["Code"] == "ValidationException" and "messages[0].content" in answer["Error"]["Message"]
    assert answer["ResponseMetadata"]["HTTPStatusCode"] == 400


def test_a_result_without_a_call_is_refused_in_coheres_shape() -> None:
    import cohere

    messages: Any = [{"role": "tool", "tool_call_id": "t", "content": "1"}]
    with pytest.raises(cohere.BadRequestError) as caught:
        standins.client("cohere").chat(model="command", messages=messages)
    body: Any = caught.value.body
    assert body.keys() == {"id", "message"} and "messages[0].tool_call_id" in body["message"]


BROKEN = {  # a body of each wire with one thing wrong, and how the vendor's words name it
    "anthropic": ({"messages": []}, "messages"),
    "openai": ({"input": [{"role": "nobody", "content": "?"}]}, r"input\[0\]"),
    "openai_chat": ({"messages": [{"role": "tool", "tool_call_id": "t", "content": "1"}]}, r"messages\[0\]"),
    "groq": ({"messages": [{"role": "tool", "tool_call_id": "t", "content": "1"}]}, r"messages\[0\]"),
    "gemini": ({"contents": [{"role": "user", "parts": []}]}, r"contents\[0\]\.parts"),
    "bedrock": ({"messages": [{"role": "user", "content": [{"text": " "}]}]}, r"messages\[0\]\.content\[0\]\.text"),
    "cohere": ({"messages": [{"role": "tool", "content": "1"}]}, r"messages\[0\]"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_refusal_reaches_the_reader_as_one_provider_error(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    provider: Any = standins.provider(name)
    fault, words = BROKEN[name]
    good = provider.request
    monkeypatch.setattr(provider, "request", lambda *given: {**good(*given), **fault})
    with pytest.raises(ProviderError, match=words) as caught:
        provider.complete(Transcript([Message.user_text("?")]), [])
    assert caught.value.status == 400


@pytest.mark.parametrize("name", [*WIRES, "groq"])
def test_a_script_that_is_used_up_is_a_fault_of_the_server(name: str) -> None:
    with pytest.raises(ProviderError, match=r"stand-in: .*used up") as caught:
        standins.provider(name, []).complete(Transcript([Message.user_text("?")]), [])
    assert caught.value.status == 500


def test_a_scripted_turn_that_is_cut_off_is_told_as_such() -> None:
    cut = ProviderResponse(tool_calls=(ToolCall("c", "calc", {}),), stop_reason="max_tokens")
    for name in standins.available():
        with pytest.raises(UnfinishedAnswer) as caught:
            run(standins.provider(name, [cut]), samples.TOOLS, samples.schemas(), "?")
        assert caught.value.reason == "max_tokens"


@pytest.mark.parametrize("name", [*WIRES, "groq"])
def test_a_second_question_goes_on_in_the_same_conversation(name: str) -> None:
    transcript = Transcript()
    provider = standins.provider(name)
    run(provider, samples.TOOLS, samples.schemas(), samples.QUESTION, transcript=transcript)
    assert "6" in run(provider, samples.TOOLS, samples.schemas(), "What is 2 * 3?", transcript=transcript)
    assert transcript.check() == []


# ---- which there are


def test_there_is_a_stand_in_for_each_wire_and_for_each_dialect() -> None:
    assert standins.available() == WIRES
    assert {PROVIDERS[name].wire for name in WIRES} == set(adapters())
    dialects = [name for name, entry in PROVIDERS.items() if entry.module == "openai_chat"]
    assert all(standins.provider(name).name == f"{name} stand-in" for name in dialects)


@pytest.mark.parametrize("name", ["local", "nobody"])
def test_where_there_is_no_stand_in_the_others_are_named(name: str) -> None:
    with pytest.raises(HarnessError, match=f"no stand-in for '{name}'; there are: anthropic, openai,"):
        standins.client(name)


def test_a_stand_in_whose_sdk_is_missing_is_not_there_and_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sdks.SDKS, "gemini", "no_such_package.genai")
    assert standins.available() == [name for name in WIRES if name != "gemini"]
    with pytest.raises(HarnessError, match=r'Gemini stand-in .* missing: pip install "harness-workbook\[gemini\]"'):
        standins.client("gemini")


def test_nothing_of_the_readers_own_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither keys nor settings in the environment change what a stand-in does."""
    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "CO_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("AWS_PROFILE", "no-such-profile")
    monkeypatch.setenv("GOOGLE_GENAI_USE_VERTEXAI", "true")
    for name in WIRES:
        assert "4" in run(standins.provider(name), samples.TOOLS, samples.schemas(), "What is 2 + 2?")


def test_thinking_is_counted_where_it_happened() -> None:
    thinker = standins.provider("anthropic", enable_thinking=True, thinking_budget_tokens=2000, max_tokens=4096)
    plain = standins.provider("anthropic")
    question = Transcript([Message.user_text(samples.QUESTION)])
    assert thinker.complete(question, samples.schemas()).reasoning_tokens > 0
    assert plain.complete(question, samples.schemas()).reasoning_tokens == 0
