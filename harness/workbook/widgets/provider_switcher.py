"""The provider switcher: one conversation, and at each question the choice of who answers it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from threading import Thread
from typing import Any

import ipywidgets

from ...agent import Event
from ...errors import HarnessError
from ...messages import Transcript
from ...providers.base import Provider
from .. import readiness, samples
from ..candidates import Candidate, Settings, candidates
from ..conversation import Conversation, Exchange, Job
from ..keys import Keys, on_a_hub
from ..readiness import Readiness
from ._base import WithPicture, style
from ._controls import WIDE, button, controls
from ._exchanges import body_html, exchanges_html, exchanges_text
from ._key_field import KeyField
from .status import card

SENTENCE = (
    "The provider switcher asks a question wherever you like (scripted, stand-in, recorded, local model, live), and "
    "takes the conversation from one provider to the next. It asks nobody before you press Run."
)
PLAIN_CODE = """\
transcript = Transcript(system=SYSTEM)
run(standins.provider("anthropic"), TOOLS, schemas(), "What is 17 * 23?", transcript=transcript)
run(standins.provider("openai"), TOOLS, schemas(), "And minus 100?", transcript=transcript)"""
EFFORTS = ("low", "medium", "high")
BUDGET = 2000  # tokens
MODES = {"off": "off: not asked for", "effort": "effort", "budget": "budget of tokens"}
ON_A_HUB = "This is a public server, so no key can be typed here: use a machine of your own for live answers."


def switcher(own: Provider | None = None) -> ProviderSwitcher:
    """The provider switcher; a provider of your own may be one of the choices."""
    return ProviderSwitcher(own)


class ProviderSwitcher(WithPicture, ipywidgets.VBox):  # type: ignore[misc]
    """`transcript` and `events` (for the loop stepper) are the conversation's; both can be read at any time."""

    title = "Provider switcher"
    styles = ("status", "provider_switcher")

    def __init__(self, own: Provider | None = None) -> None:
        self._candidates = candidates(own)
        self._keys = Keys()
        self._known: dict[str, Readiness] = {}
        self._conversation = Conversation()
        self._job: Job | None = None
        super().__init__(self._build())
        self.add_class("hw")
        self.look()
        self._choose()

    # ---- what can be read and done from Python

    @property
    def transcript(self) -> Transcript:
        """The conversation so far."""
        return self._conversation.transcript

    @property
    def events(self) -> Sequence[Event]:
        """What the loop reported on the last question."""
        exchanges = self._conversation.exchanges
        return exchanges[-1].events if exchanges else ()

    @property
    def choice(self) -> str:
        """Who answers the next question, as `stand-in: OpenAI Responses stand-in`."""
        return self._chosen.title

    @choice.setter
    def choice(self, title: str) -> None:
        found = [candidate for candidate in self._candidates if candidate.title == title]
        if not found:
            raise HarnessError(f"there is no {title!r}; there are: {', '.join(c.title for c in self._candidates)}")
        self._who.value = found[0]

    def look(self) -> None:
        """Look again who can answer: at once at what needs no asking, in the background at this machine's models."""
        self._learn(readiness.without_network())
        self._search = Thread(target=lambda: self._learn(readiness.on_this_machine()), daemon=True)
        self._search.start()

    def run(self) -> None:
        """Ask, as the button does; the answer comes while you do other things. `wait` waits for it."""
        if self._job and self._job.is_running:
            return
        ready = self._readiness(self._chosen)
        question = self._prompt.value.strip()
        if not ready.ready or not question:
            why = f"{ready.label}: {ready.sentence}" if not ready.ready else "There is nothing to ask: write a prompt."
            self._say(why, error=True)
            return
        self._start(self._chosen, self._settings(), question)

    def wait(self, seconds: float | None = None) -> None:
        """Wait for the answer."""
        if self._job:
            self._job.join(seconds)

    def cancel(self) -> None:
        """Let go of the question; the conversation stays as it was before it."""
        if self._job and self._job.cancel():
            self._run.description = self._run_label()
            self._say("Cancelled: the conversation is as it was before. An answer that still comes is thrown away.")

    def restart(self) -> None:
        """Begin a new conversation."""
        self.cancel()
        self._conversation = Conversation()
        self._say("A new conversation.")
        self._paint()

    def picture(self) -> str:
        """What the widget is for, and the conversation where there is one; never what depends on the machine."""
        return f"<p>{escape(SENTENCE)}</p>{exchanges_html(self._conversation.exchanges)}"

    def text(self) -> str:
        """The same in words."""
        return "\n".join(filter(None, [SENTENCE, exchanges_text(self._conversation.exchanges)]))

    # ---- the controls

    def _build(self) -> list[Any]:
        w = ipywidgets
        self._who = w.Dropdown(options=[(c.title, c) for c in self._candidates], description="Provider", style=WIDE)
        self._who.layout.width = "28em"
        self._model = w.Text(description="Model", style=WIDE)
        self._mode = w.Dropdown(description="Reasoning", style=WIDE)
        self._effort = w.Dropdown(options=EFFORTS, description="Effort", style=WIDE)
        self._budget = w.BoundedIntText(value=BUDGET, min=1, max=100_000, description="Budget", style=WIDE)
        self._state, self._others, self._progress = w.HTML(), w.HTML(), w.HTML()
        self._key, self._no_key = KeyField(self._hold), w.HTML(f"<p>{ON_A_HUB}</p>")
        self._prompt = w.Textarea(value=samples.QUESTION, description="Prompt", style=WIDE, rows=2)
        self._prompt.layout.width = "auto"
        self._run = button("Run", self.run)
        self._show = w.ToggleButton(description="Show the body to be sent")
        self._show.layout.width = "auto"
        self._body, self._answers = w.HTML(), w.HTML()
        buttons = [self._run, button("Cancel", self.cancel), button("New conversation", self.restart)]
        self._watch()
        return [
            controls(self._who, self._model, self._mode, self._effort, self._budget),
            *(self._state, self._others, self._key, self._no_key, self._prompt),
            controls(*buttons, self._show, button("Look again", self.look)),
            *(self._progress, self._body, self._answers),
        ]

    def _watch(self) -> None:
        self._who.observe(lambda _: self._choose(), "value")
        self._mode.observe(lambda _: self._set_mode(), "value")
        for control in (self._model, self._effort, self._budget, self._prompt, self._show):
            control.observe(lambda _: self._paint_body(), "value")

    @property
    def _chosen(self) -> Candidate:
        chosen: Candidate = self._who.value
        return chosen

    def _settings(self) -> Settings:
        mode, model = self._mode.value, self._model.value.strip()
        effort = self._effort.value if mode == "effort" else None
        budget = self._budget.value if mode == "budget" else None
        return Settings(model if self._chosen.takes_settings else "", effort, budget)

    def _choose(self) -> None:
        """Another provider: its own model, its ways of reasoning, its readiness."""
        chosen = self._chosen
        self._model.value = chosen.model
        self._model.disabled = not chosen.takes_settings
        self._model.placeholder = "the server's first" if chosen.name == "local" else "none"
        self._mode.options = [(MODES[mode], mode) for mode in chosen.reasoning]
        self._mode.index = None  # else the front end, whose index stays 0, shows none of the new options
        self._mode.index = 0
        self._mode.disabled = len(chosen.reasoning) == 1
        self._set_mode()
        self._paint_state()

    def _set_mode(self) -> None:
        self._effort.layout.display = "" if self._mode.value == "effort" else "none"
        self._budget.layout.display = "" if self._mode.value == "budget" else "none"
        self._paint_body()

    # ---- who can answer

    def _learn(self, found: Sequence[Readiness]) -> None:
        self._known |= {one.label: one for one in found}
        self._paint_state()

    def _readiness(self, candidate: Candidate) -> Readiness:
        return candidate.readiness(self._known, self._keys)

    def _hold(self, key: str) -> None:
        if not on_a_hub() and self._chosen.key_variable:
            self._keys.hold(self._chosen.key_variable, key)
            self._say("The key is held in memory only, until the kernel stops.")
            self._paint_state()

    # ---- asking

    def _start(self, chosen: Candidate, settings: Settings, question: str) -> None:
        conversation, who = self._conversation, (chosen.label, chosen.kind, settings.model or chosen.model)

        def work(job: Job) -> Exchange:
            provider = chosen.make(settings, conversation.transcript, self._keys)

            def hear(event: Event) -> None:
                job.check()
                self._doing = _doing(event, chosen.label)

            return conversation.ask(provider, question, who, hear)

        self._doing = f"Getting {chosen.label} ready …"
        self._run.description = "Running …"
        self._job = Job(work, self._done, self._failed, self._tick)
        self._tick(0)
        self._job.start()

    def _tick(self, seconds: int) -> None:
        bar = '<progress aria-label="A question is being asked"></progress>'
        self._say(f"{self._doing} {seconds} s", before=bar)

    def _done(self, exchange: Exchange) -> None:
        self._conversation.take(exchange)
        self._paint()
        self._finish("Answered." if exchange.answer is not None else "There is no final answer.")

    def _failed(self, error: Exception) -> None:
        told = str(error) if isinstance(error, HarnessError) else f"{type(error).__name__}: {error}"
        self._finish(f"{self._keys.hide(told)} The conversation is as it was before.", error=True)

    def _finish(self, sentence: str, *, error: bool = False) -> None:
        self._run.description = self._run_label()
        self._say(sentence, error=error)

    # ---- painting

    def _say(self, sentence: str, *, error: bool = False, before: str = "") -> None:
        look = ' class="hw-error"' if error else ""
        self._progress.value = f'<p role="status"{look}>{before} {escape(sentence)}</p>'

    def _run_label(self) -> str:
        return "Run live" if self._chosen.kind == "live" else "Run"

    def _paint_state(self) -> None:
        ready = self._readiness(self._chosen)
        can = "can answer now" if ready.ready else "cannot answer now"
        word = f'<span class="hw-word">{escape(ready.kind)}</span>'
        sentence = escape(f"{ready.label} {can}: {ready.sentence}.")
        self._state.value = f"{style(*self.styles)}<p>{word} {sentence}</p>"
        others = [self._readiness(candidate) for candidate in self._candidates]
        self._others.value = _who_can(others)
        if not (self._job and self._job.is_running):
            self._run.description = self._run_label()
        wants_key = self._chosen.key_variable is not None
        self._key.label = f"{self._chosen.key_variable} (kept in memory only)"
        self._key.layout.display = "" if wants_key and not on_a_hub() else "none"
        self._no_key.layout.display = "" if wants_key and on_a_hub() else "none"

    def _paint_body(self) -> None:
        asked = self._conversation.with_question(self._prompt.value)
        self._body.value = body_html(self._chosen, self._settings(), asked) if self._show.value else ""

    def _paint(self) -> None:
        inner = exchanges_html(self._conversation.exchanges)
        self._answers.value = f'<div class="hw" role="region" aria-label="Answers">{inner}</div>' if inner else ""
        self._paint_body()


def _who_can(everybody: Sequence[Readiness]) -> str:
    ready = sum(one.ready for one in everybody)
    summary = f"{ready} can answer now, {len(everybody) - ready} cannot: who, and why"
    return f"<details><summary>{summary}</summary>{card(everybody, '')}</details>"


def _doing(event: Event, label: str) -> str:
    """What comes next after an event."""
    if event.kind == "request":
        return f"Turn {event.turn}: waiting for {label} …"
    return f"Turn {event.turn}: running the tools …"
