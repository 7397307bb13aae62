"""The server process: llama.cpp with the model, for all kernels of this user, until nobody has asked for a while.

Started by `running.py` as `python -m harness.workbook.local_model.server`, apart from the kernel that needs it first.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .model import TEMPLATE

CONTEXT_TOKENS = 8192
SAMPLING = {"temp": 0.7, "top_p": 0.8, "top_k": 20}  # what Qwen recommends, where a request does not say
LOOK_SECONDS = 1.0
LAST_SECONDS = 2.0
AT_WORK = re.compile(r"^llamacpp:requests_(?:processing|deferred) [1-9]", re.MULTILINE)


def main() -> None:
    """Serve the model that the command line names, and tell `--state` where; return when no longer needed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--alias", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--idle-seconds", type=float, required=True)
    given = parser.parse_args()
    token = secrets.token_urlsafe(16)
    server = serve(given.model, given.alias, token, TEMPLATE.read_text(encoding="utf-8"))
    port = int(server.listening_address.rsplit(":", 1)[1])
    write_state(given.state, port=port, pid=os.getpid(), token=token, build=given.build)
    wait_until_idle(server.handle_metrics, lambda: holds(given.state, token), given.idle_seconds)
    if holds(given.state, token):
        given.state.unlink(missing_ok=True)
    # Nobody new finds us now; who came in the last moment still gets an answer.
    wait_until_idle(server.handle_metrics, lambda: True, LAST_SECONDS)


def serve(model: str, alias: str, token: str, template: str | None) -> Any:
    """A llama.cpp server on a free port of this machine alone; without a `template`, the model's own is used.

    The token keeps web pages and other users of this machine out. One thread: on two shared cores, two are slower.
    """
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"  # read when llama.cpp is loaded: threads wait without spinning
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.model_alias = model, {alias}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.api_keys, params.cors_origins = [token], ""
    params.n_threads_http = 16  # so that a queue of questions never keeps a health check waiting
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.n_ctx, params.n_parallel = CONTEXT_TOKENS, 1
    # Memory: a smaller batch, and no second copy of old prompts.
    params.n_batch = params.n_ubatch = 256
    params.cache_ram_mib = 0
    for name, value in SAMPLING.items():
        setattr(params.sampling, name, value)
    params.n_predict = 1024  # tokens of an answer, where a small model would never end
    params.endpoint_metrics, params.ui = True, False
    params.verbosity = 1  # errors: a log holds no prompt
    if template is not None:
        params.chat_template = template
    return xllamacpp.Server(params)


def write_state(state: Path, **facts: Any) -> None:
    """Tell the other processes where we are: readable by this user alone, and whole from the first moment."""
    new = state.with_name(f"{state.name}.{os.getpid()}.new")
    new.touch(mode=0o600)
    new.write_text(json.dumps(facts), encoding="utf-8")
    new.replace(state)


def holds(state: Path, token: str) -> bool:
    """Whether the state file is still ours: removing or replacing it is how this server is told to stop."""
    try:
        return bool(json.loads(state.read_text(encoding="utf-8"))["token"] == token)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def wait_until_idle(metrics: Callable[[], str], wanted: Callable[[], bool], idle_seconds: float) -> None:
    """Return when nothing was asked for `idle_seconds`, or when the server is no longer `wanted`.

    `metrics` is llama.cpp's own account of what it does and has done: while it changes, somebody is asking.
    """
    seen, since = metrics(), time.monotonic()
    while wanted() and time.monotonic() - since < idle_seconds:
        time.sleep(min(LOOK_SECONDS, idle_seconds))
        now = metrics()
        if now != seen or AT_WORK.search(now):
            seen, since = now, time.monotonic()


if __name__ == "__main__":
    main()
