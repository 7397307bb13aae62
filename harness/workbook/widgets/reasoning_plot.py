"""The token plot: reasoning against output tokens, one point a response, first of others', then of this session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

import ipywidgets

from ...messages import Message, Transcript
from ...providers.base import ProviderResponse
from ..kinds import Kind
from ..usage_data import Row, rows
from ..usage_points import NOT_SAID, Filter, as_records, limits, own_rows, summary, vendors
from ._base import WithPicture, items, style
from ._controls import WIDE, controls
from ._scatter import OWN, Group, Look, as_image, sample, scatter

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

AT_FIRST = ("anthropic", "openai")
ANY = "any"
X, Y, LINE = "output tokens", "reasoning tokens", "all output is reasoning"
YOURS = "this session's responses"
PLAIN_CODE = """\
from harness.workbook.usage_data import rows
[(row.output_tokens, row.reasoning_tokens) for row in rows() if row.vendor == "openai"]"""


def token_plot(vendors: Sequence[str] = AT_FIRST) -> TokenPlot:
    """The token plot, at first of these vendors."""
    return TokenPlot(vendors)


class TokenPlot(WithPicture, ipywidgets.VBox):  # type: ignore[misc]
    """`vendors`, `model` and `effort` can be read and set; `add` puts a response of yours on top."""

    title = "Token plot"
    styles = ("reasoning_plot",)

    def __init__(self, shown: Sequence[str] = AT_FIRST) -> None:
        self._own: list[Row] = []
        self._looks = {name: Look.numbered(number) for number, name in enumerate(vendors())}
        w = ipywidgets
        counts = [(f"{name} ({sum(row.vendor == name for row in rows())})", name) for name in vendors()]
        self._vendors = w.SelectMultiple(options=counts, value=tuple(shown), description="Vendors", style=WIDE, rows=8)
        self._model = w.Dropdown(options=self._models(), value=ANY, description="Model", style=WIDE)
        self._effort = w.Dropdown(options=self._efforts(), value=ANY, description="Effort", style=WIDE)
        self._body = w.HTML()
        super().__init__([controls(self._vendors, self._model, self._effort), self._body])
        self.add_class("hw")
        self._vendors.observe(lambda _: self._choose(), "value")
        for control in (self._model, self._effort):
            control.observe(lambda _: self._paint(), "value")
        self._paint()

    @property
    def vendors(self) -> tuple[str, ...]:
        """The vendors on show."""
        return tuple(self._vendors.value)

    @vendors.setter
    def vendors(self, names: Sequence[str]) -> None:
        self._vendors.value = tuple(names)

    @property
    def model(self) -> str | None:
        """The model on show, or None for any."""
        return None if self._model.value == ANY else str(self._model.value)

    @model.setter
    def model(self, name: str | None) -> None:
        self._model.value = name or ANY

    @property
    def effort(self) -> str | None:
        """The effort on show, `not said` for responses without one, or None for any."""
        return None if self._effort.value == ANY else str(self._effort.value)

    @effort.setter
    def effort(self, name: str | None) -> None:
        self._effort.value = name or ANY

    def add(self, response: ProviderResponse | Message | Transcript, kind: Kind | None = None) -> None:
        """Put a response of this session on top, or all that a transcript holds.

        `kind` is one of the five words, for responses whose provider's name does not say it.
        """
        self._own += own_rows(response, kind)
        self._paint()

    @property
    def frame(self) -> DataFrame:
        """What is on show, as a table: one row a response, the source kept. Imports pandas."""
        from pandas import DataFrame

        return DataFrame(as_records(self._rows()))

    def figure(self) -> Figure:
        """The picture for print, drawn by matplotlib."""
        from ._printed import printed

        return printed(self._groups(), X, Y, LINE)

    def picture(self) -> str:
        """The plot, its legend, what it says in words, and what the data cannot show."""
        return self._drawn(as_image)

    def _drawn(self, frame: Callable[[str, str], str]) -> str:
        """`frame` makes of an SVG, and the words for it, what stands in the page."""
        groups = self._groups()
        plot = frame(scatter(groups, self._label(), X, Y, LINE), self._label())
        marks = "".join(
            f"<li>{frame(sample(group.look), '')} {escape(group.name)}: {group.look.shape}</li>"
            for group in groups
            if group.points
        )
        cannot = f"<details open><summary>What the data cannot show</summary>{items(limits())}</details>"
        legend = f'<ul class="hwt-legend">{marks}</ul>'
        return f'<div class="hwt">{plot}{legend}</div>{items(summary(self._rows()))}{cannot}'

    def text(self) -> str:
        """The same in words."""
        return "\n".join([self._label(), *summary(self._rows()), "What the data cannot show:", *limits()])

    def _label(self) -> str:
        names = ", ".join(self.vendors) or "no vendor"
        return f"{self.title}: reasoning tokens against output tokens of {len(self._rows())} responses; {names}."

    def _rows(self) -> list[Row]:
        wanted = Filter(self.vendors, self.model, self.effort)
        return [row for row in (*rows(), *self._own) if wanted.lets(row)]

    def _groups(self) -> list[Group]:
        shown = self._rows()
        found = [Group(name, self._looks[name], _points(shown, name)) for name in sorted(self.vendors)]
        own = [(row.output_tokens, row.reasoning_tokens) for row in self._own]
        return [*found, Group(YOURS, OWN, own)]

    def _models(self) -> list[str]:
        return [ANY, *sorted({row.model for row in rows() if row.vendor in self.vendors})]

    def _efforts(self) -> list[str]:
        return [ANY, *sorted({row.effort for row in rows() if row.effort}), NOT_SAID]

    def _choose(self) -> None:
        """Other vendors have other models: one that none of them has is let go of."""
        model, models = self.model, self._models()
        self._model.options = models
        self._model.value = model if model in models else ANY
        self._paint()

    def _paint(self) -> None:
        inner = self._drawn(lambda svg, _: svg)
        shown = f'<div class="hw" role="region" aria-label="{self.title}">{inner}</div>'
        self._body.value = style(*self.styles) + shown


def _points(shown: Sequence[Row], vendor: str) -> list[tuple[int, int]]:
    return [(row.output_tokens, row.reasoning_tokens) for row in shown if row.vendor == vendor]
