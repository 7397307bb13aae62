"""Which call belongs to which result: what is broken between them, and how it is mended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from .errors import Problem
from .messages import Block, Message, OpaqueBlock, ToolCall, ToolResult

SOURCE = "Transcript.check"
INTERRUPTED = "interrupted: this call was never answered"
OPAQUE_ID_KEYS = (
    "call_id",
    "id",
    "tool_use_id",
    "toolUseId",
)  # where wires keep the id of a call they run themselves


@dataclass
class _Calls:
    """The calls seen so far: open ones with the place of each, and the ids that have been answered."""

    open: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    opaque: set[str] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)

    def ask(self, call_id: str, place: tuple[int, int]) -> None:
        self.open.setdefault(call_id, []).append(place)

    def answer(self, call_id: str) -> bool:
        """Close a call; False when there is none to close."""
        if places := self.open.get(call_id):
            places.pop(0)
            if not places:
                del self.open[call_id]
        elif call_id in self.opaque:
            self.opaque.discard(call_id)
        else:
            return False
        self.answered.add(call_id)
        return True

    def overdue(self) -> list[tuple[int, int]]:
        """The places of all open calls, which are then closed."""
        places = sorted(place for group in self.open.values() for place in group)
        self.open.clear()
        return places


def check(messages: Sequence[Message]) -> list[Problem]:
    """Results without a call, calls without a result, calls answered twice; calls of the last turn are pending."""
    found: list[tuple[tuple[int, int], str]] = []
    for place, rule in _faults(messages):
        found.append((place, rule))
    return [Problem(f"messages[{m}].blocks[{b}]", rule, SOURCE) for (m, b), rule in sorted(found)]


def repair(messages: Sequence[Message]) -> list[Message]:
    """The messages without stray results, and with an error result after each call that was never answered."""
    broken = {place for place, _ in _faults(messages)}
    mended: list[Message] = []
    for m, message in enumerate(messages):
        kept = tuple(
            block for b, block in enumerate(message.blocks) if not (isinstance(block, ToolResult) and (m, b) in broken)
        )
        if kept or not message.blocks:
            mended.append(message if kept == message.blocks else replace(message, blocks=kept))
        open_calls = [
            block for b, block in enumerate(message.blocks) if (m, b) in broken and isinstance(block, ToolCall)
        ]
        if open_calls:
            results = tuple(ToolResult(call.id, INTERRUPTED, is_error=True) for call in open_calls)
            mended.append(Message("user", results))
    return mended


def without_opaque(messages: Sequence[Message]) -> list[Message]:
    """The messages without opaque blocks, with results reduced to their text, and mended where that left a gap."""
    plain = []
    for message in messages:
        blocks = tuple(_text_only(block) for block in message.blocks if not isinstance(block, OpaqueBlock))
        if blocks or not message.blocks:
            plain.append(replace(message, blocks=blocks))
    return repair(plain)


def _text_only(block: Block) -> Block:
    return replace(block, metadata={}) if isinstance(block, ToolResult) and block.metadata else block


def _faults(messages: Sequence[Message]) -> Iterator[tuple[tuple[int, int], str]]:
    """Each fault with the place (message, block) of the result or call at fault."""
    calls = _Calls()
    for m, message in enumerate(messages):
        starts_turn = message.role == "assistant" and m > 0 and messages[m - 1].role != "assistant"
        if starts_turn:
            yield from _unanswered(calls)
        for b, block in enumerate(message.blocks):
            if isinstance(block, ToolCall):
                calls.ask(block.id, (m, b))
            elif isinstance(block, OpaqueBlock):
                calls.opaque |= {str(block.payload[key]) for key in OPAQUE_ID_KEYS if key in block.payload}
            elif isinstance(block, ToolResult) and not calls.answer(block.call_id):
                twice = block.call_id in calls.answered
                yield (
                    (m, b),
                    ("answers a call that already has its result" if twice else "answers no open call"),
                )
    if messages and messages[-1].role != "assistant":
        yield from _unanswered(calls)


def _unanswered(calls: _Calls) -> Iterator[tuple[tuple[int, int], str]]:
    for place in calls.overdue():
        yield place, "is a call that the next turn left without a result"
