"""The documented rules of Chat Completions, each as one sentence with its place and its source.

What only some of the dialects refuse is no rule here: a body is checked for what they agree upon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import Problem
from ._reading import objects
from ._rules_openai_chat_settings import API, CALLING, LEGAL_NAME, TYPES, check_settings, check_tools

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
# What each known kind of content part must have, under its own name (text and refusal: a string).
PARTS: dict[str, dict[str, type]] = {
    "image_url": {"url": str},
    "input_audio": {"data": str, "format": str},
    "file": {},
}
# How OpenAI's models that do not hear are called, as of 2026; the dialects have names of their own.
DEAF = re.compile(r"(gpt-|chatgpt-|o\d)(?!.*audio)")
DATA_URL = re.compile(r"data:[\w.+-]+/[\w.+-]+(;[\w=.+-]+)*,", re.ASCII)

Json = dict[str, Any]
Found = Iterator[Problem]


def check_request(body: Any) -> list[Problem]:
    """The documented rules that a request body breaks; any JSON value can be asked about."""
    if not isinstance(body, dict):
        return [Problem("body", "a request is an object", TYPES)]
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return [Problem("messages", "must be an array of at least one message", API)]
    return [
        *(problem for m, message in enumerate(messages) for problem in _message(message, f"messages[{m}]")),
        *_pairs(messages),
        *_heard(body.get("model"), messages),
        *check_tools(body),
        *check_settings(body),
    ]


def _message(message: Any, path: str) -> Found:
    if not isinstance(message, dict):
        yield Problem(path, "a message is an object with a role and content", TYPES)
        return
    role = message.get("role")
    if role not in ROLES:
        yield Problem(f"{path}.role", f"the role must be one of {', '.join(ROLES)}", API)
    yield from _content(message.get("content"), f"{path}.content", message)
    if not isinstance(message.get("name") or "", str):
        yield Problem(f"{path}.name", "the name of a speaker is a string", TYPES)
    if role == "function" and not message.get("name"):
        yield Problem(f"{path}.name", "a message of the role function names its function", TYPES)
    calls = message.get("tool_calls")
    if role == "assistant" and calls is not None and not isinstance(calls, list):
        yield Problem(f"{path}.tool_calls", "the calls are an array", TYPES)
    if role != "assistant" and calls:
        yield Problem(f"{path}.tool_calls", "only an assistant message has calls", TYPES)
    for c, call in enumerate(calls if isinstance(calls, list) and role == "assistant" else ()):
        yield from _call(call, f"{path}.tool_calls[{c}]")
    if isinstance(legacy := message.get("function_call"), dict):
        yield from _function(legacy, f"{path}.function_call")


def _content(content: Any, path: str, message: Json) -> Found:
    role = message.get("role")
    further = {key for key, value in message.items() if value and key not in ("role", "content", "name", "prefix")}
    if content is None:
        if role == "assistant" and not further:
            yield Problem(path, "an assistant message without calls needs content", TYPES)
        if role in ("system", "developer", "user"):
            yield Problem(path, "must be a string or an array of parts, not null", API)
    elif not isinstance(content, str | list):
        yield Problem(path, "must be a string or an array of parts", TYPES)
    elif content == [] and role == "user":
        yield Problem(path, "an array of parts has at least one", API)
    for p, part in enumerate(content if isinstance(content, list) else ()):
        yield from _part(part, f"{path}[{p}]")


def _part(part: Any, path: str) -> Found:
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        yield Problem(path, "a content part is an object with a type", TYPES)
        return
    kind = part["type"]
    if kind in ("text", "refusal") and not isinstance(part.get(kind), str):
        yield Problem(f"{path}.{kind}", f"a part of the type {kind} has its text there", TYPES)
    if kind not in PARTS:
        return
    inner = part.get(kind)
    if kind == "image_url" and isinstance(inner, str):
        inner = {"url": inner}  # Mistral's shorter form
    if not isinstance(inner, dict):
        yield Problem(f"{path}.{kind}", f"a part of the type {kind} has an object there", TYPES)
        return
    for field, wanted in PARTS[kind].items():
        if not isinstance(inner.get(field), wanted):
            yield Problem(f"{path}.{kind}.{field}", f"{kind} needs {field}, a string", TYPES)
    url = inner.get("url") if kind == "image_url" else None
    if isinstance(url, str) and not url.startswith(("http://", "https://", "gs://")) and not DATA_URL.match(url):
        yield Problem(f"{path}.{kind}.url", "an image is a web address, or base64 data as a data: address", TYPES)
    if kind == "file" and not any(inner.get(key) for key in ("file_id", "file_data", "file_url")):
        yield Problem(f"{path}.{kind}", "a file has its data or the id of an upload", TYPES)


def _heard(model: Any, messages: list[Any]) -> Found:
    if not isinstance(model, str) or not DEAF.match(model):
        return
    for m, message in objects(messages):
        for p, part in objects(message.get("content")):
            if part.get("type") == "input_audio":
                yield Problem(f"messages[{m}].content[{p}]", "this model takes texts and images, no sound", API)


def _call(call: Any, path: str) -> Found:
    if not isinstance(call, dict):
        yield Problem(path, "a call is an object with id, type and function", TYPES)
        return
    if not isinstance(call.get("id"), str) or not call["id"]:
        yield Problem(f"{path}.id", "a call has an id, which its result repeats", TYPES)
    kind = call.get("type", "function")
    if kind == "custom":
        custom = call.get("custom")
        if not isinstance(custom, dict) or not all(isinstance(custom.get(key), str) for key in ("name", "input")):
            yield Problem(f"{path}.custom", "a call of a custom tool has its name and its input", TYPES)
    elif not isinstance(call.get("function"), dict):
        yield Problem(f"{path}.function", "a call of a function has its name and arguments there", TYPES)
    else:
        yield from _function(call["function"], f"{path}.function")


def _function(function: Json, path: str) -> Found:
    name = function.get("name")
    if not isinstance(name, str) or not LEGAL_NAME.fullmatch(name):
        yield Problem(f"{path}.name", "a name has 1 to 64 letters, digits, underscores and dashes", TYPES)
    if not isinstance(function.get("arguments"), str):
        yield Problem(f"{path}.arguments", "arguments are a string, in which the model wrote JSON", TYPES)


def _pairs(messages: list[Any]) -> Found:
    """Each call is answered, and once, by the messages of the role tool that directly follow it."""
    open_calls: dict[str, str] = {}  # {"call_1": "messages[2].tool_calls[0]"}, of the last assistant message
    answered: set[str] = set()
    for m, message in objects(messages):
        path = f"messages[{m}]"
        if message.get("role") != "tool":
            yield from _unanswered(open_calls)
            ids = list(_ids(message, path))
            open_calls, answered = dict(ids), set()
            if len(open_calls) < len(ids):
                yield Problem(f"{path}.tool_calls", "the calls of one message have different ids", CALLING)
            continue
        # Z.ai takes a result without an id: it answers the first open call.
        call_id = str(message.get("tool_call_id") or next(iter(open_calls), ""))
        if call_id in answered:
            yield Problem(f"{path}.tool_call_id", "a call has one result", API)
        elif call_id not in open_calls:
            yield Problem(f"{path}.tool_call_id", "a result follows the assistant message with its call", API)
        open_calls.pop(call_id, None)
        answered.add(call_id)
    yield from _unanswered(open_calls)


def _ids(message: Json, path: str) -> Iterable[tuple[str, str]]:
    if message.get("role") == "assistant":
        for c, call in objects(message.get("tool_calls")):
            yield str(call.get("id")), f"{path}.tool_calls[{c}]"


def _unanswered(open_calls: dict[str, str]) -> Found:
    for path in open_calls.values():
        yield Problem(path, "messages with the results directly follow the message with the calls", API)
