"""The one server of all kernels: found by its state file, started by whoever needs it first."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import ProxyHandler, Request, build_opener

from . import cache
from .fetch import fetch
from .model import MODEL, TEMPLATE, ModelUnavailable

IDLE_SECONDS = 600.0
START_SECONDS = 120.0  # six where nothing else runs
ANSWER_SECONDS = 2.0
INSTALL = "pip install 'harness-workbook[model]'"
DIRECT = build_opener(ProxyHandler({}))  # a proxy does not stand between this machine and itself
_started: list[subprocess.Popen[bytes]] = []  # kept, so that Python does not warn that one outlives its handle


@dataclass(frozen=True)
class Running:
    """A server that answers on `port` of this machine to those who have its `token`."""

    port: int
    token: str

    @property
    def base_url(self) -> str:
        """The address without a path, as the Anthropic SDK wants it; OpenAI's wants `/v1` after it."""
        return f"http://127.0.0.1:{self.port}"


def find() -> Running | None:
    """The server that runs now, if it answers and is of our build; starts nothing."""
    state = _read_state()
    if not state or state.get("build") != _build() or not _is_alive(state):
        return None
    return Running(state["port"], state["token"])


def ensure() -> Running:
    """The server, started if none runs, its model fetched if it is not here. Raises `ModelUnavailable`.

    Of several processes that need it at once, one starts it and the others wait.
    """
    found = find()
    if found:
        return found
    require_package()
    from filelock import FileLock

    fetch()
    with FileLock(cache.folder() / "server.lock"):
        return find() or _start()


def stop() -> bool:
    """Tell the server to stop, by taking its state file away; true if one was running. It ends in a few seconds."""
    was_running = find() is not None
    _state_path().unlink(missing_ok=True)
    return was_running


def require_package() -> None:
    """Raise `ModelUnavailable` where llama.cpp is not installed."""
    if importlib.util.find_spec("xllamacpp") is None:
        raise ModelUnavailable(f"The embedded model needs one package more: {INSTALL}")


def _start() -> Running:
    if cache.discard_damaged():
        raise ModelUnavailable(
            "The file of the embedded model was damaged and has been removed: fetch it again with make model "
            "(python -m harness.workbook.local_model)."
        )
    _state_path().unlink(missing_ok=True)
    process = _spawn(_command())
    _started.append(process)
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        found = find()
        if found:
            return found
        time.sleep(0.1)
    process.kill()
    raise ModelUnavailable(
        "The server of the embedded model did not start: server.log in the cache folder has its words. It needs "
        "0.8 GB of free memory; everything else in the workbook works without it."
    )


def _command() -> list[str]:
    return [
        *(sys.executable, "-m", "harness.workbook.local_model.server"),
        *("--model", str(cache.model_path()), "--alias", MODEL.name, "--build", _build()),
        *("--state", str(_state_path()), "--idle-seconds", str(IDLE_SECONDS)),
    ]


def _spawn(command: list[str]) -> subprocess.Popen[bytes]:
    """A process that lives on without us: not in our session, and with no file of ours open."""
    folder = cache.folder()
    root = str(Path(__file__).parents[3])
    paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
    with (folder / "server.log").open("wb") as log:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": paths},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            **apart,
        )


def _state_path() -> Path:
    return cache.folder() / "server.json"


def _read_state() -> dict[str, Any] | None:
    try:
        state = json.loads(_state_path().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    whole = isinstance(state, dict) and {"port", "pid", "token", "build"} <= state.keys()
    return state if whole else None


def _is_alive(state: dict[str, Any]) -> bool:
    """Whether our server answers there. Another program that has got its port since does not know the model."""
    address = f"http://127.0.0.1:{state['port']}/v1/models"
    request = Request(address, headers={"Authorization": f"Bearer {state['token']}"})
    try:
        with DIRECT.open(request, timeout=ANSWER_SECONDS) as answer:
            return MODEL.name in answer.read().decode("utf-8", "replace")
    except HTTPError as error:
        error.close()
        return False
    except TimeoutError:  # too busy to answer is alive
        return _pid_exists(state["pid"])
    except (OSError, ValueError):
        return False


def _pid_exists(pid: int) -> bool:
    import psutil

    return bool(psutil.pid_exists(pid))


def _build() -> str:
    """What a server is made of: one of an older workbook, template or llama.cpp is not taken for ours."""
    try:
        engine = importlib.metadata.version("xllamacpp")
    except importlib.metadata.PackageNotFoundError:
        engine = "none"
    made_of = (engine, MODEL.sha256, TEMPLATE.read_text(encoding="utf-8"))
    return hashlib.sha256("\n".join(made_of).encode()).hexdigest()[:16]
