"""A run of the loop, turn by turn: what was sent, what came back, what was added, what it has cost so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ..agent import Event
from ..messages import Message, Transcript, Usage
from ..providers.base import ProviderResponse, ToolSchema


@dataclass(frozen=True)
class Turn:
    """One turn: the conversation as it was sent, the response (None when none came), the messages it added."""

    number: int
    sent: tuple[Message, ...]
    system: str | None
    tools: tuple[ToolSchema, ...]
    response: ProviderResponse | None
    added: tuple[Message, ...]
    spent: Usage

    def body(self, adapter: ModuleType) -> dict[str, Any]:
        """The request body of this turn on an adapter's wire."""
        body: dict[str, Any] = adapter.to_request(Transcript(list(self.sent), self.system), self.tools)
        return body


def turns_of(events: Sequence[Event]) -> list[Turn]:
    """The turns that the loop's events tell of, with tokens added up from turn to turn."""
    found: list[Turn] = []
    spent = Usage()
    for number in sorted({event.turn for event in events}):
        mine = [event for event in events if event.turn == number]
        asked = next(event for event in mine if event.kind == "request")
        response = next((event.response for event in mine if event.response), None)
        spent = _plus(spent, response)
        added = mine[-1].messages[len(asked.messages) :]
        found.append(Turn(number, asked.messages, asked.system, asked.tools, response, added, spent))
    return found


def _plus(spent: Usage, response: ProviderResponse | None) -> Usage:
    if response is None:
        return spent
    return Usage(
        spent.input_tokens + response.input_tokens,
        spent.output_tokens + response.output_tokens,
        spent.reasoning_tokens + response.reasoning_tokens,
        spent.cached_tokens + response.cached_tokens,
    )
