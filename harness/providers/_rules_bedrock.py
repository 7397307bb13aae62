"""The documented rules of Bedrock Converse, checked on a request body before it is sent.

The rules of one block come first, then those between blocks and turns, then those of the rest of the body.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..errors import Problem
from ._reading import objects

MODEL = "botocore: bedrock-runtime service model"  # what the SDK says of lengths, patterns, enums and unions
SERVICE = "Bedrock: ValidationException of Converse"  # what the service itself answers

LEGAL_ID = re.compile(r"[a-zA-Z0-9_.:-]{1,64}")  # of a call
LEGAL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")  # of a tool

ROLES = ("user", "assistant", "system")
MEDIA = ("image", "document", "video", "audio")
BLOCKS = (
    *("text", "toolUse", "toolResult", "reasoningContent", "cachePoint", "guardContent", "citationsContent"),
    *("searchResult", "toolAddition", "toolRemoval", *MEDIA),
)
RESULT_PARTS = ("text", "json", "image", "document", "video", "searchResult")
SYSTEM_PARTS = ("text", "guardContent", "cachePoint")
TOOLS = ("toolSpec", "systemTool", "cachePoint")
CALLING = ("toolUse", "toolResult")
RANGES = {"maxTokens": (1, float("inf")), "temperature": (0, 1), "topP": (0, 1)}

Found = Iterator[Problem]


def check_request(body: Any) -> list[Problem]:
    """The documented rules that a request body breaks; any JSON value can be asked about."""
    if not isinstance(body, dict):
        return [Problem("body", "a request is an object", MODEL)]
    return [*_messages(body.get("messages")), *_system(body.get("system")), *_tools(body), *_inference(body)]


# ---- one block


def _union(item: Any, kinds: tuple[str, ...], path: str) -> Found:
    given = [key for key, value in item.items() if value is not None] if isinstance(item, dict) else []
    if len(given) != 1 or given[0] not in kinds:
        yield Problem(path, f"has exactly one of the keys {', '.join(kinds)}", MODEL)


def _block(block: Any, role: Any, path: str) -> Found:
    yield from _union(block, BLOCKS, path)
    if not isinstance(block, dict):
        return
    if "text" in block:
        yield from _text(block["text"], f"{path}.text")
    if isinstance(use := block.get("toolUse"), dict):
        yield from _tool_use(use, role, f"{path}.toolUse")
    if isinstance(result := block.get("toolResult"), dict):
        yield from _tool_result(result, role, f"{path}.toolResult")
    if "reasoningContent" in block:
        yield from _reasoning(block["reasoningContent"], role, f"{path}.reasoningContent")
    for kind in MEDIA:
        if kind in block:
            yield from _medium(block[kind], role, f"{path}.{kind}")


def _text(text: Any, path: str) -> Found:
    if not isinstance(text, str) or not text.strip():
        yield Problem(path, "a text is a string that is not blank", SERVICE)


def _tool_use(use: dict[str, Any], role: Any, path: str) -> Found:
    yield from _named(use.get("toolUseId"), LEGAL_ID, f"{path}.toolUseId")
    yield from _named(use.get("name"), LEGAL_NAME, f"{path}.name")
    if not isinstance(use.get("input"), dict):
        yield Problem(f"{path}.input", "the input of a call is an object", SERVICE)
    if role != "assistant":
        yield Problem(path, "only the assistant calls tools", SERVICE)


def _tool_result(result: dict[str, Any], role: Any, path: str) -> Found:
    yield from _named(result.get("toolUseId"), LEGAL_ID, f"{path}.toolUseId")
    if result.get("status") not in (None, "success", "error"):
        yield Problem(f"{path}.status", "a status is success or error", MODEL)
    content = result.get("content")
    if not isinstance(content, list):
        yield Problem(f"{path}.content", "the content of a result is an array", MODEL)
        return
    if not content and result.get("status") == "error":
        yield Problem(f"{path}.content", "a result whose status is error says something", SERVICE)
    for p, part in enumerate(content):
        yield from _union(part, RESULT_PARTS, f"{path}.content[{p}]")
        if isinstance(part, dict) and not isinstance(part.get("text", ""), str):
            yield Problem(f"{path}.content[{p}].text", "a text is a string", MODEL)
    if role != "user" and result.get("type") is None:
        yield Problem(path, "results stand in a user message", SERVICE)


def _reasoning(content: Any, role: Any, path: str) -> Found:
    yield from _union(content, ("reasoningText", "redactedContent"), path)
    inner = content.get("reasoningText") if isinstance(content, dict) else None
    if inner is not None and not (isinstance(inner, dict) and isinstance(inner.get("text"), str)):
        yield Problem(f"{path}.reasoningText.text", "reasoning has its text as a string", MODEL)
    if role != "assistant":
        yield Problem(path, "only the assistant reasons", SERVICE)


def _medium(medium: Any, role: Any, path: str) -> Found:
    source = medium.get("source") if isinstance(medium, dict) else None
    yield from _union(source, ("bytes", "s3Location", "text", "content"), f"{path}.source")
    if role != "user":
        yield Problem(path, "images, documents, video and audio stand in user messages", MODEL)


def _named(value: Any, legal: re.Pattern[str], path: str) -> Found:
    if not isinstance(value, str) or not legal.fullmatch(value):
        yield Problem(path, f"matches {legal.pattern}", MODEL)


# ---- between blocks and turns


def _messages(messages: Any) -> Found:
    if not isinstance(messages, list) or not messages:
        yield Problem("messages", "messages are an array with at least one message", SERVICE)
        return
    asked: set[str] = set()
    before = None
    for m, message in enumerate(messages):
        path = f"messages[{m}]"
        role = message.get("role") if isinstance(message, dict) else None
        if role not in ROLES:
            yield Problem(f"{path}.role", f"a role is one of {', '.join(ROLES)}", MODEL)
        elif role == before:
            yield Problem(f"{path}.role", "user and assistant alternate", SERVICE)
        yield from _content(message, path)
        yield from _answers(message, asked, path)
        asked, before = _ids(message, "toolUse"), role


def _content(message: Any, path: str) -> Found:
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, list) or not content:
        yield Problem(f"{path}.content", "a content is an array with at least one block", SERVICE)
        return
    for b, block in enumerate(content):
        yield from _block(block, message.get("role"), f"{path}.content[{b}]")


def _answers(message: Any, asked: set[str], path: str) -> Found:
    """Results belong in the message right after their calls: each call has one, and there are no others."""
    given = _ids(message, "toolResult")
    for missing in sorted(asked - given):
        yield Problem(f"{path}.content", f"has the result of the call {missing!r} of the turn before", SERVICE)
    for stray in sorted(given - asked):
        yield Problem(f"{path}.content", f"the result of {stray!r} answers no call of the turn before", SERVICE)


def _ids(message: Any, kind: str) -> set[str]:
    """The ids of a message's calls or results, those of tools that the service runs itself left out."""
    content = message.get("content") if isinstance(message, dict) else None
    inner = [block.get(kind) for _, block in objects(content)]
    return {
        item["toolUseId"]
        for item in inner
        if isinstance(item, dict) and item.get("type") in (None, "tool_use") and isinstance(item.get("toolUseId"), str)
    }


