"""A field for a key. What is typed reaches Python as one message; no trait, and so no saved state, ever holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from ._base import HERE, css


class KeyField(anywidget.AnyWidget):
    """`label` is what stands before it; `on_key` gets what was typed."""

    _esm = HERE / "_key_field.js"
    _css = css()
    label = traitlets.Unicode().tag(sync=True)

    def __init__(self, on_key: Callable[[str], None]) -> None:
        super().__init__()
        self._on_key = on_key
        self.on_msg(self._heard)

    def _heard(self, _: Any, content: dict[str, Any], buffers: Any) -> None:
        self._on_key(str(content.get("key", "")))
