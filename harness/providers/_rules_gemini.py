"""The documented rules of Gemini's generateContent, checked on a request body before it is sent.

The rules of one part come first, then those between turns, then those of the rest of the body.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from ..errors import Problem
from ._gemini_json import camel
from ._reading import objects

TYPES = "google-genai types"  # docstrings of the SDK's types
SERVICE = "Gemini: INVALID_ARGUMENT of generateContent"  # what the service itself answers
SIGNATURES = "Gemini: guide to thought signatures"

ROLES = ("user", "model", "function")
# What a part can hold, one of it at a time.
CONTENT: tuple[str, ...] = (
    *("text", "functionCall", "functionResponse", "inlineData", "fileData"),
    *("executableCode", "codeExecutionResult", "toolCall", "toolResponse"),
)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}")  # of a declared function
MODES = ("MODE_UNSPECIFIED", "AUTO", "ANY", "NONE", "VALIDATED")
RANGES = {"temperature": (0, 2), "topP": (0, 1), "maxOutputTokens": (1, float("inf")), "candidateCount": (1, 8)}

# Models from Gemini 3 on refuse a call without a signature; for calls that they did not make the guide names this
# stand-in (base64, as the field holds bytes).
STAND_IN = base64.b64encode(b"skip_thought_signature_validator").decode()
WANTS_SIGNATURE = re.compile(r"gemini-([3-9]|\d\d|[a-z-]*latest)")

Found = Iterator[Problem]


def wants_signature(model: object) -> bool:
    """Whether a model refuses calls without a signature."""
    return isinstance(model, str) and bool(WANTS_SIGNATURE.search(model))


def check_request(body: Any) -> list[Problem]:
    """The documented rules that a request body breaks; any JSON value can be asked about."""
    try:
        body = camel(body)
    except RecursionError:
        return [Problem("body", "is nested too deeply to be read", SERVICE)]
    if not isinstance(body, dict):
        return [Problem("body", "a request is an object", TYPES)]
    return [*_contents(body), *_system(body.get("systemInstruction")), *_tools(body), *_settings(body)]


# ---- one part


def _part(part: Any, path: str) -> Found:
    if not isinstance(part, dict):
        yield Problem(path, "a part is an object", TYPES)
        return
    held = [key for key in CONTENT if part.get(key) is not None]
    if len(held) > 1:
        yield Problem(path, f"a part holds one kind of content, not {' and '.join(held)}", TYPES)
    if not isinstance(part.get("text"), str | None):
        yield Problem(f"{path}.text", "a text is a string", TYPES)
    if not isinstance(part.get("thoughtSignature"), str | None):
        yield Problem(f"{path}.thoughtSignature", "a signature is a string in base64", TYPES)
    for kind, data in (("functionCall", "args"), ("functionResponse", "response")):
        if part.get(kind) is not None:
            yield from _named(part[kind], data, f"{path}.{kind}")
    for kind, keys in (("inlineData", ("data", "mimeType")), ("fileData", ("fileUri",))):
        if part.get(kind) is not None:
            yield from _media(part[kind], keys, f"{path}.{kind}")


def _named(value: Any, data: str, path: str) -> Found:
    if not isinstance(value, dict):
        yield Problem(path, "a call or result is an object", TYPES)
        return
    if not isinstance(value.get("name"), str) or not value["name"]:
        yield Problem(f"{path}.name", "the name of the function is required", TYPES)
    if not isinstance(value.get("id"), str | None):
        yield Problem(f"{path}.id", "an id is a string", TYPES)
    if not isinstance(value.get(data), dict | None):
        yield Problem(f"{path}.{data}", f"{data} is an object", TYPES)
    if data == "response" and value.get(data) is None:
        yield Problem(f"{path}.{data}", "the response of the function is required", TYPES)


def _media(value: Any, keys: tuple[str, ...], path: str) -> Found:
    for key in keys:
        if not isinstance(value, dict) or not isinstance(value.get(key), str):
            yield Problem(f"{path}.{key}", "is required and a string", TYPES)


# ---- contents and turns


def _contents(body: dict[str, Any]) -> Found:
    contents = body.get("contents")
    if not isinstance(contents, list) or not contents:
        yield Problem("contents", "contents are an array with at least one content", SERVICE)
        return
    for c, content in enumerate(contents):
        yield from _content(content, f"contents[{c}]")
    yield from _turns(contents)
    if wants_signature(body.get("model")):
        yield from _signatures(contents)


def _content(content: Any, path: str) -> Found:
    if not isinstance(content, dict):
        yield Problem(path, "a content is an object", TYPES)
        return
    if content.get("role") not in (None, *ROLES):
        yield Problem(f"{path}.role", "the role is user or model", SERVICE)
    parts = content.get("parts")
    if not isinstance(parts, list) or not parts:
        yield Problem(f"{path}.parts", "a content has at least one part", SERVICE)
        return
    for p, part in enumerate(parts):
        yield from _part(part, f"{path}.parts[{p}]")


def _turns(contents: list[Any]) -> Found:
    """Calls follow what the user or a function said; results follow calls, and are as many."""
    asked = 0
    for start, is_model, parts in _joined(contents):
        calls = sum("functionCall" in part for part in parts)
        results = sum("functionResponse" in part for part in parts)
        if is_model and calls and start == 0:
            yield Problem("contents[0]", "a call comes after a turn of the user or a result", SERVICE)
        if not is_model and results and results != asked:
            rule = f"there are as many results as calls in the turn before: {asked}, not {results}"
            yield Problem(f"contents[{start}]", rule, SERVICE)
        asked = calls if is_model else 0


def _joined(contents: list[Any]) -> Iterator[tuple[int, bool, list[dict[str, Any]]]]:
    """Neighbouring contents of one speaker as one turn: its first index, whether the model speaks, its parts."""
    for is_model, turn in groupby(objects(contents), key=lambda entry: entry[1].get("role") == "model"):
        entries = list(turn)
        yield entries[0][0], is_model, [part for _, content in entries for _, part in objects(content.get("parts"))]


def _signatures(contents: list[Any]) -> Found:
    """Since the user last spoke, the first call of each of the model's contents has a signature."""
    for c, content in reversed(list(objects(contents))):
        parts = list(objects(content.get("parts")))
        if content.get("role") != "model":
            if not any("functionResponse" in part for _, part in parts):
                return
            continue
        first = next(((p, part) for p, part in parts if "functionCall" in part), None)
        if first is not None and not first[1].get("thoughtSignature"):
            yield Problem(
                f"contents[{c}].parts[{first[0]}]", "this model's call needs its thoughtSignature", SIGNATURES
            )


