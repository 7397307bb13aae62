"""Stand-ins: doubles of the vendors behind the vendors' own SDKs, in this process, without key or network.

A stand-in checks each request by the wire's rules (`check_request` of its adapter). It answers a broken one with the
vendor's shape of an error, in our words, and plays a prepared turn otherwise. It proves that a request keeps the rules
we know; only the vendor can prove more.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ...errors import HarnessError
from ...providers import PROVIDERS, make_provider
from ...providers.base import Provider, ProviderResponse
from ..sdks import missing
from ._vendor import StandIn, Vendor
from .turns import Play, calculator, script

__all__ = ["Play", "StandIn", "available", "calculator", "client", "provider", "script"]


def available() -> list[str]:
    """The providers with a stand-in here, one for each adapter: those whose SDK is installed."""
    first = {entry.module: name for name, entry in reversed(PROVIDERS.items())}
    return [
        name
        for name, entry in PROVIDERS.items()
        if first[entry.module] == name and _stood_in(entry.module) and not missing(entry)
    ]


def client(name: str, play: Play | Iterable[ProviderResponse] = calculator) -> Any:
    """The vendor's own SDK client, with a stand-in where its network would be.

    `play` gives the turns: a function of transcript and tools, or a list of responses to play in order. Raises
    `HarnessError` where there is no stand-in, or no SDK for it.
    """
    entry = PROVIDERS.get(name)
    if entry is None or not _stood_in(entry.module):
        raise HarnessError(f"there is no stand-in for {name!r}; there are: {', '.join(available())}")
    if command := missing(entry):
        raise HarnessError(f"the {entry.label} stand-in works behind the vendor's own SDK, which is missing: {command}")
    vendor: Vendor = import_module(f"{__name__}.{entry.module}").VENDOR
    return vendor.connect(StandIn(vendor, play if callable(play) else script(play)))


def provider(name: str, play: Play | Iterable[ProviderResponse] = calculator, **options: Any) -> Provider:
    """Our adapter over the vendor's SDK over a stand-in; its name and kind say that it is one.

    A vendor in the table of dialects has the stand-in for Chat Completions.
    """
    made: Any = make_provider(name, client=client(name, play), **options)
    made.name = f"{name} stand-in"  # so that its made-up signatures never cross to the vendor
    made.answer_kind = "stand-in"
    result: Provider = made
    return result


def _stood_in(module: str) -> bool:
    """Whether the vendor of an adapter has a file here."""
    return find_spec(f"{__name__}.{module}") is not None
