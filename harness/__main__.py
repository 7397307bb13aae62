"""`python -m harness "question"`: the calculator example on the provider that the variable PROVIDER names."""

from __future__ import annotations

import os
import sys

from .agent import run
from .errors import HarnessError
from .providers import PROVIDERS
from .tools import CALC_SCHEMA, calc
from .workbook.choose import chosen, scripted

QUESTION = "What is 17 * 23, minus 100?"
USAGE = 'usage: PROVIDER=anthropic|openai|openai_chat|local|mock|... python -m harness ["question"]'


def main(arguments: list[str]) -> int:
    """Print the answer; an error is one sentence on stderr and status 1."""
    if any(argument in ("-h", "--help") for argument in arguments):
        print(USAGE, f"providers: mock, {', '.join(sorted(PROVIDERS))}", sep="\n")
        return 0
    if os.environ.get("PROVIDER", "mock") in ("", "mock"):
        print("scripted: the mock provider answers 291 whatever you ask; PROVIDER chooses another", file=sys.stderr)
    try:
        print(run(chosen(scripted()), {"calc": calc}, [CALC_SCHEMA], " ".join(arguments) or QUESTION))
    except HarnessError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
