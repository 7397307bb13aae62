"""The wire inspector on screen: pointing, keyboard, editing, pasting, further wires, looks, latency."""

from __future__ import annotations

import re

import nbformat
import pytest
from playwright.sync_api import expect

from harness import ToolCall
from harness.workbook.tasks import latency
from harness.workbook.widgets import inspector

SET_UP = "from harness import *\nfrom harness.workbook import samples\nfrom harness.workbook.widgets import inspector"
ON_CALL = "i = inspector(ToolCall('call_1', 'calc', {'expression': '17 * 23 - 100'}))\ni"
VENDORS = ["Anthropic Messages", "OpenAI Responses", "OpenAI Chat Completions"]
NOTHING_LIT = re.compile(r"^(?!.*\bhw-lit\b)")
LIT = re.compile(r"\bhw-lit\b")

# Counts what is sent to the kernel from now on.
COUNT_SENT = """() => {
  window.sent = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...args) { window.sent += 1; return send.apply(this, args); };
}"""

# Types into a field at a typist's pace; the milliseconds until every pane shows what was typed.
TYPE = """async () => {
  const widget = document.querySelector(".hwi"), field = widget.querySelector(".hwi-field input");
  const panes = [...widget.querySelectorAll(".hw-pane:not(.hwi-here) pre")], times = [];
  for (let i = 0; i < 25; i++) {
    const start = performance.now();
    field.value = `call_${1000 + i}`;
    field.dispatchEvent(new Event("input", { bubbles: true }));
    while (!panes.every(pane => pane.textContent.includes(field.value))) {
      await new Promise(resolve => setTimeout(resolve, 1));
    }
    times.push(performance.now() - start);
    await new Promise(resolve => setTimeout(resolve, 200));
  }
  return times.slice(5);
}"""

# Notes when each moment that Python writes into a pane is seen there.
WATCH = """() => {
  window.delays = [];
  const pre = document.querySelector(".hwi .hw-pane:not(.hwi-here) pre");
  new MutationObserver(() => {
    const written = /at (\\d+\\.\\d+)/.exec(pre.textContent);
    if (written) window.delays.push(performance.timeOrigin + performance.now() - Number(written[1]));
  }).observe(pre, { childList: true });
}"""
WRITE = (
    "import time\nfor _ in range(25):\n    i.subject = TextBlock(f'at {time.time() * 1000:.3f}')\n    time.sleep(0.15)"
)


@pytest.fixture
def on_call(open_page, notebook):
    """The inspector on the calculator's call, run, in the application asked for."""

    def run(app: str = "lab", *more: str):
        page = open_page(app)
        page.open(notebook(f"{SET_UP}\n{ON_CALL}", *more))
        page.run_cell(1)
        expect(page.output(1).locator(".hwi .hw-pane")).to_have_count(4)
        return page

    return run


def pane(page, label: str, cell: int = 1):
    return page.output(cell).get_by_role("region", name=label, exact=True)


def value(page, label: str, text: str):
    return pane(page, label).locator(".hw-v", has_text=text)


@pytest.mark.parametrize("app", ["lab", "notebook"])
def test_pointing_at_a_value_lights_it_in_every_pane_without_the_kernel(on_call, app):
    page = on_call(app)
    page.page.evaluate(COUNT_SENT)
    value(page, VENDORS[0], "call_1").hover()
    for vendor in VENDORS:
        expect(value(page, vendor, "call_1")).to_have_class(LIT)
        expect(value(page, vendor, "calc").first).to_have_class(NOTHING_LIT)
    field = page.output(1).locator(".hwi-field", has_text="id").first
    expect(field).to_have_class(LIT)
    mark = "element => getComputedStyle(element.querySelector('span'), '::before').content"
    assert field.evaluate(mark) == '"◆"'
    outline = value(page, VENDORS[2], "call_1").evaluate("element => getComputedStyle(element).outlineStyle")
    assert outline == "solid"
    value(page, VENDORS[0], "17 * 23").hover()
    expect(value(page, VENDORS[1], "expression")).to_have_class(LIT)
    expect(value(page, VENDORS[1], "call_1")).to_have_class(NOTHING_LIT)
    assert page.page.evaluate("window.sent") == 0
    assert page.console_errors == []


