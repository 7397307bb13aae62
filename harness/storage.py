"""A transcript as a JSON text or file, lossless, with a schema version; a save is all or nothing."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from .errors import InvalidValue
from .messages import (
    Block,
    Message,
    OpaqueBlock,
    Provenance,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
    Usage,
)

SCHEMA = "harness.transcript"
VERSION = 1
KINDS: dict[str, type[Block | OpaqueBlock]] = {
    "text": TextBlock,
    "tool_call": ToolCall,
    "tool_result": ToolResult,
    "reasoning": ReasoningBlock,
    "opaque": OpaqueBlock,
}


def dumps(transcript: Transcript) -> str:
    """The transcript as a JSON text."""
    body = {
        "schema": SCHEMA,
        "version": VERSION,
        "system": transcript.system,
        "metadata": transcript.metadata,
        "messages": [_message_out(message) for message in transcript],
    }
    return json.dumps(body, ensure_ascii=False, allow_nan=False)


def loads(text: str | bytes) -> Transcript:
    """The transcript in a JSON text; raises `InvalidValue` with the place that is damaged."""
    try:
        body = json.loads(text)
    except ValueError as error:
        raise InvalidValue("transcript", f"is no JSON: {error}") from None
    if not isinstance(body, dict) or body.get("schema") != SCHEMA:
        raise InvalidValue("transcript", f"has no schema {SCHEMA!r}: it was not written by Transcript.save")
    if body.get("version") != VERSION:
        raise InvalidValue(
            "transcript",
            f"has schema version {body.get('version')!r}, this package reads {VERSION}: update it",
        )
    try:
        messages = [_message_in(message, f"messages[{i}]") for i, message in enumerate(body["messages"])]
        return Transcript(messages, body["system"], body["metadata"])
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidValue("transcript", f"is damaged: {error!r}") from None


def save(transcript: Transcript, path: Path) -> None:
    """Write the transcript beside `path`, then put it in its place."""
    text = dumps(transcript)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def load(path: Path) -> Transcript:
    """The transcript in a file."""
    return loads(path.read_bytes())


def _message_out(message: Message) -> dict[str, Any]:
    return {
        "role": message.role,
        "id": message.id,
        "created_at": message.created_at.isoformat(),
        "provenance": message.provenance and asdict(message.provenance),
        "usage": message.usage and asdict(message.usage),
        "metadata": message.metadata,
        "blocks": [_block_out(block) for block in message.blocks],
    }


def _block_out(block: Block | OpaqueBlock) -> dict[str, Any]:
    return {name: getattr(block, name) for name in ("kind", *type(block).__slots__) if name != "__weakref__"}


def _message_in(raw: dict[str, Any], path: str) -> Message:
    try:
        return Message(
            raw["role"],
            tuple(_block_in(block) for block in raw["blocks"]),
            datetime.fromisoformat(raw["created_at"]),
            raw["id"],
            raw["provenance"] and Provenance(**raw["provenance"]),
            raw["usage"] and Usage(**raw["usage"]),
            raw["metadata"],
        )
    except InvalidValue as error:
        raise InvalidValue(f"{path}.{error.path}", error.problem) from None
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidValue(path, f"is damaged: {error!r}") from None


def _block_in(raw: dict[str, Any]) -> Block | OpaqueBlock:
    fields = dict(raw)
    return KINDS[fields.pop("kind")](**fields)
