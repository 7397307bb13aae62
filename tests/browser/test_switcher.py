"""The provider switcher on screen: ask, swap in mid conversation, look at the body, cancel, type a key, looks."""

from __future__ import annotations

import json

import nbformat
import pytest
from playwright.sync_api import expect

from harness.workbook import local_model
from harness.workbook.widgets import switcher

SWITCHER = "from harness.workbook.widgets import switcher\ns = switcher()\ns"
SLOW = """\
import time
from harness.workbook.widgets import switcher

class Slow:
    name = "slow"
    answer_kind = "scripted"
    def complete(self, transcript, tools):
        time.sleep(600)

switcher(Slow())"""
# What a front end would save of the widgets, and whatever else Python would show of this one.
STATE = "import json, ipywidgets\nprint(json.dumps(ipywidgets.Widget.get_manager_state()), repr(s), vars(s))"
SECRET = "sk-a-secret-that-nobody-may-see"
RESPONSES = "stand-in: OpenAI Responses stand-in"


@pytest.fixture
def shown(open_page, notebook):
    """The switcher, run, in the application asked for, and its output area."""

    def open_one(app="lab", *cells):
        page = open_page(app)
        page.open(notebook(*(cells or (SWITCHER,))))
        page.run_all()
        return page, page.output(1)

    return open_one


def press(widget, label):
    widget.get_by_role("button", name=label, exact=True).click()


def choose(widget, title):
    widget.get_by_label("Provider").select_option(label=title)


def test_a_question_is_asked_and_the_conversation_goes_on_elsewhere(shown):
    page, widget = shown()
    expect(widget).to_contain_text("can answer now: needs no key")
    assert widget.get_by_role("region", name="Answers").count() == 0
    widget.get_by_label("Reasoning").select_option(label="effort")
    widget.get_by_role("button", name="Run", exact=True).focus()
    page.page.keyboard.press("Enter")
    first = widget.get_by_role("region", name="Exchange 1")
    expect(first).to_contain_text("The answer is 291.", timeout=90_000)
    expect(first.locator(".hw-word")).to_have_text("stand-in")
    expect(first).to_contain_text("Anthropic Messages stand-in, claude")
    expect(first).to_contain_text("tokens in")
    expect(first.locator("details")).to_contain_text("17 * 23 - 100")
    choose(widget, RESPONSES)
    widget.get_by_label("Prompt").fill("What is 6 * 7?")
    press(widget, "Show the body to be sent")
    body = widget.locator(".hw-pane", has_text="Body that goes to OpenAI Responses stand-in")
    expect(body).to_contain_text('"type": "function_call_output"')
    expect(body).to_contain_text("What is 6 * 7?")
    expect(body).to_contain_text("Rules broken: nothing")
    expect(body).to_contain_text("which belongs to anthropic.messages")
    press(widget, "Run")
    second = widget.get_by_role("region", name="Exchange 2")
    expect(second).to_contain_text("The answer is 42.", timeout=90_000)
    page.page.set_viewport_size({"width": 1400, "height": 2200})
    page.screenshot("switcher-handover", widget)
    press(widget, "New conversation")
    expect(second).to_have_count(0)
    assert page.console_errors == []


def test_reasoning_is_set_by_effort_or_budget_and_stands_in_the_body(shown):
    page, widget = shown()
    press(widget, "Show the body to be sent")
    expect(widget.get_by_label("Budget")).to_be_hidden()
    widget.get_by_label("Reasoning").select_option(label="budget of tokens")
    budget = widget.get_by_label("Budget")
    budget.fill("3000")
    budget.press("Tab")
    expect(widget).to_contain_text('"budget_tokens": 3000')
    widget.get_by_label("Reasoning").select_option(label="effort")
    expect(widget).to_contain_text('"effort": "low"')
    expect(budget).to_be_hidden()
    choose(widget, RESPONSES)
    expect(widget.get_by_label("Reasoning")).to_have_value("off: not asked for")
    choose(widget, "scripted: MockProvider")
    expect(widget).to_contain_text("no wire: the provider gets the transcript itself")
    expect(widget.get_by_label("Reasoning")).to_be_disabled()
    assert page.console_errors == []


