"""How long widgets take from a change to the screen: measured by the browser tests, printed by `make bench`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from statistics import median

from .bootstrap import ROOT

FILE = ROOT / "build" / "latency.json"


def note(name: str, milliseconds: Sequence[float]) -> float:
    """Keep the median of some measurements under a name; never a reason to fail."""
    middle = round(median(milliseconds), 1)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps({**noted(), name: middle}, indent=1, sort_keys=True), encoding="utf-8")
    return middle


def noted() -> dict[str, float]:
    """The medians kept so far, in milliseconds, by name."""
    if not FILE.exists():
        return {}
    kept: dict[str, float] = json.loads(FILE.read_text(encoding="utf-8"))
    return kept
