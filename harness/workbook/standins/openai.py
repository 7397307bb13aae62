"""The stand-in for OpenAI Responses; its connection and its errors are those of Chat Completions, too."""

from __future__ import annotations

from typing import Any

from ...errors import Problem
from ...providers import openai
from ...providers.base import ProviderResponse
from ._vendor import Body, StandIn, Vendor, reasoning, signature, spoken, tokens


def connect(stand_in: StandIn) -> Any:
    """OpenAI's client over a stand-in."""
    import httpx2
    from openai import DefaultHttpxClient, OpenAI

    http_client = DefaultHttpxClient(transport=stand_in.transport(httpx2))
    return OpenAI(api_key="stand-in", http_client=http_client, max_retries=0)


def refuse(problem: Problem) -> Body:
    """OpenAI's error for a problem in a request."""
    message = f"Invalid value for '{problem.path}': {problem.rule}."
    return {
        "error": {"message": message, "type": "invalid_request_error", "param": problem.path, "code": "invalid_value"}
    }


def fail(sentence: str) -> Body:
    """OpenAI's error for a fault of the server."""
    return {"error": {"message": sentence, "type": "server_error", "param": None, "code": None}}


def _answer(turn: ProviderResponse, body: Body, number: str) -> Body:
    thinks = (body.get("reasoning") or {}).get("effort") not in (None, "none")
    thoughts = [_encrypted(text, number) for text in reasoning(turn)] if thinks else []
    output = [*thoughts, *_items(turn, number)]
    cut = turn.stop_reason in ("max_tokens", "content_filter")
    reason = "content_filter" if turn.stop_reason == "content_filter" else "max_output_tokens"
    counts = {"input_tokens": tokens(body), "output_tokens": tokens(output)}
    return {
        "id": f"resp_stand_in_{number}",
        "object": "response",
        "created_at": 0,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": reason} if cut else None,
        "error": None,
        "model": body.get("model"),
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            **counts,
            "total_tokens": sum(counts.values()),
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": tokens(thoughts)},
        },
    }


def _items(turn: ProviderResponse, number: str) -> list[Body]:
    items: list[Body] = []
    for item in openai.to_request(spoken(turn))["input"]:
        if item.get("type") == "function_call":
            items.append({"status": "completed", "id": f"fc_stand_in_{number}_{len(items)}", **item})
        elif item.get("role") == "assistant":
            items.append(_message_item(item, f"msg_stand_in_{number}_{len(items)}"))
    return items


def _encrypted(text: str, number: str) -> Body:
    summary = [{"type": "summary_text", "text": text}]
    sealed = signature(text)
    return {"type": "reasoning", "id": f"rs_stand_in_{number}", "encrypted_content": sealed, "summary": summary}


def _message_item(item: Body, id_: str) -> Body:
    content = item["content"]
    texts = [content] if isinstance(content, str) else [part["text"] for part in content]
    parts: list[Body] = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "id": id_, "role": "assistant", "status": "completed", "content": parts}


VENDOR = Vendor(openai, connect, refuse, fail, _answer)
