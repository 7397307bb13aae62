"""What all widgets share: a live view where a kernel runs, a static picture where none does, a text twin, the look.

A widget is `class Thing(WithPicture, anywidget.AnyWidget)` (or an ipywidgets box) with `title`, `styles`, `picture()`
and `text()`. Pictures are compared by nbval: no ids, addresses, times or anything of this machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
VIEW = "application/vnd.jupyter.widget-view+json"
HINT = "This is a picture of the widget: run this cell to make it live."

# JupyterLab drops <style> from outputs of notebooks that were not run yet, but keeps these few inline ones.
ROW = "display:flex;flex-wrap:wrap;gap:8px"
BOX = "padding:4px 8px;border:1px solid #9e9e9e;border-radius:4px"
PANE = f"flex:1 1 15em;min-width:0;{BOX}"
PRE = "margin:4px 0;white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere;max-height:34em;overflow:auto"


def css(*names: str) -> str:
    """The common look and the widgets' own, from the .css files beside this module: `css("inspector")`."""
    return "\n".join((HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("base", *names))


def style(*names: str) -> str:
    """The same as a `<style>` element, for HTML outputs."""
    return f"<style>\n{css(*names)}</style>"


def pre(text: str, *, is_long: bool = False) -> str:
    """Text of fixed pitch that wraps, safe against HTML in it; one that is long can be scrolled by keyboard."""
    focus = ' tabindex="0"' if is_long else ""
    return f'<pre class="hw-pre" style="{PRE}"{focus}>{escape(text)}</pre>'


def pane(title: str, body: str, *, note: str = "") -> str:
    """One of several things side by side (below one another in a narrow window): `body` is HTML, the rest text."""
    small = f" <small>{escape(note)}</small>" if note else ""
    return f'<div class="hw-pane" style="{PANE}"><strong>{escape(title)}</strong>{small}{body}</div>'


def row(panes: Sequence[str]) -> str:
    """Panes side by side."""
    return f'<div class="hw-row" style="{ROW}">{"".join(panes)}</div>'


def items(lines: Sequence[str]) -> str:
    """A list of sentences, or nothing."""
    return f"<ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>" if lines else ""


def pretty(value: Any) -> str:
    """JSON for people: indented, in the order of the keys."""
    return json.dumps(value, ensure_ascii=False, indent=2)


class WithPicture:
    """Mixed into a widget: the widget where a kernel runs, `picture()` where none does, `text()` in words."""

    title: str
    styles: tuple[str, ...] = ()
    model_id: str

    def picture(self) -> str:
        """The HTML inside the static picture: what the live widget shows, without its controls."""
        raise NotImplementedError

    def text(self) -> str:
        """What the widget shows, in words."""
        raise NotImplementedError

    def static_html(self) -> str:
        """The picture, complete: its look, its title, and how to make it live."""
        title = escape(self.title)
        head = f'<strong>{title}</strong> <span class="hw-hint"><em>{escape(HINT)}</em></span>'
        return f'{style(*self.styles)}<section class="hw" aria-label="{title}">{head}{self.picture()}</section>'

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def _repr_mimebundle_(self, **_: Any) -> Any:
        live = {"version_major": 2, "version_minor": 0, "model_id": self.model_id}
        return {VIEW: live, "text/html": self.static_html(), "text/plain": self.text()}
