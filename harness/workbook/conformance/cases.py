"""The kit's generated conversations: of every size, with the odd ones that real traffic has."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from ...messages import Block, Message, TextBlock, ToolCall, ToolResult, Transcript

TOOLS: list[dict[str, Any]] = [
    {"name": "calc", "description": "Evaluates.", "input_schema": {"type": "object", "properties": {}}},
    {"name": "look_up", "input_schema": {"type": "object", "properties": {"key": {"type": "string"}}}},
]


def sentence(rng: Random) -> str:
    """A short sentence, another one each time."""
    verb, noun = rng.choice(("Add", "Count", "Compare", "Find")), rng.choice(("rows", "files", "moons", "notes"))
    return f"{verb} {rng.randrange(10_000)} {noun}."


def talk(rng: Random, turns: int) -> Transcript:
    """Texts of the user and the assistant in turn."""
    speakers = (Message.user_text, Message.assistant_text)
    return Transcript([speakers[turn % 2](sentence(rng)) for turn in range(turns)])


def odd_texts(rng: Random) -> list[str]:
    """Texts that are often spoilt on the way."""
    escapes = f"\\u00e9 {rng.randrange(99)} \\n </tag>"
    return ["naïve 漢字 🙂 שלום", '{"role": "user"}', "two\n\nlines\t", "null", escapes]


def tool_sets(rng: Random) -> list[list[dict[str, Any]]]:
    """No tools, one without a description, several."""
    named = {"name": f"tool_{rng.randrange(999)}", "description": "Does it.", "input_schema": {"type": "object"}}
    return [[], [TOOLS[1]], [*TOOLS, named]]


def call(rng: Random, number: int) -> ToolCall:
    """A call of the calculator."""
    return ToolCall(f"call_{number}_{rng.randrange(10**6)}", "calc", {"expression": f"{rng.randrange(99)} * 7"})


def with_calls(rng: Random, count: int, *, text: bool) -> Transcript:
    """A turn of calls, with text before them or not, their results in one message, and an answer."""
    calls = [call(rng, number) for number in range(count)]
    said: list[Block] = [TextBlock(sentence(rng)), *calls] if text else [*calls]
    results = tuple(ToolResult(one.id, f"{rng.randrange(1000)}") for one in calls)
    asked, told = Message.user_text(sentence(rng)), Message.assistant_text(sentence(rng))
    return Transcript([asked, Message("assistant", tuple(said)), Message("user", results), told])


def apart(transcript: Transcript) -> Transcript:
    """The transcript with each block of the user in a message of its own."""
    messages: list[Message] = []
    for message in transcript:
        split = [replace(message, blocks=(block,)) for block in message.blocks]
        messages += split if message.role == "user" else [message]
    return Transcript(messages, transcript.system)


def with_arguments(rng: Random, arguments: dict[str, Any]) -> Transcript:
    """One call with these arguments, answered."""
    one = replace(call(rng, 1), args=arguments)
    messages = [Message.user_text("?"), Message("assistant", (one,)), Message.tool_result(ToolResult(one.id, "ok"))]
    return Transcript(messages)


def odd_arguments(rng: Random) -> list[dict[str, Any]]:
    """Arguments that are often spoilt on the way."""
    return [
        {},
        {"text": ""},
        {"none": None, "yes": True, "zero": 0, "half": 0.5},
        {"deep": {"list": [1, [2, {"x": []}]], "": "empty key"}},
        {"json": '{"a": 1}', "quote": 'say "hi"\n'},
        {"naïve": "漢字 🙂", "n": rng.randrange(10**9)},
        {f"k{number}": rng.random() for number in range(12)},
    ]


def with_results(rng: Random, failed: tuple[bool, ...], content: str) -> Transcript:
    """Calls whose results have one content and differ in nothing but whether they failed."""
    calls = tuple(call(rng, number) for number in range(len(failed)))
    results = tuple(ToolResult(one.id, content, bad) for one, bad in zip(calls, failed, strict=True))
    return Transcript([Message.user_text("?"), Message("assistant", calls), Message("user", results)])
