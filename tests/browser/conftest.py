"""One JupyterLab and one Chromium for all browser tests; a fresh page, a fresh copy and a fresh kernel for each."""

from __future__ import annotations

import pytest

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


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)
