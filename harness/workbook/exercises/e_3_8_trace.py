"""3.8-trace: a provider around a provider, which notes tokens and time of each call, and nothing that was said."""

from __future__ import annotations

import time
from random import Random
from typing import Any

from ...messages import Message, Transcript
from ...providers.base import ProviderResponse
from .. import standins
from .cases import quietly, wanted, words
from .model import Exercise, Fault, Wrong

FIELDS = ("provider", "input_tokens", "output_tokens", "reasoning_tokens", "seconds", "error")
PAUSE = 0.03  # seconds that the slow call takes


class _Inner:
    """A provider that plays what it is given: a response, or an exception to raise; it can be slow."""

    def __init__(self, turns: list[Any], pause: float = 0) -> None:
        self.name = "inner"
        self._turns, self._pause = list(turns), pause

    def complete(self, transcript: Transcript, tools: list[Any]) -> ProviderResponse:
        time.sleep(self._pause)
        turn = self._turns.pop(0)
        if isinstance(turn, BaseException):
            raise turn
        response: ProviderResponse = turn
        return response


def check(names: dict[str, Any], rng: Random) -> None:
    """One record a call, as the inner provider counted; exceptions logged and raised again; nothing said in the log."""
    made = wanted(names, "Traced")
    for count in (0, 1, 2, *(rng.randint(3, 9) for _ in range(18))):
        _plays(made, rng, count)
    _failing(made, RuntimeError("out of order"))
    _failing(made, KeyboardInterrupt())
    _timed(made)
    _real(made)


def _plays(made: Any, rng: Random, count: int) -> None:
    secret, told = f"marker{rng.randrange(10**9)}", f"{count} call{'s' * (count != 1)} of complete"
    turns = [_response(rng, secret) for _ in range(count)]
    log: list[Any] = []
    traced = quietly(made, _Inner(turns), log)
    if getattr(traced, "name", None) != "inner":
        raise Fault("a provider named 'inner'", "the same name on Traced", words(getattr(traced, "name", None)))
    transcript = Transcript([Message.user_text(secret)])
    before = list(transcript)
    answers = [quietly(traced.complete, transcript, [{"name": secret, "input_schema": {}}]) for _ in turns]
    if any(answer is not turn for answer, turn in zip(answers, turns, strict=True)):
        raise Fault(told, "the inner provider's response itself", "another object")
    if list(transcript) != before:
        raise Fault(told, "the transcript as it was", "a changed transcript")
    _records(log, turns, told)
    if secret in repr(log):
        raise Fault(told, "no prompt, tool or answer in the log", "what was said stands in the log")


def _records(log: list[Any], turns: list[ProviderResponse], told: str) -> None:
    if len(log) != len(turns):
        raise Fault(told, f"{len(turns)} records in the log", f"{len(log)}")
    for record, turn in zip(log, turns, strict=True):
        _shape(record, told)
        for name in ("input_tokens", "output_tokens", "reasoning_tokens"):
            if record[name] != getattr(turn, name):
                raise Fault(told, f"{name} {getattr(turn, name)} in its record", words(record[name]))
        if (found := (record["provider"], record["error"])) != ("inner", None):
            raise Fault(told, "provider 'inner' and error None in the record", words(found))


def _shape(record: Any, told: str) -> None:
    if not isinstance(record, dict) or set(record) != set(FIELDS):
        found = f"the keys {', '.join(sorted(map(str, record)))}" if isinstance(record, dict) else words(record)
        raise Fault(told, f"a dict with the keys {', '.join(sorted(FIELDS))}", found)
    seconds = record["seconds"]
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or seconds < 0:
        raise Fault(told, "seconds as a number that is not negative", words(type(seconds).__name__))


def _failing(made: Any, error: BaseException) -> None:
    name = type(error).__name__
    told = f"an inner provider that raises {name}"
    log: list[Any] = []
    traced = quietly(made, _Inner([error]), log)
    try:
        quietly(traced.complete, Transcript([Message.user_text("?")]), [])
    except BaseException as raised:
        if raised is not error:
            raise Fault(told, "the same exception raised again", type(raised).__name__) from raised
    else:
        raise Fault(told, "the exception raised again", "no exception")
    if len(log) != 1:
        raise Fault(told, "one record in the log", f"{len(log)}")
    _shape(log[0], told)
    if log[0]["error"] != name:
        raise Fault(told, f"error {name!r} in the record", words(log[0]["error"]))


def _timed(made: Any) -> None:
    log: list[Any] = []
    traced = quietly(made, _Inner([ProviderResponse(text="a")], PAUSE), log)
    start = time.perf_counter()
    quietly(traced.complete, Transcript([Message.user_text("?")]), [])
    whole = time.perf_counter() - start
    _shape(log[0], "a slow call")
    # Half of the pause, and a little more than the whole: clocks differ, and some tick every 16 ms.
    if not PAUSE / 2 <= log[0]["seconds"] <= whole + PAUSE:
        raise Fault(f"a call that takes {PAUSE} seconds", "about as many seconds in its record", "far more or less")


