"""The embedded model: a real one that runs on this machine, behind the vendors' own SDKs, without a key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import cache, running
from .fetch import fetch
from .model import MODEL, ModelUnavailable
from .running import ensure, stop

if TYPE_CHECKING:
    from ...providers.base import Provider
    from .adapters import Wire

__all__ = ["MODEL", "ModelUnavailable", "Status", "ensure", "fetch", "provider", "status", "stop"]


@dataclass(frozen=True)
class Status:
    """Whether the model is on this machine and its server runs; `sentence` says it, and what to do, in words."""

    cached: bool
    running: bool
    sentence: str


def status() -> Status:
    """How things stand now; fetches nothing and starts nothing."""
    cached, runs = cache.is_cached(), running.find() is not None
    return Status(cached, runs, _sentence(cached, runs))


def _sentence(cached: bool, runs: bool) -> str:
    if runs:
        return "The local model is on this machine, and its server is running."
    try:
        running.require_package()
    except ModelUnavailable as error:
        return str(error)
    if cached:
        return "The local model is on this machine; its server starts when it is first asked."
    return f"The local model is not on this machine yet: make model fetches it ({MODEL.size / 1e6:.0f} MB)."


def provider(wire: Wire = "openai.chat", temperature: float | None = 0) -> Provider:
    """One of the adapters, over its vendor's real SDK, with the local model at the other end.

    Fetches the model when it is not here, with a progress bar, and starts the server when none runs. `temperature`
    0 gives the same answer each time. Raises `ModelUnavailable`.
    """
    from .adapters import adapter

    running.ensure()
    return adapter(wire, temperature)
