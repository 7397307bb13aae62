"""One subject on one wire: the part of a request body that it becomes, the rules broken, what is left out.

A block cannot travel alone. It is put into the smallest conversation that takes it, and only its own part is shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from ...errors import TranslationError
from ...messages import Message, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript
from ...providers.base import ToolSchema
from ._left_out import lost_blocks, lost_fields
from ._plain import AnyBlock, Subject, to_plain

Body = dict[str, Any]

FILLER = "…"


@dataclass(frozen=True)
class OnWire:
    """A subject's part of a request body, or why there is none (`error`); `back` is what reading it gives again."""

    body: Body
    problems: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    back: Body = field(default_factory=dict)
    error: str = ""


@dataclass(frozen=True)
class Scene:
    """The smallest conversation around a subject: what comes before it, up to it, and up to its answer."""

    before: Transcript | None
    with_it: Transcript
    full: Transcript
    tools: tuple[ToolSchema, ...] = ()


def on_wire(subject: Subject, adapter: ModuleType) -> OnWire:
    """The subject as `adapter` writes it. A faulty adapter becomes a sentence, so that the other panes stay."""
    scene = scene_of(subject)
    try:
        body = adapter.to_request(scene.with_it, scene.tools)
        before = adapter.to_request(scene.before) if scene.before else {}
        shown, skipped = added(before, body)
        problems = adapter.check_request(adapter.to_request(scene.full, scene.tools))
        back, tools = adapter.from_request(body)
    except TranslationError as error:
        skipped = {"messages": len(scene.before or ())}
        return OnWire({}, error=f"This wire cannot say it: {_shift(error.path, skipped)}: {error.problem}")
    except Exception as error:
        return OnWire({}, error=f"The adapter failed: {type(error).__name__}: {error}")
    broken = (f"{_shift(problem.path, skipped)}: {problem.rule} ({problem.source})" for problem in problems)
    lost = [*lost_blocks(scene.with_it, back, adapter.WIRE), *lost_fields(scene.tools, tools)]
    return OnWire(shown, tuple(broken), tuple(lost), to_plain(back))


def scene_of(subject: Subject) -> Scene:
    """The smallest conversation that the wires take with this subject in it."""
    if isinstance(subject, Transcript):
        return Scene(None, subject, subject)
    if isinstance(subject, Mapping):
        asked = Transcript([Message.user_text(FILLER)])
        return Scene(asked, asked, asked, (subject,))
    message = subject if isinstance(subject, Message) else message_of(subject)
    before, after = _before(message), _after(message)
    with_it = [*before, message]
    return Scene(Transcript(before), Transcript(with_it), Transcript([*with_it, *after]))


def message_of(block: AnyBlock) -> Message:
    """The message in which a block travels; reasoning with an answer after it, for no wire takes it alone."""
    if isinstance(block, TextBlock | ToolResult):
        return Message("user", (block,))
    return Message("assistant", (block, TextBlock(FILLER)) if isinstance(block, ReasoningBlock) else (block,))


def added(before: Body, after: Body) -> tuple[Body, dict[str, int]]:
    """What `after` has that `before` has not, and for each list how many of its first items are left away."""
    shown: Body = {}
    skipped: dict[str, int] = {}
    for key, value in after.items():
        old = before.get(key)
        if value == old:
            continue
        if isinstance(value, list) and isinstance(old, list):
            pairs = zip(old, value, strict=False)
            skipped[key] = next((i for i, (one, other) in enumerate(pairs) if one != other), min(len(old), len(value)))
            value = value[skipped[key] :]
        shown[key] = value
    return shown, skipped


def _before(message: Message) -> list[Message]:
    calls = [ToolCall(block.call_id, "tool", {}) for block in message.blocks if isinstance(block, ToolResult)]
    asked = [] if message.role != "assistant" and not calls else [Message.user_text(FILLER)]
    return [*asked, Message("assistant", tuple(calls))] if calls else asked


def _after(message: Message) -> list[Message]:
    results = tuple(ToolResult(block.id, FILLER) for block in message.blocks if isinstance(block, ToolCall))
    if results:
        return [Message("user", results)]
    return [] if message.role == "user" else [Message.user_text(FILLER)]


def _shift(path: str, skipped: Mapping[str, int]) -> str:
    """A path in the whole body as a path in the part that is shown."""
    found = re.match(r"(\w+)\[(\d+)\]", path)
    if not found or int(found[2]) < skipped.get(found[1], 0):
        return path
    return f"{found[1]}[{int(found[2]) - skipped.get(found[1], 0)}]{path[found.end() :]}"
