"""What a stand-in says: the turns of a script, or the calculator question played by looking at the request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeAlias

from ...messages import TextBlock, ToolCall, ToolResult, Transcript
from ...providers.base import ProviderResponse, ToolSchema
from ...providers.mock import MockProvider

Play: TypeAlias = Callable[[Transcript, list[ToolSchema]], ProviderResponse]

ARITHMETIC = re.compile(r"\d[\d\s.+*/%()-]*[+*/%-][\d\s.+*/%()-]*\d|\d[\d\s]*[*+/-][\d\s]*\d")
LESS = re.compile(r",?\s*minus\s+")


def script(responses: Iterable[ProviderResponse]) -> Play:
    """Play the responses in order, whatever is asked."""
    return MockProvider(responses).complete


def calculator(transcript: Transcript, tools: list[ToolSchema]) -> ProviderResponse:
    """Call the calculator for the sum in the last question; once there are results, say them."""
    last = transcript.last()
    blocks = last.blocks if last else ()
    results = [block for block in blocks if isinstance(block, ToolResult)]
    if results:
        return ProviderResponse(text=" ".join(_say(result) for result in results))
    question = " ".join(block.text for block in blocks if isinstance(block, TextBlock))
    sum_ = find_sum(question)
    if sum_ and any(tool.get("name") == "calc" for tool in tools):
        number = sum(isinstance(block, ToolCall) for message in transcript for block in message.blocks)
        call = ToolCall(f"call_{number + 1}", "calc", {"expression": sum_})
        return ProviderResponse(tool_calls=(call,), reasoning_text="This is a sum, so I use the calculator.")
    return ProviderResponse(text="I am a stand-in and can only do sums with the calculator, such as 17 * 23 - 100.")


def find_sum(question: str) -> str | None:
    """The arithmetic in a question, "minus" being read as a sign, or None."""
    found = ARITHMETIC.search(LESS.sub(" - ", question))
    return found[0].strip() if found else None


def _say(result: ToolResult) -> str:
    if result.is_error:
        return f"The calculator could not do that: {result.content}"
    return f"The answer is {result.content}."
