"""What the wire inspector shows, as data for the live view, as HTML for its picture and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Any

from ...messages import Message, ReasoningBlock, Transcript
from ._base import PANE, PRE, items, pretty, row
from ._links import Links
from ._plain import BLOCKS, Subject, form_of, name_of, to_plain
from ._wires import FILLER, OnWire

OWN_PART = "Each wire shows its own part of a request; the rules are checked on a whole one around it."
NEVER_ALONE = f"No wire takes reasoning alone, so the text “{FILLER}” stands after it."
STAYS_HERE = "Ids, times and usage of messages are on no wire."


@dataclass(frozen=True)
class Pane:
    """One wire's form of the subject."""

    wire: str
    label: str
    found: OnWire
    links: Links

    @property
    def json(self) -> str:
        """The body's part, as indented JSON."""
        return pretty(self.found.body)

    def html(self) -> str:
        """The same as HTML, its linked values marked."""
        return "" if self.found.error else self.links.html(self.found.body)

    def notes(self) -> str:
        """What stands under the body: why there is none, or the rules it breaks and what it leaves out."""
        if self.found.error:
            return f'<p class="hw-error">{escape(self.found.error)}</p>'
        rules = _note("Rules broken", self.found.problems, "none")
        lost = _note("Left out", self.found.left_out, "nothing")
        disguised = self.disguised()
        return rules + lost + (_note("No field of its own", disguised, "") if disguised else "")

    def disguised(self) -> list[str]:
        """The subject's fields that come back from this wire and yet stand nowhere in its body as they are."""
        missing = self.links.held_by(self.found.back) - self.links.held_by(self.found.body)
        return [f"{self.links.names[number]}, carried in another form" for number in sorted(missing)]

    def live(self) -> dict[str, str]:
        """What the live view needs."""
        return {"wire": self.wire, "label": self.label, "html": self.html(), "notes": self.notes(), "json": self.json}

    def picture(self) -> str:
        """The pane in the static picture."""
        return _section(self.label, self.html(), self.notes())

    def text(self) -> str:
        """The pane in words."""
        if self.found.error:
            return f"{self.label}\n{self.found.error}"
        lines = [f"Rules broken: {'; '.join(self.found.problems) or 'none'}."]
        lines += [f"Left out: {'; '.join(self.found.left_out) or 'nothing'}."]
        lines += [f"No field of its own: {'; '.join(self.disguised())}."] if self.disguised() else []
        return "\n".join([self.label, self.json, *lines])


@dataclass(frozen=True)
class Left:
    """The subject itself: fields of a block to fill in, or JSON of anything larger."""

    subject: Subject
    links: Links

    def live(self) -> dict[str, Any]:
        """What the live view needs: a form, or JSON."""
        if not isinstance(self.subject, BLOCKS):
            plain = to_plain(self.subject)
            return {"form": [], "html": self.links.html(plain), "json": pretty(plain)}
        form = [{**asdict(field), "v": self._numbers(field.name)} for field in form_of(self.subject)]
        return {"form": form, "html": "", "json": ""}

    def hint(self) -> str:
        """What to know about how it is shown."""
        if isinstance(self.subject, ReasoningBlock):
            return f"{OWN_PART} {NEVER_ALONE}"
        return STAYS_HERE if isinstance(self.subject, Message | Transcript) else OWN_PART

    def picture(self) -> str:
        """The left pane of the static picture."""
        live = self.live()
        lines = [f"{field['name']}: {field['text'] or '(empty)'}" for field in live["form"]]
        return _section(name_of(self.subject), live["html"] or escape("\n".join(lines)), "")

    def text(self) -> str:
        """The subject in words."""
        return f"{name_of(self.subject)}\n{pretty(to_plain(self.subject))}"

    def _numbers(self, name: str) -> str:
        """The numbers of all values that a field of the form holds."""
        places = self.links.places({name: to_plain(self.subject).get(name)})
        return " ".join(dict.fromkeys(str(number) for place in places for number in place.numbers))


def picture(left: Left, panes: Sequence[Pane]) -> str:
    """The whole widget as HTML, without its controls."""
    panes_html = row([left.picture(), *(pane.picture() for pane in panes)])
    return f"<p>{escape(left.hint())}</p>{panes_html}{same_values(left, panes)}"


def same_values(left: Left, panes: Sequence[Pane]) -> str:
    """The links between the panes as a folded table: one value a row, one wire a column, its places in the cells."""
    heads = "".join(f"<th>{escape(name)}</th>" for name in ("value", "here", *(pane.label for pane in panes)))
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>" for cells in table(left, panes))
    return (
        '<details class="hwi-same"><summary>The same values, as a table</summary>'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></details>"
    )


def table(left: Left, panes: Sequence[Pane]) -> list[list[str]]:
    """The same as cells."""
    links = left.links
    bodies = [to_plain(left.subject), *(pane.found.body for pane in panes)]
    columns = [_by_number(links, body) for body in bodies]
    return [
        [_short(value), *("; ".join(column.get(number, [])) or "–" for column in columns)]
        for (_, value), number in links.numbers.items()
    ]


def _by_number(links: Links, body: Any) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for place in links.places(body):
        for number in place.numbers:
            found.setdefault(number, []).append(place.path)
    return found


def _section(title: str, html: str, notes: str) -> str:
    body = f'<pre class="hw-pre" style="{PRE}">{html}</pre>' if html else ""
    return f'<div class="hw-pane" style="{PANE}"><strong>{escape(title)}</strong>{body}{notes}</div>'


def _note(title: str, lines: Sequence[str], none: str) -> str:
    if not lines:
        return f'<p class="hwi-note"><b>{title}:</b> {none}</p>'
    return f'<div class="hwi-note hwi-some"><b>{title}:</b>{items(lines)}</div>'


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
