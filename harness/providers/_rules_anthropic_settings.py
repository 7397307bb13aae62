"""The documented rules for what stands beside the messages: tools, thinking, effort and the other settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..errors import Problem
from ._models_anthropic import EFFORTS, LEAST_BUDGET, Model, lookup
from ._reading import objects
from ._turns_anthropic import THINKING

TOOL_KEYS = {"type", "name", "description", "input_schema", "cache_control", "strict", "defer_loading"} | {
    "allowed_callers",
    "eager_input_streaming",
    "input_examples",
}
LEGAL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
UNSUPPORTED = ("minimum", "maximum", "multipleOf", "minLength", "maxLength")

TYPES = "anthropic SDK types"
API = "Anthropic: errors of the API"
TOOL_USE = "Anthropic: tool use docs"
CACHING = "Anthropic: prompt caching docs"
REASONING = "Anthropic: thinking docs"
EFFORT = "Anthropic: effort docs"
OUTPUT = "Anthropic: structured outputs docs"

Problems = Iterator[Problem]
Json = dict[str, Any]


def cache_mark(item: Json, path: str) -> Problems:
    mark = item.get("cache_control")
    if mark is None:
        return
    if not isinstance(mark, dict) or mark.get("type") != "ephemeral" or mark.get("ttl", "5m") not in ("5m", "1h"):
        yield Problem(f"{path}.cache_control", "a cache mark is ephemeral, with a ttl of 5m or 1h", TYPES)
    if item.get("type") in THINKING:
        yield Problem(f"{path}.cache_control", "thinking blocks take no cache mark", CACHING)


def check_tools(body: Json) -> Problems:
    tools = body.get("tools")
    if tools is not None and not isinstance(tools, list):
        yield Problem("tools", "must be an array", TYPES)
    names: list[Any] = []
    for t, tool in objects(tools):
        path, name, schema = f"tools[{t}]", tool.get("name"), tool.get("input_schema")
        yield from cache_mark(tool, path)
        if name in names and name is not None:
            yield Problem(f"{path}.name", "names of tools must differ", API)
        names.append(name)
        if tool.get("type", "custom") not in ("custom", None):
            continue  # a server tool: its own fields
        for key in sorted(tool.keys() - TOOL_KEYS):
            yield Problem(f"{path}.{key}", "a tool has no such field", TYPES)
        if not isinstance(name, str) or not LEGAL_NAME.fullmatch(name):
            yield Problem(f"{path}.name", "a tool's name is 1 to 128 letters, digits, _ and -", TOOL_USE)
        if not isinstance(schema, dict) or schema.get("type") != "object":
            yield Problem(f"{path}.input_schema", "a tool's schema must be of the type object", TYPES)
        elif {"oneOf", "allOf", "anyOf"} & schema.keys():
            yield Problem(f"{path}.input_schema", "oneOf, allOf and anyOf must not stand at the top", API)
    yield from _tool_choice(body.get("tool_choice"), names)


def _tool_choice(choice: Any, names: list[Any]) -> Problems:
    if choice is None:
        return
    kind = choice.get("type") if isinstance(choice, dict) else None
    if kind not in ("auto", "any", "tool", "none"):
        yield Problem("tool_choice.type", "must be auto, any, tool or none", TYPES)
    elif not names and kind in ("any", "tool"):
        yield Problem("tool_choice", "needs tools to choose from", API)
    elif kind == "tool" and choice.get("name") not in names:
        yield Problem("tool_choice.name", "must be the name of one of the tools", API)


def check_settings(body: Json) -> Problems:
    limit = body.get("max_tokens")
    if "max_tokens" in body and (type(limit) is not int or limit < 0):
        yield Problem("max_tokens", "must be a whole number, 0 or more", TYPES)
    if "model" in body and (not isinstance(body["model"], str) or not body["model"]):
        yield Problem("model", "must be a model's name", TYPES)
    yield from _sampling(body)
    yield from _thinking(body)
    yield from _output(body)


def _row(body: Json) -> Model:
    return lookup(str(body.get("model") or ""))


def _sampling(body: Json) -> Problems:
    newer = not _row(body).budget
    for key in ("temperature", "top_p", "top_k"):
        value = body.get(key)
        if newer and value not in (None, 1):
            yield Problem(key, "this model takes no sampling parameters", REASONING)
        elif key != "top_k" and isinstance(value, int | float) and not 0 <= value <= 1:
            yield Problem(key, "must be from 0 to 1", TYPES)


def _thinking(body: Json) -> Problems:
    thinking = body.get("thinking")
    if thinking is None:
        return
    kind = thinking.get("type") if isinstance(thinking, dict) else None
    if kind not in ("enabled", "adaptive", "disabled", "between_tools"):
        yield Problem("thinking.type", "must be enabled, adaptive, disabled or between_tools", TYPES)
    elif kind == "enabled":
        yield from _budget(body, thinking.get("budget_tokens"))
    row = _row(body)
    if (kind == "enabled" and not row.budget) or (kind == "adaptive" and not row.adaptive):
        yield Problem("thinking.type", f"this model does not take {kind} thinking", REASONING)


def _budget(body: Json, budget: Any) -> Problems:
    limit, choice = body.get("max_tokens"), body.get("tool_choice")
    if type(budget) is not int or budget < LEAST_BUDGET:
        yield Problem("thinking.budget_tokens", f"must be at least {LEAST_BUDGET}", TYPES)
    elif type(limit) is int and budget >= limit:
        yield Problem("thinking.budget_tokens", "must be less than max_tokens", TYPES)
    if isinstance(choice, dict) and choice.get("type") in ("any", "tool"):
        yield Problem("tool_choice.type", "must be auto or none with a thinking budget", REASONING)
    if body.get("temperature", 1) != 1:
        yield Problem("temperature", "must be left at 1 with a thinking budget", REASONING)
    if body.get("top_k") is not None:
        yield Problem("top_k", "must be left out with a thinking budget", REASONING)


def _output(body: Json) -> Problems:
    config = body.get("output_config")
    effort = config.get("effort") if isinstance(config, dict) else None
    if effort is not None and effort not in EFFORTS:
        yield Problem("output_config.effort", f"must be one of {', '.join(EFFORTS)}", TYPES)
    elif effort is not None and effort not in _row(body).efforts:
        yield Problem("output_config.effort", "this model does not take this effort", EFFORT)
    formats = [("output_format", body.get("output_format"))]
    if isinstance(config, dict):
        formats.append(("output_config.format", config.get("format")))
    for path, given in formats:
        if isinstance(given, dict) and "schema" not in given:
            yield Problem(f"{path}.schema", "is required", API)
        elif isinstance(given, dict):
            yield from _schema(given["schema"], f"{path}.schema")


def _schema(schema: Any, path: str) -> Problems:
    waiting = [(path, schema)]
    while waiting:
        path, schema = waiting.pop()
        if not isinstance(schema, dict):
            continue
        for key in UNSUPPORTED:
            if key in schema and isinstance(schema.get("type"), str):
                yield Problem(f"{path}.{key}", f"an output schema cannot have {key}", OUTPUT)
        properties = schema.get("properties")
        if isinstance(properties, dict):
            waiting += [(f"{path}.properties.{name}", inner) for name, inner in properties.items()]
        waiting.append((f"{path}.items", schema.get("items")))
