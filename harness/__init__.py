"""Typed messages, providers behind one protocol, and the loop that drives them. Loads no vendor's SDK."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 (`make lab` runs this from a bare checkout, where no installer has looked)
    raise ImportError("Python 3.11 or newer is needed. With make, name one: `make lab PYTHON=python3.12`")

from .agent import MAX_ITERATIONS, Event, run
from .errors import (
    FrozenError,
    HarnessError,
    InvalidValue,
    MissingCredentials,
    Problem,
    ProviderError,
    TranslationError,
    UnfinishedAnswer,
)
from .messages import (
    Block,
    Message,
    OpaqueBlock,
    Provenance,
    ReasoningBlock,
    Role,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
    Usage,
)
from .providers import make_provider
from .providers.base import Provider, ProviderResponse, StopReason
from .providers.mock import MockProvider

__all__ = [
    "MAX_ITERATIONS",
    "Block",
    "Event",
    "FrozenError",
    "HarnessError",
    "InvalidValue",
    "Message",
    "MissingCredentials",
    "MockProvider",
    "OpaqueBlock",
    "Problem",
    "Provenance",
    "Provider",
    "ProviderError",
    "ProviderResponse",
    "ReasoningBlock",
    "Role",
    "StopReason",
    "TextBlock",
    "ToolCall",
    "ToolResult",
    "Transcript",
    "TranslationError",
    "UnfinishedAnswer",
    "Usage",
    "make_provider",
    "run",
]
