"""3.4-thinking: one Anthropic turn into blocks, one for one, so that it can go back unchanged."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from ...messages import Message, ToolCall, ToolResult, Transcript
from ...providers import anthropic
from .cases import Case, fault, try_cases, wanted, words
from .model import Exercise, Wrong


def _content(rng: Random, size: int) -> list[dict[str, Any]]:
    makers = (
        lambda n: {"type": "thinking", "thinking": f"thought {n}", "signature": f"sig{n}=="},
        lambda n: {"type": "thinking", "thinking": "", "signature": f"hidden{n}=="},
        lambda n: {"type": "redacted_thinking", "data": f"sealed{n}=="},
        lambda n: {"type": "text", "text": f"said {n}"},
        lambda n: {"type": "tool_use", "id": f"toolu_{n}", "name": "calc", "input": {"expression": str(n)}},
    )
    body = [rng.choice(makers)(number) for number in range(size)]
    return [*body, {"type": "text", "text": "and so on"}] if body and "thinking" in body[-1]["type"] else body


def _cases(rng: Random) -> list[Case]:
    fixed = [
        [{"type": "text", "text": "just text"}],
        [
            {"type": "text", "text": "before"},
            {"type": "thinking", "thinking": "between", "signature": "s=="},
            {"type": "text", "text": "after"},
        ],
        [
            {"type": "thinking", "thinking": "one", "signature": "s1=="},
            {"type": "thinking", "thinking": "two", "signature": "s2=="},
            {"type": "text", "text": "said"},
        ],
    ]
    contents = [[], *fixed, *(_content(rng, 1 + number % 6) for number in range(20))]
    return [
        Case((content,), f"the content {words([block['type'] for block in content])}", len(content), hidden=i == 23)
        for i, content in enumerate(contents)
    ]


def _judge(case: Case, outcome: Any) -> None:
    [content] = case.arguments
    try:
        blocks = list(outcome)
        message = Message("assistant", tuple(blocks))
    except Exception as error:
        raise fault(case, "a list of blocks", words(outcome)) from error
    results = [ToolResult(block.id, "1") for block in blocks if isinstance(block, ToolCall)]
    back = Message("user", tuple(results)) if results else Message.user_text("go on")
    body = anthropic.to_request(Transcript([Message.user_text("?"), message, back]))
    sent = [block for turn in body["messages"] if turn["role"] == "assistant" for block in turn["content"]]
    if sent != content:
        raise fault(case, f"to send back {words(content, 300)}", words(sent, 300))


def check(names: dict[str, Any], rng: Random) -> None:
    """What is read, given to the package's `to_request`, is the content that came."""
    try_cases(wanted(names, "read_turn"), copy.deepcopy(_cases(rng)), _judge)


EXERCISE = Exercise(
    id="3.4-thinking",
    title="read a turn with thinking",
    points=2,
    minutes=15,
    task="""
Write `read_turn(content)`: the content of one assistant turn on the Messages wire becomes a list of our blocks. The
check hands your blocks to `anthropic.to_request` and compares what is sent with what came: same blocks, same order,
same signatures. Content can hold `text`, `tool_use`, `thinking` (its text may be empty) and `redacted_thinking`, in any
order. Where metadata is kept: a signature as `{"anthropic.messages": {"signature": ...}}`; sealed data as
`{"anthropic.messages": {"data": ...}}` on a `ReasoningBlock` without text.
""",
    stub='''
from harness import ReasoningBlock, TextBlock, ToolCall

def read_turn(content: list[dict]) -> list:
    """Our blocks for the content of one assistant turn, one for one, in order."""
    ...  # your code here
''',
    hints=(
        "one block in, one block out, in the same place",
        "look where `samples.thinking_run()` keeps its signature: on the block it came with",
    ),
    reference="""
from harness import ReasoningBlock, TextBlock, ToolCall

def read_turn(content: list[dict]) -> list:
    def read(block):
        match block["type"]:
            case "text":
                return TextBlock(block["text"])
            case "tool_use":
                return ToolCall(block["id"], block["name"], block["input"])
            case "thinking":
                return ReasoningBlock(block["thinking"], {"anthropic.messages": {"signature": block["signature"]}})
            case "redacted_thinking":
                return ReasoningBlock("", {"anthropic.messages": {"data": block["data"]}})

    return [read(block) for block in content]
""",
    also_right=(
        """
import harness

WIRE = "anthropic.messages"
MAKERS = {
    "text": lambda text: harness.TextBlock(text),
    "tool_use": lambda id, name, input: harness.ToolCall(id, name, input),
    "thinking": lambda thinking, signature: harness.ReasoningBlock(thinking, {"signature": signature}),
    "redacted_thinking": lambda data: harness.ReasoningBlock("", {WIRE: {"data": data}}),
}

def read_turn(content):
    blocks = []
    for entry in content:
        fields = dict(entry)
        blocks.append(MAKERS[fields.pop("type")](**fields))
    return blocks
""",
    ),
    wrong=(
        Wrong(
            """
from harness import ReasoningBlock, TextBlock, ToolCall

def read_turn(content):
    thoughts = [b for b in content if b["type"] == "thinking"]
    joined = "\\n".join(b["thinking"] for b in thoughts)
    first = [ReasoningBlock(joined, {"signature": thoughts[0]["signature"]})] if thoughts else []
    rest = [TextBlock(b["text"]) for b in content if b["type"] == "text"]
    calls = [ToolCall(b["id"], b["name"], b["input"]) for b in content if b["type"] == "tool_use"]
    return first + rest + calls
""",
            "to send back",
        ),
        Wrong(
            """
from harness import ReasoningBlock, TextBlock, ToolCall

def read_turn(content):
    out = []
    for b in content:
        if b["type"] == "text":
            out.append(TextBlock(b["text"]))
        elif b["type"] == "tool_use":
            out.append(ToolCall(b["id"], b["name"], b["input"]))
        else:
            out.append(ReasoningBlock(b.get("thinking", "")))
    return out
""",
            "thinking",
        ),
        Wrong(
            """
from harness import ReasoningBlock, TextBlock, ToolCall

def read_turn(content):
    def rank(b):
        return 0 if "thinking" in b["type"] else 1
    out = []
    for b in sorted(content, key=rank):
        if b["type"] == "text":
            out.append(TextBlock(b["text"]))
        elif b["type"] == "tool_use":
            out.append(ToolCall(b["id"], b["name"], b["input"]))
        elif b["type"] == "thinking":
            out.append(ReasoningBlock(b["thinking"], {"signature": b["signature"]}))
        else:
            out.append(ReasoningBlock("", {"anthropic.messages": {"data": b["data"]}}))
    return out
""",
            "to send back",
        ),
    ),
    check=check,
)
