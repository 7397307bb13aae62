"""Five words for where an answer comes from. Every answer in the workbook is shown with one of them."""

from __future__ import annotations

from typing import Any, Literal

from ..providers.mock import MockProvider

Kind = Literal["live", "local model", "recorded", "stand-in", "scripted"]

MEANING: dict[Kind, str] = {
    "live": "a vendor's model answered just now, with your key and at your cost",
    "local model": "a small model on this machine answered just now, through the vendor's own SDK",
    "recorded": "a model answered this once; the answer is replayed byte for byte",
    "stand-in": "no model: a double behind the vendor's own SDK checked the request and played a prepared turn",
    "scripted": "no model and no wire: the provider played the responses it was given",
}


def kind_of(provider: Any) -> Kind:
    """The word for a provider: its own `answer_kind`, else scripted for the mock, local model for `local`, live."""
    stated: Kind | None = getattr(provider, "answer_kind", None)
    if stated is not None:
        return stated
    if isinstance(provider, MockProvider):
        return "scripted"
    return "local model" if getattr(provider, "name", "") == "local" else "live"
