"""3.3-provider: a provider without a base class, a vendor or state."""

from __future__ import annotations

from random import Random
from typing import Any

from ...agent import run
from ...messages import Message, ToolCall, ToolResult, Transcript
from ...providers.base import ProviderResponse
from .cases import quietly, wanted, words
from .model import Exercise, Fault, Wrong


def _asked(text: str, *, then_a_result: bool) -> Transcript:
    messages = [Message.user_text("an older question"), Message.assistant_text("ok"), Message.user_text(text)]
    if then_a_result:
        messages.append(Message.assistant_tool_call(ToolCall("c", "t", {})))
        messages.append(Message.tool_result(ToolResult("c", "a result")))
    return Transcript(messages)


def check(names: dict[str, Any], rng: Random) -> None:
    """Answer, usage, no state, transcript untouched; accepted by the loop."""
    made = quietly(wanted(names, "Echo"))
    if not isinstance(getattr(made, "name", None), str) or not made.name:
        raise Fault("Echo()", "a `name` that is a string", words(getattr(made, "name", None)))
    questions = ["", "hi", "naïve straße"] + [f"question {rng.randrange(1000)}" for _ in range(10)]
    for question in questions:
        _one(made, question, then_a_result=False, hidden=False)
        _one(made, question, then_a_result=True, hidden=question == questions[-1])
    _usage(made)
    answer = quietly(lambda: run(made, {}, [], "to the loop"))
    if answer != "TO THE LOOP":
        raise Fault("run(Echo(), {}, [], 'to the loop')", "'TO THE LOOP'", words(answer))


def _one(made: Any, question: str, *, then_a_result: bool, hidden: bool) -> None:
    transcript = _asked(question, then_a_result=then_a_result)
    before = list(transcript)
    told = f"the last user text {question!r}" + (" and a tool result after it" if then_a_result else "")
    first, second = quietly(made.complete, transcript, []), quietly(made.complete, transcript, [])
    if not isinstance(first, ProviderResponse):
        raise Fault(told, "a ProviderResponse", words(first), hidden=hidden)
    if list(transcript) != before:
        raise Fault(told, "the transcript as it was", "a changed transcript", hidden=hidden)
    if first.text != question.upper():
        raise Fault(told, repr(question.upper()), words(first.text), hidden=hidden)
    if (first.text, first.input_tokens) != (second.text, second.input_tokens):
        raise Fault(told, "the same answer twice", "two different ones: is there state?", hidden=hidden)


def _usage(made: Any) -> None:
    transcript, counts = Transcript(), []
    for length in range(1, 8):
        transcript.append(Message.user_text("word " * length))
        counts.append(quietly(made.complete, transcript, []).input_tokens)
    if counts != sorted(counts) or counts[0] == counts[-1]:
        raise Fault("a transcript that grows", "input_tokens that grow with it", words(counts))


EXERCISE = Exercise(
    id="3.3-provider",
    title="your own provider",
    points=1,
    minutes=10,
    task="""
Write a class `Echo` with a `name` and `complete(transcript, tools)`. It answers with the newest *text* of a user
message in upper case (a tool result is no text), and reports `input_tokens` that grow when the transcript grows. It
keeps no state between calls and leaves the transcript alone.
""",
    stub='''
from harness import ProviderResponse, TextBlock, Transcript

class Echo:
    """A provider that answers with the newest user text in upper case."""
    ...  # your code here: name, and complete(self, transcript, tools)
''',
    hints=(
        "walk the messages backwards and look for a text block in a user message",
        "any count that grows with the transcript will do for tokens: say in the code which one you took",
    ),
    reference="""
from harness import ProviderResponse, TextBlock, Transcript

class Echo:
    name = "echo"

    def complete(self, transcript, tools):
        texts = [b.text for m in transcript if m.role == "user" for b in m.blocks if isinstance(b, TextBlock)]
        size = sum(len(str(b)) for m in transcript for b in m.blocks)  # characters, as a stand-in for tokens
        return ProviderResponse(text=texts[-1].upper(), input_tokens=size)
""",
    also_right=(
        """
from dataclasses import dataclass

from harness import ProviderResponse

@dataclass(frozen=True)
class Echo:
    name: str = "shouter"

    def complete(self, transcript, tools) -> ProviderResponse:
        spoken = ""
        words = 1  # the count that stands for tokens: words of text, and one for each block
        for message in transcript.messages:
            for block in message.blocks:
                words += 1 + len(getattr(block, "text", "").split())
                if message.role == "user" and block.kind == "text":
                    spoken = block.text
        return ProviderResponse(text=spoken.upper(), input_tokens=words, output_tokens=len(spoken.split()))
""",
    ),
    wrong=(
        Wrong(
            """
from harness import ProviderResponse

class Echo:
    name = "echo"

    def complete(self, transcript, tools):
        return ProviderResponse(text="HI", input_tokens=len(transcript))
""",
            "expected ''",
        ),
        Wrong(
            """
from harness import Message, ProviderResponse, TextBlock

class Echo:
    name = "echo"

    def complete(self, transcript, tools):
        texts = [b.text for m in transcript if m.role == "user" for b in m.blocks if isinstance(b, TextBlock)]
        transcript.append(Message.assistant_text(texts[-1].upper()))
        return ProviderResponse(text=texts[-1].upper(), input_tokens=len(transcript))
""",
            "changed transcript",
        ),
        Wrong(
            """
from harness import ProviderResponse

class Echo:
    name = "echo"

    def complete(self, transcript, tools):
        last = transcript.last().blocks[0]
        return ProviderResponse(text=getattr(last, "text", "").upper(), input_tokens=len(transcript))
""",
            "tool result after it",
        ),
    ),
    check=check,
)
