"""What notebook 3.8 breaks a translation with: a conversation to translate, and the vendor's SDK to send it by."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from ..messages import Message, TextBlock, ToolCall, ToolResult, Transcript

Translate = Callable[[Message], list[dict[str, Any]]]


def conversation(sheet: str = "workbook") -> Transcript:
    """The sheet's conversation; where its first call stands differs from sheet to sheet."""
    return generated(Random(f"break {sheet}"), 2 + len(sheet) % 3)


def send(translate: Translate, transcript: Transcript) -> dict[str, Any]:
    """What the stand-in of the Responses API says, through the vendor's own SDK, to messages translated one by one.

    The status; when it refuses, the class of the SDK's exception and the error's body beside it.
    """
    from openai import APIStatusError

    from . import standins

    items: Any = [item for message in transcript for item in translate(message)]
    try:
        standins.client("openai").responses.create(model="stand-in", input=items)
    except APIStatusError as error:
        return {"status": error.status_code, "raised": type(error).__name__, "error": error.body}
    return {"status": 200}


def generated(rng: Random, turns: int, *, calls: bool = True) -> Transcript:
    """A conversation of some turns, each with text, and with calls and their results unless `calls` is false."""
    messages = [Message.user_text(f"question {rng.randrange(1000)}")]
    for turn in range(turns):
        for number in range(rng.randint(0, 2)):
            messages += [Message.assistant_text(f"thought {turn}.{number}"), Message.user_text("go on")]
        ids = [f"call_{turn}_{number}" for number in range(rng.randint(1, 3) if calls else 0)]
        asked = tuple(ToolCall(id_, "calc", {"expression": f"{rng.randrange(99)} * 2"}) for id_ in ids)
        results = tuple(ToolResult(id_, f"{rng.randrange(999)}") for id_ in ids)
        messages.append(Message("assistant", (TextBlock("I compute."), *asked)))
        messages += [Message("user", results)] if results else []
    return Transcript(messages)
