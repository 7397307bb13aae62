"""An answer judged in a process of its own, with limits on time and memory: a loop for ever costs only itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from .judge import DEFAULT_SEED, judge
from .model import Exercise, Row, Verdict

SECONDS = 20.0  # of wall time; the SDKs alone take five to load on a slow machine
MEGABYTES = 2_000


def judge_apart(exercise: Exercise, source: str, seed: str = DEFAULT_SEED, *, prefix: tuple[str, ...] = ()) -> Verdict:
    """The verdict of a fresh worker process; `prefix` is put before its command (to take the network away, say)."""
    order = json.dumps({"id": exercise.id, "source": source, "seed": seed})
    with tempfile.TemporaryDirectory(prefix="exercise-") as folder:
        out = Path(folder) / "verdict.json"
        command = [*prefix, sys.executable, "-m", __name__, str(out)]
        try:
            done = subprocess.run(
                command,
                input=order.encode("utf-8"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=SECONDS,
                cwd=folder,
                env=_environment(),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return _lost(exercise, f"your code ran for more than {SECONDS:g} seconds: is there a loop that never ends?")
        try:
            return _read(json.loads(out.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError):
            memory = b"MemoryError" in done.stderr
            why = "used too much memory" if memory else f"ended the process (exit status {done.returncode})"
            return _lost(exercise, f"your code {why} before it could be judged")


def _environment() -> dict[str, str]:
    """The worker's environment: our package can be found, no key comes along."""
    kept = {name: value for name, value in os.environ.items() if not name.upper().endswith(("_KEY", "_TOKEN"))}
    root = str(Path(__file__).resolve().parents[3])
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, (root, kept.get("PYTHONPATH")))), "PYTHONUTF8": "1"}


def _lost(exercise: Exercise, message: str) -> Verdict:
    return Verdict(exercise.id, "not yet", 0, exercise.points, message)


def _read(body: dict[str, object]) -> Verdict:
    rows = tuple(Row(**row) for row in body.pop("rows"))  # type: ignore[attr-defined]
    return Verdict(**body, rows=rows)  # type: ignore[arg-type]


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit; the time limit holds there too
        return
    limit = MEGABYTES * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main() -> None:
    """Judge the answer on standard input, write the verdict to the file that the first argument names."""
    from . import EXERCISES

    order = json.loads(sys.stdin.buffer.read())
    out = Path(sys.argv[1])
    _limit_memory()
    verdict = judge(EXERCISES[order["id"]], order["source"], order["seed"])
    out.write_text(json.dumps(asdict(verdict)), encoding="utf-8")


if __name__ == "__main__":
    main()
