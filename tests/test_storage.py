"""A transcript on disk: lossless, versioned, all or nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.errors import InvalidValue
from harness.messages import (
    Message,
    OpaqueBlock,
    Provenance,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
    Usage,
)

FULL = Transcript(
    [
        Message.user_text("naïve \u0000 🚀 </script>"),
        Message(
            "assistant",
            (
                ReasoningBlock("", {"signature": "s", "provider_tokens": 3}),
                TextBlock("x", {"gemini": {"thoughtSignature": "t"}}),
                ToolCall("c", "calc", {"n": 10**40, "f": 1.5, "none": None}, {"openai.chat": {"arguments": "{oops"}}),
                OpaqueBlock("gemini", {"executableCode": {"code": "1"}}),
            ),
            provenance=Provenance("gemini", "gemini", "m", "r", "tool_calls"),
            usage=Usage(1, 2, 1, 0),
            metadata={"gemini": {"x": 1}},
        ),
        Message.tool_result(ToolResult("c", "no", is_error=True)),
    ],
    system="be brief",
    metadata={"anthropic.messages": {"system": [{"type": "text", "text": "be brief"}]}},
)


def test_json_and_back_is_equal(tmp_path: Path) -> None:
    assert Transcript.from_json(FULL.to_json()) == FULL
    FULL.save(tmp_path / "run.json")
    assert Transcript.load(tmp_path / "run.json") == FULL


def test_an_edited_signature_stays_void_on_disk() -> None:
    from dataclasses import replace

    from harness.messages import seal_holds

    edited = replace(ReasoningBlock("a", {"signature": "s"}), text="b")
    [message] = Transcript.from_json(Transcript([Message("assistant", (edited,))]).to_json())
    assert not seal_holds(message.blocks[0], "anthropic.messages")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("damage", "word"),
    [
        (lambda body: "{", "no JSON"),
        (lambda body: "[]", "no schema"),
        (lambda body: json.dumps({**body, "version": 99}), "update"),
        (lambda body: json.dumps({**body, "messages": [{"role": "user"}]}), r"messages\[0\]"),
        (lambda body: json.dumps({**body, "messages": 3}), "damaged"),
        (lambda body: json.dumps({k: v for k, v in body.items() if k != "system"}), "damaged"),
    ],
)
def test_a_damaged_or_newer_text_is_refused_in_words(damage: object, word: str) -> None:
    with pytest.raises(InvalidValue, match=word):
        Transcript.from_json(damage(json.loads(FULL.to_json())))  # type: ignore[operator]


def test_a_save_that_fails_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.json"
    Transcript(system="old").save(path)
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        FULL.save(path)
    assert Transcript.load(path).system == "old"
    assert list(tmp_path.iterdir()) == [path]
