"""3.4-results: a user message of several results as Chat messages, on a wire without an error flag."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from ...messages import Block, Message, TextBlock, ToolCall, ToolResult
from ...providers import openai_chat
from .cases import Case, fault, quietly, try_cases, wanted, words
from .model import Exercise, Wrong


def _cases(rng: Random) -> list[Case]:
    cases = []
    for number in range(24):
        count = number % 5
        results = [ToolResult(f"call_{number}_{i}", f"{rng.randrange(1000)}", rng.random() < 0.4) for i in range(count)]
        text = [TextBlock("And what of this?")] if number % 2 or not count else []
        blocks: list[Block] = [*text, *results] if number % 4 == 3 else [*results, *text]
        told = f"{count} result{'s' * (count != 1)}" + (" and a text" if text else "")
        cases.append(Case((Message("user", tuple(blocks)),), told, len(blocks), hidden=number == 23))
    return cases


def _judge(case: Case, outcome: Any) -> None:
    [message] = case.arguments
    results = [block for block in message.blocks if isinstance(block, ToolResult)]
    texts = [block.text for block in message.blocks if isinstance(block, TextBlock)]
    if not isinstance(outcome, list) or not all(isinstance(entry, dict) for entry in outcome):
        raise fault(case, "a list of message dicts", words(outcome))
    tools = [entry for entry in outcome if entry.get("role") == "tool"]
    if [entry.get("tool_call_id") for entry in tools] != [result.call_id for result in results]:
        raise fault(case, "one tool message for each result, under its id", words(outcome, 300))
    for entry, result in zip(tools, results, strict=True):
        if result.content not in str(entry.get("content")):
            raise fault(case, f"the content {result.content!r} under its id", words(entry))
    if outcome[: len(tools)] != tools or [entry.get("content") for entry in outcome[len(tools) :]] != texts:
        raise fault(case, "the text in a user message after the results", words(outcome, 300))
    calls = [ToolCall(result.call_id, "calc", {}) for result in results]
    asked = [{"role": "user", "content": "?"}, *_call_turn(calls), *outcome]
    if problems := openai_chat.check_request({"model": "m", "messages": asked}):
        raise fault(case, "a body that breaks no rule", str(problems[0]))


def _call_turn(calls: list[ToolCall]) -> list[dict[str, Any]]:
    if not calls:
        return []
    written = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": "{}"}} for call in calls
    ]
    return [{"role": "assistant", "content": None, "tool_calls": written}]


def check(names: dict[str, Any], rng: Random) -> None:
    """One message a result, text last, and a failed result that can be told from a good one."""
    function = wanted(names, "results_to_chat")
    try_cases(function, _cases(rng), _judge)
    good = ToolResult("c", "not found")
    same = [quietly(function, Message("user", (result,))) for result in (good, replace(good, is_error=True))]
    if same[0] == same[1]:
        case = Case((), "a failed and a good result with the same text")
        raise fault(case, "two outputs that differ", f"the same twice: {words(same[0])}")


EXERCISE = Exercise(
    id="3.4-results",
    title="results for a wire without an error flag",
    points=2,
    minutes=15,
    task="""
Write `results_to_chat(message)`: a user message that holds tool results, perhaps with text before or after them, as a
*list* of Chat Completions messages. Each result becomes one message of role `tool` under its `tool_call_id`; the text
comes after all results, in a message of role `user`. This wire has no error flag: a failed result must still be told
from a good one with the same text. How you mark it is up to you, but the content must stay in it.
""",
    stub='''
from harness import Message, TextBlock, ToolResult

def results_to_chat(message: Message) -> list[dict]:
    """The Chat messages for one user message of results: the tool messages first, then the text."""
    ...  # your code here
''',
    hints=(
        "one message becomes several: return a list",
        "this wire has no error field, so where can the mark go? What does the model read?",
    ),
    reference="""
from harness import Message, TextBlock, ToolResult

def results_to_chat(message: Message) -> list[dict]:
    out = []
    for block in message.blocks:
        if isinstance(block, ToolResult):
            content = f"ERROR: {block.content}" if block.is_error else block.content
            out.append({"role": "tool", "tool_call_id": block.call_id, "content": content})
    texts = [block.text for block in message.blocks if isinstance(block, TextBlock)]
    return out + [{"role": "user", "content": text} for text in texts]
""",
    also_right=(
        """
import json

def results_to_chat(message):
    results = [block for block in message.blocks if block.kind == "tool_result"]
    rest = [block for block in message.blocks if block.kind == "text"]

    def content(block):
        return json.dumps({"failed": True, "output": block.content}) if block.is_error else block.content

    out = [dict(role="tool", tool_call_id=block.call_id, content=content(block)) for block in results]
    out.extend(dict(role="user", content=block.text) for block in rest)
    return out
""",
    ),
    wrong=(
        Wrong(
            """
from harness import Message, TextBlock, ToolResult

def results_to_chat(message):
    results = [b for b in message.blocks if isinstance(b, ToolResult)]
    joined = "\\n".join(b.content for b in results)
    return [{"role": "tool", "tool_call_id": results[0].call_id, "content": joined}] if results else []
""",
            "expected",
        ),
        Wrong(
            """
from harness import Message, TextBlock, ToolResult

def results_to_chat(message):
    out = [{"role": "tool", "tool_call_id": b.call_id, "content": b.content}
           for b in message.blocks if isinstance(b, ToolResult)]
    return out + [{"role": "user", "content": b.text} for b in message.blocks if isinstance(b, TextBlock)]
""",
            "failed and a good",
        ),
    ),
    check=check,
)
