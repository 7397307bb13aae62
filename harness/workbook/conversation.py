"""A conversation that goes on from provider to provider, each question asked in a thread that can be let go of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event as Flag
from threading import Lock, Thread
from time import monotonic

from ..agent import Event, run
from ..errors import UnfinishedAnswer
from ..messages import Message, Transcript, Usage
from ..providers.base import Provider
from . import samples
from .kinds import Kind

TICK = 1.0  # seconds between two signs of life


@dataclass(frozen=True)
class Exchange:
    """One question and what came of it: who answered, the messages it added, its tokens, the loop's events.

    `answer` is None where the loop ended without one; `problem` then says why.
    """

    question: str
    label: str
    kind: Kind
    model: str
    answer: str | None
    problem: str
    messages: tuple[Message, ...]
    usage: Usage
    events: tuple[Event, ...]


@dataclass
class Conversation:
    """The transcript so far, and the exchanges that made it."""

    transcript: Transcript = field(default_factory=lambda: Transcript(system=samples.SYSTEM))
    exchanges: list[Exchange] = field(default_factory=list)

    def with_question(self, question: str) -> Transcript:
        """A copy of the transcript that goes on with a question."""
        return Transcript([*self.transcript, Message.user_text(question)], self.transcript.system)

    def ask(
        self, provider: Provider, question: str, who: tuple[str, Kind, str], on_event: Callable[[Event], None]
    ) -> Exchange:
        """The exchange, with the calculator at hand; the conversation stays as it is until `take`.

        What the provider raises passes through.
        """
        copy = Transcript(list(self.transcript), self.transcript.system)
        events: list[Event] = []

        def hear(event: Event) -> None:
            events.append(event)
            on_event(event)

        answer, problem = None, ""
        try:
            answer = run(provider, samples.TOOLS, samples.schemas(), question, transcript=copy, on_event=hear)
        except UnfinishedAnswer as error:  # what was said stays, and can be gone on from
            problem = str(error)
        added = tuple(copy)[len(self.transcript) :]
        return Exchange(question, *who, answer, problem, added, _total(added), tuple(events))

    def take(self, exchange: Exchange) -> None:
        """Let the conversation go on from an exchange."""
        self.transcript.extend(exchange.messages)
        self.exchanges.append(exchange)


class Cancelled(Exception):
    """Raised inside a job's work once nobody waits for it."""


class Job:
    """Work in a thread. `cancel` lets go of it at once: whatever it still brings is thrown away.

    `on_done` gets what the work returns, `on_error` what it raises, `on_tick` the seconds so far, about each second.
    """

    def __init__(
        self,
        work: Callable[[Job], Exchange],
        on_done: Callable[[Exchange], None],
        on_error: Callable[[Exception], None],
        on_tick: Callable[[int], None],
    ) -> None:
        self._work, self._on_done, self._on_error, self._on_tick = work, on_done, on_error, on_tick
        self._ended = Flag()
        self._lock = Lock()
        self._thread = Thread(target=self._run, daemon=True)

    def start(self) -> None:
        """Begin, and give a sign of life each second until the end."""
        self._thread.start()
        Thread(target=self._tick, daemon=True).start()

    @property
    def is_running(self) -> bool:
        """Whether somebody still waits for it."""
        return not self._ended.is_set()

    def cancel(self) -> bool:
        """Let go of the work; false when it had ended."""
        with self._lock:
            was_running = self.is_running
            self._ended.set()
        return was_running

    def check(self, _: object = None) -> None:
        """Raise `Cancelled` in work that nobody waits for: no further request leaves."""
        if not self.is_running:
            raise Cancelled

    def join(self, seconds: float | None = None) -> None:
        """Wait for the work."""
        self._thread.join(seconds)

    def _run(self) -> None:
        try:
            result = self._work(self)
        except Exception as error:
            if self.cancel():
                self._on_error(error)
        else:
            if self.cancel():
                self._on_done(result)

    def _tick(self) -> None:
        begun = monotonic()
        while not self._ended.wait(TICK):
            self._on_tick(round(monotonic() - begun))


def _total(messages: tuple[Message, ...]) -> Usage:
    spent = [message.usage for message in messages if message.usage]
    return Usage(
        sum(usage.input_tokens for usage in spent),
        sum(usage.output_tokens for usage in spent),
        sum(usage.reasoning_tokens for usage in spent),
        sum(usage.cached_tokens for usage in spent),
    )
