"""The documented rules of Chat Completions for tools and settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..errors import Problem
from ._reading import objects

API = "OpenAI: error message of Chat Completions"
CALLING = "OpenAI: function calling guide"
TYPES = "openai SDK types of Chat Completions"

LEGAL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # of a function
MAX_TOOLS = 128

RANGES = {
    "temperature": (0, 2),
    "top_p": (0, 1),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "top_logprobs": (0, 20),
}
AT_LEAST_ONE = ("n", "max_tokens", "max_completion_tokens")
CHOICES = {
    "reasoning_effort": ("none", "minimal", "low", "medium", "high", "xhigh", "max"),
    "verbosity": ("low", "medium", "high"),
}
FORMATS = ("text", "json_object", "json_schema")
# OpenAI's models that do not take `stop`, as of 2026; the SDK's docstring names o3 and o4-mini.
WITHOUT_STOP = re.compile(r"o[134](-mini|-pro)?(-\d{4}-\d\d-\d\d)?|gpt-5(-mini|-nano)?(-\d{4}-\d\d-\d\d)?")

Json = dict[str, Any]
Found = Iterator[Problem]


def check_tools(body: Json) -> Found:
    """The rules of `tools`, the older `functions`, and `tool_choice`."""
    for key in ("tools", "functions"):
        listed = body.get(key)
        if listed is not None and not isinstance(listed, list):
            yield Problem(key, "must be an array", TYPES)
        if isinstance(listed, list) and len(listed) > MAX_TOOLS:
            yield Problem(key, f"at most {MAX_TOOLS} are accepted", API)
    listed = body.get("tools")
    for t, tool in enumerate(listed if isinstance(listed, list) else ()):
        yield from _tool(tool, f"tools[{t}]")
    for f, function in objects(body.get("functions")):
        yield from _function(function, f"functions[{f}]")
    if not body.get("tools") and body.get("tool_choice") not in (None, "none"):
        yield Problem("tool_choice", "is for requests with tools", API)
    yield from _choice(body)


def _tool(tool: Any, path: str) -> Found:
    if not isinstance(tool, dict):
        yield Problem(path, "a tool is an object", TYPES)
    elif tool.get("type", "function") == "function":
        function = tool.get("function")
        if isinstance(function, dict):
            yield from _function(function, f"{path}.function")
        else:
            yield Problem(f"{path}.function", "name, description and parameters of a function stand there", TYPES)
    elif not isinstance(tool["type"], str):
        yield Problem(f"{path}.type", "the type of a tool is a string", TYPES)
    elif tool["type"] == "custom":
        custom = tool.get("custom")
        if not isinstance(custom, dict) or not isinstance(custom.get("name"), str):
            yield Problem(f"{path}.custom", "a custom tool has its name there", TYPES)


def _function(function: Json, path: str) -> Found:
    name = function.get("name")
    if not isinstance(name, str) or not LEGAL_NAME.fullmatch(name):
        yield Problem(f"{path}.name", "a name has 1 to 64 letters, digits, underscores and dashes", TYPES)
    if not isinstance(function.get("description") or "", str):
        yield Problem(f"{path}.description", "a description is a string", TYPES)
    parameters = function.get("parameters")
    if parameters is None:
        return
    if not isinstance(parameters, dict):
        yield Problem(f"{path}.parameters", "parameters are a JSON schema, an object", TYPES)
    elif parameters and parameters.get("type", "object") != "object":
        yield Problem(f"{path}.parameters.type", "the schema of the parameters is of the type object", API)


def _choice(body: Json) -> Found:
    choice = body.get("tool_choice")
    if choice is None or isinstance(choice, str):
        return
    if not isinstance(choice, dict) or not isinstance(choice.get("type"), str):
        yield Problem("tool_choice", "is a word, or an object that names a tool", TYPES)
    elif choice["type"] == "function":
        chosen = choice.get("function")
        name = chosen.get("name") if isinstance(chosen, dict) else None
        if not isinstance(name, str):
            yield Problem("tool_choice.function", "names the function to call", TYPES)
        elif body.get("tools") and name not in _names(body):
            yield Problem("tool_choice.function.name", "must be one of the tools of the request", API)


def _names(body: Json) -> set[Any]:
    functions = (tool.get("function") for _, tool in objects(body.get("tools")))
    return {str(function.get("name")) for function in functions if isinstance(function, dict)}


def check_settings(body: Json) -> Found:
    """The rules of the settings beside the conversation, where the body has them."""
    if not isinstance(body.get("model") or "", str):  # Azure has the model in its address
        yield Problem("model", "names a model", TYPES)
    for key, (low, high) in RANGES.items():
        if body.get(key) is not None and not (_is_number(body[key]) and low <= body[key] <= high):
            yield Problem(key, f"must be a number from {low} to {high}", TYPES)
    for key in AT_LEAST_ONE:
        if body.get(key) is not None and not (_is_number(body[key], int) and body[key] >= 1):
            yield Problem(key, "must be a whole number of at least 1", API)
    for key, choices in CHOICES.items():
        if body.get(key) is not None and body[key] not in choices:
            yield Problem(key, f"must be one of {', '.join(choices)}", TYPES)
    yield from _excluded(body)
    yield from _stop(body)
    yield from _format(body.get("response_format"))


def _excluded(body: Json) -> Found:
    if body.get("max_tokens") is not None and body.get("max_completion_tokens") is not None:
        yield Problem("max_tokens", "is the older name of max_completion_tokens: only one of them is accepted", API)
    if body.get("top_logprobs") and body.get("logprobs") is not True:
        yield Problem("top_logprobs", "needs logprobs to be true", TYPES)
    if body.get("stream_options") is not None and body.get("stream") is not True:
        yield Problem("stream_options", "is for requests with stream: true", TYPES)


def _stop(body: Json) -> Found:
    stop = body.get("stop")
    if stop is None:
        return
    if not isinstance(stop, str) and not (isinstance(stop, list) and all(isinstance(item, str) for item in stop)):
        yield Problem("stop", "is a string or an array of strings", TYPES)
    elif isinstance(stop, list) and len(stop) > 4:
        yield Problem("stop", "up to four sequences are accepted", TYPES)
    elif stop and WITHOUT_STOP.fullmatch(str(body.get("model"))):
        yield Problem("stop", "is not supported with this reasoning model", TYPES)


def _format(wanted: Any) -> Found:
    if wanted is None:
        return
    if not isinstance(wanted, dict) or wanted.get("type") not in FORMATS:
        yield Problem("response_format", f"is an object whose type is one of {', '.join(FORMATS)}", TYPES)
    elif wanted["type"] == "json_schema":
        schema = wanted.get("json_schema")
        if not isinstance(schema, dict) or not isinstance(schema.get("name"), str):
            yield Problem("response_format.json_schema", "has a name and a schema", TYPES)


def _is_number(value: Any, kind: type | tuple[type, ...] = (int, float)) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)
