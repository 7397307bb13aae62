"""The status card: who can answer now on this machine, why the others cannot, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from threading import Thread

import ipywidgets

from .. import readiness
from ..kinds import MEANING
from ..readiness import Readiness
from ._base import WithPicture, style

SENTENCE = "The status card shows which providers can answer on your machine, why the others cannot, and what to do."
LOOKING = "Looking for models on this machine …"


def status_card() -> StatusCard:
    """The status card."""
    return StatusCard()


class StatusCard(WithPicture, ipywidgets.VBox):  # type: ignore[misc]
    """Live only: its picture and its text are one sentence, the same everywhere. `report()` is its content in words."""

    title = "Status card"
    styles = ("status",)

    def __init__(self) -> None:
        self._body = ipywidgets.HTML()
        self._button = ipywidgets.Button(description="Look again", tooltip="Look again who can answer")
        self._button.on_click(lambda _: self.look())
        self._found: list[Readiness] = []
        super().__init__([self._body, self._button])
        self.look()

    def look(self) -> None:
        """Look again: at once at what needs no asking, and in the background at this machine's models."""
        self._button.disabled = True
        self._show(readiness.without_network(), LOOKING)
        self._search = Thread(target=self._look_around, daemon=True)
        self._search.start()

    def report(self) -> str:
        """What the card shows, in words, once it has looked everywhere."""
        self._search.join()
        return "\n".join(
            f"{found.label} ({found.kind}): {'ready' if found.ready else 'not ready'}; {found.sentence}"
            for found in self._found
        )

    def picture(self) -> str:
        """One constant sentence."""
        return f"<p>{escape(SENTENCE)}</p>"

    def text(self) -> str:
        """The same."""
        return SENTENCE

    def _look_around(self) -> None:
        try:
            self._show([*readiness.without_network(), *readiness.on_this_machine()], "")
        finally:
            self._button.disabled = False

    def _show(self, found: list[Readiness], note: str) -> None:
        order = list(MEANING)[::-1]  # what needs nothing comes first
        self._found = found = sorted(found, key=lambda one: order.index(one.kind))
        self._body.value = f"{style(*self.styles)}{card(found, note)}"


def card(found: Sequence[Readiness], note: str) -> str:
    """The card as HTML: who is ready, then folded who is not."""
    ready = [one for one in found if one.ready]
    others = [one for one in found if not one.ready]
    more = f"<p>{escape(note)}</p>" if note else ""
    summary = f"<summary>{len(others)} cannot answer now: why, and what to do</summary>"
    rest = f"<details>{summary}{_table(others)}</details>" if others else ""
    inner = f"<strong>Ready now</strong>{_table(ready)}{more}{rest}"
    return f'<section class="hw hws" aria-label="Status card">{inner}</section>'


def _table(found: Sequence[Readiness]) -> str:
    rows = "".join(
        f'<tr><td><span class="hw-word">{escape(one.kind)}</span></td><th scope="row">{escape(one.label)}</th>'
        f"<td>{escape(one.sentence)}</td></tr>"
        for one in found
    )
    return f"<table><tbody>{rows}</tbody></table>"
