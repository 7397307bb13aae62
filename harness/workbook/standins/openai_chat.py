"""The stand-in for Chat Completions, OpenAI's and that of every vendor in the table of dialects.

It plays no reasoning: OpenAI hides it here, and each dialect has a field of its own for it.
"""

from __future__ import annotations

from ...providers import openai_chat
from ...providers.base import ProviderResponse
from ._vendor import Body, Vendor, spoken, tokens
from .openai import connect, fail, refuse

STOPS = {"tool_calls": "tool_calls", "max_tokens": "length", "content_filter": "content_filter"}


def _answer(turn: ProviderResponse, body: Body, number: str) -> Body:
    messages = openai_chat.to_request(spoken(turn))["messages"]
    message = next((entry for entry in messages if entry["role"] == "assistant"), {"role": "assistant", "content": ""})
    reason = STOPS.get(turn.stop_reason or "end", "stop")
    counts = {"prompt_tokens": tokens(body), "completion_tokens": tokens(message)}
    return {
        "id": f"chatcmpl-stand-in-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model"),
        "choices": [{"index": 0, "message": {"refusal": None, **message}, "finish_reason": reason}],
        "usage": {**counts, "total_tokens": sum(counts.values())},
    }


VENDOR = Vendor(openai_chat, connect, refuse, fail, _answer)
