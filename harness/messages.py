"""The canonical shape: four kinds of block, messages made of blocks, a transcript made of messages.

Blocks and messages are values: they never change, and a change is a new value (`dataclasses.replace`).
What a vendor needs back rides in `metadata`, under the name of its wire, so that no vendor sees another's fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeAlias
from uuid import uuid4

from .errors import FrozenFieldError, InvalidValue, Problem
from .frozen import FrozenDict, check_text, freeze, parse_object
from .metadata import ReasoningMetadata, by_wire, fingerprint, sealed

Role = Literal["user", "assistant", "system"]


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Plain text that a person or the model said."""

    text: str
    metadata: dict[str, Any] = field(default_factory=FrozenDict, repr=False)
    kind: Literal["text"] = field(default="text", repr=False)

    def __post_init__(self) -> None:
        _set(self, text=check_text(self.text, "text"), metadata=sealed(self.metadata, lambda: self.text))


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model's wish to have tool `name` called with `args`; `id` pairs it with its `ToolResult`."""

    id: str
    name: str
    args: dict[str, Any]
    metadata: dict[str, Any] = field(default_factory=FrozenDict, repr=False)
    kind: Literal["tool_call"] = field(default="tool_call", repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.args, Mapping):
            raise InvalidValue("args", f"must be an object, not {type(self.args).__name__}")
        args = freeze(self.args, "args")
        _set(self, id=check_text(self.id, "id"), name=check_text(self.name, "name"), args=args)
        _set(self, metadata=sealed(self.metadata, lambda: _sealed_text(self)))

    @property
    def unreadable(self) -> str | None:
        """The argument string as the model wrote it when it is no JSON object, else None: not to be executed."""
        for wire in self.metadata.values() if not self.args else ():
            raw = wire.get("arguments") if isinstance(wire, dict) else None
            if isinstance(raw, str) and parse_object(raw) is None:
                return raw
        return None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the tool called as `call_id` gave back, as text; `is_error` marks a failure the model should read."""

    call_id: str
    content: str
    is_error: bool = False
    metadata: dict[str, Any] = field(default_factory=FrozenDict, repr=False)
    kind: Literal["tool_result"] = field(default="tool_result", repr=False)

    def __post_init__(self) -> None:
        _set(self, call_id=check_text(self.call_id, "call_id"), content=check_text(self.content, "content"))
        _set(self, is_error=bool(self.is_error), metadata=sealed(self.metadata, lambda: self.content))


@dataclass(frozen=True, slots=True)
class ReasoningBlock:
    """The model's thinking before or between what it says; `text` may be empty where a vendor keeps it hidden.

    `metadata` takes a signature or encrypted content, by wire or in the flat spellings of `FLAT_SPELLINGS`.
    """

    text: str
    metadata: dict[str, Any] = field(default_factory=ReasoningMetadata, repr=False)
    kind: Literal["reasoning"] = field(default="reasoning", repr=False)

    def __post_init__(self) -> None:
        text = check_text(self.text, "text")
        _set(self, text=text, metadata=ReasoningMetadata(sealed(by_wire(self.metadata), lambda: text)))


Block: TypeAlias = TextBlock | ToolCall | ToolResult | ReasoningBlock


@dataclass(frozen=True, slots=True)
class OpaqueBlock:
    """What the canon has no word for: `payload` as it stands on `wire`, sent back there and nowhere else."""

    wire: str
    payload: dict[str, Any]
    kind: Literal["opaque"] = field(default="opaque", repr=False)

    def __post_init__(self) -> None:
        _set(self, wire=check_text(self.wire, "wire"), payload=freeze(self.payload, "payload"))


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who made a message: its wire, provider, the model as requested, the response's id and stop reason."""

    wire: str | None = None
    provider: str | None = None
    model: str | None = None
    response_id: str | None = None
    stop_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What a message cost, in tokens: input includes cached, output includes reasoning."""

    input_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cached_tokens: int = 0


def _now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    return str(uuid4())


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Message:
    """One entry of a transcript: who speaks, and the blocks in order. Tool results travel under the role user."""

    role: Role
    blocks: tuple[Block | OpaqueBlock, ...]
    created_at: datetime = field(default_factory=_now)
    id: str = field(default_factory=_new_id)
    provenance: Provenance | None = None
    usage: Usage | None = None
    metadata: dict[str, Any] = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        if self.role not in ("user", "assistant", "system"):
            raise InvalidValue("role", f"must be user, assistant or system, not {self.role!r}")
        if self.created_at.tzinfo is None:
            raise InvalidValue("created_at", "must have a time zone: datetime.now(timezone.utc)")
        blocks = tuple(self.blocks)
        for index, block in enumerate(blocks):
            if not isinstance(block, TextBlock | ToolCall | ToolResult | ReasoningBlock | OpaqueBlock):
                raise InvalidValue(f"blocks[{index}]", f"is a {type(block).__name__}, not a block")
        _set(self, blocks=blocks, metadata=freeze(self.metadata, "metadata"))

    @classmethod
    def user_text(cls, text: str) -> Message:
        """A user message of one text."""
        return cls("user", (TextBlock(text),))

    @classmethod
    def assistant_text(cls, text: str, *, reasoning: ReasoningBlock | None = None) -> Message:
        """An assistant message of one text, after its reasoning where there is some."""
        return cls("assistant", (*_optional(reasoning), TextBlock(text)))

    @classmethod
    def assistant_tool_call(cls, call: ToolCall, *, reasoning: ReasoningBlock | None = None) -> Message:
        """An assistant message of one call, after its reasoning where there is some."""
        return cls("assistant", (*_optional(reasoning), call))

    @classmethod
    def tool_result(cls, result: ToolResult) -> Message:
        """A user message of one result; an adapter moves it to another role where its wire wants that."""
        return cls("user", (result,))

    @classmethod
    def from_assistant_response(cls, response: Any) -> Message:
        """The whole assistant turn of a response, in order; any object with a response's fields will do."""
        blocks = getattr(response, "blocks", None) or flat_blocks(response)
        counts = ("input_tokens", "output_tokens", "reasoning_tokens", "cached_tokens")
        usage = Usage(*(int(getattr(response, name, 0) or 0) for name in counts))
        provenance, metadata = getattr(response, "provenance", None), getattr(response, "metadata", None) or {}
        return cls("assistant", blocks, provenance=provenance, usage=usage, metadata=metadata)

    def __repr__(self) -> str:
        from .show import message_line

        return f"<{message_line(self)}>"

    def _repr_html_(self) -> str:
        from .show import message_html

        return message_html(self)


