"""The provider that the variable PROVIDER names, for `python -m harness` and for notebooks."""

from __future__ import annotations

import os

from ..errors import HarnessError, ProviderError
from ..providers import make_provider
from ..providers.base import Provider, ProviderResponse
from ..providers.mock import MockProvider

LOCAL_WIRES = ("openai.chat", "openai.responses", "anthropic.messages")


def chosen(default: Provider) -> Provider:
    """What PROVIDER names, else `default`.

    `mock` plays the calculator question; `local` is a server on this machine, else the embedded model, and
    `local:openai.responses` the embedded model on that wire; any other name is one of the registry.
    """
    name, _, wire = os.environ.get("PROVIDER", "").strip().partition(":")
    if not name:
        return default
    if name == "mock":
        return scripted()
    if name == "local":
        return local(wire)
    return make_provider(name)


def scripted() -> Provider:
    """A scripted provider that knows the answer to one question."""
    call = ProviderResponse(tool_call_id="call_1", tool_name="calc", tool_args={"expression": "17 * 23 - 100"})
    return MockProvider([call, ProviderResponse(text="291")])


def local(wire: str = "") -> Provider:
    """A model on this machine: the server at the default address where one answers, else the embedded model."""
    if wire not in ("", *LOCAL_WIRES):
        raise HarnessError(f"the local model does not speak {wire!r}; it speaks: {', '.join(LOCAL_WIRES)}")
    if not wire:
        from ..providers.local import LocalProvider, spoken

        server = LocalProvider()
        try:
            spoken(server.base_url)
            return server
        except ProviderError:
            pass
    from . import local_model

    return local_model.provider(wire or "openai.chat")  # type: ignore[arg-type]
