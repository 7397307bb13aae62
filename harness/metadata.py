"""What a vendor needs back: metadata kept under the name of the wire it belongs to, and void once its block changes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from .frozen import FrozenDict, freeze

# The flat spellings of a reasoning block's metadata, and where each is kept: {"signature": "Er0C..."}
FLAT_SPELLINGS = {
    "signature": ("anthropic.messages", "signature"),
    "openai_items": ("openai.responses", "items"),
}
# Vendors' proofs that a block is as they made it; the last two carry one on Chat Completions and its dialects.
SEALS = ("signature", "thoughtSignature", "items", "extra_content", "reasoning_details")


class ReasoningMetadata(FrozenDict):
    """Metadata by wire that can also be read by its flat spellings (`signature`, `openai_items`)."""

    __slots__ = ()

    def __missing__(self, key: str) -> Any:
        wire, inner = FLAT_SPELLINGS.get(key, (key, key))
        if wire != key and inner in dict.get(self, wire, {}):
            return dict.__getitem__(self, wire)[inner]
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return dict.__contains__(self, key) or self.get(str(key)) is not None

    def get(self, key: str, default: Any = None) -> Any:
        """The value under a wire's name or a flat spelling, else `default`."""
        try:
            return self[key]
        except KeyError:
            return default


def by_wire(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata with each flat spelling moved below its wire."""
    out: dict[str, Any] = {}
    for key, value in dict(metadata).items():
        wire, inner = FLAT_SPELLINGS.get(key, ("", ""))
        if not wire:
            out[key] = {**out.get(key, {}), **value} if isinstance(value, Mapping) else value
        elif value is not None:
            out[wire] = {**out.get(wire, {}), inner: value}
    return out


def sealed(metadata: Mapping[str, Any], content: Callable[[], str]) -> dict[str, Any]:
    """Metadata in which each signature says what it covers, so that an edit of the block voids it."""
    frozen: FrozenDict = freeze(metadata, "metadata")
    unsealed = {
        wire: {**fields, "covers": fingerprint(content())}
        for wire, fields in frozen.items()
        if isinstance(fields, dict) and "covers" not in fields and any(fields.get(seal) for seal in SEALS)
    }
    return FrozenDict({**frozen, **unsealed}) if unsealed else frozen


def fingerprint(text: str) -> str:
    """A short digest of a text: enough to tell whether it was edited. What no text may hold is for the block to say."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
