"""The token plot on screen: filters by keyboard and mouse, own runs on top, the picture without a kernel, looks."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import expect

from harness.workbook.widgets import token_plot

PLOT = "from harness.workbook import samples\nfrom harness.workbook.widgets import token_plot\np = token_plot()\np"
ADD = "p.add(samples.thinking_run(), 'scripted')"


@pytest.mark.parametrize("app", ["lab", "notebook"])
def test_it_is_filtered_and_takes_own_runs_on_top(open_page, notebook, app):
    page = open_page(app)
    page.open(notebook(PLOT, ADD))
    page.run_cell(1)
    widget = page.output(1)
    plot = widget.get_by_role("img", name="Token plot: reasoning tokens against output tokens of 607 responses")
    expect(plot).to_be_visible()
    expect(plot.locator("path[d*=M] > title")).to_have_text(["anthropic", "openai"])
    expect(widget.get_by_label("Effort")).to_have_value("any")
    widget.get_by_label("Effort").select_option(label="medium")
    expect(widget).to_contain_text("20 of 2,459 recorded responses are shown")
    widget.get_by_label("Effort").select_option(label="any")
    vendors = widget.get_by_label("Vendors")
    vendors.focus()
    page.page.keyboard.press("Home")
    expect(widget).to_contain_text("774 of 2,459 recorded responses are shown")
    expect(widget).to_contain_text("google: median 85% of the output was reasoning")
    widget.get_by_label("Model").select_option(index=1)
    expect(widget).not_to_contain_text("774 of 2,459")
    page.run_cell(2)
    expect(widget).to_contain_text("Your response 1 (scripted, anthropic): 96 tokens out, 41 of them reasoning.")
    expect(widget.locator("svg title", has_text="this session's responses")).to_have_count(1)
    assert page.console_errors == []


def test_it_is_readable_in_both_themes_and_in_a_narrow_window(lab, notebook, audit):
    lab.open(notebook(PLOT, ADD))
    lab.run_all()
    widget = lab.output(1)
    expect(widget).to_contain_text("Your response 1")
    lab.page.set_viewport_size({"width": 1400, "height": 1500})
    for theme in ("dark", "light"):
        lab.theme(theme)
        lab.screenshot(f"token-plot-{theme}", widget)
        assert audit(lab, ".jp-OutputArea-output .hw") == []
    lab.width(600)
    inner = widget.locator(".hw").first
    assert inner.evaluate("element => element.scrollWidth <= element.clientWidth + 1")
    lab.screenshot("token-plot-narrow")
    assert lab.console_errors == []


def test_before_it_is_run_a_saved_notebook_shows_the_picture(lab, notebook):
    path = notebook(PLOT)
    saved = nbformat.read(path, as_version=4)
    data = {"text/html": token_plot().static_html(), "text/plain": ""}
    output = nbformat.v4.new_output("execute_result", data, execution_count=1)
    saved.cells[0].update(outputs=[output], execution_count=1)
    nbformat.write(saved, path)
    lab.open(path)
    expect(lab.output(1)).to_contain_text("run this cell to make it live")
    expect(lab.output(1)).to_contain_text("607 of 2,459 recorded responses are shown")
    lab.page.set_viewport_size({"width": 1400, "height": 1300})
    lab.screenshot("token-plot-picture", lab.output(1))
    expect(lab.output(1).get_by_role("img", name="Token plot")).to_be_visible()
    assert lab.console_errors == []
