"""What the inspector shows on its left: a block as fields, anything larger as JSON, and both read back.

Ids of messages, times and usage are on no wire and stay out of it; an edited message keeps the ones it had.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, TypeAlias, assert_never

from ...errors import InvalidValue
from ...messages import (
    Block,
    Message,
    OpaqueBlock,
    Provenance,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
)
from ...providers.base import ToolSchema
from ...storage import KINDS

AnyBlock: TypeAlias = Block | OpaqueBlock
Subject: TypeAlias = AnyBlock | Message | Transcript | ToolSchema

BLOCKS = (TextBlock, ToolCall, ToolResult, ReasoningBlock, OpaqueBlock)
NAMES = {
    "text": "a text block",
    "tool_call": "a tool call",
    "tool_result": "a tool result",
    "reasoning": "a reasoning block",
    "opaque": "an opaque block",
}


@dataclass(frozen=True)
class Field:
    """One field of a block as a form shows it; `entry` says how it is typed in."""

    name: str
    text: str
    entry: Literal["line", "text", "json", "check"]


def name_of(subject: Subject) -> str:
    """What the subject is, in words."""
    if isinstance(subject, BLOCKS):
        return NAMES[subject.kind]
    if isinstance(subject, Message):
        return f"a message of role {subject.role}"
    if isinstance(subject, Transcript):
        return f"a transcript of {len(subject)} message{'s' * (len(subject) != 1)}"
    return "a tool schema"


def form_of(block: AnyBlock) -> list[Field]:
    """The fields of a block; metadata only where there is some, or where it decides what a wire takes."""
    values = {field.name: getattr(block, field.name) for field in fields(block) if field.name != "kind"}
    if not values.get("metadata") and not isinstance(block, ReasoningBlock):
        values.pop("metadata", None)
    return [_field(name, value) for name, value in values.items()]


def with_field(block: AnyBlock, name: str, text: str | bool) -> AnyBlock:
    """The block with one field as it was typed in; raises `InvalidValue` for what does not fit."""
    entry = next(field.entry for field in form_of(block) if field.name == name)
    value = parse(str(text), name) if entry == "json" else text
    if entry == "json" and not isinstance(value, dict):
        raise InvalidValue(name, "must be a JSON object, as in {}")
    changed: dict[str, Any] = {name: value}
    return replace(block, **changed)


def parse(text: str, path: str) -> Any:
    """A JSON text; raises `InvalidValue` that says where it breaks."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidValue(path, f"is no JSON: line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise InvalidValue(path, "is nested too deeply") from None


def to_plain(subject: Subject) -> dict[str, Any]:
    """The subject as JSON, without what no wire carries."""
    if isinstance(subject, BLOCKS):
        return {"kind": subject.kind, **_present(subject)}
    if isinstance(subject, Message):
        made_by = (
            {"provenance": {k: v for k, v in asdict(subject.provenance).items() if v}} if subject.provenance else {}
        )
        blocks = [to_plain(block) for block in subject.blocks]
        return {"role": subject.role, **made_by, **_metadata(subject.metadata), "blocks": blocks}
    if isinstance(subject, Transcript):
        system = {"system": subject.system} if subject.system is not None else {}
        return {**system, **_metadata(subject.metadata), "messages": [to_plain(message) for message in subject]}
    return dict(subject)


def from_plain(plain: Any, like: Subject) -> Subject:
    """What `to_plain` wrote, perhaps edited, as a subject of the kind of `like`.

    Raises `InvalidValue` with the path of what does not fit.
    """
    if isinstance(like, Transcript):
        return _transcript(plain, like)
    if isinstance(like, Message):
        return _message(plain, like, "message")
    if isinstance(like, BLOCKS):
        return _block(plain, "block")
    return _object(plain, "schema", {"name"}, None)


def _field(name: str, value: Any) -> Field:
    if isinstance(value, bool):
        return Field(name, "true" if value else "", "check")
    if isinstance(value, str):
        return Field(name, value, "text" if name in ("text", "content") else "line")
    return Field(name, json.dumps(value, ensure_ascii=False), "json")


def _present(block: AnyBlock) -> dict[str, Any]:
    match block:
        case TextBlock(text) | ReasoningBlock(text):
            own: dict[str, Any] = {"text": text}
        case ToolCall(id_, name, args):
            own = {"id": id_, "name": name, "args": args}
        case ToolResult(call_id, content, is_error):
            own = {"call_id": call_id, "content": content, "is_error": is_error}
        case OpaqueBlock(wire, payload):
            return {"wire": wire, "payload": payload}
        case _:
            assert_never(block)
    return {**own, **_metadata(block.metadata)}


def _metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {"metadata": metadata} if metadata else {}


def _transcript(plain: Any, like: Transcript) -> Transcript:
    body = _object(plain, "transcript", {"messages"}, {"messages", "system", "metadata"})
    if not isinstance(body["messages"], list):
        raise InvalidValue("messages", "must be a list")
    old = [*like.messages, *[None] * len(body["messages"])]
    messages = [_message(item, old[m], f"messages[{m}]") for m, item in enumerate(body["messages"])]
    return Transcript(messages, body.get("system"), body.get("metadata", {}))


def _message(plain: Any, like: Message | None, path: str) -> Message:
    body = _object(plain, path, {"role", "blocks"}, {"role", "blocks", "provenance", "metadata"})
    if not isinstance(body["blocks"], list):
        raise InvalidValue(f"{path}.blocks", "must be a list")
    blocks = [_block(item, f"{path}.blocks[{b}]") for b, item in enumerate(body["blocks"])]
    provenance = body.get("provenance")
    known = {field.name for field in fields(Provenance)}
    made_by = Provenance(**_object(provenance, f"{path}.provenance", set(), known)) if provenance else None
    try:
        new = Message(body["role"], tuple(blocks), provenance=made_by, metadata=body.get("metadata", {}))
    except InvalidValue as error:
        raise InvalidValue(f"{path}.{error.path}", error.problem) from None
    if like is None or like.role != new.role:
        return new
    return replace(new, id=like.id, created_at=like.created_at, usage=like.usage)


def _block(plain: Any, path: str) -> AnyBlock:
    body = _object(plain, path, {"kind"}, None)
    kind = KINDS.get(body.pop("kind"))
    if kind is None:
        raise InvalidValue(f"{path}.kind", f"must be one of {', '.join(KINDS)}")
    known = [field for field in fields(kind) if field.name != "kind"]
    needed = {field.name for field in known if field.name not in ("metadata", "is_error")}
    try:
        return kind(**_object(body, path, needed, {field.name for field in known}))
    except InvalidValue as error:
        raise InvalidValue(
            error.path if error.path.startswith(path) else f"{path}.{error.path}", error.problem
        ) from None


def _object(plain: Any, path: str, needed: Iterable[str], known: set[str] | None) -> dict[str, Any]:
    if not isinstance(plain, dict):
        raise InvalidValue(path, "must be a JSON object")
    if missing := [name for name in needed if name not in plain]:
        raise InvalidValue(path, f"has no {' and no '.join(sorted(missing))}")
    if known is not None and (strange := [name for name in plain if name not in known]):
        raise InvalidValue(f"{path}.{strange[0]}", f"is unknown here; known are: {', '.join(sorted(known))}")
    return dict(plain)
