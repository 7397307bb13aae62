"""The loop stepper's controls: ipywidgets' slider and player have no names for screen readers."""

from __future__ import annotations

import anywidget
import traitlets

from ._base import HERE, css


class TurnControl(anywidget.AnyWidget):
    """`turn` is one from 1 to `last`; while it plays, each turn stays for `pause` milliseconds."""

    _esm = HERE / "_turn_control.js"
    _css = css("loop_stepper")
    turn = traitlets.Int(1).tag(sync=True)
    last = traitlets.Int(1).tag(sync=True)
    pause = traitlets.Int(1500).tag(sync=True)

    @traitlets.validate("turn")
    def _within(self, proposal: traitlets.Bunch) -> int:
        return min(max(1, int(proposal["value"])), self.last)
