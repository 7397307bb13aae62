"""Runs recorded from a real model and played back: the same answers, byte for byte, without key, network or SDK.

A recording is a small JSON file of exchanges: the body sent, the body that came back. Headers, keys and account ids
never reach it, because only bodies are kept, less the fields of `LEFT_OUT`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ..errors import HarnessError
from ..frozen import freeze, thaw
from ..providers import make_provider
from ..providers.base import Provider

SCHEMA = "harness.recording"
# What tells of the account or the machine, or changes from run to run, and is no part of the answer.
LEFT_OUT = frozenset(
    (
        *("organization", "organization_id", "account", "user", "safety_identifier", "prompt_cache_key", "metadata"),
        *("service_tier", "system_fingerprint", "timings", "created", "created_at", "completed_at", "request_id"),
    )
)
CREATE = {  # how each wire's client is called
    "anthropic.messages": "messages.create",
    "openai.responses": "responses.create",
    "openai.chat": "chat.completions.create",
}


@dataclass(frozen=True)
class Recording:
    """What was recorded: a provider's name in the registry, its wire and model, where from, and the exchanges."""

    provider: str
    wire: str
    model: str
    source: str
    exchanges: tuple[dict[str, Any], ...]

    def save(self, path: Path) -> None:
        """Write the recording as readable JSON."""
        body = {"schema": SCHEMA, **self.__dict__}
        path.write_text(json.dumps(body, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


def load(path: Path | Any) -> Recording:
    """The recording in a file; raises `HarnessError` when it is none."""
    try:
        body = json.loads(path.read_text(encoding="utf-8"))
        if body.pop("schema") != SCHEMA:
            raise KeyError("schema")
        return Recording(**{**body, "exchanges": tuple(freeze(body["exchanges"]))})
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise HarnessError(f"{path.name} is no recording: {error!r}") from None


def shipped() -> dict[str, Recording]:
    """The recordings that come with the workbook, by name; all were made from the embedded model."""
    folder = resources.files(__package__) / "data" / "recordings"
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".json")), key=lambda file: file.name)
    return {file.name.removesuffix(".json"): load(file) for file in files}


def provider(recording: Recording | str) -> Provider:
    """A provider that plays a recording (or a shipped one by name) through the real adapter.

    Raises `HarnessError` when it is asked something else than what was recorded.
    """
    if isinstance(recording, str):
        recording = shipped()[recording]
    made: Any = make_provider(recording.provider, model=recording.model, client=_Player(recording).client())
    made.name = f"{recording.provider} recording"
    made.answer_kind = "recorded"
    result: Provider = made
    return result


class Recorder:
    """A client that passes every `create` on to a real one and keeps both bodies; `recording` gives what it kept."""

    def __init__(self, client: Any, wire: str) -> None:
        self._client = client
        self._wire = wire
        self._exchanges: list[dict[str, Any]] = []

    def client(self) -> Any:
        """What to give an adapter as its `client`."""
        return _client(self._wire, self._create)

    def recording(self, provider: str, model: str, source: str) -> Recording:
        """What was recorded so far."""
        return Recording(provider, self._wire, model, source, tuple(self._exchanges))

    def _create(self, **body: Any) -> Any:
        method: Any = self._client
        for name in CREATE[self._wire].split("."):
            method = getattr(method, name)
        raw = method(**body)
        answer = raw if isinstance(raw, Mapping) else raw.to_dict(mode="json")
        self._exchanges.append({"request": _scrubbed(body), "response": _scrubbed(answer)})
        return raw


class _Player:
    """A client that gives the recorded responses in order, for the recorded requests and no others."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._played = 0

    def client(self) -> Any:
        return _client(self._recording.wire, self._create)

    def _create(self, **body: Any) -> Any:
        exchanges = self._recording.exchanges
        if self._played == len(exchanges):
            raise HarnessError(f"the recording of {len(exchanges)} exchanges is used up")
        exchange = exchanges[self._played]
        if _scrubbed(body) != exchange["request"]:
            raise HarnessError("this recording answers another question: ask exactly what was recorded")
        self._played += 1
        return thaw(exchange["response"])


def _client(wire: str, create: Any) -> Any:
    """An object on which the path of `CREATE[wire]` leads to `create`."""
    outer: Any = create
    for name in reversed(CREATE[wire].split(".")):
        outer = SimpleNamespace(**{name: outer})
    return outer


def _scrubbed(body: Mapping[str, Any]) -> dict[str, Any]:
    """A body as plain JSON without the top-level fields of `LEFT_OUT`; what stands deeper is the conversation's own."""
    kept = {key: value for key, value in body.items() if key not in LEFT_OUT}
    plain: dict[str, Any] = json.loads(json.dumps(kept))
    return plain
