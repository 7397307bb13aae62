"""Stand-ins: doubles of the vendors behind the vendors' own SDKs, in this process, without key or network.

A stand-in checks each request by the wire's rules (`check_request` of its adapter). It answers a broken one with the
vendor's shape of an error, in our words, and plays a prepared turn otherwise. It proves that a request keeps the rules
we know; only the vendor can prove more.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...errors import HarnessError
from ...providers import PROVIDERS, make_provider
from ...providers.base import Provider, ProviderResponse
from .turns import Play, calculator, script
from .vendors import VENDORS, StandIn

__all__ = ["Play", "StandIn", "available", "calculator", "client", "provider", "script"]


def available() -> list[str]:
    """The names of the providers that have a stand-in."""
    return [name for name, entry in PROVIDERS.items() if entry.wire in VENDORS and name == _first(entry.wire)]


def client(name: str, play: Play | Iterable[ProviderResponse] = calculator) -> Any:
    """The vendor's own SDK client, with a stand-in where its network would be.

    `play` gives the turns: a function of transcript and tools, or a list of responses to play in order.
    """
    wire = PROVIDERS[name].wire if name in PROVIDERS else name
    if wire not in VENDORS:
        raise HarnessError(f"there is no stand-in for {name!r}; there are: {', '.join(available())}")
    vendor = VENDORS[wire]
    return vendor.connect(StandIn(vendor, play if callable(play) else script(play)))


def provider(name: str, play: Play | Iterable[ProviderResponse] = calculator, **options: Any) -> Provider:
    """Our adapter over the vendor's SDK over a stand-in; its name and kind say that it is one."""
    made: Any = make_provider(name, client=client(name, play), **options)
    made.name = f"{name} stand-in"  # so that its made-up signatures never cross to the vendor
    made.answer_kind = "stand-in"
    result: Provider = made
    return result


def _first(wire: str) -> str:
    return next(name for name, entry in PROVIDERS.items() if entry.wire == wire)
