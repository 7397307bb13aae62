"""Rows of ipywidgets' controls that wrap in a narrow window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets

WIDE = {"description_width": "auto"}  # a label is as wide as its words


def controls(*several: Any) -> Any:
    """The controls side by side, below one another in a narrow window."""
    for control in several:
        control.layout.max_width = "calc(100% - 4px)"  # two pixels of margin on both sides
    row = ipywidgets.HBox(several)
    row.layout.flex_flow = "row wrap"
    return row


def button(label: str, action: Callable[[], None]) -> Any:
    """A button as wide as its label."""
    made = ipywidgets.Button(description=label, layout={"width": "auto"})
    made.on_click(lambda _: action())
    return made
