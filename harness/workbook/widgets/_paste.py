"""Wire JSON that somebody pasted, read back into a subject: a whole body, a part of one, an item, or one block."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, TypeAlias

from ...errors import InvalidValue
from ...messages import Message, ReasoningBlock, TextBlock, Transcript
from ...providers.base import ToolSchema
from ._plain import BLOCKS, Subject, parse
from ._wires import FILLER, Body, on_wire

Path: TypeAlias = tuple[str | int, ...]

ASKED = Transcript([Message.user_text(FILLER)])
TOOL: ToolSchema = {"name": "tool", "input_schema": {"type": "object", "properties": {}}}
WHAT = "the pasted text"


def read_paste(text: str, adapter: ModuleType, like: Subject) -> Subject:
    """The pasted JSON as a subject of the kind of `like`, or the smallest larger one that holds all of it.

    Raises `InvalidValue` or `TranslationError` with the path of what does not fit.
    """
    transcript, tools = adapter.from_request(_as_body(parse(text, WHAT), adapter, like))
    if isinstance(like, Mapping):
        if len(tools) != 1:
            raise InvalidValue(WHAT, f"must hold one tool schema, not {len(tools)}")
        return dict(tools[0])
    if not len(transcript) and transcript.system is None:
        raise InvalidValue(WHAT, "holds no message")
    return _narrowed(transcript, like)


def _as_body(pasted: Any, adapter: ModuleType, like: Subject) -> Body:
    """A body around what was pasted: it takes the place of what it looks like in the body that the pane shows."""
    plain = adapter.to_request(ASKED)
    conversation = next(key for key, value in plain.items() if isinstance(value, list))
    base = plain if isinstance(like, Mapping) else {conversation: []}
    key = "tools" if isinstance(like, Mapping) else conversation
    if isinstance(pasted, list):
        return {**base, key: pasted}
    if not isinstance(pasted, dict):
        raise InvalidValue(WHAT, "must be a JSON object or a list")
    known = adapter.to_request(Transcript(ASKED.messages, system=FILLER), [TOOL])
    if known.keys() & pasted.keys():
        return {**base, **pasted}
    shown = on_wire(like, adapter).body
    path = max(_spine(shown), key=lambda path: len(_at(shown, path).keys() & pasted.keys()), default=())
    if not path or not _at(shown, path).keys() & pasted.keys():
        return {**base, key: [pasted]}
    return {**base, **_put(shown, path, pasted)}


def _spine(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths of the objects in a body from the outside in; of a list only its last item."""
    if isinstance(value, dict):
        yield path
        for key, inner in value.items():
            yield from _spine(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield from _spine(value[-1], (*path, len(value) - 1))


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _put(value: Any, path: Path, new: Any) -> Any:
    """A copy of `value` with `new` at `path`; what stood before it in a list is let go."""
    if not path:
        return new
    inner = _put(value[path[0]], path[1:], new)
    return [inner] if isinstance(value, list) else {**value, path[0]: inner}


def _narrowed(transcript: Transcript, like: Subject) -> Subject:
    if isinstance(like, Transcript) or len(transcript) != 1 or transcript.system is not None:
        return transcript
    message = transcript.messages[0]
    blocks = message.blocks
    if isinstance(like, ReasoningBlock) and blocks[1:] == (TextBlock(FILLER),):
        blocks = blocks[:1]
    return blocks[0] if isinstance(like, BLOCKS) and len(blocks) == 1 else message
