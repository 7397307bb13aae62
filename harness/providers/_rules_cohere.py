"""The documented rules of Cohere v2 chat, checked on a request body before it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..errors import Problem
from ._reading import objects

SDK = "cohere SDK types"
REFERENCE = "Cohere: chat reference"  # the docstring of ClientV2.chat
SERVICE = "Cohere: 400 of v2/chat"  # what the service itself answers

PARTS = {  # the parts that a content may have, by role
    "user": ("text", "image_url"),
    "assistant": ("text", "thinking"),
    "system": ("text",),
    "tool": ("text", "document"),
}
FIELD_OF = {"text": "text", "thinking": "thinking", "image_url": "image_url", "document": "document"}
RANGES = {
    "temperature": (0, float("inf")),
    "max_tokens": (0, float("inf")),
    "frequency_penalty": (0, 1),
    "presence_penalty": (0, 1),
    "k": (0, 500),
    "p": (0.01, 0.99),
}
MAX_STOP_SEQUENCES = 5

Found = Iterator[Problem]


def check_request(body: Any) -> list[Problem]:
    """The documented rules that a request body breaks; any JSON value can be asked about."""
    if not isinstance(body, dict):
        return [Problem("body", "a request is an object", SDK)]
    return [*_messages(body.get("messages")), *_tools(body.get("tools")), *_settings(body)]


# ---- messages


def _messages(messages: Any) -> Found:
    if not isinstance(messages, list) or not messages:
        yield Problem("messages", "messages are an array with at least one message", SDK)
        return
    unanswered: set[str] = set()
    for m, message in enumerate(messages):
        path = f"messages[{m}]"
        role = message.get("role") if isinstance(message, dict) else None
        if not isinstance(role, str) or role not in PARTS:
            yield Problem(f"{path}.role", f"a role is one of {', '.join(PARTS)}", SDK)
            continue
        yield from _content(message, role, path)
        if role == "tool":
            yield from _answer(message, unanswered, path)
            continue
        for missing in sorted(unanswered):
            yield Problem(path, f"comes before the tool message that answers {missing!r}", SERVICE)
        calls = message.get("tool_calls")
        yield from _calls(calls, role, f"{path}.tool_calls")
        unanswered = {call["id"] for _, call in objects(calls) if isinstance(call.get("id"), str)}


def _answer(message: dict[str, Any], unanswered: set[str], path: str) -> Found:
    call_id = message.get("tool_call_id")
    if not isinstance(call_id, str):
        yield Problem(f"{path}.tool_call_id", "a tool message names its call", SDK)
    elif call_id not in unanswered:
        yield Problem(f"{path}.tool_call_id", "names a call of the assistant message right before", SERVICE)
    else:
        unanswered.discard(call_id)


def _content(message: dict[str, Any], role: str, path: str) -> Found:
    content = message.get("content")
    if content is None and role != "assistant":
        yield Problem(f"{path}.content", f"a message of the role {role} has a content", SDK)
    elif content is None and not message.get("tool_calls"):
        yield Problem(path, "an assistant message has a content or tool_calls", SERVICE)
    elif not isinstance(content, str | list | None):
        yield Problem(f"{path}.content", "a content is a string or an array of parts", SDK)
    for p, part in enumerate(content if isinstance(content, list) else ()):
        yield from _part(part, role, f"{path}.content[{p}]")


def _part(part: Any, role: str, path: str) -> Found:
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(kind, str) or kind not in PARTS[role]:
        yield Problem(f"{path}.type", f"a part of the role {role} is one of {', '.join(PARTS[role])}", SDK)
        return
    wanted = str if kind in ("text", "thinking") else dict
    if not isinstance(part.get(FIELD_OF[kind]), wanted):
        yield Problem(f"{path}.{FIELD_OF[kind]}", f"a part of the type {kind} has its {FIELD_OF[kind]}", SDK)


def _calls(calls: Any, role: str, path: str) -> Found:
    if calls is None:
        return
    if role != "assistant" or not isinstance(calls, list):
        yield Problem(path, "calls are an array in an assistant message", SDK)
    for c, call in objects(calls):
        function = call.get("function")
        function = function if isinstance(function, dict) else {}
        if not isinstance(call.get("id"), str):
            yield Problem(f"{path}[{c}].id", "a call has an id", SDK)
        for field in ("name", "arguments"):
            if not isinstance(function.get(field), str):
                yield Problem(f"{path}[{c}].function.{field}", "name and arguments of a call are strings", SDK)


# ---- tools and settings


def _tools(tools: Any) -> Found:
    if tools is not None and not isinstance(tools, list):
        yield Problem("tools", "tools are an array", SDK)
    for t, tool in objects(tools):
        path = f"tools[{t}]"
        if tool.get("type", "function") != "function":
            yield Problem(f"{path}.type", "the type of a tool is function", SDK)
        function = tool.get("function")
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            yield Problem(f"{path}.function.name", "a function has a name", SDK)
        elif not isinstance(function.get("parameters"), dict):
            yield Problem(f"{path}.function.parameters", "the parameters of a function are a JSON schema", SDK)


def _settings(body: dict[str, Any]) -> Found:
    for name, (low, high) in RANGES.items():
        value = body.get(name)
        if value is not None and not (isinstance(value, int | float) and low <= value <= high):
            yield Problem(name, f"is a number from {low} to {high}", REFERENCE)
    stops = body.get("stop_sequences")
    if isinstance(stops, list) and len(stops) > MAX_STOP_SEQUENCES:
        yield Problem("stop_sequences", f"are at most {MAX_STOP_SEQUENCES}", REFERENCE)
    if body.get("tool_choice") == "REQUIRED" and not body.get("tools"):
        yield Problem("tool_choice", "REQUIRED needs tools", REFERENCE)
    thinking = body.get("thinking")
    if isinstance(thinking, dict):
        yield from _thinking(thinking)


def _thinking(thinking: dict[str, Any]) -> Found:
    if thinking.get("type") not in ("enabled", "disabled"):
        yield Problem("thinking.type", "is enabled or disabled", SDK)
    budget = thinking.get("token_budget")
    if budget is not None and not (isinstance(budget, int) and budget > 0):
        yield Problem("thinking.token_budget", "is a positive integer", SDK)
