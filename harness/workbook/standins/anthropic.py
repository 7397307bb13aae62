"""The stand-in for Anthropic Messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...errors import Problem
from ...providers import anthropic
from ...providers.base import ProviderResponse
from ._vendor import Body, StandIn, Vendor, blocks_of, reasoning, signature, spoken, tokens

STOPS = {"tool_calls": "tool_use", "max_tokens": "max_tokens", "refusal": "refusal", "pause": "pause_turn"}


def _connect(stand_in: StandIn) -> Any:
    import httpx2
    from anthropic import Anthropic, DefaultHttpxClient

    http_client = DefaultHttpxClient(transport=stand_in.transport(httpx2))
    return Anthropic(api_key="stand-in", http_client=http_client, max_retries=0)


def _refuse(problem: Problem) -> Body:
    path = problem.path.replace("[", ".").replace("]", "")
    return _error("invalid_request_error", f"{path}: {problem.rule}")


def _fail(sentence: str) -> Body:
    return _error("api_error", sentence)


def _error(kind: str, message: str) -> Body:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_stand_in"}


def _answer(turn: ProviderResponse, body: Body, number: str) -> Body:
    thinking = (body.get("thinking") or {}).get("type") in ("enabled", "adaptive")
    thoughts = [_signed(text) for text in reasoning(turn)] if thinking else []
    content = [*thoughts]
    for message in anthropic.to_request(spoken(turn))["messages"]:
        content += message["content"] if message["role"] == "assistant" else []
    return {
        "id": f"msg_stand_in_{number}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": content,
        "stop_reason": STOPS.get(turn.stop_reason or "end", "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": tokens(body),
            "output_tokens": tokens(content),
            "output_tokens_details": {"thinking_tokens": tokens(thoughts)},
        },
    }


def _signed(text: str) -> Body:
    return {"type": "thinking", "thinking": text, "signature": signature(text)}


def _broken_seals(body: Body) -> Iterator[Problem]:
    """Thinking blocks whose signature is not the stand-in's own for that very text, as the vendor would find them."""
    for path, block in blocks_of(body["messages"]):
        if block.get("type") == "thinking" and block.get("signature") != signature(str(block.get("thinking"))):
            rule = "the signature does not belong to this thinking text"
            yield Problem(f"{path}.signature", rule, "Anthropic: extended thinking")


VENDOR = Vendor(anthropic, _connect, _refuse, _fail, _answer, _broken_seals)
