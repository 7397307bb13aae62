"""The documented rules of OpenAI Responses, checked on a request body before it is sent.

The rules of single items come first, then those between items, of tools, and of the settings.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator
from typing import Any

from ..errors import Problem
from ._reading import objects

TYPES = "openai SDK types of the Responses API"
ERRORS = "OpenAI: error message of the Responses API"
REASONING = "OpenAI: reasoning guide"
CALLING = "OpenAI: function calling guide"
STRICT = "OpenAI: structured outputs guide, supported schemas"

EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
ENCRYPTED = "reasoning.encrypted_content"  # what to include in a response, so that it can be sent back
MAX_CALL_ID = 64  # characters
LEGAL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # of a function
NO_REASONING = re.compile(r"gpt-3\.5|gpt-4|chatgpt-|gpt-5-chat")  # how models that cannot reason are called, as of 2026

ROLES = ("user", "assistant", "system", "developer")
# Fields by which OpenAI itself adds items before those of the request.
SERVER_SIDE = ("previous_response_id", "conversation", "prompt")
RANGES = {"temperature": (0, 2), "top_p": (0, 1), "max_output_tokens": (16, float("inf"))}

Json = dict[str, Any]
Found = Iterator[Problem]


def check_request(body: Any) -> list[Problem]:
    """The documented rules that a request body breaks; any JSON value can be asked about."""
    if not isinstance(body, dict):
        return [Problem("body", "a request is an object", TYPES)]
    items = list(objects(body.get("input")))
    return [
        *_input(body),
        *(problem for i, item in items for problem in _item(item, f"input[{i}]")),
        *_pairs(body, items),
        *_reasoning(body, items),
        *_tools(body),
        *check_settings(body),
    ]


def cannot_reason(model: Any) -> bool:
    """Whether a model, by its name, is one of those that take no effort and give no encrypted reasoning."""
    return isinstance(model, str) and bool(NO_REASONING.match(model))


# ---- one item


def _input(body: Json) -> Found:
    given = body.get("input")
    if not given and given != "" and not any(body.get(key) for key in SERVER_SIDE):
        yield Problem("input", f"is there, unless OpenAI has the context: {', '.join(SERVER_SIDE)}", ERRORS)
    if given is not None and not isinstance(given, str | list):
        yield Problem("input", "is a string or an array of items", TYPES)
    for i, item in enumerate(given if isinstance(given, list) else []):
        if not isinstance(item, dict):
            yield Problem(f"input[{i}]", "an item is an object", TYPES)
    if not isinstance(body.get("instructions"), str | None):
        yield Problem("instructions", "are a string", TYPES)


def _item(item: Json, path: str) -> Found:
    kind = item.get("type") or ("message" if "role" in item else None)
    if kind == "message":
        yield from _message(item, path)
    elif kind == "function_call":
        yield from _call(item, path)
    elif kind == "function_call_output":
        yield from _call_id(item, path)
        yield from _output(item.get("output"), f"{path}.output")
    elif kind == "reasoning" and not isinstance(item.get("summary"), list):
        yield Problem(f"{path}.summary", "a reasoning item has a summary, which may be an empty array", TYPES)
    elif kind is None and not item.get("id"):
        yield Problem(path, "an item has a type, a role, or the id of an item that OpenAI stores", TYPES)


def _message(item: Json, path: str) -> Found:
    if (role := item.get("role")) not in ROLES:
        yield Problem(f"{path}.role", f"is one of {', '.join(ROLES)}", TYPES)
    if not isinstance(item.get("content"), str | list):
        yield Problem(f"{path}.content", "is a string or an array of parts", TYPES)
    wrong = "input_" if role == "assistant" else "output_"
    for p, part in objects(item.get("content")):
        if str(part.get("type")).startswith(wrong):
            rule = "the model's parts are output_text or refusal, all others' begin with input_"
            yield Problem(f"{path}.content[{p}].type", rule, ERRORS)
        yield from _part(part, f"{path}.content[{p}]")


def _part(part: Json, path: str) -> Found:
    if part.get("type") in ("input_text", "output_text") and not isinstance(part.get("text"), str):
        yield Problem(f"{path}.text", "is a string", TYPES)
    for key in ("file_data", "file_url"):
        if _is_media(part.get(key)):
            yield Problem(f"{path}.{key}", "a file is a document or text, not audio or video", ERRORS)


def _is_media(file: Any) -> bool:
    kind = mimetypes.guess_type(file)[0] if isinstance(file, str) else None
    return str(kind).startswith(("audio/", "video/"))


def _call(item: Json, path: str) -> Found:
    yield from _call_id(item, path)
    yield from _name(item.get("name"), f"{path}.name")
    if not isinstance(item.get("arguments"), str):
        yield Problem(f"{path}.arguments", "is a string that holds JSON", TYPES)


def _call_id(item: Json, path: str) -> Found:
    call_id = item.get("call_id")
    if not isinstance(call_id, str) or not 0 < len(call_id) <= MAX_CALL_ID:
        yield Problem(f"{path}.call_id", f"is a string of 1 to {MAX_CALL_ID} characters", ERRORS)


def _name(name: Any, path: str) -> Found:
    if not isinstance(name, str) or not LEGAL_NAME.fullmatch(name):
        yield Problem(path, "a function's name is 1 to 64 letters, digits, underscores and hyphens", CALLING)


def _output(output: Any, path: str) -> Found:
    if not isinstance(output, str | list):
        yield Problem(path, "is a string or an array of parts", TYPES)
    for p, part in objects(output):
        yield from _part(part, f"{path}[{p}]")


# ---- between items


def _pairs(body: Json, items: list[tuple[int, Json]]) -> Found:
    """Each call has an output after it; OpenAI may know calls that the request does not show."""
    open_calls: dict[str, int] = {}
    known: set[str] = set()
    for i, item in items:
        kind, call_id = str(item.get("type")), str(item.get("call_id"))
        if kind.endswith("_call"):
            known.add(call_id)
        if kind == "function_call":
            open_calls[call_id] = i
        elif kind == "function_call_output" and call_id in known:
            open_calls.pop(call_id, None)
        elif kind == "function_call_output" and not any(body.get(key) for key in SERVER_SIDE):
            yield Problem(f"input[{i}]", "an output follows the function_call with its call_id", ERRORS)
    for i in open_calls.values():
        yield Problem(f"input[{i}]", "a function_call is followed by a function_call_output with its call_id", ERRORS)


def _reasoning(body: Json, items: list[tuple[int, Json]]) -> Found:
    """What follows a reasoning item, and whether OpenAI can read it."""
    stored = body.get("store") is not False
    following: Json | None = None
    for i, item in reversed(items):
        if item.get("type") != "reasoning":
            following = item
            continue
        path = f"input[{i}]"
        if following is None or _is_answer(following):
            yield Problem(path, "a reasoning item is followed by what the model said or called after it", ERRORS)
        elif stored and item.get("id") and not item.get("content") and not following.get("id"):
            yield Problem(
                path, "where OpenAI stores items, one with an id is followed by the item it came with", ERRORS
            )
        if not stored and item.get("id") and not item.get("encrypted_content"):
            yield Problem(path, "without store, a reasoning item has its encrypted_content", REASONING)


def _is_answer(item: Json) -> bool:
    """Whether an item is an answer to the model: a message of another role, or the output of a call."""
    return item.get("role") in ("user", "system", "developer") or item.get("type") == "function_call_output"


# ---- tools


def _tools(body: Json) -> Found:
    if not isinstance(body.get("tools"), list | None):
        yield Problem("tools", "are an array", TYPES)
    for t, tool in objects(body.get("tools")):
        path = f"tools[{t}]"
        if not isinstance(tool.get("type"), str):
            yield Problem(f"{path}.type", "a tool has a type, such as function", TYPES)
        if tool.get("type") == "function":
            nested = isinstance(tool.get("function"), dict)  # as on Chat Completions: accepted, and never strict
            function = tool["function"] if nested else tool
            yield from _name(function.get("name"), f"{path}.name")
            yield from _parameters(function, tool.get("strict") is True, f"{path}.parameters")


def _parameters(function: Json, strict: bool, path: str) -> Found:
    parameters = function.get("parameters")
    if not isinstance(parameters, dict | None):
        yield Problem(path, "is a JSON schema, an object", TYPES)
    elif parameters and parameters.get("type", "object") != "object":
        yield Problem(f"{path}.type", "arguments are an object", CALLING)
    elif parameters and strict:
        yield from _strict(parameters, path)


def _strict(schema: Json, path: str) -> Found:
    properties, required = schema.get("properties"), schema.get("required")
    names = set(properties) if isinstance(properties, dict) else set()
    if names - {name for name in (required if isinstance(required, list) else []) if isinstance(name, str)}:
        yield Problem(f"{path}.required", "a strict schema requires every property", STRICT)
    if names and schema.get("additionalProperties") is not False:
        yield Problem(f"{path}.additionalProperties", "is false in a strict schema", STRICT)


# ---- settings


def check_settings(body: Json) -> Found:
    """The rules of what is not the conversation: model, effort, limits, what to include."""
    reasoning = body.get("reasoning")
    effort = reasoning.get("effort") if isinstance(reasoning, dict) else None
    if effort is not None and effort not in EFFORTS:
        yield Problem("reasoning.effort", f"is one of {', '.join(EFFORTS)}", TYPES)
    if effort is not None and cannot_reason(body.get("model")):
        yield Problem("reasoning.effort", f"is not for {body['model']}, which does not reason", ERRORS)
    include = body.get("include")
    if isinstance(include, list) and ENCRYPTED in include and cannot_reason(body.get("model")):
        yield Problem("include", f"has no {ENCRYPTED} for {body['model']}, which does not reason", ERRORS)
    for key, (low, high) in RANGES.items():
        number = body.get(key)
        if isinstance(number, int | float) and not low <= number <= high:
            yield Problem(key, f"is at least {low}" + (f" and at most {high}" if high < float("inf") else ""), ERRORS)
    if body.get("previous_response_id") and body.get("conversation"):
        yield Problem("previous_response_id", "does not go together with conversation", TYPES)
