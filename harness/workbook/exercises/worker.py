"""An answer judged in a process of its own, with limits on time and memory: a loop for ever costs only itself."""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any

from .guard import install, watch
from .judge import DEFAULT_SEED, judge
from .model import Exercise, Row, Verdict


@dataclass(frozen=True)
class Limits:
    """What one answer may use: seconds of wall time, seconds of computing, megabytes of memory and of written files.

    Systems without such limits (Windows) have the wall time alone.
    """

    seconds: float = 60.0
    computing: int = 15  # the SDKs alone take five to load on a slow machine
    megabytes: int = 2_000
    written: int = 16


def judge_apart(
    exercise: Exercise,
    source: str,
    seed: str = DEFAULT_SEED,
    *,
    sheet: str | None = None,
    prefix: tuple[str, ...] = (),
    limits: Limits | None = None,
) -> Verdict:
    """The verdict of a fresh worker process; `prefix` is put before its command (to take the network away, say)."""
    limits = limits or Limits()
    secret = secrets.token_hex(16)  # signs the verdict, so that nothing an answer prints passes for one
    order = {"id": exercise.id, "source": source, "seed": seed, "sheet": sheet, "secret": secret, **asdict(limits)}
    command = [*prefix, sys.executable, "-m", __name__]
    place = tempfile.TemporaryDirectory(prefix="exercise-", ignore_cleanup_errors=True)
    with place as folder, tempfile.TemporaryFile() as said:
        status = _run(command, json.dumps(order).encode("utf-8"), said, folder, limits)
        said.seek(0)
        verdict = _signed(said.read(limits.written * 1024 * 1024), secret)
    if verdict is not None:
        return verdict
    return Verdict(exercise.id, "not yet", 0, exercise.points, _lost(status, limits))


def _run(command: list[str], order: bytes, said: IO[bytes], folder: str, limits: Limits) -> int | None:
    """The worker's exit status; None when it had to be ended."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=said,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=_environment(),
        start_new_session=True,
    )
    try:
        process.communicate(order, timeout=limits.seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        _end(process)
    return process.returncode


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the worker and whatever it started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _environment() -> dict[str, str]:
    """The worker's environment: our package can be found, no key comes along."""
    secret = ("KEY", "TOKEN", "SECRET", "PASSWORD")
    kept = {name: value for name, value in os.environ.items() if not any(word in name.upper() for word in secret)}
    root = str(Path(__file__).resolve().parents[3])
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, (root, kept.get("PYTHONPATH")))), "PYTHONUTF8": "1"}


def _lost(status: int | None, limits: Limits) -> str:
    """Why a worker gave no verdict."""
    if status is None:
        return f"your code ran for more than {limits.seconds:g} seconds: is there a loop that never ends?"
    if status == -getattr(signal, "SIGXCPU", 0) != 0:
        return f"your code computed for more than {limits.computing} seconds: is there a loop that never ends?"
    return f"your code ended the process (exit status {status}) before it could be judged, or used too much memory"


def _signed(said: bytes, secret: str) -> Verdict | None:
    """The verdict in what a worker said, if it is there with its signature."""
    for line in reversed(said.splitlines()):
        signature, _, body = line.partition(b" ")
        if hmac.compare_digest(signature, _signature(secret, body)):
            fields = json.loads(body)
            return Verdict(**{**fields, "rows": tuple(Row(**row) for row in fields["rows"])})
    return None


def _signature(secret: str, body: bytes) -> bytes:
    return hmac.digest(secret.encode(), body, "sha256").hex().encode()


def _limit(order: dict[str, Any]) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits; that on wall time holds there too
        return
    megabyte = 1024 * 1024
    used = int(sum(os.times()[:2]))
    for kind, value in (
        (resource.RLIMIT_AS, order["megabytes"] * megabyte),
        (resource.RLIMIT_FSIZE, order["written"] * megabyte),
        (resource.RLIMIT_CPU, used + order["computing"]),
    ):
        with contextlib.suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (value, value + 1))  # the first is told, the second kills


def main() -> None:
    """Judge the answer that is ordered on standard input; write the signed verdict to standard output."""
    from . import EXERCISES

    order = json.loads(sys.stdin.buffer.read())
    exercise = EXERCISES[order["id"]]
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    found: list[Verdict] = []
    changed, sign, dump = watch(), _signature, json.dumps
    _limit(order)
    install(Path.cwd())
    # In a thread of its own, whose frames do not lead to this one, where the secret is.
    arguments = (exercise, order["source"], order["seed"], order["sheet"], found)
    thread = threading.Thread(target=_judge_into, args=arguments, daemon=True)
    thread.start()
    thread.join()
    if found:
        verdict = found[0]
        if names := changed():
            message = (
                f"the answer changes {', '.join(names[:3])}, which is not its own: leave other modules as they are"
            )
            verdict = replace(verdict, state="not yet", points=0, message=message, rows=())
        body = dump(asdict(verdict)).encode("utf-8")
        os.write(out, b"\n" + sign(order["secret"], body) + b" " + body + b"\n")
    os._exit(0)  # whatever threads an answer has left behind


def _judge_into(exercise: Exercise, source: str, seed: str, sheet: str | None, found: list[Verdict]) -> None:
    found.append(judge(exercise, source, seed, sheet))


if __name__ == "__main__":
    main()
