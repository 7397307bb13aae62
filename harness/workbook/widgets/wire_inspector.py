"""The wire inspector: one block, message, transcript or tool schema, and what each wire makes of it, side by side."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

from ...errors import HarnessError
from ...providers import PROVIDERS, adapters
from ._base import HERE, WithPicture, css
from ._links import Links
from ._panes import Left, Pane, picture, same_values, table
from ._paste import read_paste
from ._plain import Subject, from_plain, name_of, parse, to_plain, with_field
from ._wires import on_wire

AT_FIRST = 3  # panes; further wires on request
HERE_PLACE = "here"  # the left side, where problems are listed by place
PLAIN_CODE = """\
from harness.providers import adapters
wire = adapters()["anthropic.messages"]
wire.to_request(Transcript([Message("assistant", (block,))]))"""


def inspector(subject: Subject) -> Inspector:
    """The wire inspector on a block, a message, a transcript or a tool schema."""
    return Inspector(subject)


class Inspector(WithPicture, anywidget.AnyWidget):
    """`subject` can be read and set at any time: the reader may edit it, or paste wire JSON that becomes it."""

    title = "Wire inspector"
    styles = ("wire_inspector",)
    _esm = HERE / "wire_inspector.js"
    _css = css("wire_inspector")
    view = traitlets.Dict().tag(sync=True)

    def __init__(self, subject: Subject) -> None:
        self._adapters = adapters()
        self._labels = {entry.wire: entry.label for entry in reversed(PROVIDERS.values())}
        self._shown = list(self._adapters)[:AT_FIRST]
        self._problems: dict[str, str] = {}
        self._answered = 0
        self._subject = subject
        super().__init__(view=self._painted())
        self.on_msg(self._heard)

    @property
    def subject(self) -> Subject:
        """What is shown on the left."""
        return self._subject

    @subject.setter
    def subject(self, subject: Subject) -> None:
        self._subject = subject
        self._problems = {}
        self.view = self._painted()

    def show(self, *wires: str) -> None:
        """Show exactly these wires, such as `"gemini"`, in this order."""
        if unknown := [wire for wire in wires if wire not in self._adapters]:
            raise HarnessError(f"there is no wire {unknown[0]!r}; there are: {', '.join(self._adapters)}")
        self._shown = list(wires)
        self.view = self._painted()

    def picture(self) -> str:
        """The panes as HTML, without controls."""
        return picture(*self._parts())

    def text(self) -> str:
        """The subject, each wire's form of it, and where the same values stand."""
        left, panes = self._parts()
        rows = ["value | here | " + " | ".join(pane.label for pane in panes)]
        rows += [" | ".join(cells) for cells in table(left, panes)]
        return "\n\n".join([f"{self.title}: {left.text()}", *(pane.text() for pane in panes), "\n".join(rows)])

    def _parts(self) -> tuple[Left, list[Pane]]:
        links = Links(to_plain(self._subject))
        panes = [
            Pane(wire, self._labels[wire], on_wire(self._subject, self._adapters[wire]), links) for wire in self._shown
        ]
        return Left(self._subject, links), panes

    def _painted(self) -> dict[str, Any]:
        """All that the live view shows."""
        left, panes = self._parts()
        offered = [{"wire": wire, "label": self._labels[wire], "shown": wire in self._shown} for wire in self._adapters]
        return {
            "name": name_of(self._subject),
            "hint": left.hint(),
            "here": left.live(),
            "panes": [pane.live() for pane in panes],
            "same": same_values(left, panes),
            "code": PLAIN_CODE,
            "offered": offered,
            "problems": self._problems,
            "answered": self._answered,
        }

    def _heard(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """Do what the reader asked for on the page; what does not fit becomes a sentence at its place."""
        place = message.get("wire", HERE_PLACE)
        try:
            self._do(message)
            self._problems = {}
        except HarnessError as error:
            self._problems = {place: str(error)}
        except Exception as error:  # an adapter's fault; without an answer the page would wait for ever
            self._problems = {place: f"The adapter failed: {type(error).__name__}: {error}"}
        self._answered = message["number"]
        self.view = self._painted()

    def _do(self, message: dict[str, Any]) -> None:
        match message["do"]:
            case "edit":
                self._subject = with_field(self._subject, message["field"], message["text"])  # type: ignore[arg-type]
            case "replace":
                self._subject = from_plain(parse(message["text"], "the text"), self._subject)
            case "paste":
                self._subject = read_paste(message["text"], self._adapters[message["wire"]], self._subject)
            case "show":
                chosen = message["wires"]
                self._shown = [wire for wire in self._adapters if wire in chosen]
