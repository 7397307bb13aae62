"""A notebook in a real browser, for tests: open it, run it, wait until it is done, look at it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Playwright, expect, sync_playwright

from .bootstrap import ROOT
from .lab_server import LabServer

FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-sync",
    "--no-first-run",
)
SCREENSHOTS = ROOT / "build" / "screenshots"
# How each application names its page for a notebook.
PAGES = {"lab": "lab/tree/notebooks/{name}?reset", "notebook": "notebooks/notebooks/{name}?"}
# Notebook 7.6 says these on pages that hold nothing of ours, too.
ITS_OWN_ERRORS = (
    "Cannot read properties of undefined (reading 'schema')",
    "Command 'filebrowser:open-path' not registered.",
)
READY = """() => {
  const current = window.jupyterapp?.shell.currentWidget;
  const session = current?.sessionContext ?? current?.content?.sessionContext;
  const kernel = session?.session?.kernel;
  return kernel?.status === "idle" && kernel.connectionStatus === "connected"
    && ![...document.querySelectorAll(".jp-InputPrompt")].some(prompt => prompt.textContent.includes("*"));
}"""


def executable(playwright: Playwright) -> str | None:
    """A Chromium: the system's, else playwright's own, else None."""
    own = playwright.chromium.executable_path
    candidates = [shutil.which(name) for name in ("chromium", "chromium-browser")] + [own]
    return next((path for path in candidates if path and Path(path).exists()), None)


@contextmanager
def browser() -> Iterator[Browser | None]:
    """A headless Chromium until the block ends, or None where this machine has none."""
    with sync_playwright() as playwright:
        path = executable(playwright)
        if path is None:
            yield None
            return
        root = hasattr(os, "geteuid") and os.geteuid() == 0
        chromium = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *(["--no-sandbox"] if root else [])])
        yield chromium
        chromium.close()


class NotebookPage:
    """One notebook in one fresh page of JupyterLab (`app="lab"`) or Notebook 7 (`app="notebook"`)."""

    def __init__(self, page: Page, server: LabServer, app: str = "lab") -> None:
        self.page = page
        self.server = server
        self.app = app
        self.console_errors: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self._note(str(error)))

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._note(message.text)

    def _note(self, error: str) -> None:
        if not (self.app == "notebook" and error.startswith(ITS_OWN_ERRORS)):
            self.console_errors.append(error)

    def open(self, notebook: str | Path) -> None:
        """Open a fresh copy of a notebook, named as in `notebooks/` or by a path; wait until its kernel is idle."""
        name = self.server.put(notebook)
        address = PAGES[self.app].format(name=name)
        self.page.goto(f"{self.server.url}{address}&token={self.server.token}")
        self.page.locator(".jp-Notebook .jp-Cell").first.wait_for(timeout=60_000)
        self.wait_idle()

    def command(self, name: str, **arguments: Any) -> None:
        """Run a command of the application by its name, as its menu does."""
        self.page.evaluate("([name, args]) => window.jupyterapp.commands.execute(name, args)", [name, arguments])

    def run_all(self, seconds: float = 120) -> None:
        """Run every cell and wait until the last is done."""
        self.command("runmenu:run-all")
        self.wait_idle(seconds)

    def run_cell(self, number: int, seconds: float = 60) -> None:
        """Run code cell `number` (from 1, as in a notebook that was run once) and wait until it is done."""
        self.code_cell(number).locator(".jp-InputArea-editor").click()
        self.command("notebook:run-cell")
        self.wait_idle(seconds)

    def wait_idle(self, seconds: float = 60) -> None:
        """Wait for a connected, idle kernel and no cell that is waiting or running."""
        self.page.wait_for_function(READY, timeout=seconds * 1000)

    def code_cell(self, number: int) -> Locator:
        """Code cell `number`, from 1."""
        return self.page.locator(".jp-Notebook .jp-CodeCell").nth(number - 1)

    def output(self, number: int) -> Locator:
        """The output area of code cell `number`, from 1."""
        return self.code_cell(number).locator(".jp-Cell-outputArea")

    def theme(self, name: str) -> None:
        """Switch to the `light` or the `dark` theme."""
        theme = f"JupyterLab {name.capitalize()}"
        self.command("apputils:change-theme", theme=theme)
        expect(self.page.locator("body")).to_have_attribute("data-jp-theme-name", theme)

    def width(self, pixels: int) -> None:
        """Make the window this wide."""
        self.page.set_viewport_size({"width": pixels, "height": 900})

    def screenshot(self, name: str, of: Locator | None = None) -> Path:
        """A picture of the page, or of one part of it, in `build/screenshots/`."""
        path = SCREENSHOTS / f"{name}.png"
        (of or self.page).screenshot(path=path)
        return path