@dataclass
class Transcript:
    """A conversation: messages in order, and the system prompt beside them.

    `metadata` keeps, by wire, what a system prompt has beyond its text (parts, cache marks).
    """

    messages: list[Message] = field(default_factory=list)
    system: str | None = None
    metadata: dict[str, Any] = field(default_factory=FrozenDict)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "metadata":
            value = freeze(value, "metadata")
        elif name == "system" and value is not None:
            value = check_text(value, "system")
        elif name == "messages":
            value = [_message(message, f"messages[{i}]") for i, message in enumerate(value)]
        object.__setattr__(self, name, value)

    def append(self, message: Message) -> None:
        """Add one message at the end."""
        self.messages.append(_message(message, f"messages[{len(self.messages)}]"))

    def extend(self, messages: Iterable[Message]) -> None:
        """Add messages at the end: all of them, or none when one is no message."""
        start = len(self.messages)
        self.messages += [_message(message, f"messages[{start + i}]") for i, message in enumerate(messages)]

    def last(self) -> Message | None:
        """The newest message, or None."""
        return self.messages[-1] if self.messages else None

    def __len__(self) -> int:
        return len(self.messages)

    def __iter__(self) -> Iterator[Message]:
        return iter(self.messages)

    def check(self) -> list[Problem]:
        """What is broken between calls and results; calls of the last message are pending, not broken."""
        from .pairing import check

        return check(self.messages)

    def repair(self) -> Transcript:
        """A mended transcript: stray results dropped, open calls answered by an "interrupted" error result."""
        from .pairing import repair

        return Transcript(repair(self.messages), self.system, self.metadata)

    def without_opaque(self) -> Transcript:
        """A transcript that any vendor can take: opaque blocks and the non-text parts of results left out."""
        from .pairing import without_opaque

        return Transcript(without_opaque(self.messages), self.system)

    def to_json(self) -> str:
        """The whole transcript as one JSON text with a schema version; `from_json` gives an equal transcript."""
        from .storage import dumps

        return dumps(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> Transcript:
        """The transcript that `to_json` wrote; raises `InvalidValue` when damaged or of a newer schema."""
        from .storage import loads

        return loads(text)

    def save(self, path: str | Path) -> None:
        """Write `to_json` to a file, all or nothing: a crash leaves the old file whole."""
        from .storage import save

        save(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Transcript:
        """The transcript that `save` wrote; raises `InvalidValue` when damaged or of a newer schema."""
        from .storage import load

        return load(Path(path))

    def __repr__(self) -> str:
        from .show import transcript_lines

        return f"<{transcript_lines(self)}>"

    def _repr_html_(self) -> str:
        from .show import transcript_html

        return transcript_html(self)


def _refuse(value: object, name: str, *_: object) -> NoReturn:
    kind = type(value).__name__
    raise FrozenFieldError(f"a {kind} is frozen: build a new one with dataclasses.replace({kind.lower()}, {name}=...)")


for _kind in (TextBlock, ToolCall, ToolResult, ReasoningBlock, OpaqueBlock, Message):
    # In the place of the words of dataclasses, which do not say what to do.
    _kind.__setattr__ = _kind.__delattr__ = _refuse  # type: ignore[method-assign]


def seal_holds(block: Block, wire: str) -> bool:
    """Whether what `wire` signed is still what the block says: a signature covers one exact content."""
    covers = block.metadata.get(wire, {}).get("covers")
    return covers is None or covers == fingerprint(_sealed_text(block))


def flat_blocks(response: Any) -> tuple[Block, ...]:
    """The blocks of a response that only has flat fields: reasoning, then text, then calls."""
    blocks: list[Block] = []
    text, metadata = getattr(response, "reasoning_text", None), getattr(response, "reasoning_metadata", None)
    if text or metadata:
        blocks.append(ReasoningBlock(text or "", metadata or {}))
    if getattr(response, "text", None):
        blocks.append(TextBlock(response.text))
    calls = getattr(response, "tool_calls", None) or ()
    if not calls and getattr(response, "tool_name", None) is not None:
        call_id = getattr(response, "tool_call_id", None) or f"call_{_new_id()}"
        calls = (ToolCall(call_id, response.tool_name, getattr(response, "tool_args", None) or {}),)
    for call in calls:
        blocks.append(call if isinstance(call, ToolCall) else ToolCall(call.id, call.name, call.args))
    return tuple(blocks)


def _sealed_text(block: Block) -> str:
    if isinstance(block, ToolCall):
        return f"{block.name}({block.args!r})"
    return block.content if isinstance(block, ToolResult) else block.text


def _set(value: object, **fields: object) -> None:
    for name, content in fields.items():
        object.__setattr__(value, name, content)


def _message(value: object, path: str) -> Message:
    if not isinstance(value, Message):
        raise InvalidValue(path, f"is a {type(value).__name__}, not a Message")
    return value


def _optional(reasoning: ReasoningBlock | None) -> tuple[ReasoningBlock, ...]:
    return () if reasoning is None else (reasoning,)
