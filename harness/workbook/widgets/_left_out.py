"""What a wire leaves out of a transcript: its body is read back and compared with what was said, block by block."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any

from ...messages import TextBlock, Transcript
from ...providers.base import ToolSchema
from ...show import block_label
from ._plain import AnyBlock, to_plain


def lost_blocks(said: Transcript, back: Transcript, wire: str) -> Iterator[str]:
    """One sentence for each block or field of `said` that `back`, read from a body of `wire`, does not give again."""
    ours, theirs = _all_blocks(said), _all_blocks(back)
    a, b = [_key(block) for block in ours], [_key(block) for block in theirs]
    for tag, i, i2, j, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (note for block in ours[i:i2] for note in _lost_metadata(block, wire))
        elif tag in ("replace", "delete"):
            moved = {*b[:j], *b[j2:]}
            yield from _changed([block for block in ours[i:i2] if _key(block) not in moved], theirs[j:j2])


def lost_fields(ours: Sequence[ToolSchema], theirs: Sequence[ToolSchema]) -> Iterator[str]:
    """One sentence for each field of our tool schemas that theirs do not have, or have otherwise."""
    for mine, other in zip(ours, theirs, strict=False):
        for name in mine:
            if name not in other:
                yield f"{name} of the tool"
            elif mine[name] != other[name]:
                yield f"{name} of the tool as it stands"


def _all_blocks(transcript: Transcript) -> list[AnyBlock]:
    """Every block in order, the system prompt first: wires differ in whether it is a field or a message."""
    system = [TextBlock(transcript.system)] if transcript.system else []
    return [*system, *(block for message in transcript for block in message.blocks)]


def _key(block: AnyBlock) -> str:
    return _json({name: value for name, value in to_plain(block).items() if name != "metadata"})


def _changed(ours: Sequence[AnyBlock], theirs: Sequence[AnyBlock]) -> Iterator[str]:
    rest = list(theirs)
    for block in ours:
        twin = next((other for other in rest if other.kind == block.kind), None)
        if twin is None:
            yield _named(block)
        else:
            rest.remove(twin)
            yield from _changed_fields(block, twin)


def _changed_fields(block: AnyBlock, twin: AnyBlock) -> Iterator[str]:
    new = to_plain(twin)
    for name, value in to_plain(block).items():
        if name != "metadata" and new.get(name) != value:
            yield f"{name} of the {block_label(block)[0]}: {_json(value)} comes back as {_json(new.get(name))}"


def _lost_metadata(block: AnyBlock, wire: str) -> Iterator[str]:
    for owner, fields in to_plain(block).get("metadata", {}).items():
        if owner != wire:
            names = [name for name in fields if name != "covers"] if isinstance(fields, dict) else []
            yield f"{', '.join(names) or 'metadata'} of the {block_label(block)[0]}, which belongs to {owner}"


def _named(block: AnyBlock) -> str:
    label, detail = block_label(block)
    plain = to_plain(block)
    text = plain.get("text") or plain.get("content") or ("" if "text" in plain else detail)
    named = f"the {label} “{text if len(text) <= 60 else text[:59] + '…'}”" if text else f"the empty {label}"
    owners = ", ".join(plain.get("metadata", ())) if label == "reasoning" else ""
    return named + (f", which belongs to {owners}" if owners else "")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
