"""The vendor's side of a wire, as the kit needs it: what it accepts, how it reads, writes and speaks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from ...errors import Problem
from ...messages import Block, Transcript, Usage
from ...providers.base import StopReason, ToolSchema

Body = dict[str, Any]


@dataclass(frozen=True)
class Turn:
    """What a vendor says in one response: blocks without metadata, why it stopped, what it counted in tokens."""

    blocks: tuple[Block, ...]
    stop: StopReason = "end"
    usage: Usage = field(default_factory=Usage)


class Adapter(Protocol):
    """What the kit judges: the three translators between the canon and one wire."""

    def to_request(self, transcript: Transcript, tools: list[ToolSchema], /) -> Body:
        """The request body for a transcript and its tools."""
        ...

    def from_request(self, body: Body, /) -> tuple[Transcript, list[ToolSchema]]:
        """The transcript and the tools in a request body."""
        ...

    def from_response(self, body: Body, /) -> Any:
        """The `ProviderResponse` in a response body."""
        ...


class Vendor(Protocol):
    """The other side of the wire; it knows nothing of the adapter that is judged."""

    @property
    def wire(self) -> str:
        """The wire's name."""
        ...

    @property
    def takes_reasoning_back(self) -> bool:
        """Whether reasoning goes back to this vendor."""
        ...

    @property
    def counts_reasoning(self) -> bool:
        """Whether its usage tells the tokens of reasoning apart."""
        ...

    def seal(self, text: str) -> str | None:
        """The vendor's proof that a reasoning text is its own; None when it has none."""
        ...

    def check_request(self, body: Body) -> list[Problem]:
        """The vendor's rules that a body breaks."""
        ...

    def read(self, body: Body) -> tuple[Transcript, list[ToolSchema]]:
        """What the vendor understands of a request."""
        ...

    def write(self, transcript: Transcript, tools: list[ToolSchema]) -> Body:
        """A request as the vendor's own documentation would spell it."""
        ...

    def speak(self, turn: Turn) -> Body:
        """A response body that says the turn, with the vendor's seals."""
        ...
