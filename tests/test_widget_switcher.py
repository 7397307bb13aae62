"""The provider switcher without a screen: who can answer, asking, handing over, cancelling, hidden keys."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading

import ipywidgets
import pytest

from harness import ProviderResponse, ToolCall
from harness.errors import HarnessError, ProviderError
from harness.providers import PROVIDERS
from harness.workbook import keys, readiness, samples
from harness.workbook.candidates import Settings, candidates, options
from harness.workbook.keys import Keys, on_a_hub
from harness.workbook.readiness import Readiness
from harness.workbook.widgets import switcher
from harness.workbook.widgets.provider_switcher import SENTENCE

SECRET = "a-key-of-no-known-shape"
ANTHROPIC, OPENAI = "stand-in: Anthropic Messages stand-in", "stand-in: OpenAI Responses stand-in"
RECORDING = "recorded: OpenAI Chat Completions recording"


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch):
    """No key, no hub, no model, nothing that listens."""
    for entry in PROVIDERS.values():
        if entry.key_variable:
            monkeypatch.delenv(entry.key_variable, raising=False)
    for name in ("BINDER_SERVICE_HOST", "JUPYTERHUB_USER"):
        monkeypatch.delenv(name, raising=False)
    absent = [
        Readiness("Embedded model", "local model", False, "it is not here"),
        Readiness("Local server", "local model", False, "nothing listens"),
    ]
    monkeypatch.setattr(readiness, "on_this_machine", lambda: absent)


class Own:
    """A provider whose answers a test gives."""

    name = "own"
    answer_kind = "scripted"

    def __init__(self, answer) -> None:
        self.complete = answer


def asked(widget, choice: str = "", prompt: str = samples.QUESTION):
    """The widget after a question was asked of a choice."""
    if choice:
        widget.choice = choice
    widget._prompt.value = prompt
    widget.run()
    widget.wait(240)  # the SDKs take long to import on a busy machine
    return widget


def said(widget) -> str:
    return widget._progress.value


# ---- who can answer


def test_every_choice_says_whether_it_can_answer_and_why_not():
    widget = switcher()
    widget._search.join()
    titles = [candidate.title for candidate in widget._candidates]
    assert len(set(titles)) == len(titles)
    assert {candidate.kind for candidate in widget._candidates} == {
        *("live", "local model", "recorded", "stand-in", "scripted")
    }
    card = widget._others.value
    for candidate in widget._candidates:
        assert candidate.label in card
    assert "set ANTHROPIC_API_KEY before you start JupyterLab" in card
    assert "it is not here" in card


def test_what_cannot_answer_is_never_asked():
    widget = switcher()
    widget._search.join()
    for candidate in widget._candidates:
        if not candidate.readiness(widget._known, widget._keys).ready:
            asked(widget, candidate.title)
            assert f"{candidate.label}: " in said(widget)
    assert widget._job is None
    assert not asked(switcher(), "scripted: MockProvider", "  ").transcript.messages


def test_every_vendor_of_the_registry_is_a_choice():
    live = {candidate.name for candidate in candidates() if candidate.kind == "live"}
    assert live | {"local"} == set(PROVIDERS)


@pytest.mark.parametrize("candidate", candidates(), ids=lambda candidate: candidate.title)
def test_each_way_of_reasoning_that_is_offered_reaches_the_body(candidate):
    if candidate.preview is None or candidate.name == "local":
        assert candidate.reasoning == ("off",)
        return
    said = {"off": Settings(), "effort": Settings(effort="high"), "budget": Settings(budget=3000)}
    transcript = samples.calculator_run()
    bodies = [candidate.preview(said[way]).request(transcript, samples.schemas()) for way in candidate.reasoning]
    assert len({json.dumps(body) for body in bodies}) == len(bodies)
    for way, body in zip(candidate.reasoning, bodies, strict=True):
        assert {"effort": "high", "budget": "3000", "off": ""}[way] in json.dumps(body).lower()


def test_a_model_of_ones_own_is_asked_for():
    assert options("openai", Settings(model="gpt-7")) == {"model": "gpt-7"}
    widget = switcher()
    widget.choice = OPENAI
    widget._model.value = "gpt-7"
    widget._show.value = True
    assert "&quot;model&quot;: &quot;gpt-7&quot;" in widget._body.value


# ---- asking, and going on elsewhere


def test_nobody_is_asked_before_run_is_pressed():
    widget = switcher()
    widget.choice = OPENAI
    assert widget._job is None
    assert widget.text() == SENTENCE
    assert widget.events == ()


def test_the_question_is_asked_twice_on_different_providers():
    widget = asked(asked(switcher(), ANTHROPIC), OPENAI)
    exchanges = widget._conversation.exchanges
    assert [exchange.answer for exchange in exchanges] == ["The answer is 291."] * 2, said(widget)
    assert "1 stand-in: Anthropic Messages stand-in, claude" in widget.text()
    assert "2 stand-in: OpenAI Responses stand-in, gpt" in widget.text()
    assert '<span class="hw-word">stand-in</span>' in widget._answers.value
    assert widget.transcript.check() == []
    assert [message.provenance.provider for message in widget.transcript if message.provenance] == [
        *["anthropic stand-in"] * 2,
        *["openai stand-in"] * 2,
    ]
    assert len(widget.events) == 5  # for the stepper: two requests, two responses, one result


def test_the_body_of_the_next_question_says_what_is_left_out():
    widget = switcher()
    widget._mode.value = "effort"
    asked(widget, ANTHROPIC)
    widget.choice = OPENAI
    assert widget._body.value == ""
    widget._show.value = True
    for part in ("function_call_output", "Rules broken:</strong> nothing", "which belongs to anthropic.messages"):
        assert part in widget._body.value
    widget.choice = "scripted: MockProvider"
    assert "no wire" in widget._body.value


def test_every_keyless_choice_goes_on_after_every_other():
    widget = switcher()
    for choice in (RECORDING, "scripted: MockProvider", ANTHROPIC, OPENAI, "scripted: MockProvider"):
        asked(widget, choice)
    assert len(widget._conversation.exchanges) == 5, said(widget)
    assert widget.transcript.check() == []


def test_a_failed_call_is_one_sentence_and_changes_nothing():
    widget = asked(asked(switcher(), ANTHROPIC), RECORDING)
    assert "this recording answers another question" in said(widget)
    assert "The conversation is as it was before." in said(widget)
    assert "Traceback" not in said(widget)
    assert len(widget.transcript) == 4
    widget.restart()
    assert asked(widget, RECORDING)._conversation.exchanges[0].kind == "recorded"


@pytest.mark.parametrize("error", [ProviderError(429, "too fast", "Wait a little."), ValueError("odd <b>bug</b>")])
def test_whatever_a_provider_raises_is_shown_as_text(error):
    def fail(*_):
        raise error

    widget = asked(switcher(Own(fail)))
    assert 'role="status" class="hw-error"' in said(widget)
    assert "<b>" not in said(widget)
    assert widget._run.description == "Run"


def test_an_answer_that_was_cut_off_stays_and_says_so():
    cut = ProviderResponse(text="Once upon", stop_reason="max_tokens", output_tokens=2)
    widget = asked(switcher(Own(lambda *_: cut)))
    assert "no final answer (max_tokens)" in widget.text()
    assert "Once upon" in widget._answers.value


def test_ones_own_provider_leads_under_its_word():
    widget = asked(switcher(Own(lambda *_: ProviderResponse(text="mine"))))
    assert widget.choice == "scripted: own (yours)"
    assert "1 scripted: own (yours): mine" in widget.text()


# ---- cancelling


def test_a_cancelled_question_is_let_go_of_at_once_and_no_further_request_leaves():
    asked_once, go_on, requests = threading.Event(), threading.Event(), []

    def slow(transcript, tools):
        requests.append(len(transcript))
        asked_once.set()
        go_on.wait(30)
        return ProviderResponse(tool_calls=(ToolCall("call_1", "calc", {"expression": "1 + 1"}),))

    widget = switcher(Own(slow))
    widget.run()
    assert asked_once.wait(30)
    assert "<progress" in said(widget)
    assert widget._run.description == "Running …"
    widget.run()  # pressed twice: asked once
    widget.cancel()
    assert "Cancelled" in said(widget)
    go_on.set()
    widget.wait(30)
    assert requests == [1]
    assert "Cancelled" in said(widget)
    assert len(widget.transcript) == 0
    widget.cancel()
    assert widget._run.description == "Run"


# ---- keys


def live(widget):
    widget.choice = "live: OpenAI Responses"
    return widget


def test_a_key_makes_both_of_its_providers_ready_and_stands_nowhere():
    widget = live(switcher())
    assert widget._key.layout.display == ""
    widget._key._heard(None, {"key": f" {SECRET} "}, [])
    for choice in ("live: OpenAI Responses", "live: OpenAI Chat Completions"):
        widget.choice = choice
        assert "a key is held in memory" in widget._state.value
    shown = [repr(widget), widget.text(), widget.static_html(), repr(vars(widget)), repr(vars(widget._keys))]
    state = json.dumps(ipywidgets.Widget.get_manager_state())
    assert "OPENAI_API_KEY" in state
    assert all(SECRET not in text for text in (*shown, state))


def test_no_answer_of_a_vendor_shows_the_key(monkeypatch):
    def refuse(*_):
        raise ProviderError(401, f"wrong key {SECRET} and sk-abcdef123456", "Check the key.")

    widget = live(switcher())
    widget._hold(SECRET)
    monkeypatch.setattr("harness.providers.openai.OpenAIProvider.complete", refuse)
    asked(widget)
    assert "wrong key (key) and (key)" in said(widget)
    assert "Check the key." in said(widget)


def test_every_client_gets_the_key_and_the_address_of_its_vendor():
    held = Keys()
    for name in ("openai", "anthropic", "groq"):
        assert held.client(name) is None
        held.hold(PROVIDERS[name].key_variable, SECRET)
        assert held.client(name).api_key == SECRET
    assert "groq" in str(held.client("groq").base_url)
    held.forget()
    assert held.client("openai") is None


@pytest.mark.parametrize("name", ["gemini", "cohere"])
def test_the_further_vendors_take_a_typed_key(name):
    held = Keys()
    held.hold(PROVIDERS[name].key_variable, SECRET)
    assert held.client(name) is not None


def test_keys_are_never_pickled_and_their_repr_names_variables_only():
    held = Keys()
    held.hold("OPENAI_API_KEY", SECRET)
    assert repr(held) == "<keys held for: OPENAI_API_KEY>"
    for value in (held, held._held["OPENAI_API_KEY"]):
        with pytest.raises(HarnessError, match="never pickled"):
            pickle.dumps(value)


@pytest.mark.parametrize("variable", ["BINDER_SERVICE_HOST", "JUPYTERHUB_USER", "BINDER_REPO_URL"])
def test_on_a_hub_there_is_a_sentence_in_the_place_of_the_field(monkeypatch, variable):
    assert not on_a_hub({"JUPYTER_TOKEN": "x"})
    monkeypatch.setenv(variable, "x")
    widget = live(switcher())
    assert widget._key.layout.display == "none"
    assert widget._no_key.layout.display == ""
    widget._hold(SECRET)
    assert not widget._keys.has("OPENAI_API_KEY")


def test_only_vendors_with_a_key_of_their_own_have_the_field():
    assert {name for name in PROVIDERS if not keys.can_be_typed(name)} == {"bedrock", "local"}
    widget = switcher()
    assert widget._key.layout.display == "none"


# ---- pictures


def test_its_picture_is_the_same_on_every_machine():
    first = switcher().static_html()
    assert "run this cell to make it live" in first
    assert first == switcher().static_html()
    assert "API_KEY" not in first


def test_neither_an_sdk_nor_the_model_is_loaded_before_it_is_needed():
    code = "import sys; from harness.workbook.widgets import switcher; switcher(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "harness.workbook.widgets.provider_switcher" in loaded
    assert not {"openai", "anthropic", "cohere", "boto3", "google.genai", "pandas", "xllamacpp"} & set(loaded)
