"""`python -m harness "question"`: the calculator example on the provider that the variable PROVIDER names."""

from __future__ import annotations

import os
import sys

from .agent import run
from .errors import HarnessError
from .providers import PROVIDERS, make_provider
from .providers.base import Provider, ProviderResponse
from .providers.mock import MockProvider
from .tools import CALC_SCHEMA, calc

QUESTION = "What is 17 * 23, minus 100?"
USAGE = 'usage: [PROVIDER=anthropic|openai|openai_chat|local|mock|...] python -m harness ["question"]'


def chosen_provider() -> Provider:
    """The provider that PROVIDER names (mock when it is not set)."""
    name = os.environ.get("PROVIDER") or "mock"
    if name != "mock":
        return make_provider(name)
    print("scripted: the mock provider answers 291 whatever you ask; PROVIDER chooses another", file=sys.stderr)
    return scripted()


def scripted() -> Provider:
    """A scripted provider that knows the answer to one question."""
    call = ProviderResponse(tool_call_id="call_1", tool_name="calc", tool_args={"expression": "17 * 23 - 100"})
    return MockProvider([call, ProviderResponse(text="291")])


def main(arguments: list[str]) -> int:
    """Print the answer; an error is one sentence on stderr and status 1."""
    if any(argument in ("-h", "--help") for argument in arguments):
        print(USAGE, f"providers: mock, {', '.join(sorted(PROVIDERS))}", sep="\n")
        return 0
    question = " ".join(arguments) or QUESTION
    try:
        print(run(chosen_provider(), {"calc": calc}, [CALC_SCHEMA], question))
    except HarnessError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