def _real(made: Any) -> None:
    """The same through a vendor's own SDK, against its stand-in."""
    log: list[Any] = []
    inner = standins.provider("openai")
    response = quietly(quietly(made, inner, log).complete, Transcript([Message.user_text("hello")]), [])
    told = "the adapter of the Responses API over its stand-in"
    if len(log) != 1 or log[0].get("input_tokens") != response.input_tokens or log[0].get("provider") != inner.name:
        raise Fault(told, "one record with its name and tokens", "another record")


def _response(rng: Random, secret: str) -> ProviderResponse:
    thought = rng.choice((0, rng.randint(1, 50)))
    asked, said = rng.randint(1, 999), thought + rng.randint(1, 99)
    return ProviderResponse(text=secret, input_tokens=asked, output_tokens=said, reasoning_tokens=thought)


EXERCISE = Exercise(
    id="3.8-trace",
    title="trace every call",
    points=2,
    minutes=15,
    task="""
Write a class `Traced(provider, log)`: a provider around a provider. Each `complete` appends one dict to the list `log`
with the keys `provider` (the inner one's name), `input_tokens`, `output_tokens`, `reasoning_tokens`, `seconds` (a
number) and `error`: `None`, or the name of the exception's type, with 0 for each count. It returns the very response of
the inner provider, raises again what that raises (Ctrl-C, too), has its `name`, and logs nothing that was said.
""",
    stub='''
import time

class Traced:
    """A provider that logs what each call of another one costs."""
    ...  # your code here: __init__(self, provider, log), name, complete(self, transcript, tools)
''',
    hints=(
        "a wrapper is a provider, too: it needs a `name` and `complete`, nothing else",
        "`try ... finally` writes the record in both cases; `except BaseException as error: ...; raise` knows the name",
    ),
    reference="""
import time

class Traced:
    def __init__(self, provider, log):
        self.name, self._provider, self._log = provider.name, provider, log

    def complete(self, transcript, tools):
        start, response, error = time.perf_counter(), None, None
        try:
            response = self._provider.complete(transcript, tools)
            return response
        except BaseException as raised:
            error = type(raised).__name__
            raise
        finally:
            self._log.append({
                "provider": self.name,
                "input_tokens": response.input_tokens if response else 0,
                "output_tokens": response.output_tokens if response else 0,
                "reasoning_tokens": response.reasoning_tokens if response else 0,
                "seconds": time.perf_counter() - start,
                "error": error,
            })
""",
    also_right=(
        """
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic_ns

COUNTS = ("input_tokens", "output_tokens", "reasoning_tokens")

@dataclass
class Traced:
    provider: object
    log: list

    @property
    def name(self):
        return self.provider.name

    @contextmanager
    def _record(self):
        record = dict.fromkeys(COUNTS, 0) | {"provider": self.name, "error": None}
        start = monotonic_ns()
        try:
            yield record
        except BaseException as error:
            record["error"] = error.__class__.__name__
            raise
        finally:
            record["seconds"] = (monotonic_ns() - start) / 1e9
            self.log.append(record)

    def complete(self, transcript, tools):
        with self._record() as record:
            response = self.provider.complete(transcript, tools)
            record.update({name: getattr(response, name) for name in COUNTS})
        return response
""",
    ),
    wrong=(
        Wrong(
            """
import time

class Traced:
    def __init__(self, provider, log):
        self.name, self.provider, self.log = provider.name, provider, log

    def complete(self, transcript, tools):
        start, response, error = time.time(), None, None
        try:
            response = self.provider.complete(transcript, tools)
        except Exception as raised:
            error = type(raised).__name__
        self.log.append({"provider": self.name, "seconds": time.time() - start, "error": error,
                         **{n: getattr(response, n, 0) for n in ("input_tokens", "output_tokens", "reasoning_tokens")}})
        return response
""",
            "raises RuntimeError",
        ),
        Wrong(
            """
import time

class Traced:
    def __init__(self, provider, log):
        self.name, self.provider, self.log = provider.name, provider, log

    def complete(self, transcript, tools):
        start = time.time()
        response = self.provider.complete(transcript, tools)
        self.log.append({"provider": self.name, "seconds": time.time() - start, "error": None,
                         "transcript": list(transcript), "input_tokens": response.input_tokens,
                         "output_tokens": response.output_tokens, "reasoning_tokens": response.reasoning_tokens})
        return response
""",
            "a dict with the keys",
        ),
        Wrong(
            """
class Traced:
    def __init__(self, provider, log):
        self.name, self.provider, self.log = provider.name, provider, log

    def complete(self, transcript, tools):
        response = self.provider.complete(transcript, tools)
        self.log.append({"provider": self.name, "seconds": 0, "error": None, "input_tokens": response.input_tokens,
                         "output_tokens": response.output_tokens, "reasoning_tokens": response.reasoning_tokens})
        return response
""",
            "RuntimeError",
        ),
    ),
    check=check,
)
