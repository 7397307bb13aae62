"""Every notebook in JupyterLab: all cells run without an error, and without a kernel each widget's picture is seen."""

from __future__ import annotations

import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import expect

from harness.workbook import local_model
from harness.workbook.tasks.notebook_files import paths, read

FAULTS = (
    ".jp-Notebook [data-mime-type='application/vnd.jupyter.error'], [data-mime-type='application/vnd.jupyter.stderr']"
)
LONGEST_ANSWER = 240_000  # milliseconds; the embedded model on a busy machine


def run_all(lab, name):
    lab.open(name)
    lab.run_all(180)
    expect(lab.page.locator(FAULTS)).to_have_count(0)
    prompts = lab.page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts()
    assert prompts == [f"[{number}]:" for number in range(1, len(prompts) + 1)]


@pytest.mark.parametrize(
    "path", [path for path in paths() if not path.name.startswith("3.6")], ids=lambda path: path.name[:3]
)
def test_all_cells_run(lab, path):
    run_all(lab, path.name)
    assert lab.console_errors == []


def ask(lab, provider):
    """Press Run in the switcher of 3.6 with one provider chosen; the exchange that appears."""
    switcher = lab.page.locator(".jp-CodeCell", has_text="switcher()").last
    before = switcher.get_by_role("region", name="Exchange").count()
    switcher.get_by_label("Provider").select_option(label=provider)
    run = switcher.get_by_role("button", name="Run", exact=True)
    run.click()
    exchange = switcher.get_by_role("region", name=f"Exchange {before + 1}")
    expect(exchange).to_contain_text("291", timeout=LONGEST_ANSWER)
    expect(exchange.locator(".hw-word")).to_have_text(provider.split(":")[0])


def test_3_6_runs_and_its_switcher_asks_a_stand_in(lab):
    run_all(lab, "3.6-swapping-providers.ipynb")
    ask(lab, "stand-in: OpenAI Responses stand-in")
    assert lab.console_errors == []


@pytest.mark.model
def test_3_6_asks_the_embedded_model(lab, require):
    require(local_model.status().cached, "the embedded model is not here: make model")
    lab.open("3.6-swapping-providers.ipynb")
    lab.run_all(180)
    ask(lab, "local model: Embedded model on Anthropic Messages")
    assert lab.console_errors == []


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.name[:3])
def test_without_a_kernel_each_picture_is_seen(chromium, tmp_path, path):
    html = HTMLExporter().from_notebook_node(read(path))[0]
    file = tmp_path / "page.html"
    file.write_text(html, encoding="utf-8")
    context = chromium.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    pictures = page.locator("section.hw")
    assert pictures.count() == html.count("<section ")
    for picture in pictures.all():
        expect(picture).to_be_visible()
        box = picture.bounding_box()
        assert box and box["width"] > 200 and box["height"] > 20
    context.close()
