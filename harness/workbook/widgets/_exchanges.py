"""What the provider switcher shows of a conversation: each exchange under the word for its answer, and wire bodies."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from ...errors import HarnessError
from ...messages import Transcript, Usage
from ...providers import PROVIDERS, adapters
from ...show import message_html, message_line
from .. import samples
from ..candidates import Candidate, Settings
from ..conversation import Exchange
from ._base import BOX, items, pane, pre, pretty
from ._left_out import lost_blocks

NO_WIRE = "no wire: the provider gets the transcript itself"


def tokens(usage: Usage) -> str:
    """Tokens in words."""
    count = usage.reasoning_tokens or "none"
    return f"{usage.input_tokens} tokens in, {usage.output_tokens} out, {count} of them reasoning"


def exchanges_html(exchanges: Sequence[Exchange]) -> str:
    """Every exchange, the newest unfolded."""
    shown = [_exchange(number, exchange, number == len(exchanges)) for number, exchange in enumerate(exchanges, 1)]
    return "".join(shown)


def exchanges_text(exchanges: Sequence[Exchange]) -> str:
    """The same in words."""
    lines = []
    for number, exchange in enumerate(exchanges, 1):
        lines += [f"{number} {exchange.kind}: {_who(exchange)}: {exchange.answer or exchange.problem}"]
        lines += [f"  {message_line(message)}" for message in exchange.messages]
        lines += [f"  {_cost(exchange)}"]
    return "\n".join(lines)


def body_html(candidate: Candidate, settings: Settings, asked: Transcript) -> str:
    """The body that would go to a candidate, the rules that it breaks, and what it leaves out of the transcript."""
    title = f"Body that goes to {candidate.label}"
    if candidate.preview is None:
        return pane(title, f"<p>{NO_WIRE}</p>")
    try:
        body = candidate.preview(settings).request(asked, samples.schemas())
    except HarnessError as error:
        return pane(title, f'<p class="hw-error">{escape(str(error))}</p>')
    return pane(title, f"{pre(pretty(body), is_long=True)}{_remarks(body, asked, candidate.name)}")


def _remarks(body: dict[str, Any], asked: Transcript, name: str) -> str:
    """Nothing for a provider of the reader's or a local server, whose wires are not known beforehand."""
    adapter = adapters().get(PROVIDERS[name].wire) if name in PROVIDERS and name != "local" else None
    if adapter is None:
        return ""
    broken = [str(problem) for problem in adapter.check_request(body)]
    lost = lost_blocks(asked, adapter.from_request(body)[0], adapter.WIRE)
    return _list("Rules broken", broken) + _list("Left out", list(lost))


def _list(title: str, lines: Sequence[str]) -> str:
    return f"<p><strong>{title}:</strong></p>{items(lines)}" if lines else f"<p><strong>{title}:</strong> nothing</p>"


def _exchange(number: int, exchange: Exchange, is_open: bool) -> str:
    word = f'<span class="hw-word">{escape(exchange.kind)}</span>'
    said = exchange.answer if exchange.answer is not None else exchange.problem
    mark = "" if exchange.answer is not None else " hw-error"
    messages = "".join(map(message_html, exchange.messages))
    count = len(exchange.messages)
    return (
        f'<section class="hwp-exchange" style="{BOX}" aria-label="Exchange {number}"><strong>{number}</strong> {word} '
        f'{escape(_who(exchange))}<p class="hwp-answer{mark}">{escape(said)}</p><p>{escape(_cost(exchange))}</p>'
        f"<details{' open' * is_open}><summary>Transcript: {count} messages</summary>{messages}</details></section>"
    )


def _who(exchange: Exchange) -> str:
    return exchange.label + (f", {exchange.model}" if exchange.model else "")


def _cost(exchange: Exchange) -> str:
    turns = sum(message.role == "assistant" for message in exchange.messages)
    return f"{turns} turn{'s' * (turns != 1)}, {tokens(exchange.usage)}"
