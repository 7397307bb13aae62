"""The loop stepper on screen: arrow keys, buttons, play, another wire, the picture without a kernel, looks."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import expect

from harness.workbook import samples
from harness.workbook.widgets import stepper

STEPPER = (
    "from harness.workbook import samples\nfrom harness.workbook.widgets import stepper\n"
    "stepper(samples.calculator_events())"
)


@pytest.fixture
def shown(lab, notebook):
    """The page with the stepper, run, and its output area."""
    lab.open(notebook(STEPPER))
    lab.run_all()
    return lab, lab.output(1)


def test_the_run_is_stepped_by_keyboard_button_and_play(shown):
    page, widget = shown
    status = widget.locator("p[role=status]")
    expect(status).to_contain_text("Turn 1 of 2. Tokens so far: 92 in, 24 out.")
    widget.get_by_role("slider", name="Turn").focus()
    page.page.keyboard.press("ArrowRight")
    expect(status).to_contain_text("Turn 2 of 2. Tokens so far: 223 in, 43 out.")
    added = widget.locator(".hw-pane", has_text="Added by this turn")
    expect(added).to_contain_text("added: the response")
    expect(added).to_contain_text(samples.ANSWER)
    page.page.keyboard.press("ArrowLeft")
    expect(status).to_contain_text("Turn 1 of 2")
    expect(added).to_contain_text("added: a tool's result")
    widget.get_by_role("button", name="Next turn").press("Enter")
    expect(status).to_contain_text("Turn 2 of 2")
    widget.get_by_role("button", name="Previous turn").click()
    expect(status).to_contain_text("Turn 1 of 2")
    widget.get_by_role("button", name="Play").click()
    expect(status).to_contain_text("Turn 2 of 2", timeout=15_000)
    expect(widget.get_by_role("button", name="Play")).to_be_visible()
    sent = widget.locator(".hw-pane", has_text="Body sent")
    expect(sent).to_contain_text('"tool_use"')
    widget.get_by_label("Body sent on").select_option(label="OpenAI Chat Completions")
    expect(sent).to_contain_text('"role": "tool"')
    assert page.console_errors == []


def test_it_is_readable_in_both_themes_and_stacks_in_a_narrow_window(shown, audit):
    page, widget = shown
    panes = widget.locator(".hw-pane")
    page.page.set_viewport_size({"width": 1400, "height": 1300})
    for theme in ("dark", "light"):
        page.theme(theme)
        page.screenshot(f"stepper-{theme}", widget)
        assert audit(page, ".jp-OutputArea-output .hw") == []
    assert len({panes.nth(i).bounding_box()["y"] for i in range(3)}) == 1
    page.width(600)
    tops = [panes.nth(i).bounding_box()["y"] for i in range(3)]
    page.screenshot("stepper-narrow")
    assert tops[0] < tops[1] < tops[2]
    assert page.console_errors == []


def test_before_it_is_run_a_saved_notebook_shows_the_picture(lab, notebook):
    path = notebook(STEPPER)
    saved = nbformat.read(path, as_version=4)
    data = {"text/html": stepper(samples.calculator_events()).static_html(), "text/plain": ""}
    output = nbformat.v4.new_output("execute_result", data, execution_count=1)
    saved.cells[0].update(outputs=[output], execution_count=1)
    nbformat.write(saved, path)
    lab.open(path)
    for part in ("run this cell to make it live", "Turn 1 of 2", "Body sent", "17 * 23 - 100"):
        expect(lab.output(1)).to_contain_text(part)
    assert lab.console_errors == []
