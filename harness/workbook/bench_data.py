"""What `bench` measures with: a generated conversation, answers of each vendor, and the plainest translation."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from ..messages import Message, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript

WORDS = [
    "open",
    "close",
    "count",
    "shelf",
    "ledger",
    "north",
    "bridge",
    "draft",
    "copper",
    "station",
    "paper",
    "window",
]
RARE = ["Straße", "naïf", "数値", "данные", "“so”", "🌍"]
SEED = 3


def conversation(messages: int) -> Transcript:
    """A question and one long loop of calls, about 2 KB of JSON a message."""
    transcript = Transcript(system=_text(random.Random(SEED), 1500))
    for step in turns(messages // 2):
        transcript.extend(step)
    return transcript


def turns(count: int) -> list[list[Message]]:
    """What is added before each request: the question, then each time a turn of the model and its results."""
    rng = random.Random(SEED)
    steps = [[Message.user_text(_text(rng, 300))]]
    while len(steps) < count:
        steps.append(_step(rng, len(steps)))
    return steps


def _step(rng: random.Random, turn: int) -> list[Message]:
    calls = [ToolCall(f"call_{turn:05}_{n}", "look_up", _args(rng)) for n in range(rng.randint(1, 3))]
    thought, seal = _text(rng, 240), f"seal{turn}" + "Zm9v" * 75
    item = {"encrypted_content": seal, "summary": [{"type": "summary_text", "text": thought}]}
    reasoning = ReasoningBlock(thought, {"signature": seal, "openai_items": [item]})
    said = Message("assistant", (reasoning, TextBlock(_text(rng, 160)), *calls))
    results = [ToolResult(call.id, _text(rng, rng.randint(300, 2000)), rng.random() < 0.05) for call in calls]
    return [said, Message("user", tuple(results))]


def _args(rng: random.Random) -> dict[str, Any]:
    lines = [{"line": rng.randrange(900), "text": _text(rng, 40)} for _ in range(rng.randrange(3))]
    return {"path": f"{rng.choice(WORDS)}/{rng.choice(WORDS)}.txt", "most": rng.randrange(500), "lines": lines}


def _text(rng: random.Random, length: int) -> str:
    words = rng.choices(WORDS + RARE if rng.random() < 0.3 else WORDS, k=length // 4)
    return " ".join(words)[:length]


def _answers() -> dict[str, dict[str, Any]]:
    """By the path of a request, an answer with reasoning, a text and two calls."""
    rng = random.Random(SEED)
    thought, text, seal = _text(rng, 240), _text(rng, 160), "Zm9v" * 75
    calls = [(f"call_{n}", json.dumps(_args(rng))) for n in range(2)]
    said = [{"type": "thinking", "thinking": thought, "signature": seal}, {"type": "text", "text": text}]
    uses = [{"type": "tool_use", "id": id_, "name": "look_up", "input": json.loads(args)} for id_, args in calls]
    function_calls = [
        {"type": "function_call", "id": f"fc_{id_}", "call_id": id_, "name": "look_up", "arguments": args}
        for id_, args in calls
    ]
    summary = [{"type": "summary_text", "text": thought}]
    output = [{"type": "output_text", "text": text, "annotations": []}]
    items = [
        {"type": "reasoning", "id": "rs_1", "encrypted_content": seal, "summary": summary},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": output},
    ]
    functions = [
        {"id": id_, "type": "function", "function": {"name": "look_up", "arguments": args}} for id_, args in calls
    ]
    message = {"role": "assistant", "content": text, "tool_calls": functions}
    counts = {"input_tokens": 2000, "output_tokens": 500}
    return {
        "/v1/messages": {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [*said, *uses],
            "stop_reason": "tool_use", "stop_sequence": None, "usage": counts,
        },
        "/v1/responses": {
            "id": "resp_1", "object": "response", "created_at": 0, "status": "completed", "model": "m",
            "output": [*items, *function_calls], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
            "usage": {**counts, "total_tokens": 2500},
        },
        "/v1/chat/completions": {
            "id": "chat_1", "object": "chat.completion", "created": 0, "model": "m",
            "choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}],
            "usage": {"prompt_tokens": 2000, "completion_tokens": 500, "total_tokens": 2500},
        },
    }  # fmt: skip


ANSWERS = _answers()


# ---- a translation that keeps only what the canon has, as the chapter tells it: the least that could be done


def plain_translation(wire: str, transcript: Transcript) -> list[dict[str, Any]]:
    """The messages or items of a request, made block by block, without checks, mending or metadata."""
    write = {"anthropic.messages": _turn, "openai.responses": _items, "openai.chat": _chat}[wire]
    return [item for message in transcript.messages for item in write(message)]


def _turn(message: Message) -> Iterator[dict[str, Any]]:
    content: list[dict[str, Any]] = []
    for block in message.blocks:
        match block:
            case TextBlock(text):
                content.append({"type": "text", "text": text})
            case ToolCall(id_, name, args):
                content.append({"type": "tool_use", "id": id_, "name": name, "input": args})
            case ToolResult(id_, text, is_error):
                content.append({"type": "tool_result", "tool_use_id": id_, "content": text, "is_error": is_error})
            case ReasoningBlock(text, metadata):
                content.append({"type": "thinking", "thinking": text, "signature": metadata["signature"]})
    yield {"role": message.role, "content": content}


def _items(message: Message) -> Iterator[dict[str, Any]]:
    for block in message.blocks:
        match block:
            case TextBlock(text):
                kind = "output_text" if message.role == "assistant" else "input_text"
                yield {"type": "message", "role": message.role, "content": [{"type": kind, "text": text}]}
            case ToolCall(id_, name, args):
                yield {"type": "function_call", "call_id": id_, "name": name, "arguments": json.dumps(args)}
            case ToolResult(id_, text):
                yield {"type": "function_call_output", "call_id": id_, "output": text}
            case ReasoningBlock(_, metadata):
                yield from ({"type": "reasoning", **item} for item in metadata["openai_items"])


def _chat(message: Message) -> Iterator[dict[str, Any]]:
    texts, calls = [], []
    for block in message.blocks:
        match block:
            case TextBlock(text):
                texts.append(text)
            case ToolCall(id_, name, args):
                calls.append({"id": id_, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}})
            case ToolResult(id_, text):
                yield {"role": "tool", "tool_call_id": id_, "content": text}
            case ReasoningBlock():
                pass
    if texts or calls:
        yield {"role": message.role, "content": "".join(texts) or None, **({"tool_calls": calls} if calls else {})}