def test_a_run_is_cancelled_at_once(shown):
    page, widget = shown("lab", SLOW)
    press(widget, "Run")
    expect(widget.get_by_role("progressbar")).to_be_visible()
    expect(widget.get_by_role("status")).to_contain_text("Turn 1: waiting for slow (yours)")
    press(widget, "Cancel")
    expect(widget.get_by_role("status")).to_contain_text("Cancelled: the conversation is as it was before.")
    expect(widget.get_by_role("progressbar")).to_have_count(0)
    expect(widget.get_by_role("button", name="Run", exact=True)).to_be_visible()
    assert page.console_errors == []


def test_a_typed_key_is_held_and_stands_nowhere(shown):
    page, widget = shown("lab", SWITCHER, "'before'")
    choose(widget, "live: OpenAI Responses")
    expect(widget).to_contain_text("has no key: set OPENAI_API_KEY")
    press(widget, "Run live")
    expect(widget.get_by_role("status")).to_contain_text("has no key: set OPENAI_API_KEY before you start JupyterLab")
    field = widget.get_by_label("OPENAI_API_KEY (kept in memory only)")
    field.fill(SECRET)
    field.press("Enter")
    expect(widget).to_contain_text("OpenAI Responses can answer now: a key is held in memory")
    expect(field).to_have_value("")
    page.code_cell(2).locator(".cm-content").fill(STATE)
    page.run_cell(2)
    expect(page.output(2)).to_contain_text("keys held for: OPENAI_API_KEY")
    assert SECRET not in page.output(2).inner_text()
    page.command("docmanager:save")
    page.page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")
    saved = page.page.evaluate("() => JSON.stringify(window.jupyterapp.shell.currentWidget.context.model.toJSON())")
    assert json.loads(saved)["cells"] and SECRET not in saved
    assert page.console_errors == []


@pytest.mark.model
def test_the_embedded_model_answers(shown, require):
    require(local_model.status().cached, "the embedded model is not here: make model")
    page, widget = shown()
    choose(widget, "local model: Embedded model on Anthropic Messages")
    expect(widget).to_contain_text("can answer now", timeout=20_000)
    press(widget, "Run")
    first = widget.get_by_role("region", name="Exchange 1")
    expect(first).to_contain_text("291", timeout=240_000)
    expect(first.locator(".hw-word")).to_have_text("local model")
    assert page.console_errors == []


def test_it_is_readable_in_both_themes_and_in_a_narrow_window(shown, audit):
    page, widget = shown()
    choose(widget, "scripted: MockProvider")
    press(widget, "Run")
    expect(widget.get_by_role("region", name="Exchange 1")).to_contain_text("291", timeout=30_000)
    choose(widget, "live: Anthropic Messages")
    widget.get_by_text("cannot: who, and why").click()
    press(widget, "Show the body to be sent")
    page.page.set_viewport_size({"width": 1400, "height": 2400})
    for theme in ("dark", "light"):
        page.theme(theme)
        page.screenshot(f"switcher-{theme}", widget)
        assert audit(page, ".jp-OutputArea-output .hw") == []
    page.width(600)
    page.screenshot("switcher-narrow")
    inner = widget.locator(".hw").first
    assert inner.evaluate("element => element.scrollWidth <= element.clientWidth + 1")
    assert page.console_errors == []


def test_before_it_is_run_a_saved_notebook_shows_the_picture(lab, notebook):
    path = notebook(SWITCHER)
    saved = nbformat.read(path, as_version=4)
    data = {"text/html": switcher().static_html(), "text/plain": ""}
    output = nbformat.v4.new_output("execute_result", data, execution_count=1)
    saved.cells[0].update(outputs=[output], execution_count=1)
    nbformat.write(saved, path)
    lab.open(path)
    expect(lab.output(1)).to_contain_text("run this cell to make it live")
    expect(lab.output(1)).to_contain_text("It asks nobody before you press Run.")
    assert lab.console_errors == []
