"""Recordings: bodies only, and the same answers each time they are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness import HarnessError, Transcript, make_provider, run
from harness.workbook import recorder, samples, standins
from harness.workbook.kinds import kind_of


def ask(provider: object, transcript: Transcript | None = None) -> str:
    return run(provider, samples.TOOLS, samples.schemas(), samples.QUESTION, samples.SYSTEM, transcript=transcript)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["anthropic", "openai", "openai_chat"])
def test_what_is_recorded_is_played_back_the_same_without_an_sdk(name: str, tmp_path: Path) -> None:
    wire = (
        getattr(standins.provider(name), "wire", None)
        or {
            "anthropic": "anthropic.messages",
            "openai": "openai.responses",
            "openai_chat": "openai.chat",
        }[name]
    )
    tape = recorder.Recorder(standins.client(name), wire)
    live = Transcript()
    answer = ask(make_provider(name, client=tape.client()), live)
    model = make_provider(name, client=object()).model  # type: ignore[attr-defined]
    tape.recording(name, model, "a stand-in").save(tmp_path / "run.json")

    played = recorder.provider(recorder.load(tmp_path / "run.json"))
    replay = Transcript()
    assert ask(played, replay) == answer and kind_of(played) == "recorded"
    assert [message.blocks for message in replay] == [message.blocks for message in live]


def test_another_question_is_refused_rather_than_answered_wrongly(tmp_path: Path) -> None:
    tape = recorder.Recorder(standins.client("openai_chat"), "openai.chat")
    ask(make_provider("openai_chat", client=tape.client(), model="m"))
    played = recorder.provider(tape.recording("openai_chat", "m", "a stand-in"))
    with pytest.raises(HarnessError, match="another question"):
        run(played, samples.TOOLS, samples.schemas(), "What is 1 + 1?")


def test_account_fields_do_not_reach_a_recording_and_the_conversations_own_do() -> None:
    from types import SimpleNamespace

    def create(**body: object) -> dict[str, object]:
        return {"id": "x", "organization": "acme", "choices": [{"message": {"content": "hi", "user": "kept"}}]}

    client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))
    tape = recorder.Recorder(client, "openai.chat")
    tape.client().chat.completions.create(model="m", user="me@example.org", messages=[{"user": "kept"}])
    [exchange] = tape.recording("openai_chat", "m", "test").exchanges
    assert "acme" not in str(exchange) and "me@example.org" not in str(exchange)
    assert str(exchange).count("kept") == 2


def test_a_damaged_recording_is_named(tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    with pytest.raises(HarnessError, match=r"bad\.json is no recording"):
        recorder.load(tmp_path / "bad.json")
