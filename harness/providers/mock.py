"""A scripted provider: it gives the responses it was made with, in order, and asks no model."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import HarnessError
from ..messages import Transcript
from ..show import message_line
from .base import ProviderResponse, ToolSchema


class MockProvider:
    """A provider that plays a script; raises `HarnessError` with what it was asked once the script is used up."""

    name = "mock"

    def __init__(self, responses: Iterable[ProviderResponse]) -> None:
        self._script = list(responses)
        self._played = 0

    def complete(self, transcript: Transcript, tools: list[ToolSchema]) -> ProviderResponse:
        """The next scripted response, whatever the transcript says."""
        if self._played == len(self._script):
            last = transcript.last()
            asked = message_line(last) if last else "an empty transcript"
            raise HarnessError(
                f"the script of {len(self._script)} responses is used up; it was asked once more, after: {asked}"
            )
        self._played += 1
        return self._script[self._played - 1]
