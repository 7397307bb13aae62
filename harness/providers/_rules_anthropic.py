"""The documented rules of Anthropic Messages, each as one sentence with its place and its source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..errors import Problem
from ._models_anthropic import lookup
from ._reading import objects
from ._rules_anthropic_settings import API, REASONING, TOOL_USE, TYPES, cache_mark, check_settings, check_tools
from ._turns_anthropic import SPEAKERS, THINKING

LEGAL_ID = re.compile(r"[a-zA-Z0-9_-]+")
ROLES = ("user", "assistant", "system")
IMAGES = ("image/jpeg", "image/png", "image/gif", "image/webp")

SYSTEM = "Anthropic: mid-conversation system messages docs"

Problems = Iterator[Problem]
Json = dict[str, Any]


class SentTurn(NamedTuple):
    """Neighbouring messages of one role: the blocks of all, each with its path; `path` of the first message."""

    role: str
    path: str
    blocks: list[tuple[str, Json]]

    def of(self, *kinds: str) -> list[tuple[str, Json]]:
        """The blocks of some kinds."""
        return [(path, block) for path, block in self.blocks if block.get("type") in kinds]


def check_request(body: Any) -> list[Problem]:
    """The documented rules that a request body breaks, or nothing; settings are checked where the body has them."""
    if not isinstance(body, dict):
        return [Problem("body", "must be an object", TYPES)]
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        return [Problem("messages", "must be an array of at least one message", TYPES)]
    turns = turns_of(messages)
    return [
        *_system(body.get("system")),
        *(problem for m, message in enumerate(messages) for problem in _message(message, f"messages[{m}]")),
        *_empty(messages),
        *(problem for turn in turns for path, block in turn.blocks for problem in _block(block, path, turn.role)),
        *_order(turns, body.get("model")),
        *(problem for turn in turns for problem in _turn(turn)),
        *_calls(turns),
        *check_tools(body),
        *check_settings(body),
        *_budget_needs_thinking(body.get("thinking"), turns),
    ]


def turns_of(messages: Any) -> list[SentTurn]:
    """The turns of a body's messages, as far as they have the right shape."""
    turns: list[SentTurn] = []
    for m, message in objects(messages):
        role, content = str(message.get("role")), message.get("content")
        if isinstance(content, str):
            blocks = [(f"messages[{m}].content", {"type": "text", "text": content})] if content else []
        else:
            blocks = [(f"messages[{m}].content[{b}]", block) for b, block in objects(content)]
        if turns and turns[-1].role == role:
            turns[-1].blocks.extend(blocks)
        else:
            turns.append(SentTurn(role, f"messages[{m}]", blocks))
    return turns


def lacks_thinking(turns: list[SentTurn]) -> bool:
    """Whether the turn that tool results now continue began without thinking: it cannot go on with a budget then."""
    turns = [turn for turn in turns if turn.role != "system"]
    if not turns or not turns[-1].of("tool_result"):
        return False
    begun = None
    for turn in reversed(turns):
        if turn.role == "user" and not turn.of("tool_result"):
            break
        begun = turn if turn.role == "assistant" else begun
    return begun is not None and not begun.of(*THINKING)


def _message(message: Any, path: str) -> Problems:
    if not isinstance(message, dict):
        yield Problem(path, "a message must be an object with role and content", API)
        return
    if message.get("role") not in ROLES:
        yield Problem(f"{path}.role", "the role must be user, assistant or system", TYPES)
    content = message.get("content")
    if not isinstance(content, str | list):
        yield Problem(f"{path}.content", "content must be a string or an array of blocks", TYPES)
    for b, block in enumerate(content if isinstance(content, list) else ()):
        if not isinstance(block, dict) or not isinstance(block.get("type"), str):
            yield Problem(f"{path}.content[{b}]", "a block must be an object with a type", TYPES)


def _empty(messages: list[Any]) -> Problems:
    last = len(messages) - 1
    for m, message in objects(messages):
        may_be_empty = (m == last and message.get("role") == "assistant") or message.get("output_config")
        if message.get("content") in ("", []) and not may_be_empty:
            yield Problem(f"messages[{m}].content", "content must not be empty, save in a last assistant message", API)


def _system(system: Any) -> Problems:
    if system is None or isinstance(system, str):
        return
    if not isinstance(system, list):
        yield Problem("system", "must be a string or an array of text blocks", TYPES)
        return
    for p, part in enumerate(system):
        if not isinstance(part, dict) or part.get("type") != "text":
            yield Problem(f"system[{p}]", "must be a text block", TYPES)
        else:
            yield from _block(part, f"system[{p}]", "system")


