"""One JupyterLab and one Chromium for all browser tests; a fresh page, a fresh copy and a fresh kernel for each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe

from harness.workbook.tasks.browser import NotebookPage, browser
from harness.workbook.tasks.lab_server import lab_server


@pytest.fixture(scope="session")
def chromium(require):
    with browser() as found:
        require(found, "no browser: neither chromium nor playwright's own is installed")
        yield found


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with lab_server(tmp_path_factory.mktemp("jupyter")) as running:
        yield running


@pytest.fixture
def open_page(chromium, server):
    """`open_page("lab")` or `open_page("notebook")`: a fresh page of JupyterLab or Notebook 7."""
    contexts = []

    def open_one(app: str = "lab") -> NotebookPage:
        contexts.append(chromium.new_context(viewport={"width": 1400, "height": 900}))
        return NotebookPage(contexts[-1].new_page(), server, app)

    yield open_one
    for context in contexts:
        context.close()
    server.stop_kernels()


@pytest.fixture
def lab(open_page) -> NotebookPage:
    """A fresh page of JupyterLab: `lab.open("3.0-start-here.ipynb")`, `lab.run_all()`, `lab.output(1)`."""
    return open_page("lab")


@pytest.fixture
def notebook7(open_page) -> NotebookPage:
    """A fresh page of Notebook 7."""
    return open_page("notebook")


@pytest.fixture
def notebook(tmp_path) -> Callable[..., Path]:
    """`notebook("a = 1", "a")`: the path of a new notebook with these code cells."""

    def write(*cells: str) -> Path:
        v4 = nbformat.v4
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        made = v4.new_notebook(cells=[*map(v4.new_code_cell, cells)], metadata={"kernelspec": kernel})
        path = tmp_path / f"{tmp_path.name}.ipynb"
        nbformat.write(made, path)
        return path

    return write


@pytest.fixture
def audit() -> Callable[[NotebookPage, str], list[str]]:
    """`audit(page, ".hwi")`: the serious faults that axe finds in what the selector names, one line each."""

    def serious(page: NotebookPage, selector: str) -> list[str]:
        found = Axe().run(page.page, context=selector).response
        assert found["passes"], f"axe found nothing to look at in {selector}"
        return [
            f"{fault['id']}: {node['html'][:200]}"
            for fault in found["violations"]
            if fault["impact"] in ("serious", "critical")
            for node in fault["nodes"]
        ]

    return serious


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)