def test_the_keyboard_reaches_every_value_and_keeps_one_lit(on_call):
    page = on_call()
    keys = page.page.keyboard
    pane(page, VENDORS[0]).get_by_role("button", name="Paste JSON").focus()
    keys.press("Tab")
    expect(value(page, VENDORS[0], "call_1")).to_be_focused()
    said = page.output(1).get_by_role("status")
    expect(said).to_contain_text("OpenAI Responses: input[0].call_id")
    expect(said).to_contain_text("OpenAI Chat Completions: messages[0].tool_calls[0].id")
    keys.press("ArrowDown")
    expect(value(page, VENDORS[0], "calc")).to_be_focused()
    keys.press("ArrowRight")
    expect(value(page, VENDORS[1], '"calc"')).to_be_focused()
    keys.press("Enter")
    keys.press("End")
    expect(value(page, VENDORS[1], '"calc"')).to_have_attribute("aria-pressed", "true")
    expect(value(page, VENDORS[2], '"calc"')).to_have_class(LIT)
    keys.press("Escape")
    expect(value(page, VENDORS[2], '"calc"')).to_have_class(NOTHING_LIT)
    for command in "xadd":  # cut, insert, and delete a cell, if JupyterLab heard them
        keys.press(command)
    expect(page.page.locator(".jp-Notebook .jp-Cell")).to_have_count(1)
    keys.press("Tab")
    expect(pane(page, VENDORS[2]).get_by_role("button", name="Paste JSON")).to_be_focused()
    assert page.console_errors == []


def test_an_edit_changes_every_pane_and_a_wrong_one_says_where_and_keeps_the_text(on_call):
    page = on_call()
    field = page.output(1).get_by_label("args (JSON)")
    field.fill('{"expression": "2 + 2"}')
    for vendor in VENDORS:
        expect(pane(page, vendor)).to_contain_text("2 + 2")
    field.fill('{"expression": ')
    expect(pane(page, "a tool call").get_by_role("alert")).to_contain_text("args: is no JSON: line 1, column 16")
    expect(field).to_have_value('{"expression": ')
    expect(pane(page, VENDORS[0])).to_contain_text("2 + 2")
    field.press_sequentially('"3"}')
    for vendor in VENDORS:
        expect(pane(page, vendor)).not_to_contain_text("2 + 2")
    expect(pane(page, "a tool call").get_by_role("alert")).to_be_hidden()
    expect(field).to_be_focused()
    assert page.console_errors == []


def test_pasted_json_becomes_the_block_and_a_bad_paste_loses_nothing(on_call):
    page = on_call()
    responses = pane(page, VENDORS[1])
    responses.get_by_role("button", name="Paste JSON").click()
    text = responses.get_by_role("textbox")
    bad = '{"type": "function_call_output", "call_id": 9, "output": "[tool error]\\nno such thing"}'
    text.fill(bad)
    responses.get_by_role("button", name="Read it back").click()
    expect(responses.get_by_role("alert")).to_contain_text("input[0].call_id")
    expect(text).to_have_value(bad)
    expect(pane(page, VENDORS[0])).to_contain_text("17 * 23 - 100")
    text.fill(bad.replace("9", '"call_9"'))
    responses.get_by_role("button", name="Read it back").click()
    expect(page.output(1).get_by_text("Wire inspector: a tool result")).to_be_visible()
    expect(page.output(1).get_by_label("is_error")).to_be_checked()
    expect(pane(page, VENDORS[0])).to_contain_text('"is_error": true')
    expect(responses).to_contain_text("is_error, carried in another form")
    expect(text).to_be_hidden()
    responses.get_by_role("button", name="Paste JSON").click()
    expect(text).to_have_value(re.compile('"call_9"'))
    text.press("Escape")
    expect(responses.get_by_role("button", name="Paste JSON")).to_be_focused()
    assert page.console_errors == []


