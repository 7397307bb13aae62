"""`python -m harness`: an answer on stdout, or one sentence on stderr."""

from __future__ import annotations

import pytest

from harness.__main__ import main


def test_without_a_provider_the_scripted_one_answers_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PROVIDER", raising=False)
    assert main(["What is 17 * 23, minus 100?"]) == 0
    out, err = capsys.readouterr()
    assert out == "291\n" and "scripted" in err


def test_a_missing_key_is_one_sentence_with_the_variable_and_the_keyless_way(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PROVIDER", "anthropic")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    assert main(["hi"]) == 1
    out, err = capsys.readouterr()
    assert out == "" and "ANTHROPIC_API_KEY" in err and "PROVIDER=local" in err and err.count("\n") == 1


def test_an_unknown_provider_is_told_the_known_ones(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PROVIDER", "nope")
    assert main([]) == 1
    assert "anthropic" in capsys.readouterr().err
