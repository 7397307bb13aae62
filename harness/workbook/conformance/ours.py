"""The vendor's side of our own wires: responses written by hand, requests read and checked by the adapter's rules.

The reading side is the adapter's own, so for our wires the kit proves round trips and rules, not independence; the
tests of each adapter hold literal bodies beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import Problem
from ...messages import ReasoningBlock, TextBlock, ToolCall, Transcript
from ...providers import adapters
from ...providers.base import ToolSchema
from .vendor import Body, Turn


def seal_of(text: str) -> str:
    """A made-up signature; Base64, as Gemini and Bedrock want it."""
    return "c2VhbA" + "".join(format(ord(char) % 16, "X") for char in text[:24]) + "=="


@dataclass(frozen=True)
class OurWire:
    """One of the package's wires."""

    wire: str
    speaks: Callable[[Turn], Body]
    sealed: bool = True
    takes_reasoning_back: bool = True
    counts_reasoning: bool = True

    def seal(self, text: str) -> str | None:
        """The seal in `speak`'s responses."""
        return seal_of(text) if self.sealed else None

    def check_request(self, body: Body) -> list[Problem]:
        """The adapter's documented rules."""
        problems: list[Problem] = adapters()[self.wire].check_request(body)
        return problems

    def read(self, body: Body) -> tuple[Transcript, list[ToolSchema]]:
        """The adapter's own reading."""
        read: tuple[Transcript, list[ToolSchema]] = adapters()[self.wire].from_request(body)
        return read

    def write(self, transcript: Transcript, tools: list[ToolSchema]) -> Body:
        """The adapter's own writing."""
        written: Body = adapters()[self.wire].to_request(transcript, tools)
        return written

    def speak(self, turn: Turn) -> Body:
        """A response body of this wire."""
        return self.speaks(turn)


def _anthropic(turn: Turn) -> Body:
    def block(of: Any) -> Body:
        match of:
            case ReasoningBlock(text):
                return {"type": "thinking", "thinking": text, "signature": seal_of(text)}
            case TextBlock(text):
                return {"type": "text", "text": text}
        return {"type": "tool_use", "id": of.id, "name": of.name, "input": _plain(of.args)}

    reasons = {"tool_calls": "tool_use", "max_tokens": "max_tokens"}
    usage = {"input_tokens": turn.usage.input_tokens, "output_tokens": turn.usage.output_tokens}
    details = {"thinking_tokens": turn.usage.reasoning_tokens}
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [block(of) for of in turn.blocks],
        "stop_reason": reasons.get(turn.stop, "end_turn"),
        "usage": {**usage, "output_tokens_details": details},
    }


def _responses(turn: Turn) -> Body:
    def item(number: int, of: Any) -> Body:
        match of:
            case ReasoningBlock(text):
                summary = [{"type": "summary_text", "text": text}] if text else []
                sealed = {"id": f"rs_{number}", "encrypted_content": seal_of(text)}
                return {"type": "reasoning", **sealed, "summary": summary}
            case TextBlock(text):
                content = [{"type": "output_text", "text": text, "annotations": []}]
                about = {"id": f"msg_{number}", "role": "assistant", "status": "completed"}
                return {"type": "message", **about, "content": content}
        call = {"call_id": of.id, "name": of.name, "arguments": json.dumps(of.args)}
        return {"type": "function_call", "id": f"fc_{number}", "status": "completed", **call}

    cut = turn.stop == "max_tokens"
    return {
        "id": "resp_1",
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "output": [item(number, of) for number, of in enumerate(turn.blocks)],
        "usage": _counts(turn, "input_tokens", "output_tokens", "output_tokens_details"),
    }


def _chat(turn: Turn) -> Body:
    text = "".join(block.text for block in turn.blocks if isinstance(block, TextBlock))
    calls = [_function(block) for block in turn.blocks if isinstance(block, ToolCall)]
    message = {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
    reasons = {"tool_calls": "tool_calls", "max_tokens": "length"}
    return {
        "id": "chatcmpl-1",
        "choices": [{"index": 0, "message": message, "finish_reason": reasons.get(turn.stop, "stop")}],
        "usage": _counts(turn, "prompt_tokens", "completion_tokens", "completion_tokens_details"),
    }


def _gemini(turn: Turn) -> Body:
    def part(of: Any) -> Body:
        match of:
            case ReasoningBlock(text):
                return {"text": text, "thought": True, "thoughtSignature": seal_of(text)}
            case TextBlock(text):
                return {"text": text}
        return {"functionCall": {"id": of.id, "name": of.name, "args": _plain(of.args)}}

    reason = "MAX_TOKENS" if turn.stop == "max_tokens" else "STOP"
    usage = turn.usage
    counts = {
        "promptTokenCount": usage.input_tokens,
        "candidatesTokenCount": usage.output_tokens - usage.reasoning_tokens,
        "thoughtsTokenCount": usage.reasoning_tokens,
    }
    content = {"role": "model", "parts": [part(of) for of in turn.blocks]}
    return {"candidates": [{"content": content, "finishReason": reason}], "usageMetadata": counts}


def _bedrock(turn: Turn) -> Body:
    def block(of: Any) -> Body:
        match of:
            case ReasoningBlock(text):
                return {"reasoningContent": {"reasoningText": {"text": text, "signature": seal_of(text)}}}
            case TextBlock(text):
                return {"text": text}
        return {"toolUse": {"toolUseId": of.id, "name": of.name, "input": _plain(of.args)}}

    reasons = {"tool_calls": "tool_use", "max_tokens": "max_tokens"}
    return {
        "output": {"message": {"role": "assistant", "content": [block(of) for of in turn.blocks]}},
        "stopReason": reasons.get(turn.stop, "end_turn"),
        "usage": {"inputTokens": turn.usage.input_tokens, "outputTokens": turn.usage.output_tokens},
    }


def _cohere(turn: Turn) -> Body:
    content: list[Body] = []
    for of in turn.blocks:
        if isinstance(of, ReasoningBlock):
            content.append({"type": "thinking", "thinking": of.text})
        elif isinstance(of, TextBlock):
            content.append({"type": "text", "text": of.text})
    calls = [_function(block) for block in turn.blocks if isinstance(block, ToolCall)]
    message: Body = {"role": "assistant", **({"content": content} if content else {})}
    reasons = {"tool_calls": "TOOL_CALL", "max_tokens": "MAX_TOKENS"}
    counts = {"input_tokens": turn.usage.input_tokens, "output_tokens": turn.usage.output_tokens}
    return {
        "id": "c_1",
        "message": {**message, **({"tool_calls": calls} if calls else {})},
        "finish_reason": reasons.get(turn.stop, "COMPLETE"),
        "usage": {"tokens": {**counts, "reasoning_tokens": turn.usage.reasoning_tokens}},
    }


def _function(call: ToolCall) -> Body:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": json.dumps(call.args)}}


def _counts(turn: Turn, asked: str, said: str, details: str) -> Body:
    usage = turn.usage
    thought = {"reasoning_tokens": usage.reasoning_tokens}
    return {asked: usage.input_tokens, said: usage.output_tokens, details: thought}


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value))


OURS = {
    wire.wire: wire
    for wire in (
        OurWire("anthropic.messages", _anthropic),
        OurWire("openai.responses", _responses),
        OurWire("openai.chat", _chat, sealed=False, takes_reasoning_back=False),
        OurWire("gemini", _gemini),
        OurWire("bedrock.converse", _bedrock, counts_reasoning=False),
        OurWire("cohere.v2", _cohere, sealed=False),
    )
}
