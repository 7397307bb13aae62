"""The stand-in for Cohere v2 chat. Its models think unless told not to; what they plan to call, they say instead."""

from __future__ import annotations

from typing import Any

from ...errors import Problem
from ...providers import cohere
from ...providers._cohere_forms import parts_of
from ...providers.base import ProviderResponse
from ._vendor import Body, StandIn, Vendor, reasoning, spoken, tokens

STOPS = {"end": "COMPLETE", "tool_calls": "TOOL_CALL", "max_tokens": "MAX_TOKENS"}


def _connect(stand_in: StandIn) -> Any:
    import httpx
    from cohere import ClientV2

    http_client = httpx.Client(transport=stand_in.transport(httpx))
    return ClientV2("stand-in", httpx_client=http_client, max_retries=0)


def _refuse(problem: Problem) -> Body:
    return _fail(f"invalid request: {problem.path}: {problem.rule}")


def _fail(sentence: str) -> Body:
    return {"id": "stand_in", "message": sentence}


def _answer(turn: ProviderResponse, body: Body, number: str) -> Body:
    message = _message(turn, thinks=(body.get("thinking") or {}).get("type") != "disabled")
    counts = {"input_tokens": tokens(body), "output_tokens": tokens(message)}
    return {
        "id": f"stand_in_{number}",
        "message": message,
        "finish_reason": STOPS.get(turn.stop_reason or "end", "ERROR"),
        "usage": {"billed_units": counts, "tokens": counts},
    }


def _message(turn: ProviderResponse, thinks: bool) -> Body:
    said = [item for item in cohere.to_request(spoken(turn))["messages"] if item["role"] == "assistant"]
    message: Body = said[0] if said else {"role": "assistant"}
    thoughts = [{"type": "thinking", "thinking": text} for text in reasoning(turn) if thinks]
    if content := [*thoughts, *parts_of(message.pop("content", None))]:
        message["content"] = content
    if not thinks and reasoning(turn) and "tool_calls" in message:
        message["tool_plan"] = "\n".join(reasoning(turn))
    return message


VENDOR = Vendor(cohere, _connect, _refuse, _fail, _answer)
