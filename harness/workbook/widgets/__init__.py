"""The workbook's widgets: one import, one call. Nothing is loaded before a widget is called.

A widget's module never has the name of its function: Python binds a loaded module in its package and would hide it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

HOMES = {
    "viewer": "transcript_viewer",
    "inspector": "wire_inspector",
    "status_card": "status",
    "switcher": "provider_switcher",
    "stepper": "loop_stepper",
    "token_plot": "reasoning_plot",
}


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"there is no widget {name!r}; there are: {', '.join(HOMES)}")
    return getattr(import_module(f".{HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(HOMES)
