"""What every adapter asks of a transcript before it writes: is it whole, whose reasoning is it, are the ids legal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ..errors import TranslationError
from ..messages import Message, OpaqueBlock, ToolCall, ToolResult, Transcript


def require_whole(transcript: Transcript, wire: str) -> None:
    """Raise a `TranslationError` for the first thing that `Transcript.check` finds."""
    for problem in transcript.check():
        advice = "Transcript.repair() returns a mended transcript"
        raise TranslationError(wire, problem.path, f"{problem.rule}; {advice}")


def require_ours(transcript: Transcript, wire: str) -> None:
    """Raise a `TranslationError` for what belongs to another wire and cannot be said on this one."""
    for m, message in enumerate(transcript):
        for b, block in enumerate(message.blocks):
            if type(block) is OpaqueBlock and block.wire != wire:
                name = block.payload.get("type") or next(iter(block.payload), "content")
                raise _foreign(wire, m, b, f"{name!r} of {block.wire}")
            if type(block) is ToolResult and (others := rich_wires(block)) and wire not in others:
                raise _foreign(wire, m, b, f"a tool result with more than text, of {others[0]}")


def rich_wires(result: ToolResult) -> list[str]:
    """The wires whose form of a result holds more than its text: images, files (under the key `content`)."""
    return [wire for wire, fields in result.metadata.items() if isinstance(fields, dict) and "content" in fields]


def crosses(message: Message, *, provider: str | None, model: str | None) -> bool:
    """Whether a message's reasoning may go to this provider and model; what is unknown on either side is no bar.

    Vendors seal reasoning for the model that was asked for; names of models in responses differ from those requested.
    """
    made_by = message.provenance
    if made_by is None:
        return True
    same_provider = None in (provider, made_by.provider) or provider == made_by.provider
    same_model = None in (model, made_by.model) or model == made_by.model
    return same_provider and same_model


def wire_ids(
    messages: Iterable[Message], legal: Callable[[str], bool], invent: Callable[[int], str] = "call_{}".format
) -> dict[str, str]:
    """A new id for each call id that a wire refuses, one to one, and none that is in use; legal ids are left out."""
    used = dict.fromkeys(call_ids(messages))
    taken, renamed, count = set(used), {}, 0
    for id_ in used:
        if legal(id_):
            continue
        while (new := invent(count)) in taken:
            count += 1
        taken.add(new)
        renamed[id_] = new
    return renamed


def call_ids(messages: Iterable[Message]) -> Iterator[str]:
    """The id of each call and of each result."""
    for message in messages:
        for block in message.blocks:
            if type(block) is ToolCall:
                yield block.id
            elif type(block) is ToolResult:
                yield block.call_id


def _foreign(wire: str, m: int, b: int, what: str) -> TranslationError:
    return TranslationError(
        wire, f"messages[{m}].blocks[{b}]", f"{what} has no place here; Transcript.without_opaque() lets go of it"
    )
