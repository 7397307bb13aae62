"""How a request leaves: the key is looked for first, and whatever the vendor's SDK raises becomes a `ProviderError`.

Any client is called through its `create`. Through the vendor's own plain client `Sender` is faster: it hands over the
finished bytes of a request, and makes only those of what was added since the request before.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from operator import is_
from types import MethodType
from typing import Any, NamedTuple, Protocol

from ..errors import HarnessError, MissingCredentials, ProviderError, TranslationError
from ..messages import Message, TextBlock, ToolCall, ToolResult, Transcript
from ._handover import call_ids

HINTS = {
    400: "The request breaks a rule of this wire: check_request(body) of the adapter names it.",
    401: "Check the key.",
    403: "The key is not allowed to do this.",
    404: "Check the model's name and the address.",
    413: "The request is too large: send less.",
    429: "Too many requests or no credit: wait a little, or check your account.",
}
SECRET = re.compile(r"\b(?:sk|key|gsk|xai|AIza|pk|ghp|hf)[-_*][\w*.-]{6,}|\bAIza[\w-]{10,}|\bA(?:KIA|SIA|BSK)\w{8,}")


def require_key(provider: str, variable: str) -> None:
    """Raise `MissingCredentials` when the environment has no key, before any SDK is loaded."""
    if not os.environ.get(variable):
        raise MissingCredentials(provider, variable)


def load_sdk(module: str, extra: str) -> Any:
    """A vendor's SDK, imported when it is first needed; a `HarnessError` says how to install a missing one."""
    try:
        return import_module(module)
    except ImportError as error:
        raise HarnessError(
            f"{error}: install the vendor's SDK with: pip install 'harness-workbook[{extra}]'"
        ) from error


def create(method: Callable[..., Any], body: Mapping[str, Any]) -> Any:
    """The SDK's answer to `method(**body)`; raises `ProviderError` for what the SDK raises."""
    try:
        return method(**body)
    except HarnessError:  # a client of our own, such as a recording
        raise
    except Exception as error:
        raise as_provider_error(error) from error


class Route(NamedTuple):
    """Where a vendor's plain client posts to, and where its wire lets a conversation be cut.

    `legal` tells the call ids that go as they are. With `whole_loops` it matters where a loop of tool calls began, and
    there is no cut within one.
    """

    client: str  # "openai.OpenAI"
    path: str  # "/responses"
    items: str  # "input": the list in a body that grows with the conversation
    legal: Callable[[str], bool]
    whole_loops: bool = False


