"""3.2-turn: one assistant turn from its parts, in order, with nothing invented and nothing lost."""

from __future__ import annotations

from random import Random
from typing import Any

from ...messages import Message, ReasoningBlock, TextBlock, ToolCall
from .cases import Case, fault, try_cases, wanted, words
from .model import Exercise, Fault, Wrong


def _cases(rng: Random) -> list[Case]:
    cases = []
    for number in range(24):
        text = (None, "", "I look it up.", "naïve 🚀")[number % 4]
        reasoning = None if number % 3 == 0 else f"thought {number}"
        calls = [(f"c{number}_{i}", rng.choice(("calc", "search")), {"n": i}) for i in range(rng.randint(0, 3))]
        told = f"text={text!r}, {len(calls)} call{'s' * (len(calls) != 1)}, reasoning={reasoning!r}"
        size = len(calls) + bool(text) + bool(reasoning)
        expected = [
            *([ReasoningBlock(reasoning)] if reasoning else []),
            *([TextBlock(text)] if text else []),
            *(ToolCall(*call) for call in calls),
        ]
        cases.append(Case((text, calls, reasoning), told, size, expected, hidden=number == 23))
    return cases


def _judge(case: Case, outcome: Any) -> None:
    if not isinstance(outcome, Message) or outcome.role != "assistant":
        raise fault(case, "an assistant Message", words(outcome))
    if list(outcome.blocks) != case.expected:
        raise fault(case, _kinds(case.expected), _kinds(outcome.blocks))


def _kinds(blocks: Any) -> str:
    return f"the blocks {[words(block.kind) + ' ' + repr(_content(block)) for block in blocks]}"


def _content(block: Any) -> str:
    return str(block.id if isinstance(block, ToolCall) else getattr(block, "text", ""))


def check(names: dict[str, Any], rng: Random) -> None:
    """Order, completeness, no empty blocks, and no tie to the caller's dict."""
    function = wanted(names, "assistant_turn")
    try_cases(function, _cases(rng), _judge)
    args = {"list": [1]}
    turn = function(None, [("c", "t", args)], None)
    args["list"].append(2)
    if turn.blocks[0].args != {"list": [1]}:
        raise Fault("a caller that changes its dict afterwards", "the turn as it was", "a changed turn")


EXERCISE = Exercise(
    id="3.2-turn",
    title="one whole turn",
    points=1,
    minutes=8,
    task="""
Write `assistant_turn(text, calls, reasoning)`: one assistant `Message` with the reasoning first, then the text, then
every call in order. `text` and `reasoning` are strings or `None`; make no block for `None` or an empty string. `calls`
is a list of `(id, name, args)`. Changing the caller's `args` later must not change the turn.
""",
    stub='''
from harness import Message, ReasoningBlock, TextBlock, ToolCall

def assistant_turn(text: str | None, calls: list[tuple[str, str, dict]], reasoning: str | None) -> Message:
    """One assistant message: reasoning, text, calls, in that order."""
    ...  # your code here
''',
    hints=(
        "build a list of blocks and append only what is there",
        "text and calls are not either/or: a turn can have both, and several calls",
    ),
    reference="""
from harness import Message, ReasoningBlock, TextBlock, ToolCall

def assistant_turn(text, calls, reasoning):
    blocks = []
    if reasoning:
        blocks.append(ReasoningBlock(reasoning))
    if text:
        blocks.append(TextBlock(text))
    blocks += [ToolCall(id_, name, args) for id_, name, args in calls]
    return Message("assistant", tuple(blocks))
""",
    also_right=(
        """
import harness

def assistant_turn(text, calls, reasoning):
    thought = reasoning and harness.ReasoningBlock(text=reasoning)
    said = text and harness.TextBlock(text=text)
    asked = (harness.ToolCall(id=call[0], name=call[1], args=call[2]) for call in calls)
    return harness.Message(role="assistant", blocks=[block for block in (thought, said, *asked) if block])
""",
    ),
    wrong=(
        Wrong(
            """
from harness import Message, ReasoningBlock, TextBlock, ToolCall

def assistant_turn(text, calls, reasoning):
    blocks = [ReasoningBlock(reasoning)] if reasoning else []
    if calls:
        blocks += [ToolCall(*call) for call in calls]
    elif text:
        blocks.append(TextBlock(text))
    return Message("assistant", blocks)
""",
            "text",
        ),
        Wrong(
            """
from harness import Message, ReasoningBlock, TextBlock, ToolCall

def assistant_turn(text, calls, reasoning):
    blocks = [ReasoningBlock(reasoning)] if reasoning else []
    blocks.append(TextBlock(text or ""))
    return Message("assistant", [*blocks, *(ToolCall(*call) for call in calls)])
""",
            "text",
        ),
    ),
    check=check,
)
