"""The status card and what it knows: keys by name only, reasons with something to do, one constant picture."""

from __future__ import annotations

import os
import socket
from contextlib import closing

import pytest

from harness.providers import PROVIDERS
from harness.workbook import local_model, readiness
from harness.workbook.widgets import status_card
from harness.workbook.widgets.status import card

SECRET = "sk-a-secret-that-nobody-may-see"


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch, tmp_path):
    """No key, no settings of AWS, no model, nothing that listens; no test asks the real machine."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, str(tmp_path / name))
    for entry in PROVIDERS.values():
        if entry.key_variable:
            monkeypatch.delenv(entry.key_variable, raising=False)
    monkeypatch.setattr(local_model, "status", lambda: local_model.Status(False, False, "The model is not here."))
    monkeypatch.setattr("harness.providers.local.LocalProvider", lambda: Server(unused_port()))


class Server:
    def __init__(self, port: int) -> None:
        self.base_url = f"http://127.0.0.1:{port}/v1"


def unused_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        return listener.getsockname()[1]


def labelled(found, label: str) -> readiness.Readiness:
    return next(one for one in found if one.label == label)


def test_without_keys_the_scripted_provider_and_the_stand_ins_are_ready():
    found = readiness.without_network()
    assert {one.kind for one in found if one.ready} == {"scripted", "stand-in"}
    assert labelled(found, "Anthropic Messages").sentence.startswith("has no key: set ANTHROPIC_API_KEY")


@pytest.mark.parametrize("name", [name for name, entry in PROVIDERS.items() if entry.key_variable])
def test_every_vendor_says_what_it_lacks_and_is_ready_once_it_has_it(name, monkeypatch):
    assert PROVIDERS[name].key_variable in readiness.vendor(name).sentence
    assert not readiness.vendor(name).ready
    monkeypatch.setenv(PROVIDERS[name].key_variable, SECRET)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    assert readiness.vendor(name).ready
    assert SECRET not in repr(readiness.vendor(name))


@pytest.mark.parametrize(
    "setting",
    [f"aws_access_key_id = x\naws_secret_access_key = {SECRET}", "role_arn = r", "credential_process = false"],
)
def test_bedrock_is_ready_with_a_profile_that_names_credentials_and_a_region(setting, monkeypatch, tmp_path):
    def refuse(*_, **__):
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setenv("AWS_PROFILE", "mine")
    assert "profile (mine) could not be found" in readiness.vendor("bedrock").sentence
    (tmp_path / "AWS_CONFIG_FILE").write_text("[profile mine]\nregion = us-east-1\n", encoding="utf-8")
    assert readiness.vendor("bedrock").sentence.startswith("has no key: set AWS_BEARER_TOKEN_BEDROCK, or AWS_PROFILE")
    (tmp_path / "AWS_SHARED_CREDENTIALS_FILE").write_text(f"[mine]\n{setting}\n", encoding="utf-8")
    assert readiness.vendor("bedrock").ready
    assert SECRET not in repr(readiness.vendor("bedrock"))


def test_bedrock_is_not_ready_without_a_region(monkeypatch):
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", SECRET)
    found = readiness.vendor("bedrock")
    assert not found.ready and found.sentence.startswith("has no region: set AWS_DEFAULT_REGION")


def test_a_missing_sdk_is_named_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(readiness.SDKS, "gemini", "no_such_package.genai")
    monkeypatch.setenv("GEMINI_API_KEY", SECRET)
    found = readiness.vendor("gemini")
    assert not found.ready
    assert 'pip install "harness-workbook[gemini]"' in found.sentence


def test_a_local_server_is_found_when_something_listens(monkeypatch):
    assert not readiness.local_server().ready
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        port = listener.getsockname()[1]
        monkeypatch.setattr("harness.providers.local.LocalProvider", lambda: Server(port))
        assert readiness.local_server().ready


def test_the_embedded_model_is_ready_when_it_is_cached_or_runs(monkeypatch):
    assert not labelled(readiness.on_this_machine(), "Embedded model").ready
    monkeypatch.setattr(local_model, "status", lambda: local_model.Status(True, False, "It is here."))
    assert labelled(readiness.on_this_machine(), "Embedded model") == readiness.Readiness(
        "Embedded model", "local model", True, "It is here."
    )


def test_the_card_shows_everything_it_found_and_then_lets_look_again(monkeypatch):
    shown = status_card()
    report = shown.report()
    assert "MockProvider (scripted): ready" in report
    assert "Local server (local model): not ready; nothing listens" in report
    assert all(one.label in shown._body.value for one in [*readiness.without_network(), *readiness.on_this_machine()])
    assert not shown._button.disabled
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    shown._button.click()
    assert "Anthropic Messages (live): ready" in shown.report()


def test_no_key_is_in_the_card_its_state_its_picture_or_its_text(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    shown = status_card()
    everything = [shown.report(), shown.static_html(), shown.text(), repr(shown), str(shown._body.get_state())]
    assert not any(SECRET in part for part in everything)
    assert "OPENAI_API_KEY is set" in shown._body.value


def test_picture_and_text_are_the_same_on_every_machine(monkeypatch):
    bare = status_card()._repr_mimebundle_()
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.setattr(local_model, "status", lambda: local_model.Status(True, True, "It runs."))
    other = status_card()._repr_mimebundle_()
    for kind in ("text/html", "text/plain"):
        assert bare[kind] == other[kind]


def test_what_is_found_is_never_taken_for_html():
    assert "<b>" not in card([readiness.Readiness("<b>", "live", True, "<b>")], "<b>")