class Requesting(Protocol):
    """A provider, as far as it is asked here."""

    def request(self, transcript: Transcript, tools: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
        """The body of a request."""
        ...


# What the SDK's own methods say beside the body: OpenAI's plain client could also sign in as an administrator.
PLAIN: dict[str, dict[str, Any]] = {"anthropic.Anthropic": {}, "openai.OpenAI": {"security": {"bearer_auth": True}}}


class Sender:
    """Sends one provider's requests, and remembers the middle of the conversation that it sent last."""

    def __init__(self) -> None:
        self._memory = _Memory()

    def send(
        self,
        provider: Requesting,
        client: Any,
        method: Callable[..., Any],
        transcript: Transcript,
        tools: Sequence[dict[str, Any]],
        route: Route,
    ) -> Any:
        """The vendor's answer: a dict, or what `method` of any other client gives; raises `ProviderError`."""
        if not is_plain(client, method, route.client):
            return create(method, provider.request(transcript, tools))
        options = {"options": {"timeout": client.timeout, **PLAIN[route.client]}, "cast_to": object}
        return create(
            client.post, {"path": route.path, "content": self.body(provider, transcript, tools, route), **options}
        )

    def body(
        self, provider: Requesting, transcript: Transcript, tools: Sequence[dict[str, Any]], route: Route
    ) -> bytes:
        """`provider.request(transcript, tools)` as JSON; raises what that raises."""
        # Out of reach while it changes: a second thread begins with an empty one.
        memory, self._memory = self._memory, _Memory()
        settings = (route, {name: value for name, value in vars(provider).items() if not name.startswith("_")})
        if memory.settings != settings:
            memory = _Memory(settings)
        try:
            body = _in_parts(memory, provider, transcript, tools, route)
            encoded = _dumps(body)
        except (TranslationError, TypeError):  # a part alone may be refused; orjson knows no integer over 64 bits
            whole = provider.request(transcript, tools)
            return json.dumps(whole, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        self._memory = memory
        return encoded


@dataclass
class _Memory:
    """Messages that were sent with these `settings`, and their items: the bytes of each chunk, and where it ends."""

    settings: Any = None
    messages: list[Message] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    chunks: list[bytes] = field(default_factory=list)

    def keep(self, messages: Sequence[Message], route: Route) -> None:
        """Forget what does not begin `messages` any more, the very same ones, up to a place where they can be cut."""
        same = [*map(is_, self.messages, messages), False].index(False)
        while self.ends and (self.ends[-1] > same or not _can_cut(messages, self.ends[-1], route)):
            self.ends.pop()
            self.chunks.pop()
        del self.messages[self.ends[-1] if self.ends else 0 :]

    def add(self, messages: Sequence[Message], items: list[dict[str, Any]]) -> None:
        """Remember the items of the messages that come next."""
        self.chunks.append(_dumps(items)[1:-1])
        self.messages += messages
        self.ends.append(len(self.messages))


def is_plain(client: Any, method: Any, name: str) -> bool:
    """Whether `client` is exactly the SDK's class of that name, and `method` the SDK's own, not patched."""
    sdk, _, kind = name.partition(".")
    own = isinstance(method, MethodType) and method.__module__.startswith(f"{sdk}.resources.")
    return own and type(client) is getattr(sys.modules.get(sdk), kind, None)


def _in_parts(
    memory: _Memory, provider: Requesting, transcript: Transcript, tools: Sequence[dict[str, Any]], route: Route
) -> dict[str, Any]:
    """The body, in which the items of all messages between the opening and the newest are one fragment of JSON."""
    messages = transcript.messages
    start = next((place for place in range(1, len(messages)) if _can_cut(messages, place, route)), 0)
    if not start:
        return provider.request(transcript, tools)
    opening, rest = messages[:start], messages[start:]
    memory.keep(rest, route)
    known = len(memory.messages)
    end = next((place for place in range(len(rest) - 1, known, -1) if _can_cut(rest, place, route)), known)
    ends = Transcript([*opening, *rest[end:]], transcript.system, transcript.metadata)
    if not all(map(route.legal, call_ids([*rest[known:end], *ends]))):
        return provider.request(transcript, tools)  # a new id may be none that is in use anywhere
    if end > known:
        memory.add(rest[known:end], provider.request(Transcript(rest[known:end]))[route.items])
    body = provider.request(ends, tools)
    if end:
        ahead = provider.request(Transcript(opening, transcript.system, transcript.metadata))[route.items]
        body[route.items].insert(len(ahead), _fragment(b",".join(memory.chunks)))
    return body


def _can_cut(messages: Sequence[Message], place: int, route: Route) -> bool:
    """Whether the messages before `place` and those from there on can be translated apart, as if alone.

    The user has spoken before it, the model speaks after it, and neither says what a wire could leave out.
    """
    if not 0 < place < len(messages) or messages[place].role != "assistant" or messages[place - 1].role != "user":
        return False
    asked = messages[place - 1].blocks
    if route.whole_loops:
        began = place == 1 or messages[place - 2].role != "user"
        if not began or any(type(block) is ToolResult for block in asked):
            return False
    return any(map(_is_said, asked)) and any(map(_is_said, messages[place].blocks))


def _is_said(block: object) -> bool:
    return type(block) in (ToolCall, ToolResult) or (type(block) is TextBlock and bool(block.text.strip()))


def _dumps(value: object) -> bytes:
    import orjson

    return orjson.dumps(value)


def _fragment(encoded: bytes) -> Any:
    import orjson

    return orjson.Fragment(encoded)


def as_provider_error(error: Exception) -> ProviderError:
    """An SDK's exception in our words: its status, the vendor's message without anything like a key, a hint."""
    status = _status(error)
    message = SECRET.sub("(key)", _vendor_message(error))
    if status is None:
        hint = "Check the network and the address, or take PROVIDER=local or PROVIDER=mock."
    else:
        hint = HINTS.get(status, "The vendor has trouble: try again later." if status >= 500 else "")
    return ProviderError(status, message, hint)


def _status(error: Exception) -> int | None:
    """The HTTP status, from where this SDK keeps it; None when there was no answer."""
    response = getattr(error, "response", None)
    if isinstance(response, Mapping):  # botocore
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    else:
        status = getattr(error, "status_code", getattr(error, "code", None))  # google-genai has a code
    return status if isinstance(status, int) else None


def _vendor_message(error: Exception) -> str:
    body = getattr(error, "body", getattr(error, "details", None))  # google-genai has details
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if isinstance(inner, Mapping) and isinstance(inner.get("message"), str):
            return str(inner["message"])
    return str(error) or type(error).__name__
