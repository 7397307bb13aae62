"""A model on this machine: the local server is asked what it speaks, and the adapter of that wire talks to it.

| server | checked how |
|---|---|
| llama.cpp | for real: a small model, a call, its result, a call that failed, an answer |
| vLLM, Ollama, LM Studio | doubles, after their documentation and recorded traffic |
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from ..errors import ProviderError
from ..messages import Transcript
from ._dialects import Dialect
from .base import ProviderResponse, ToolSchema

# The first that a server has is spoken: it is what local servers have had for longest.
PATHS = {"openai.chat": "/chat/completions", "openai.responses": "/responses", "anthropic.messages": "/messages"}
HINT = (
    "start one, or give the address of yours as base_url "
    "(Ollama: http://localhost:11434/v1, LM Studio: http://localhost:1234/v1, llama.cpp: http://localhost:8080/v1)."
)
NO_KEY = "not-needed"
PATIENCE = 10  # seconds for a server to say what it speaks
# A local server has no rules of its own; further fields of an answer would only cost tokens.
SERVER = Dialect("local", "Local server", None, None, "")
DIRECT = build_opener(ProxyHandler({}))  # a proxy does not stand between this machine and itself


class LocalProvider:
    """The model of a local server, over whatever wire it speaks; it is asked when it is first needed.

    Without a `model`, the first one that the server lists is taken.
    """

    name = "local"

    def __init__(self, model: str | None = None, base_url: str = "http://localhost:8000/v1") -> None:
        self.model = model
        self.base_url = base_url.rstrip("/")
        self._adapter: Any = None

    def request(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> dict[str, Any]:
        """The body that `complete` sends. Raises `ProviderError` when no server answers."""
        body: dict[str, Any] = self._ready().request(transcript, tools)
        return body

    def complete(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> ProviderResponse:
        """The next assistant turn. Raises `ProviderError`, also when no server answers."""
        response: ProviderResponse = self._ready().complete(transcript, tools)
        return response

    def _ready(self) -> Any:
        if self._adapter is None:
            wire = spoken(self.base_url)
            self.model = self.model or first_model(self.base_url)
            self._adapter = ADAPTERS[wire](self.model, self.base_url)
            self._adapter.name = self.name
        return self._adapter


def spoken(base_url: str) -> str:
    """The wire of the server at `base_url`, by where an empty request finds somebody at home.

    Raises `ProviderError` when nothing answers, or nothing that speaks one of our wires.
    """
    for wire, path in PATHS.items():
        status, body = _ask(base_url, path, b"{}")
        # LM Studio answers 200 to every address; a 404 that speaks of the model comes from a wire that is there.
        absent = status in (404, 405, 501) and b"model" not in body.lower()
        if not absent and b"unexpected endpoint" not in body.lower():
            return wire
    raise ProviderError(404, f"the server at {base_url} speaks none of {', '.join(PATHS.values())}:", HINT)


def first_model(base_url: str) -> str:
    """The first model that the server lists; "default" where it keeps no list, as it has one model then."""
    status, body = _ask(base_url, "/models")
    try:
        listed = json.loads(body)["data"] if status == 200 else None
        ids = [str(model["id"]) for model in listed or ()]
    except (ValueError, KeyError, TypeError):
        listed, ids = None, []
    if listed == []:
        raise ProviderError(status, f"the server at {base_url} has no model:", "load one into it.")
    return ids[0] if ids else "default"


def _ask(base_url: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    """Status and body of an answer; raises `ProviderError` when there is none."""
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {NO_KEY}"}
    try:
        with DIRECT.open(Request(base_url + path, data=body, headers=headers), timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.read()
    except (OSError, ValueError) as error:
        raise ProviderError(None, f"no local server answers at {base_url}:", HINT) from error


def _chat(model: str, base_url: str) -> Any:
    from .openai_chat import OpenAIChatCompletionsProvider

    return OpenAIChatCompletionsProvider(model, _openai_client(base_url), dialect=SERVER)


def _responses(model: str, base_url: str) -> Any:
    from .openai import OpenAIProvider

    return OpenAIProvider(model, _openai_client(base_url))


def _messages(model: str, base_url: str) -> Any:
    from anthropic import Anthropic, DefaultHttpxClient

    from .anthropic import AnthropicProvider

    address = base_url.removesuffix("/v1")  # the SDK adds it
    client = Anthropic(base_url=address, api_key=NO_KEY, http_client=DefaultHttpxClient(trust_env=False))
    return AnthropicProvider(model, client)


ADAPTERS = {"openai.chat": _chat, "openai.responses": _responses, "anthropic.messages": _messages}


def _openai_client(base_url: str) -> Any:
    from openai import DefaultHttpxClient, OpenAI

    return OpenAI(base_url=base_url, api_key=NO_KEY, http_client=DefaultHttpxClient(trust_env=False))
