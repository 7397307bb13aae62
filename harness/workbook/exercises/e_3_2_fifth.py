"""3.2-fifth: a match over the four kinds that says so when a fifth one turns up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import make_dataclass
from random import Random
from typing import Any

from ...messages import Block, ReasoningBlock, TextBlock, ToolCall, ToolResult
from .cases import Case, fault, quietly, try_cases, wanted, words
from .model import Exercise, Fault, Wrong

MAKERS: dict[str, Callable[[str], Block]] = {
    "text": TextBlock,
    "tool call": lambda content: ToolCall("c", "calc", {"expression": content}),
    "tool result": lambda content: ToolResult("c", content),
    "reasoning": ReasoningBlock,
}


def _cases(rng: Random) -> list[Case]:
    cases = []
    for number in range(6):
        for kind, make in MAKERS.items():
            block = make(f"content {number} {rng.random():.3f}")
            cases.append(Case((block,), f"a {kind} block", number, hidden=number == 5))
    return cases


def _judge(case: Case, outcome: Any) -> None:
    if not isinstance(outcome, str) or not outcome:
        raise fault(case, "a string that is not empty", words(outcome))


def check(names: dict[str, Any], rng: Random) -> None:
    """A string for each kind, another one for other content, and an error that names a fifth kind."""
    function = wanted(names, "summary")
    try_cases(function, _cases(rng), _judge)
    for kind, make in MAKERS.items():
        if quietly(function, make("one")) == quietly(function, make("two")):
            raise Fault(f"two {kind} blocks with different contents", "two different strings", "the same one twice")
    name = f"Picture{rng.randrange(1000)}Block"
    fifth = make_dataclass(name, [("text", str), ("kind", str)], frozen=True)("a cat", "picture")
    try:
        outcome = quietly(function, fifth)
    except Exception as error:
        if name not in str(error):
            raise Fault("a block of a fifth kind", "an error that names its type", f"{type(error).__name__}") from error
        return
    raise Fault("a block of a fifth kind", "an error that names its type", words(outcome))


EXERCISE = Exercise(
    id="3.2-fifth",
    title="the fifth kind",
    points=1,
    minutes=10,
    task="""
Write `summary(block)`: a short string for each of the four kinds of block, which differs when the content differs (for
a call, its arguments count as content). For anything else raise an error whose message contains the name of the
block's type.
""",
    stub='''
from harness import ReasoningBlock, TextBlock, ToolCall, ToolResult

def summary(block) -> str:
    """A short string for a block of one of the four kinds; an error that names the type of any other."""
    ...  # your code here
''',
    hints=(
        "what does `match` do when no case fits?",
        "`typing.assert_never`, or a last case that raises `TypeError` with the type's name",
    ),
    reference="""
from harness import ReasoningBlock, TextBlock, ToolCall, ToolResult

def summary(block) -> str:
    match block:
        case TextBlock(text):
            return f"text: {text}"
        case ToolCall(_, name, args):
            return f"call: {name} {dict(args)}"
        case ToolResult(_, content):
            return f"result: {content}"
        case ReasoningBlock(text):
            return f"reasoning: {text}"
        case other:
            raise TypeError(f"no summary for a {type(other).__name__}")
""",
    also_right=(
        """
KEPT = {"text": "text", "tool_call": "args", "tool_result": "content", "reasoning": "text"}

def summary(block) -> str:
    name = type(block).__name__
    if getattr(block, "kind", None) not in KEPT:
        raise ValueError("I know four kinds of block, and " + name + " is none of them")
    return f"{name}({getattr(block, KEPT[block.kind])})"
""",
    ),
    wrong=(
        Wrong(
            """
from harness import ReasoningBlock, TextBlock, ToolCall, ToolResult

def summary(block):
    match block:
        case TextBlock(text) | ReasoningBlock(text):
            return text
        case ToolCall(_, name, args):
            return f"{name} {dict(args)}"
        case ToolResult(_, content):
            return content
""",
            "fifth kind",
        ),
        Wrong(
            """
def summary(block):
    match block:
        case _:
            return str(block)
""",
            "fifth kind",
        ),
        Wrong("def summary(block):\n    return type(block).__name__\n", "different contents"),
    ),
    check=check,
)
