"""The provider protocol: one method that takes a transcript and gives back one response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from ..errors import InvalidValue
from ..frozen import FrozenDict, check_text
from ..messages import (
    Block,
    OpaqueBlock,
    Provenance,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    Transcript,
    flat_blocks,
)

ToolSchema: TypeAlias = dict[str, Any]  # {"name": "calc", "description": "...", "input_schema": {"type": "object"}}

StopReason = Literal["max_tokens", "refusal", "content_filter", "pause", "tool_calls", "end", "other"]


@dataclass(frozen=True)
class ProviderResponse:
    """One assistant turn: `blocks` in wire order, what it cost in tokens, and why it stopped.

    Given `blocks`, the flat fields (`text`, `tool_calls`, `reasoning_text`, `reasoning_metadata`) are views of them;
    given flat fields, `blocks` is built from them. `tool_call_id`, `tool_name` and `tool_args` are the first call.
    Tokens: input includes cached, output includes reasoning, unknown counts are 0. `metadata` keeps, by wire, what the
    vendor put on the message as a whole.
    Raises `InvalidValue` when a flat field says something else than `blocks`.
    """

    text: str | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    tool_args: dict[str, Any] | None = None
    reasoning_text: str | None = None
    reasoning_metadata: dict[str, Any] = field(default_factory=FrozenDict)
    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0
    tool_calls: tuple[ToolCall, ...] = ()
    stop_reason: StopReason | None = None
    blocks: tuple[Block | OpaqueBlock, ...] = ()
    model: str | None = None
    id: str | None = None
    provenance: Provenance | None = None
    metadata: dict[str, Any] = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        if self.text is not None:
            check_text(self.text, "text")
        blocks = tuple(self.blocks) or flat_blocks(self)
        views = _views(blocks)
        if not self.blocks:
            views["text"] = self.text  # an empty text makes no block, but stays an answer
        elif wrong := [name for name, view in views.items() if getattr(self, name) not in (view, None, (), {})]:
            raise InvalidValue(wrong[0], "differs from blocks: give one of the two (blocks=() to build them anew)")
        self._set(blocks=blocks, **views)
        self._set(stop_reason=_decided(self.stop_reason, bool(self.tool_calls)), **self._counts())

    def _counts(self) -> dict[str, int]:
        names = ("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens")
        counts = {name: max(0, int(getattr(self, name) or 0)) for name in names}
        counts["output_tokens"] = max(counts["output_tokens"], counts["reasoning_tokens"])
        counts["input_tokens"] = max(counts["input_tokens"], counts["cached_tokens"])
        return counts

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def is_tool_call(self) -> bool:
        """Whether the model asked for at least one tool call."""
        return bool(self.tool_calls)

    @property
    def is_final(self) -> bool:
        """Whether the turn ended by itself and asks for nothing."""
        return self.stop_reason == "end" and not self.tool_calls


class Provider(Protocol):
    """Anything with a name and this one method; no base class is needed."""

    @property
    def name(self) -> str:
        """Who answers, as it stands in a message's provenance."""
        ...

    def complete(self, transcript: Transcript, tools: list[ToolSchema]) -> ProviderResponse:
        """The next assistant turn; the transcript stays as it is."""
        ...


def stop_reason(vendor: str | None, table: Mapping[str, StopReason], *, has_calls: bool) -> StopReason:
    """A vendor's stop reason in our words: one missing from `table` is "other"; a call counts more than the field."""
    return _decided(table.get(vendor or "", "other"), has_calls)


def _decided(given: StopReason | None, has_calls: bool) -> StopReason:
    if has_calls and given in (None, "end", "other"):
        return "tool_calls"
    if given == "tool_calls" and not has_calls:
        return "other"
    return given or "end"


def _views(blocks: Sequence[Block | OpaqueBlock]) -> dict[str, Any]:
    texts = [block.text for block in blocks if isinstance(block, TextBlock)]
    calls = tuple(block for block in blocks if isinstance(block, ToolCall))
    reasoning = [block for block in blocks if isinstance(block, ReasoningBlock)]
    first = calls[0] if calls else None
    return {
        "text": "".join(texts) if texts else None,
        "tool_calls": calls,
        "tool_call_id": first and first.id,
        "tool_name": first and first.name,
        "tool_args": first and first.args,
        "reasoning_text": "\n".join(block.text for block in reasoning) if reasoning else None,
        "reasoning_metadata": reasoning[0].metadata if reasoning else FrozenDict(),
    }
