"""The three vendors that are stood in for: how each is reached, how it refuses, how its answer looks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ...errors import HarnessError, Problem, TranslationError
from ...messages import Message, ReasoningBlock, Transcript
from ...providers import adapters
from ...providers.base import ProviderResponse
from .turns import Play

Body = dict[str, Any]


@dataclass(frozen=True)
class Vendor:
    """One vendor's outward form; `connect` gives its SDK's client over a stand-in."""

    wire: str
    connect: Callable[[StandIn], Any]
    refuse: Callable[[Problem], Body]
    answer: Callable[[ProviderResponse, Body, str], Body]

    @property
    def adapter(self) -> ModuleType:
        """The adapter of this vendor's wire."""
        return adapters()[self.wire]


class StandIn:
    """A vendor's double: `respond` takes a request body and gives a status and a response body.

    `requests` keeps the bodies it was sent, in order.
    """

    def __init__(self, vendor: Vendor, play: Play) -> None:
        self.vendor = vendor
        self.requests: list[Body] = []
        self._play = play

    def respond(self, body: Body) -> tuple[int, Body]:
        """Status 400 and the vendor's error for a body that breaks a rule, else 200 and the next turn."""
        self.requests.append(body)
        adapter = self.vendor.adapter
        for problem in (*adapter.check_request(body), *_broken_seals(body)):
            return 400, self.vendor.refuse(problem)
        try:
            transcript, tools = adapter.from_request(body)
        except TranslationError as error:
            return 400, self.vendor.refuse(Problem(error.path, error.problem, "the shape of the wire"))
        try:
            turn = self._play(transcript, tools)
        except HarnessError as error:  # a script that is used up
            return 500, self.vendor.refuse(Problem("stand-in", str(error), "the stand-in's script"))
        return 200, self.vendor.answer(turn, body, f"{len(self.requests)}")

    def transport(self) -> Any:
        """This stand-in as a transport for the SDKs' HTTP client."""
        import httpx2

        def handle(request: Any) -> Any:
            status, answer = self.respond(json.loads(request.content))
            return httpx2.Response(status, json=answer)

        return httpx2.MockTransport(handle)


# ---- Anthropic


def _connect_anthropic(stand_in: StandIn) -> Any:
    from anthropic import Anthropic, DefaultHttpxClient

    return Anthropic(api_key="stand-in", http_client=DefaultHttpxClient(transport=stand_in.transport()), max_retries=0)


def _refuse_anthropic(problem: Problem) -> Body:
    path = problem.path.replace("[", ".").replace("]", "")
    error = {"type": "invalid_request_error", "message": f"{path}: {problem.rule}"}
    return {"type": "error", "error": error, "request_id": "req_stand_in"}


def _answer_anthropic(turn: ProviderResponse, body: Body, number: str) -> Body:
    from ...providers import anthropic

    thinking = (body.get("thinking") or {}).get("type") in ("enabled", "adaptive")
    content = [_signed(text) for text in _reasoning(turn)] if thinking else []
    for message in anthropic.to_request(_spoken(turn))["messages"]:
        content += message["content"] if message["role"] == "assistant" else []
    reasons = {"tool_calls": "tool_use", "max_tokens": "max_tokens", "refusal": "refusal", "pause": "pause_turn"}
    return {
        "id": f"msg_stand_in_{number}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": content,
        "stop_reason": reasons.get(turn.stop_reason or "end", "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": _tokens(body), "output_tokens": _tokens(content)},
    }


def _signed(text: str) -> Body:
    return {"type": "thinking", "thinking": text, "signature": _signature(text)}


def _signature(text: str) -> str:
    return "stand-in-" + hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def _broken_seals(body: Body) -> Iterator[Problem]:
    """Thinking blocks whose signature is not the stand-in's own for that very text, as the vendor would find them."""
    for m, message in enumerate(body.get("messages") or []):
        content = message.get("content") if isinstance(message, dict) else None
        for b, block in enumerate(content if isinstance(content, list) else []):
            thinking = isinstance(block, dict) and block.get("type") == "thinking"
            if thinking and block.get("signature") != _signature(str(block.get("thinking"))):
                rule = "the signature does not belong to this thinking text"
                yield Problem(f"messages[{m}].content[{b}].signature", rule, "Anthropic: extended thinking")