# ---- the rest of the body


def _system(system: Any) -> Found:
    if isinstance(system, dict):
        for p, part in objects(system.get("parts")):
            if not isinstance(part.get("text"), str):
                yield Problem(f"systemInstruction.parts[{p}]", "a system instruction is text only", TYPES)
    elif not isinstance(system, str | None):
        yield Problem("systemInstruction", "a system instruction is a content", TYPES)


def _tools(body: dict[str, Any]) -> Found:
    seen: set[str] = set()
    for t, tool in objects(body.get("tools")):
        for d, declared in objects(tool.get("functionDeclarations")):
            path = f"tools[{t}].functionDeclarations[{d}]"
            yield from _declaration(declared, path)
            name = str(declared.get("name"))
            if name in seen:
                yield Problem(f"{path}.name", "a function is declared once", SERVICE)
            seen.add(name)
    yield from _calling(body.get("toolConfig"))


def _declaration(declared: dict[str, Any], path: str) -> Found:
    name = declared.get("name")
    if not isinstance(name, str) or not NAME.fullmatch(name):
        rule = "a name starts with a letter or underscore and has up to 128 letters, digits and any of _ . : -"
        yield Problem(f"{path}.name", rule, TYPES)
    if not isinstance(declared.get("description"), str | None):
        yield Problem(f"{path}.description", "a description is a string", TYPES)
    schemas = [key for key in ("parameters", "parametersJsonSchema") if declared.get(key) is not None]
    if len(schemas) > 1:
        yield Problem(path, "parameters and parametersJsonSchema exclude each other", TYPES)


def _calling(config: Any) -> Found:
    calling = config.get("functionCallingConfig") if isinstance(config, dict) else None
    if not isinstance(calling, dict):
        return
    mode = calling.get("mode")
    path = "toolConfig.functionCallingConfig"
    if isinstance(mode, str) and mode.upper() not in MODES:
        yield Problem(f"{path}.mode", f"the mode is one of {', '.join(MODES[1:])}", TYPES)
    if calling.get("allowedFunctionNames") and isinstance(mode, str) and mode.upper() in ("AUTO", "NONE"):
        yield Problem(f"{path}.allowedFunctionNames", "names are allowed in the modes ANY and VALIDATED", TYPES)


def _settings(body: dict[str, Any]) -> Found:
    settings = body.get("generationConfig")
    if not isinstance(settings, dict):
        return
    for key, (low, high) in RANGES.items():
        value = settings.get(key)
        if isinstance(value, int | float) and not low <= value <= high:
            yield Problem(f"generationConfig.{key}", f"{key} is from {low} to {high}", SERVICE)
    thinking = settings.get("thinkingConfig")
    if isinstance(thinking, dict) and None not in (thinking.get("thinkingBudget"), thinking.get("thinkingLevel")):
        rule = "thinkingBudget and thinkingLevel exclude each other"
        yield Problem("generationConfig.thinkingConfig", rule, SERVICE)
