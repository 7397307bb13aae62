"""The loop stepper: one turn of a run at a time, with a slider, buttons and the arrow keys."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import ipywidgets

from ...agent import Event
from ...errors import HarnessError
from ...messages import Message
from ...providers import PROVIDERS, adapters
from ...show import message_html, message_line
from ..turns import Turn, turns_of
from ._base import WithPicture, pane, pre, pretty, row, style
from ._controls import WIDE, controls
from ._turn_control import TurnControl

PLAIN_CODE = """\
events = []
run(provider, tools, schemas, question, on_event=events.append)
[(event.turn, event.kind) for event in events]"""


def stepper(events: Sequence[Event]) -> LoopStepper:
    """The stepper on what `run(..., on_event=events.append)` reported; `HarnessError` where that is nothing."""
    return LoopStepper(events)


class LoopStepper(WithPicture, ipywidgets.VBox):  # type: ignore[misc]
    """`turn` (from 1; beyond an end is the end) and `wire` can be read and set."""

    title = "Loop stepper"
    styles = ("loop_stepper",)

    def __init__(self, events: Sequence[Event]) -> None:
        self._turns = turns_of(events)
        if not self._turns:
            raise HarnessError("there is no turn to step through: give what run(..., on_event=events.append) reported")
        self._adapters = adapters()
        labels = {entry.wire: entry.label for entry in reversed(PROVIDERS.values())}
        wires = [(labels[wire], wire) for wire in self._adapters]
        self._control = TurnControl(last=len(self._turns))
        self._wire = ipywidgets.Dropdown(options=wires, description="Body sent on", style=WIDE)
        self._body = ipywidgets.HTML()
        self._control.observe(lambda _: self._paint(), "turn")
        self._wire.observe(lambda _: self._paint(), "value")
        super().__init__([self._control, controls(self._wire), self._body])
        self.add_class("hw")
        self._paint()

    @property
    def turn(self) -> int:
        """The turn on show."""
        return int(self._control.turn)

    @turn.setter
    def turn(self, number: int) -> None:
        self._control.turn = number

    @property
    def wire(self) -> str:
        """The wire on which the body is shown."""
        return str(self._wire.value)

    @wire.setter
    def wire(self, wire: str) -> None:
        self._wire.value = wire

    def picture(self) -> str:
        """The turn on show, without controls."""
        return _turn_html(self._turns[self.turn - 1], len(self._turns), self._sent())

    def text(self) -> str:
        """Every turn in words, with what it added and the tokens so far."""
        lines = [f"{self.title}: {len(self._turns)} turns"]
        for turn in self._turns:
            lines += [f"turn {turn.number}: {_messages(turn)} sent; so far {_tokens(turn)}"]
            lines += [f"  + {message_line(message)}" for message in turn.added]
        return "\n".join(lines)

    def _sent(self) -> str:
        """The body, or why this wire has none: the run may have been on another."""
        try:
            body = self._turns[self.turn - 1].body(self._adapters[self.wire])
        except HarnessError as error:
            return f'<p class="hw-error">{escape(str(error))}</p>'
        return pre(pretty(body), is_long=True)

    def _paint(self) -> None:
        shown = f'<div class="hw" role="region" aria-label="{self.title}">{self.picture()}</div>'
        self._body.value = style(*self.styles) + shown


def _turn_html(turn: Turn, of: int, sent: str) -> str:
    so_far = "".join(map(message_html, turn.sent))
    added = "".join(
        f'<div class="hws-added"><em>added: {_what(message)}</em>{message_html(message)}</div>'
        for message in turn.added
    )
    head = f'<p role="status">Turn {turn.number} of {of}. Tokens so far: {escape(_tokens(turn))}.</p>'
    response = turn.response
    stopped = f"stopped: {response.stop_reason}" if response else "no response came"
    panes = [
        pane("Transcript sent", so_far, note=_messages(turn)),
        pane("Added by this turn", added or "<p>nothing</p>", note=stopped),
        pane("Body sent", sent),
    ]
    return head + row(panes)


def _what(message: Message) -> str:
    return "the response" if message.role == "assistant" else "a tool's result"


def _messages(turn: Turn) -> str:
    return f"{len(turn.sent)} message{'s' * (len(turn.sent) != 1)}"


def _tokens(turn: Turn) -> str:
    spent = turn.spent
    reasoning = f", {spent.reasoning_tokens} of them reasoning" if spent.reasoning_tokens else ""
    return f"{spent.input_tokens} in, {spent.output_tokens} out{reasoning}"
