"""The browser support itself, on a notebook of three cells."""

from __future__ import annotations

import nbformat
import pytest
from playwright.sync_api import expect

CELLS = ["import ipywidgets as w\nbox = w.IntSlider(description='volume')\nbox", "print(6 * 7)"]


@pytest.fixture
def tiny(tmp_path):
    v4 = nbformat.v4
    cells = [v4.new_markdown_cell("# Tiny"), *map(v4.new_code_cell, CELLS)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    path = tmp_path / "tiny.ipynb"
    nbformat.write(v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
    return path


@pytest.mark.parametrize("app", ["lab", "notebook"])
def test_a_notebook_runs_and_shows_a_widget_in_both_applications(open_page, tiny, app):
    page = open_page(app)
    page.open(tiny)
    expect(page.output(2)).to_have_text("")
    page.run_all()
    expect(page.output(2)).to_contain_text("42")
    expect(page.output(1).locator(".widget-slider")).to_be_visible()
    for theme in ("dark", "light"):
        page.theme(theme)
        page.screenshot(f"support-{app}-{theme}")
    assert page.console_errors == []


def test_one_cell_runs_alone(lab, tiny):
    lab.open(tiny)
    lab.run_cell(2)
    expect(lab.output(2)).to_contain_text("42")
    expect(lab.output(1)).to_have_text("")


def test_errors_of_the_page_are_noted(lab, tiny):
    lab.open(tiny)
    lab.page.evaluate("console.error('one'); setTimeout(() => { throw new Error('two') })")
    lab.page.wait_for_timeout(200)
    assert lab.console_errors == ["one", "two"]
