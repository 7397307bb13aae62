"""What the stand-ins share: the double itself, and what a vendor has to say of its own form.

Each vendor is a file beside this one, named as its adapter, with its `VENDOR`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from types import ModuleType
from typing import Any

from ...errors import HarnessError, Problem, TranslationError
from ...messages import Message, ReasoningBlock, Transcript
from ...providers.base import ProviderResponse
from .turns import Play

Body = dict[str, Any]


def _no_seals(body: Body) -> Iterator[Problem]:
    yield from ()


@dataclass(frozen=True)
class Vendor:
    """One vendor's outward form.

    `connect` gives its SDK's client over a stand-in; `refuse` its error of status 400, for a problem in a request;
    `fail` its error of status 500; `answer` its answer for a turn, the request and the number of the request;
    `broken_seals` finds signatures that it would not know, in a request that is otherwise good.
    """

    adapter: ModuleType
    connect: Callable[[StandIn], Any]
    refuse: Callable[[Problem], Body]
    fail: Callable[[str], Body]
    answer: Callable[[ProviderResponse, Body, str], Body]
    broken_seals: Callable[[Body], Iterator[Problem]] = _no_seals


class StandIn:
    """A vendor's double: `respond` takes a request body and gives a status and a response body.

    `requests` keeps the bodies it was sent, in order.
    """

    def __init__(self, vendor: Vendor, play: Play) -> None:
        self.vendor = vendor
        self.requests: list[Body] = []
        self._play = play

    def respond(self, body: Body) -> tuple[int, Body]:
        """Status 400 and the vendor's error for a body that breaks a rule, else 200 and the next turn."""
        self.requests.append(body)
        adapter = self.vendor.adapter
        for problem in chain(adapter.check_request(body), self.vendor.broken_seals(body)):
            return 400, self.vendor.refuse(problem)
        try:
            transcript, tools = adapter.from_request(body)
        except TranslationError as error:
            return 400, self.vendor.refuse(Problem(error.path, error.problem, "the shape of the wire"))
        try:
            turn = self._play(transcript, tools)
        except HarnessError as error:  # a script that is used up
            return 500, self.vendor.fail(f"stand-in: {error}")
        return 200, self.vendor.answer(turn, body, f"{len(self.requests)}")

    def transport(self, httpx: Any, in_address: Callable[[str], Body] = lambda path: {}) -> Any:
        """This stand-in as a transport for an SDK's HTTP library, which is `httpx` or `httpx2`.

        `in_address` gives what a vendor's requests say in the path of their address rather than in the body.
        """

        def handle(request: Any) -> Any:
            status, answer = self.respond({**in_address(request.url.path), **json.loads(request.content)})
            return httpx.Response(status, json=answer)

        return httpx.MockTransport(handle)


def reasoning(turn: ProviderResponse) -> list[str]:
    """The texts of a turn's reasoning."""
    return [block.text for block in turn.blocks if isinstance(block, ReasoningBlock)]


def spoken(turn: ProviderResponse) -> Transcript:
    """The turn without its reasoning, which each vendor seals in its own way, behind a question."""
    blocks = tuple(block for block in turn.blocks if not isinstance(block, ReasoningBlock))
    return Transcript([Message.user_text("?"), Message("assistant", blocks)])


def signature(text: str) -> str:
    """The stand-in's seal for a text."""
    return "stand-in-" + hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def tokens(value: Any) -> int:
    """A made-up count: a token for every four characters of JSON, none for nothing."""
    return max(1, len(json.dumps(value, ensure_ascii=False)) // 4) if value else 0


def blocks_of(messages: Iterable[Body]) -> Iterator[tuple[str, Body]]:
    """Where each block is in the `content` of messages, and the block."""
    for m, message in enumerate(messages):
        content = message["content"]
        for b, block in enumerate([] if isinstance(content, str) else content):
            yield f"messages[{m}].content[{b}]", block
