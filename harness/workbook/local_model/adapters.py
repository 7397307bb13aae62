"""Our own adapters, with the local model at the other end of the vendors' SDKs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ...providers.base import Provider
from . import running
from .client import anthropic_client, openai_client
from .model import MODEL

Wire = Literal["openai.chat", "openai.responses", "anthropic.messages"]
NAME = "local model"


def adapter(wire: Wire, temperature: float | None, find: Callable[[], running.Running] = running.ensure) -> Provider:
    """The adapter of that wire, named for what answers: no vendor may take its turns for its own."""
    made: Any
    match wire:
        case "anthropic.messages":
            from ...providers.anthropic import AnthropicProvider

            made = AnthropicProvider(model=MODEL.name, client=anthropic_client(temperature, find))
        case "openai.responses":
            from ...providers.openai import OpenAIProvider

            made = OpenAIProvider(model=MODEL.name, client=openai_client(temperature, find))
        case "openai.chat":
            from ...providers.openai_chat import OpenAIChatCompletionsProvider

            made = OpenAIChatCompletionsProvider(model=MODEL.name, client=openai_client(temperature, find))
        case _:
            raise ValueError(f"the local model speaks openai.chat, openai.responses, anthropic.messages; not {wire!r}")
    made.name = NAME
    made.answer_kind = "local model"
    provider: Provider = made
    return provider
