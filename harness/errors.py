"""What can go wrong, in words a person can act on: one family of errors under `HarnessError`."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .messages import Transcript


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken rule: the `path` where it is broken, the `rule` in one sentence, the `source` of the rule."""

    path: str
    rule: str
    source: str

    def __str__(self) -> str:
        return f"{self.path}: {self.rule} ({self.source})"


class HarnessError(Exception):
    """Every error that this package raises on purpose."""


class InvalidValue(HarnessError, ValueError):
    """A block, message or file that cannot be built: `path` says where, `problem` what is wrong there."""

    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"{path}: {problem}")

    def __reduce__(self) -> tuple[type[InvalidValue], tuple[str, str]]:
        return type(self), (self.path, self.problem)


class FrozenError(HarnessError, TypeError):
    """An attempt to change a value that never changes: the sentence says how to build a new one."""


class FrozenFieldError(FrozenError, FrozenInstanceError):
    """An attempt to rebind or delete a field of a block or message."""


class TranslationError(HarnessError):
    """A transcript or body that one wire cannot express: `wire`, `path` (as `messages[3].content[1]`), `problem`."""

    def __init__(self, wire: str, path: str, problem: str) -> None:
        self.wire = wire
        self.path = path
        self.problem = problem
        super().__init__(f"{wire}: {path}: {problem}")

    def __reduce__(self) -> tuple[type[TranslationError], tuple[str, str, str]]:
        return type(self), (self.wire, self.path, self.problem)


class MissingCredentials(HarnessError):
    """No key for a provider: `variable` names what to set. Raised before any network call; never holds a key."""

    def __init__(self, provider: str, variable: str) -> None:
        self.provider = provider
        self.variable = variable
        super().__init__(
            f"{provider} needs a key: set the environment variable {variable} and try again. "
            "Without a key, PROVIDER=mock (scripted) and PROVIDER=local (a model on this machine) work."
        )

    def __reduce__(self) -> tuple[type[MissingCredentials], tuple[str, str]]:
        return type(self), (self.provider, self.variable)


class ProviderError(HarnessError):
    """A provider refused or could not be reached: HTTP `status` (None without an answer), its words, a `hint`."""

    def __init__(self, status: int | None, vendor_message: str, hint: str) -> None:
        self.status = status
        self.vendor_message = vendor_message
        self.hint = hint
        where = "no answer" if status is None else f"status {status}"
        super().__init__(f"{where}: {vendor_message} {hint}".strip())

    def __reduce__(self) -> tuple[type[ProviderError], tuple[int | None, str, str]]:
        return type(self), (self.status, self.vendor_message, self.hint)


class UnfinishedAnswer(HarnessError):
    """The loop ended without a final answer: `reason` (a stop reason) and the `transcript` so far, to go on from."""

    def __init__(self, reason: str, transcript: Transcript, advice: str = "") -> None:
        self.reason = reason
        self.transcript = transcript
        super().__init__(f"no final answer ({reason}). {advice}".strip())
