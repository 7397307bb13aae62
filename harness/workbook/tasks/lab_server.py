"""A Jupyter server for tests and measurements: nothing of the user's settings goes in, nothing is left behind."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .bootstrap import ROOT
from .notebook_files import NOTEBOOKS, keyless

FOLDERS = (
    "JUPYTER_CONFIG_DIR",
    "JUPYTER_DATA_DIR",
    "JUPYTER_RUNTIME_DIR",
    "JUPYTERLAB_SETTINGS_DIR",
    "JUPYTERLAB_WORKSPACES_DIR",
    "IPYTHONDIR",
)
SETTINGS = {
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false"},
    # Cells that are out of sight are in the page as well.
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
}
OPTIONS = (
    "--no-browser",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port=0",
    # `window.jupyterapp` runs commands by name.
    "--LabApp.expose_app_in_browser=True",
    "--JupyterNotebookApp.expose_app_in_browser=True",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
)


@dataclass(frozen=True)
class LabServer:
    """A running server: its process, where it answers (with a slash at the end), its token, its folder of notebooks."""

    process: subprocess.Popen[bytes]
    url: str
    token: str
    notebooks: Path

    def put(self, notebook: str | Path) -> str:
        """Lay a fresh copy of a notebook (a name means ours) beside the others; its name there."""
        source = NOTEBOOKS / notebook
        shutil.copyfile(source, self.notebooks / source.name)
        return source.name

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """One call of the server's REST interface, such as `GET`, `api/kernels`."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, method=method)
        request.add_header("Authorization", f"token {self.token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read() or b"null")

    def stop_kernels(self) -> None:
        """End every kernel that was started on this server."""
        for kernel in self.ask("GET", "api/kernels"):
            self.ask("DELETE", f"api/kernels/{kernel['id']}")


@contextmanager
def lab_server(folder: Path, python: Path = Path(sys.executable)) -> Iterator[LabServer]:
    """JupyterLab (and, where it is installed, Notebook 7) on copies of our notebooks, until the block ends."""
    folder.mkdir(parents=True, exist_ok=True)
    root = folder / "root"
    shutil.copytree(NOTEBOOKS, root / "notebooks")
    environment = surroundings(folder)
    command = [str(python), "-m", "jupyterlab", *OPTIONS, f"--ServerApp.root_dir={root}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=root, env=environment, stdout=log, stderr=log)
        try:
            yield answering(process, Path(environment["JUPYTER_RUNTIME_DIR"]), folder)
        finally:
            process.terminate()
            process.wait(30)


def surroundings(folder: Path) -> dict[str, str]:
    """The environment of a user who has never run Jupyter, without keys, with this checkout to import from."""
    environment = {**keyless(), "PYTHONPATH": str(ROOT)}
    for name in FOLDERS:
        environment[name] = str(folder / name.lower())
    for plugin, values in SETTINGS.items():
        file = Path(environment["JUPYTERLAB_SETTINGS_DIR"]) / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values), encoding="utf-8")
    return environment


def answering(process: subprocess.Popen[bytes], runtime: Path, folder: Path, seconds: float = 120) -> LabServer:
    """The server once it answers: it writes its address into `runtime` a little before that."""
    end = time.monotonic() + seconds
    file = runtime / f"jpserver-{process.pid}.json"
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError, ValueError):
            found = json.loads(file.read_text(encoding="utf-8"))
            server = LabServer(process, found["url"], found["token"], folder / "root" / "notebooks")
            server.ask("GET", "api")
            return server
        time.sleep(0.1)
    log = (folder / "server.log").read_text(encoding="utf-8", errors="replace")
    raise RuntimeError(f"JupyterLab did not start:\n{log[-3000:]}")
