"""Everything that can be asked a question: scripted, stand-ins, recordings, models on this machine, vendors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, Literal

from ..messages import ToolCall, Transcript
from ..providers import PROVIDERS, make_provider
from ..providers.base import Provider, ProviderResponse
from ..providers.mock import MockProvider
from . import local_model, recorder, samples, standins
from .choose import LOCAL_WIRES
from .keys import Keys, can_be_typed
from .kinds import Kind, kind_of
from .readiness import Readiness

Reasoning = Literal["off", "effort", "budget"]
RECORDED = "replays one conversation: the calculator question as it stands, at the beginning of a conversation"
HELD = "a key is held in memory until the kernel stops; each answer costs money"


@dataclass(frozen=True)
class Settings:
    """What the reader sets: a model (empty: the provider's own choice), and an effort or a budget of reasoning."""

    model: str = ""
    effort: str | None = None
    budget: int | None = None  # tokens


@dataclass(frozen=True)
class Candidate:
    """One that can be asked: `make` gives its provider for a conversation, `preview` one that only writes bodies.

    `name` is its name in the registry; `model` what it asks by itself; `needs` the label of its `Readiness`.
    """

    label: str
    kind: Kind
    make: Callable[[Settings, Transcript, Keys], Provider]
    preview: Callable[[Settings], Any] | None
    name: str = ""
    model: str = ""
    needs: str = ""
    ready: str = ""  # why it is always ready, where nothing is needed

    @property
    def title(self) -> str:
        """The word for its answers, and its label."""
        return f"{self.kind}: {self.label}"

    @property
    def takes_settings(self) -> bool:
        """Whether a model can be chosen: not where the answers were fixed before."""
        return self.kind in ("live", "stand-in") or self.name == "local"

    @property
    def reasoning(self) -> tuple[Reasoning, ...]:
        """How its reasoning can be set."""
        known: list[Reasoning] = ["off"]
        if self.kind in ("live", "stand-in") and self.name:
            takes = _parameters(self.name)
            known += ["effort"] if _effort_name(takes) else []
            known += ["budget"] if "thinking_budget_tokens" in takes else []
        return tuple(known)

    @property
    def key_variable(self) -> str | None:
        """The variable of the key that can be typed for it, or None."""
        live = self.kind == "live" and self.name and can_be_typed(self.name)
        return PROVIDERS[self.name].key_variable if live else None

    def readiness(self, known: dict[str, Readiness], keys: Keys) -> Readiness:
        """Whether it can answer now, from what is known about this machine and the keys that are held."""
        if self.ready:
            return Readiness(self.label, self.kind, True, self.ready)
        found = known.get(self.needs)
        if found is None:
            return Readiness(self.label, self.kind, False, "not looked at yet: press Look again")
        if keys.has(self.key_variable) and "SDK is missing" not in found.sentence:
            return Readiness(self.label, self.kind, True, HELD)
        return replace(found, label=self.label, kind=self.kind)


def candidates(own: Provider | None = None) -> list[Candidate]:
    """All of them, what needs nothing first; the reader's own provider leads where there is one."""
    mine = [_own(own)] if own is not None else []
    return [*mine, *_standins(), _scripted(), *_recorded(), *_embedded(), *_vendors()]


def options(name: str, settings: Settings) -> dict[str, Any]:
    """The constructor's arguments that say the settings to that provider's class."""
    takes = _parameters(name)
    said: dict[str, Any] = {"model": settings.model} if settings.model else {}
    if settings.effort:
        said |= {_effort_name(takes): settings.effort}
    if settings.budget:
        said |= {"thinking_budget_tokens": settings.budget}
        usual = takes["max_tokens"].default if "max_tokens" in takes else None
        said |= {"max_tokens": settings.budget + usual} if isinstance(usual, int) else {}
    if (settings.effort or settings.budget) and "enable_thinking" in takes:
        said |= {"enable_thinking": True}
    return said


def _own(provider: Provider) -> Candidate:
    """The reader's provider, as it is."""
    body = (lambda _: provider) if hasattr(provider, "request") else None
    return Candidate(
        f"{provider.name} (yours)", kind_of(provider), lambda *_: provider, body, ready="the provider you gave"
    )


def _scripted() -> Candidate:
    def make(settings: Settings, transcript: Transcript, keys: Keys) -> Provider:
        calls = sum(isinstance(block, ToolCall) for message in transcript for block in message.blocks)
        first, last = samples.calculator_script()
        fresh = replace(first.tool_calls[0], id=f"call_{calls + 1}")  # a transcript has no id twice
        asks = ProviderResponse(tool_calls=(fresh,), input_tokens=first.input_tokens, output_tokens=first.output_tokens)
        return MockProvider([asks, last])

    return Candidate("MockProvider", "scripted", make, None, ready="says the same two things, whatever it is asked")


def _standins() -> Iterator[Candidate]:
    for name in standins.available():
        label = f"{PROVIDERS[name].label} stand-in"

        def make(settings: Settings, transcript: Transcript, keys: Keys, name: str = name) -> Provider:
            return standins.provider(name, **options(name, settings))

        def preview(settings: Settings, name: str = name) -> Any:
            return _named(make_provider(name, **options(name, settings)), f"{name} stand-in")

        yield Candidate(label, "stand-in", make, preview, name, _model(name), needs=label)


def _recorded() -> Iterator[Candidate]:
    for title, recording in recorder.shipped().items():

        def make(settings: Settings, transcript: Transcript, keys: Keys, title: str = title) -> Provider:
            return recorder.provider(title)

        def preview(settings: Settings, title: str = title) -> Any:
            return recorder.provider(title)

        label = f"{PROVIDERS[recording.provider].label} recording"
        yield Candidate(label, "recorded", make, preview, recording.provider, recording.model, ready=RECORDED)


def _embedded() -> Iterator[Candidate]:
    names = {entry.wire: name for name, entry in reversed(PROVIDERS.items())}
    for wire in LOCAL_WIRES:

        def make(settings: Settings, transcript: Transcript, keys: Keys, wire: Any = wire) -> Provider:
            return local_model.provider(wire)

        def preview(settings: Settings, name: str = names[wire]) -> Any:
            return _named(make_provider(name, model=local_model.MODEL.name), "local model")

        label = f"Embedded model on {PROVIDERS[names[wire]].label}"
        yield Candidate(label, "local model", make, preview, names[wire], local_model.MODEL.name, "Embedded model")


def _vendors() -> Iterator[Candidate]:
    for name, entry in PROVIDERS.items():

        def make(settings: Settings, transcript: Transcript, keys: Keys, name: str = name) -> Provider:
            client = keys.client(name)
            return make_provider(name, **options(name, settings), **({"client": client} if client else {}))

        def preview(settings: Settings, name: str = name) -> Any:
            return make_provider(name, **options(name, settings))

        kind: Kind = "local model" if name == "local" else "live"
        yield Candidate(entry.label, kind, make, preview, name, _model(name), needs=entry.label)


def _named(provider: Any, name: str) -> Any:
    """With the name under which it answers: a name decides whose reasoning goes back."""
    provider.name = name
    return provider


def _model(name: str) -> str:
    return getattr(make_provider(name), "model", None) or ""


def _parameters(name: str) -> Any:
    entry = PROVIDERS[name]
    return signature(getattr(entry.load(), entry.class_name)).parameters


def _effort_name(takes: Any) -> str:
    return next((name for name in ("effort", "reasoning_effort") if name in takes), "")
