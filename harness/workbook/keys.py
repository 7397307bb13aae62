"""Keys that a reader types: held in memory until the kernel stops, and shown, saved or pickled nowhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NoReturn

from ..errors import HarnessError
from ..providers import PROVIDERS
from ..providers._dialects import DIALECTS
from ..providers._send import SECRET, load_sdk

HUBS = ("BINDER_", "JUPYTERHUB_")
# boto3 takes its bearer token from the environment alone.
UNTYPED = frozenset({"bedrock"})


def on_a_hub(environment: Mapping[str, str] | None = None) -> bool:
    """Whether this kernel runs on a Binder or a JupyterHub: somebody else's machine, where no key belongs."""
    return any(name.startswith(HUBS) for name in (os.environ if environment is None else environment))


def can_be_typed(name: str) -> bool:
    """Whether the provider of that name can be given a key by hand."""
    return PROVIDERS[name].key_variable is not None and PROVIDERS[name].module not in UNTYPED


class Keys:
    """Keys by the variable that would hold them; `OPENAI_API_KEY` serves two providers."""

    def __init__(self) -> None:
        self._held: dict[str, _Secret] = {}

    def hold(self, variable: str, key: str) -> None:
        """Hold a key; blanks around it are a slip of copying."""
        if key.strip():
            self._held[variable] = _Secret(key.strip())

    def forget(self) -> None:
        """Let go of every key."""
        self._held.clear()

    def has(self, variable: str | None) -> bool:
        """Whether a key is held for a variable."""
        return variable in self._held

    def client(self, name: str) -> Any:
        """The vendor's SDK client with the key that is held for that provider, or None where none is held."""
        entry = PROVIDERS[name]
        if entry.key_variable not in self._held or not can_be_typed(name):
            return None
        return _client(name, entry.module, self._held[entry.key_variable])

    def hide(self, text: str) -> str:
        """A text without any key that is held, and without anything that looks like one."""
        for secret in self._held.values():
            text = text.replace(secret.reveal(), "(key)")
        return SECRET.sub("(key)", text)

    def __repr__(self) -> str:
        return f"<keys held for: {', '.join(sorted(self._held)) or 'nobody'}>"

    def __reduce__(self) -> NoReturn:
        raise HarnessError("keys stay in memory: they are never pickled")


class _Secret:
    """A text that no repr, no traceback with its variables and no pickle shows."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself, for the SDK's client."""
        return self._text

    def __repr__(self) -> str:
        return "(a key)"

    def __reduce__(self) -> NoReturn:
        raise HarnessError("keys stay in memory: they are never pickled")


def _client(name: str, module: str, key: _Secret) -> Any:
    match module:
        case "anthropic":
            return load_sdk("anthropic", "vendors").Anthropic(api_key=key.reveal())
        case "gemini":
            return load_sdk("google.genai", "gemini").Client(api_key=key.reveal())
        case "cohere":
            return load_sdk("cohere", "cohere").ClientV2(api_key=key.reveal())
        case "openai_chat" if name in DIALECTS:
            return load_sdk("openai", "vendors").OpenAI(api_key=key.reveal(), base_url=DIALECTS[name].base_url)
        case _:
            return load_sdk("openai", "vendors").OpenAI(api_key=key.reveal())
