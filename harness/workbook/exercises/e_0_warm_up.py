"""0-warm-up: unmarked, and meant to be got wrong once, so that all three states are seen."""

from __future__ import annotations

from random import Random
from typing import Any

from .cases import Case, fault, try_cases, wanted, words
from .model import Exercise, Wrong


def _cases(rng: Random) -> list[Case]:
    texts = ["", "a", "abc", "naïve", "391", "racecar"] + [f"text {rng.randrange(1000)}" for _ in range(16)]
    return [Case((text,), repr(text), len(text), hidden=text == texts[-1]) for text in texts]


def _judge(case: Case, outcome: Any) -> None:
    expected = "".join(reversed(case.arguments[0]))
    if outcome != expected:
        raise fault(case, repr(expected), words(outcome))


def check(names: dict[str, Any], rng: Random) -> None:
    """Every text comes back from its last character to its first."""
    try_cases(wanted(names, "backwards"), _cases(rng), _judge)


EXERCISE = Exercise(
    id="0-warm-up",
    title="get it wrong once",
    points=0,
    minutes=2,
    task="""
Write `backwards(text)`: the text from its last character to its first. Get it wrong first, on purpose: return `text`
itself, run the check, read what it says, ask for a hint, then put it right.
""",
    stub='''
def backwards(text: str) -> str:
    """The text from its last character to its first."""
    ...  # your code here
''',
    hints=("a slice can have a step", "the step may be negative: text[::-1]"),
    reference="def backwards(text: str) -> str:\n    return text[::-1]\n",
    also_right=(
        """
def backwards(text: str) -> str:
    out = ""
    for letter in text:
        out = letter + out
    return out
""",
    ),
    wrong=(
        Wrong("def backwards(text):\n    return text\n", "expected 'cba'"),
        Wrong("def backwards(text):\n    return reversed(text)\n", "reversed"),
        Wrong("def backwards(text):\n    return 'cba'\n", "expected ''"),
    ),
    check=check,
)
