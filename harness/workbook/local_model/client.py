"""The vendors' own SDKs, pointed at the local server: they talk to whatever server runs when a request leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx2

from . import running

# The SDKs want an address and a key before there is a server; the transport puts the real ones in.
ADDRESS = "http://local-model"
KEY = "local-model"
PATIENCE = httpx2.Timeout(600.0, connect=5.0)  # one answer at a time: a question may stand in a queue


class Transport(httpx2.BaseTransport):
    """Carries a request to the server that `find` gives: as a rule it starts one, so one that stopped idle comes back.

    `temperature` is for requests that name none, as the adapters have no such setting.
    """

    def __init__(self, temperature: float | None, find: Callable[[], running.Running]) -> None:
        self._temperature = temperature
        self._find = find
        self._network = httpx2.HTTPTransport()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send it to the server, with that server's token."""
        try:
            return self._network.handle_request(self._addressed(request))
        except httpx2.ConnectError:  # it stopped just now
            return self._network.handle_request(self._addressed(request))

    def _addressed(self, request: httpx2.Request) -> httpx2.Request:
        server = self._find()
        url = request.url.copy_with(host="127.0.0.1", port=server.port)
        headers = {"Authorization": f"Bearer {server.token}", "Content-Type": "application/json"}
        body = self._with_temperature(request.read())
        return httpx2.Request(request.method, url, headers=headers, content=body, extensions=request.extensions)

    def _with_temperature(self, body: bytes) -> bytes:
        if self._temperature is None or not body:
            return body
        return json.dumps({"temperature": self._temperature} | json.loads(body)).encode()

    def close(self) -> None:
        """Close the connections; the server stays for others."""
        self._network.close()


def openai_client(temperature: float | None = None, find: Callable[[], running.Running] = running.ensure) -> Any:
    """The real `openai.OpenAI`, talking to the local model on both of its wires."""
    from openai import OpenAI

    http_client = httpx2.Client(transport=Transport(temperature, find), timeout=PATIENCE)
    return OpenAI(base_url=f"{ADDRESS}/v1", api_key=KEY, http_client=http_client, max_retries=0)


def anthropic_client(temperature: float | None = None, find: Callable[[], running.Running] = running.ensure) -> Any:
    """The real `anthropic.Anthropic`, talking to the local model."""
    from anthropic import Anthropic

    http_client = httpx2.Client(transport=Transport(temperature, find), timeout=PATIENCE)
    return Anthropic(base_url=ADDRESS, api_key=KEY, http_client=http_client, max_retries=0)