def _block(block: Json, path: str, role: str) -> Problems:
    kind = block.get("type")
    if isinstance(kind, str) and SPEAKERS.get(kind, role) != role:
        yield Problem(path, f"a block of the type {kind} belongs into a message of the role {SPEAKERS[kind]}", TYPES)
    match kind:
        case "text":
            yield from _strings(block, path, "text")
            if block.get("text") == "":
                yield Problem(f"{path}.text", "a text block must not be empty", API)
        case "tool_use":
            yield from _strings(block, path, "id", "name")
            yield from _id(block.get("id"), f"{path}.id")
            if not isinstance(block.get("input"), dict):
                yield Problem(f"{path}.input", "the input of a call must be an object", TYPES)
        case "tool_result":
            yield from _result(block, path)
        case "thinking":
            yield from _strings(block, path, "thinking", "signature")
            if block.get("signature") == "":
                yield Problem(f"{path}.signature", "a thinking block needs the signature it came with", REASONING)
        case "redacted_thinking":
            yield from _strings(block, path, "data")
        case "image":
            yield from _image(block.get("source"), f"{path}.source")
    yield from cache_mark(block, path)


def _strings(block: Json, path: str, *keys: str) -> Problems:
    for key in keys:
        if not isinstance(block.get(key), str):
            yield Problem(f"{path}.{key}", "must be a string", TYPES)


def _id(value: Any, path: str) -> Problems:
    if isinstance(value, str) and not LEGAL_ID.fullmatch(value):
        yield Problem(path, "an id consists of letters, digits, _ and -, at least one", API)


def _result(block: Json, path: str) -> Problems:
    yield from _strings(block, path, "tool_use_id")
    yield from _id(block.get("tool_use_id"), f"{path}.tool_use_id")
    content = block.get("content")
    if content is not None and not isinstance(content, str | list):
        yield Problem(f"{path}.content", "a result's content must be a string or an array of blocks", TYPES)
    if block.get("is_error") is True and not content:
        yield Problem(f"{path}.content", "content must not be empty where is_error is true", API)
    for p, part in objects(content):
        if part.get("type") == "image":
            yield from _image(part.get("source"), f"{path}.content[{p}].source")


def _image(source: Any, path: str) -> Problems:
    if isinstance(source, dict) and source.get("type") == "base64" and source.get("media_type") not in IMAGES:
        yield Problem(f"{path}.media_type", f"an image must be one of {', '.join(IMAGES)}", TYPES)


def _order(turns: list[SentTurn], model: Any) -> Problems:
    for before, turn, after in zip([None, *turns], turns, [*turns[1:], None], strict=False):
        if turn.role != "system":
            continue
        if before is None or before.role != "user":
            yield Problem(turn.path, "a system message must follow a user turn; the first goes into system", SYSTEM)
        if after is not None and after.role != "assistant":
            yield Problem(turn.path, "a system message must precede an assistant turn or be last", SYSTEM)
        if isinstance(model, str) and not lookup(model).late_system:
            yield Problem(turn.path, "this model takes no system message in mid conversation", SYSTEM)


def _turn(turn: SentTurn) -> Problems:
    if not turn.blocks:
        return
    texts = [str(block.get("text")) for _, block in turn.of("text")]
    if len(texts) == len(turn.blocks) and any(texts) and not any(text.strip() for text in texts):
        yield Problem(turn.path, "a turn must not be blank text alone", API)
    path, last = turn.blocks[-1]
    if turn.role == "assistant" and last.get("type") in THINKING:
        yield Problem(path, "an assistant turn must not end in thinking", REASONING)


def _calls(turns: list[SentTurn]) -> Problems:
    for before, turn in zip([None, *turns], turns, strict=False):
        asked = [block.get("id") for _, block in before.of("tool_use")] if before else []
        answered = [block.get("tool_use_id") for _, block in turn.of("tool_result")]
        yield from _results(turn, asked)
        if before is not None:
            yield from _unanswered(before, answered)
    if turns:
        yield from _unanswered(turns[-1], [])
        path, last = turns[-1].blocks[-1] if turns[-1].blocks else ("", {})
        text = last.get("text")
        if turns[-1].role == "assistant" and isinstance(text, str) and text != text.rstrip():
            yield Problem(f"{path}.text", "a last assistant message must not end in white space", API)


def _results(turn: SentTurn, asked: list[Any]) -> Problems:
    seen: list[Any] = []
    for place, (path, block) in enumerate(turn.blocks):
        if block.get("type") != "tool_result":
            continue
        call_id = block.get("tool_use_id")
        if place != len(seen):
            yield Problem(path, "results come first in a user turn, before other blocks", TOOL_USE)
        if call_id not in asked:
            yield Problem(path, "a result must answer a tool_use of the turn before", TOOL_USE)
        elif call_id in seen:
            yield Problem(path, "a call must have one result only", API)
        seen.append(call_id)


def _unanswered(turn: SentTurn, answered: list[Any]) -> Problems:
    seen = []
    for path, block in turn.of("tool_use"):
        if block.get("id") in seen:
            yield Problem(f"{path}.id", "ids of the calls of one turn must differ", API)
        elif block.get("id") not in answered:
            yield Problem(path, "a tool_use must have its result in the next turn", TOOL_USE)
        seen.append(block.get("id"))


def _budget_needs_thinking(thinking: Any, turns: list[SentTurn]) -> Problems:
    if isinstance(thinking, dict) and thinking.get("type") == "enabled" and lacks_thinking(turns):
        rule = "with a thinking budget, a turn that goes on after tool results must have begun with thinking"
        yield Problem("thinking", rule, REASONING)
