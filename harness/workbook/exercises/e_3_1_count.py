"""3.1-count: one number for one conversation, whatever the shape of its dicts."""

from __future__ import annotations

from random import Random
from typing import Any

from .cases import Case, fault, try_cases, wanted, words
from .model import Exercise, Wrong

WORDS = ("tool", "naïve", "291", "so", "the result", "🚀 up", "x")


def _text(rng: Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 5)))


def _conversation(rng: Random, turns: int) -> list[tuple[str, str]]:
    """Who says what: ("user" | "assistant" | "result", text)."""
    return [(rng.choice(("user", "assistant", "result")), _text(rng)) for _ in range(turns)]


def _strings(said: list[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"role": "assistant" if who == "assistant" else "user", "content": text} for who, text in said]


def _blocks(said: list[tuple[str, str]]) -> list[dict[str, Any]]:
    def content(who: str, text: str) -> list[dict[str, Any]]:
        block = {"type": "text", "text": text}
        return [{"type": "tool_result", "tool_use_id": "t", "content": [block]}] if who == "result" else [block]

    return [
        {"role": "assistant" if who == "assistant" else "user", "content": content(who, text)} for who, text in said
    ]


def _chat(said: list[tuple[str, str]]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for who, text in said:
        if who == "result":
            function = {"name": "calc", "arguments": '{"expression": "1"}'}
            call = {"id": "t", "type": "function", "function": function}
            out.append({"role": "assistant", "content": None, "tool_calls": [call]})
            out.append({"role": "tool", "tool_call_id": "t", "content": text})
        else:
            out.append({"role": who, "content": text})
    return out


SHAPES = {"strings": _strings, "blocks": _blocks, "chat messages": _chat}


def _cases(rng: Random) -> list[Case]:
    cases = [Case(([],), "no messages", 0, 0)]
    for turns in range(1, 9):
        said = _conversation(rng, turns)
        length = sum(len(text) for _, text in said)
        for name, shape in SHAPES.items():
            messages = shape(said)
            told = f"{len(messages)} message{'s' * (len(messages) != 1)} as {name}: {words(messages)}"
            cases.append(Case((messages,), told, turns, length))
    mixed = _conversation(rng, 6)
    messages = [message for i, entry in enumerate(mixed) for message in list(SHAPES.values())[i % 3]([entry])]
    cases.append(Case((messages,), "shapes mixed", 9, sum(len(text) for _, text in mixed), hidden=True))
    return cases


def check(names: dict[str, Any], rng: Random) -> None:
    """Every shape of one conversation gives the number of characters that was put in."""

    def judge(case: Case, outcome: Any) -> None:
        if outcome != case.expected or isinstance(outcome, bool):
            raise fault(case, str(case.expected), words(outcome))

    try_cases(wanted(names, "text_length"), _cases(rng), judge)


EXERCISE = Exercise(
    id="3.1-count",
    title="count the text",
    points=1,
    minutes=8,
    task="""
Write `text_length(messages)`: how many characters of text a list of message dicts holds. Count what a person would
read: texts and the texts of tool results, not the arguments of calls. `content` may be a string, `None`, or a list of
blocks, and a `tool_result` block has a `content` of its own. No messages hold 0 characters.
""",
    stub='''
def text_length(messages: list[dict]) -> int:
    """How many characters of text the messages hold, whatever the shape of their content."""
    ...  # your code here
''',
    hints=(
        "list the shapes that `content` can take: there are three, and one of them is inside another",
        "write a function that yields strings, call it on itself for nested content, add up the lengths at the end",
    ),
    reference="""
def text_length(messages: list[dict]) -> int:
    def texts(content):
        if isinstance(content, str):
            yield content
        for block in content if isinstance(content, list) else []:
            yield from texts(block.get("text"))
            yield from texts(block.get("content"))

    return sum(len(text) for message in messages for text in texts(message.get("content")))
""",
    also_right=(
        """
def text_length(messages: list[dict]) -> int:
    total, waiting = 0, list(messages)
    while waiting:
        entry = waiting.pop()
        match entry:
            case str():
                total += len(entry)
            case {"content": content}:
                waiting += content if isinstance(content, list) else [content]
            case {"text": text}:
                waiting.append(text)
    return total
""",
    ),
    wrong=(
        Wrong(
            """
def text_length(messages):
    return sum(len(m["content"] or "") for m in messages)
""",
            "as blocks",
        ),
        Wrong(
            """
def text_length(messages):
    total = 0
    for m in messages:
        content = m["content"] or ""
        if isinstance(content, str):
            total += len(content)
        else:
            total += sum(len(b.get("text", "")) for b in content)
    return total
""",
            "tool_result",
        ),
        Wrong("def text_length(messages):\n    return 0\n", "expected"),
    ),
    check=check,
)