# ---- OpenAI


def _connect_openai(stand_in: StandIn) -> Any:
    from openai import DefaultHttpxClient, OpenAI

    return OpenAI(api_key="stand-in", http_client=DefaultHttpxClient(transport=stand_in.transport()), max_retries=0)


def _refuse_openai(problem: Problem) -> Body:
    message = f"Invalid value for '{problem.path}': {problem.rule}."
    return {
        "error": {"message": message, "type": "invalid_request_error", "param": problem.path, "code": "invalid_value"}
    }


def _answer_responses(turn: ProviderResponse, body: Body, number: str) -> Body:
    from ...providers import openai

    thinks = (body.get("reasoning") or {}).get("effort") not in (None, "none")
    output = [_encrypted(text, number) for text in _reasoning(turn)] if thinks else []
    for item in openai.to_request(_spoken(turn))["input"]:
        if item.get("type") == "function_call":
            output.append({"status": "completed", "id": f"fc_stand_in_{number}_{len(output)}", **item})
        elif item.get("role") == "assistant":
            output.append(_message_item(item, f"msg_stand_in_{number}_{len(output)}"))
    cut = turn.stop_reason in ("max_tokens", "content_filter")
    reason = "content_filter" if turn.stop_reason == "content_filter" else "max_output_tokens"
    usage = _openai_usage(body, output, "input_tokens", "output_tokens")
    thought = _tokens([item for item in output if item["type"] == "reasoning"]) if thinks else 0
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
            **usage,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": thought},
        },
    }


def _encrypted(text: str, number: str) -> Body:
    summary = [{"type": "summary_text", "text": text}]
    sealed = _signature(text)
    return {"type": "reasoning", "id": f"rs_stand_in_{number}", "encrypted_content": sealed, "summary": summary}


def _message_item(item: Body, id_: str) -> Body:
    content = item["content"]
    texts = [content] if isinstance(content, str) else [part["text"] for part in content]
    parts: list[Body] = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
    return {"type": "message", "id": id_, "role": "assistant", "status": "completed", "content": parts}


def _answer_chat(turn: ProviderResponse, body: Body, number: str) -> Body:
    from ...providers import openai_chat

    spoken = openai_chat.to_request(_spoken(turn))["messages"]
    message = next((entry for entry in spoken if entry["role"] == "assistant"), {"role": "assistant", "content": ""})
    reasons = {"tool_calls": "tool_calls", "max_tokens": "length", "content_filter": "content_filter"}
    reason = reasons.get(turn.stop_reason or "end", "stop")
    usage = _openai_usage(body, message, "prompt_tokens", "completion_tokens")
    return {
        "id": f"chatcmpl-stand-in-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": body.get("model"),
        "choices": [{"index": 0, "message": {"refusal": None, **message}, "finish_reason": reason}],
        "usage": usage,
    }


def _openai_usage(body: Body, said: Any, input_name: str, output_name: str) -> dict[str, int]:
    counts = {input_name: _tokens(body), output_name: _tokens(said)}
    return {**counts, "total_tokens": sum(counts.values())}


# ---- what they share


def _reasoning(turn: ProviderResponse) -> list[str]:
    return [block.text for block in turn.blocks if isinstance(block, ReasoningBlock)]


def _spoken(turn: ProviderResponse) -> Transcript:
    """The turn without its reasoning, which each vendor seals in its own way."""
    blocks = tuple(block for block in turn.blocks if not isinstance(block, ReasoningBlock))
    return Transcript([Message.user_text("?"), Message("assistant", blocks)])


def _tokens(value: Any) -> int:
    """A made-up count: a token for every four characters of JSON."""
    return max(1, len(json.dumps(value, ensure_ascii=False)) // 4)


VENDORS = {
    vendor.wire: vendor
    for vendor in (
        Vendor("anthropic.messages", _connect_anthropic, _refuse_anthropic, _answer_anthropic),
        Vendor("openai.responses", _connect_openai, _refuse_openai, _answer_responses),
        Vendor("openai.chat", _connect_openai, _refuse_openai, _answer_chat),
    )
}
