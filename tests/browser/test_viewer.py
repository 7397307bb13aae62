"""The transcript viewer and the status card on screen."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import expect

from harness.workbook import samples
from harness.workbook.widgets import viewer

VIEWER = (
    "from harness.workbook import samples\nfrom harness.workbook.widgets import viewer\nviewer(samples.thinking_run())"
)
CARD = "from harness.workbook.widgets import status_card\nstatus_card()"


@pytest.mark.parametrize("app", ["lab", "notebook"])
def test_kinds_of_block_can_be_hidden_and_fields_unfolded_by_keyboard(open_page, notebook, app):
    page = open_page(app)
    page.open(notebook(VIEWER))
    page.run_all()
    shown = page.output(1)
    call = shown.locator(".hwv-tool_call")
    expect(call).to_be_visible()
    box = shown.get_by_label("tool call (1)")
    box.focus()
    page.page.keyboard.press("Space")
    expect(call).to_be_hidden()
    expect(shown.locator(".hwv-reasoning")).to_be_visible()
    page.page.keyboard.press("Space")
    expect(call).to_be_visible()
    expect(call).to_have_attribute("title", "ToolCall(id, name, args, metadata, kind)")
    call.locator("summary").focus()
    page.page.keyboard.press("Enter")
    expect(call.locator("details")).to_contain_text('id: "toolu_1"')
    expect(page.page.locator(".jp-Notebook .jp-Cell")).to_have_count(1)
    assert page.console_errors == []


def test_both_are_readable_in_both_themes_and_in_a_narrow_window(lab, notebook, audit):
    lab.open(notebook(VIEWER, CARD))
    lab.run_all()
    expect(lab.output(2).locator(".hws")).to_contain_text("scripted")
    lab.page.set_viewport_size({"width": 1400, "height": 1500})
    for theme in ("dark", "light"):
        lab.theme(theme)
        lab.screenshot(f"viewer-{theme}", lab.output(1))
        lab.screenshot(f"status-{theme}", lab.output(2))
        assert audit(lab, ".hwv") == []
        assert audit(lab, ".hws") == []
    lab.width(600)
    for number in (1, 2):
        inner = lab.output(number).locator(".hw")
        assert inner.evaluate("element => element.scrollWidth <= element.clientWidth + 1")
    lab.screenshot("viewer-narrow")
    assert lab.console_errors == []


def test_the_card_looks_again_when_asked_and_its_reasons_unfold(lab, notebook):
    lab.open(notebook(CARD))
    lab.run_all()
    card = lab.output(1)
    again = card.get_by_role("button", name="Look again")
    expect(again).to_be_enabled(timeout=15_000)
    expect(card.get_by_role("row", name="scripted MockProvider")).to_be_visible()
    card.get_by_text("cannot answer now: why, and what to do").click()
    expect(card.get_by_role("row", name="live Anthropic Messages")).to_contain_text("set ANTHROPIC_API_KEY")
    again.press("Enter")
    expect(card.get_by_role("row", name="local model Embedded model")).to_be_attached(timeout=15_000)
    expect(again).to_be_enabled(timeout=15_000)
    assert lab.console_errors == []


def test_before_it_is_run_a_saved_notebook_shows_the_same_blocks_without_a_filter(lab, notebook):
    path = notebook(VIEWER)
    saved = nbformat.read(path, as_version=4)
    data = {"text/html": viewer(samples.thinking_run())._repr_html_(), "text/plain": ""}
    output = nbformat.v4.new_output("execute_result", data, execution_count=1)
    saved.cells[0].update(outputs=[output], execution_count=1)
    nbformat.write(saved, path)
    lab.open(path)
    expect(lab.output(1)).to_contain_text("A product, then a difference.")
    expect(lab.output(1).get_by_text("Show", exact=True)).to_be_hidden()
    lab.screenshot("viewer-picture")
