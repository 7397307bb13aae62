"""The transcript viewer: a conversation as plain HTML, its kinds of block to filter, each block's fields to unfold.

It is no widget and needs no kernel: what a saved notebook shows is what the running one shows.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import fields
from html import escape

from ...messages import Message, Transcript
from ...show import ICONS, block_body, block_label
from ._base import BOX, pre, style
from ._plain import BLOCKS, AnyBlock
from ._wires import message_of

BLOCK = f"margin:4px 0;{BOX}"


def viewer(shown: Transcript | Message | AnyBlock) -> Viewer:
    """The viewer on a transcript, a message or a block."""
    return Viewer(shown)


class Viewer:
    """A conversation to look at; `text()` says the same in words."""

    def __init__(self, shown: Transcript | Message | AnyBlock) -> None:
        if isinstance(shown, BLOCKS):
            shown = Message(message_of(shown).role, (shown,))
        self._transcript = Transcript([shown]) if isinstance(shown, Message) else shown

    @property
    def title(self) -> str:
        """How much there is to see."""
        count = len(self._transcript)
        return f"Transcript of {count} message{'s' * (count != 1)}"

    def text(self) -> str:
        """Every message and block in words."""
        system = [f"system prompt: {self._transcript.system}"] if self._transcript.system else []
        messages = [_message_text(number, message) for number, message in enumerate(self._transcript, 1)]
        return "\n".join([self.title, *system, *messages])

    def __repr__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        system = self._transcript.system
        box = f'<div class="hwv-block" style="{BLOCK}"><b>⚙️ system prompt</b>{pre(system)}</div>' if system else ""
        messages = "".join(_message_html(number, message) for number, message in enumerate(self._transcript, 1))
        title = escape(self.title)
        return (
            f'{style("transcript_viewer")}<section class="hw hwv" aria-label="{title}"><strong>{title}</strong>'
            f"{_filter(self._transcript)}{box}{messages}</section>"
        )


def _filter(transcript: Transcript) -> str:
    """A check box for each kind of block; the style sheet shows them and hides what is not checked."""
    counts: Counter[str] = Counter(block.kind for message in transcript for block in message.blocks)
    boxes = "".join(
        f'<label><input type="checkbox" class="hwv-on-{kind}" checked> {icon} {kind.replace("_", " ")} '
        f"({counts[kind]})</label>"
        for kind, icon in ICONS.items()
        if counts[kind]
    )
    return (
        f'<fieldset class="hwv-filter" style="display:none"><legend>Show</legend>{boxes}</fieldset>'
        if len(counts) > 1
        else ""
    )


def _message_html(number: int, message: Message) -> str:
    blocks = "".join(map(_block_html, message.blocks)) or "<p>no blocks</p>"
    note = f" <small>{escape(_origin(message))}</small>" if _origin(message) else ""
    return f'<div class="hwv-message"><strong>{number} {message.role}</strong>{note}{blocks}</div>'


def _block_html(block: AnyBlock) -> str:
    label, detail = block_label(block)
    note = f" <small>{escape(detail)}</small>" if detail else ""
    head = f"{ICONS[block.kind]} <b>{escape(label)}</b>{note}"
    lines = "\n".join(f"{name}: {value}" for name, value in _fields(block))
    return (
        f'<div class="hwv-block hwv-{block.kind}" style="{BLOCK}" title="{escape(_signature(block))}">'
        f"{head}{pre(block_body(block))}"
        f"<details><summary>{escape(_signature(block))}</summary>{pre(lines)}</details></div>"
    )


def _signature(block: AnyBlock) -> str:
    """The type and the names of its fields, as `ToolCall(id, name, args, metadata, kind)`."""
    return f"{type(block).__name__}({', '.join(name for name, _ in _fields(block))})"


def _fields(block: AnyBlock) -> list[tuple[str, str]]:
    return [(field.name, json.dumps(getattr(block, field.name), ensure_ascii=False)) for field in fields(block)]


def _origin(message: Message) -> str:
    """Who made a message and what it cost, where that is known."""
    made_by, usage = message.provenance, message.usage
    parts = [made_by.provider or made_by.wire or ""] if made_by else []
    if usage and (usage.input_tokens or usage.output_tokens):
        reasoning = f" ({usage.reasoning_tokens} of them reasoning)" if usage.reasoning_tokens else ""
        parts.append(f"{usage.input_tokens} tokens in, {usage.output_tokens} out{reasoning}")
    return "; ".join(filter(None, parts))


def _message_text(number: int, message: Message) -> str:
    note = f" ({_origin(message)})" if _origin(message) else ""
    lines = [f"{' '.join(filter(None, block_label(block)))}: {block_body(block)}" for block in message.blocks]
    return "\n".join([f"{number} {message.role}{note}", *(f"  {line}" for line in lines or ["no blocks"])])
