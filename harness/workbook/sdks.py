"""The vendors' SDKs: which package each adapter imports, whether it is there, and how to install it."""

from __future__ import annotations

from importlib.util import find_spec

from ..providers import Entry

# The package that a provider's module imports when it first talks.
SDKS = {
    "anthropic": "anthropic",
    "openai": "openai",
    "openai_chat": "openai",
    "gemini": "google.genai",
    "bedrock": "boto3",
    "cohere": "cohere",
}


def missing(entry: Entry) -> str | None:
    """The command that installs a provider's SDK, or None when the SDK is there; nothing is imported."""
    if _found(SDKS[entry.module]):
        return None
    return f'pip install "harness-workbook[{entry.extra}]"' if entry.extra else f"pip install {SDKS[entry.module]}"


def _found(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:  # the package in which it would be is missing, too
        return False
