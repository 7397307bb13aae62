"""A Python environment in which a task can run: the active one, else `.venv`, else a new `.venv`.

Standard library only, since it runs from a bare checkout before anything is installed. A stamp inside the
environment says what was installed from which pyproject.toml, so that a second start installs nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STAMP = "harness-workbook.json"
OLDEST = (3, 11)
# Without these a task still does most of its work: a failed installation is loud, not fatal.
BEST_EFFORT = {"model"}


def ready(extra: str) -> Path:
    """The interpreter of an environment that holds this checkout and `extra`; installs what is missing."""
    folder = active() or ROOT / ".venv"
    if interpreter(folder) is None:
        make(folder)
    python = interpreter(folder)
    if python is None:
        sys.exit(f"No Python was found in {folder.name}: delete that folder and try again.")
    stamp = folder / STAMP
    wanted = wants(stamp, extra)
    if wanted is not None:
        refuse_old(python)
        if install(python, extra):
            stamp.write_text(json.dumps(wanted), encoding="utf-8")
    return python


def active() -> Path | None:
    """The environment that is running or switched on; conda's `base` is not one to install into."""
    if sys.prefix != sys.base_prefix:
        return Path(sys.prefix)
    named = os.environ.get("VIRTUAL_ENV")
    if named is None and os.environ.get("CONDA_DEFAULT_ENV") != "base":
        named = os.environ.get("CONDA_PREFIX")
    return Path(named) if named and interpreter(Path(named)) else None


def interpreter(folder: Path) -> Path | None:
    """Where an environment keeps its Python, on any system."""
    places = ("bin/python", "Scripts/python.exe", "python.exe")
    return next((folder / place for place in places if (folder / place).exists()), None)


def make(folder: Path) -> None:
    """Make a virtual environment that has pip."""
    print(f"Making the environment {folder.name} (this happens once) ...", flush=True)
    refuse_old(Path(sys.executable))
    uv = shutil.which("uv")
    command = [uv, "venv", "--seed", "--python", sys.executable] if uv else [sys.executable, "-m", "venv"]
    if subprocess.call([*command, str(folder)], cwd=ROOT) != 0:
        sys.exit("The environment could not be made. On Debian and Ubuntu, `apt install python3-venv` helps; uv, too.")


def refuse_old(python: Path) -> None:
    """Leave with one sentence where `python` is too old."""
    report = [str(python), "-c", "import sys; print(*sys.version_info[:2])"]
    version = tuple(int(part) for part in subprocess.check_output(report, text=True).split())
    if version < OLDEST:
        sys.exit(
            f"Python {OLDEST[0]}.{OLDEST[1]} or newer is needed, and this environment has {version[0]}.{version[1]}. "
            "Name a newer one: `make lab PYTHON=python3.12`."
        )


def wants(stamp: Path, extra: str) -> dict[str, object] | None:
    """The stamp to write once `extra` is installed, or None when nothing is to be done."""
    project = {
        "checkout": str(ROOT),
        "pyproject": hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest(),
    }
    try:
        found = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = {}
    extras = set(found.get("extras", ())) if project.items() <= found.items() else set()
    return None if extra in extras else {**project, "extras": sorted(extras | {extra})}


def install(python: Path, extra: str) -> bool:
    """Install the checkout, editable, with `extra`; False where a best-effort extra had to be left out."""
    print("Installing what the workbook needs (once; seconds with uv, some minutes with pip) ...", flush=True)
    if editable(python, f".[{extra}]"):
        return True
    if extra not in BEST_EFFORT or not editable(python, "."):
        sys.exit(
            "The installation failed: see above. Behind a proxy, set HTTPS_PROXY; then run the same command again."
        )
    line = "!" * 100
    print(
        f"{line}\nThe extra `{extra}` could not be installed (see above). All the rest works without it.\n{line}",
        flush=True,
    )
    return False


def installer(python: Path) -> list[str]:
    """The command that installs into the environment of `python`: uv where it is there, else pip."""
    uv = shutil.which("uv")
    return [uv, "pip", "install", "--python", str(python)] if uv else [str(python), "-m", "pip", "install"]


def editable(python: Path, what: str) -> bool:
    """Whether an editable installation of `what`, such as `.[model]`, went through."""
    return subprocess.call([*installer(python), "-e", what], cwd=ROOT) == 0


def run(python: Path, arguments: list[str]) -> int:
    """Run `python arguments` in the checkout with its environment first on the PATH; its exit code."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONHOME"}
    environment["PATH"] = os.pathsep.join([str(python.parent), environment.get("PATH", "")])
    environment["PYTHONUTF8"] = "1"
    child = subprocess.Popen([str(python), *arguments], cwd=ROOT, env=environment)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue  # the child was interrupted as well, and decides itself what that means