def test_a_transcript_shows_what_is_left_out_and_a_further_wire_comes_on_request(lab, notebook):
    lab.open(notebook(f"{SET_UP}\ninspector(samples.thinking_run())"))
    lab.run_all()
    expect(pane(lab, VENDORS[0])).to_contain_text("Left out: nothing")
    expect(pane(lab, VENDORS[1])).to_contain_text("the reasoning “A product, then a difference.”")
    last = value(lab, VENDORS[2], "291")
    expect(last).not_to_be_in_viewport()
    pane(lab, VENDORS[0]).locator(".hw-v").first.focus()
    lab.page.keyboard.press("End")
    expect(value(lab, VENDORS[0], "291")).to_be_focused()
    expect(last).to_have_class(LIT)
    top = "element => element.getBoundingClientRect().top - element.closest('pre').getBoundingClientRect().top"
    assert 0 <= last.evaluate(top) < last.evaluate("element => element.closest('pre').clientHeight")
    further = lab.output(1).get_by_role("group", name="Wires").locator("input:not(:checked)").first
    label = further.locator("xpath=..").inner_text().strip()
    further.check()
    expect(pane(lab, label)).to_contain_text("17 * 23 - 100")
    further_box = lab.output(1).get_by_role("group", name="Wires").get_by_label(label)
    expect(further_box).to_be_checked()
    further_box.uncheck()
    expect(pane(lab, label)).to_have_count(0)
    here = pane(lab, "a transcript of 3 messages")
    here.get_by_role("button", name="Edit JSON").click()
    text = here.get_by_role("textbox")
    text.fill(text.input_value().replace("17 * 23", "18 * 23"))
    here.get_by_role("button", name="Take it").click()
    for vendor in VENDORS:
        expect(pane(lab, vendor)).to_contain_text("What is 18 * 23, minus 100?")
    assert lab.console_errors == []


def test_it_is_readable_in_both_themes_and_stacks_in_a_narrow_window(on_call, audit):
    page = on_call("lab", "inspector(samples.thinking_run())", "inspector(samples.schemas()[0])")
    page.run_all()
    page.page.set_viewport_size({"width": 1400, "height": 1500})
    for theme in ("dark", "light"):
        page.theme(theme)
        value(page, VENDORS[0], "call_1").hover()
        page.screenshot(f"inspector-{theme}", page.output(1))
        assert audit(page, ".hwi") == []
    wide = [pane(page, vendor).bounding_box()["y"] for vendor in VENDORS]
    assert len(set(wide)) == 1
    page.width(600)
    narrow = [pane(page, vendor).bounding_box() for vendor in VENDORS]
    assert narrow[0]["y"] < narrow[1]["y"] < narrow[2]["y"]
    page.screenshot("inspector-narrow")


def test_before_it_is_run_a_saved_notebook_shows_the_picture(lab, notebook):
    path = notebook("inspector(call)")
    saved = nbformat.read(path, as_version=4)
    html = inspector(ToolCall("call_1", "calc", {"expression": "17 * 23 - 100"})).static_html()
    output = nbformat.v4.new_output("execute_result", {"text/html": html, "text/plain": ""}, execution_count=1)
    saved.cells[0].update(outputs=[output], execution_count=1)
    nbformat.write(saved, path)
    lab.open(path)
    expect(lab.output(1)).to_contain_text("run this cell to make it live")
    for part in ('"tool_use"', '"function_call"', '"tool_calls"', "Rules broken: none", "Left out: nothing"):
        expect(lab.output(1)).to_contain_text(part)
    lab.screenshot("inspector-picture")
    assert lab.console_errors == []


def test_latencies_are_measured_and_kept_for_the_bench(on_call):
    page = on_call("lab", WRITE)
    back = latency.note("inspector: edit to Python and back on all panes", page.page.evaluate(TYPE))
    page.page.evaluate(WATCH)
    page.run_cell(2)
    delays = page.page.evaluate("window.delays")
    assert len(delays) > 20
    there = latency.note("inspector: change in Python to the screen", delays[5:])
    print(f"edit and back {back} ms, change to screen {there} ms")