# ---- the rest of the body


def _system(system: Any) -> Found:
    if system is not None and not isinstance(system, list):
        yield Problem("system", "the system prompt is an array of blocks", MODEL)
        return
    for p, part in enumerate(system or []):
        yield from _union(part, SYSTEM_PARTS, f"system[{p}]")
        if isinstance(part, dict) and part.get("text") == "":
            yield Problem(f"system[{p}].text", "a text of the system prompt is not empty", MODEL)


def _tools(body: dict[str, Any]) -> Found:
    config = body.get("toolConfig")
    config = config if isinstance(config, dict) else {}
    tools = config.get("tools")
    if config and (not isinstance(tools, list) or not tools):
        yield Problem("toolConfig.tools", "tools are an array with at least one tool", MODEL)
    if not tools and any(_ids(message, kind) for _, message in objects(body.get("messages")) for kind in CALLING):
        yield Problem("toolConfig", "is there as long as messages have calls or results", SERVICE)
    for t, tool in objects(tools):
        path = f"toolConfig.tools[{t}]"
        yield from _union(tool, TOOLS, path)
        if isinstance(spec := tool.get("toolSpec"), dict):
            yield from _spec(spec, f"{path}.toolSpec")
    if (choice := config.get("toolChoice")) is not None:
        yield from _union(choice, ("auto", "any", "tool"), "toolConfig.toolChoice")


def _spec(spec: dict[str, Any], path: str) -> Found:
    yield from _named(spec.get("name"), LEGAL_NAME, f"{path}.name")
    if spec.get("description") == "":
        yield Problem(f"{path}.description", "a description is left out or not empty", MODEL)
    schema = spec.get("inputSchema")
    if not isinstance(schema, dict) or not isinstance(schema.get("json"), dict):
        yield Problem(f"{path}.inputSchema.json", "the schema of a tool's input is an object", MODEL)


def _inference(body: dict[str, Any]) -> Found:
    config = body.get("inferenceConfig")
    given = config if isinstance(config, dict) else {}
    for name, (low, high) in RANGES.items():
        value = given.get(name)
        if value is not None and not (isinstance(value, int | float) and low <= value <= high):
            yield Problem(f"inferenceConfig.{name}", f"is a number from {low} to {high}", MODEL)
