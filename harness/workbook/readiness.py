"""Who can answer on this machine now, why the others cannot, and what to do. Keys are named, never read."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from ..providers import PROVIDERS
from . import aws
from .kinds import Kind
from .sdks import SDKS, missing

PATIENCE = 0.3  # seconds for something on this machine to take a connection


@dataclass(frozen=True)
class Readiness:
    """Whether something can answer now; `sentence` says why, or why not and what to do."""

    label: str
    kind: Kind
    ready: bool
    sentence: str


def without_network() -> list[Readiness]:
    """What is known without asking anybody: the scripted provider, the stand-ins, the vendors."""
    scripted = Readiness("MockProvider", "scripted", True, "plays the responses it is given")
    return [scripted, *_standins(), *(vendor(name) for name, entry in PROVIDERS.items() if entry.module in SDKS)]


def on_this_machine() -> list[Readiness]:
    """The embedded model and the local server. Starts nothing, and waits for a moment at most."""
    from . import local_model

    status = local_model.status()
    embedded = Readiness("Embedded model", "local model", status.running or status.cached, status.sentence)
    return [embedded, local_server()]


def vendor(name: str) -> Readiness:
    """A vendor: its SDK must be installed and the variable of its key set, or AWS's own settings found."""
    entry = PROVIDERS[name]
    if command := missing(entry):
        return Readiness(entry.label, "live", False, f"its SDK is missing: {command}")
    if entry.module == "bedrock":
        lack, found = aws.lacking(), "credentials and a region of AWS are set"
    else:
        held = os.environ.get(entry.key_variable or "")
        lack = None if held else f"has no key: set {entry.key_variable} before you start JupyterLab"
        found = f"{entry.key_variable} is set"
    return Readiness(entry.label, "live", lack is None, lack or f"{found}; each answer costs money")


def local_server() -> Readiness:
    """Whatever listens where `LocalProvider` looks for a server; asked for a connection, nothing else."""
    from ..providers.local import LocalProvider

    url = LocalProvider().base_url
    address = urlsplit(url)
    label = PROVIDERS["local"].label
    try:
        socket.create_connection((address.hostname or "", address.port or 80), PATIENCE).close()
    except OSError:
        return Readiness(label, "local model", False, f"nothing listens at {url}: start one, or use another base_url")
    return Readiness(label, "local model", True, f"something listens at {url}")


def _standins() -> Iterator[Readiness]:
    from . import standins

    for name in standins.available():
        sentence = "needs no key: a double behind the vendor's own SDK"
        yield Readiness(f"{PROVIDERS[name].label} stand-in", "stand-in", True, sentence)
