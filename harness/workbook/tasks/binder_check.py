"""`make binder-check`: what Binder would build, proven without docker: its files, its environment, its memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from . import binder_files, binder_memory
from .bootstrap import ROOT, installer, interpreter
from .notebook_files import keyless, paths


def main() -> int:
    """Files first; then install for real as the image would, run the notebooks there, and measure."""
    found = list(binder_files.problems(ROOT))
    print(*(found or ["The files agree, and the image is built from them."]), sep="\n", flush=True)
    if found:
        return 1
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "checkout"
        copy_checkout(checkout)
        python = build(checkout, Path(folder) / "image")
        if [notebook for notebook in paths(checkout / "notebooks") if not runs(notebook, python)]:
            return 1
        peak = binder_memory.measure(Path(folder) / "jupyter", python)
    for part, size in peak.parts.items():
        print(f"{part:20}{size / 1e6:8.0f} MB")
    print(f"{'together, at most':20}{peak.total / 1e6:8.0f} MB of {binder_memory.LIMIT / 1e6:.0f}")
    return peak.total > binder_memory.LIMIT


def copy_checkout(to: Path) -> None:
    """What git knows of this checkout, as it stands here: the image gets nothing else."""
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True, encoding="utf-8")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def build(checkout: Path, image: Path) -> Path:
    """The image's environment in the folder `image`: base, requirements, postBuild; its interpreter."""
    subprocess.run([like_the_image(), "-m", "venv", str(image)], check=True)
    python = interpreter(image)
    assert python is not None
    version = subprocess.check_output([str(python), "--version"], text=True).strip()
    print(f"Installing as the image does, with {version} ...", flush=True)
    # The base image brings JupyterLab.
    command = [*installer(python), "-q", "jupyterlab", "-r", "binder/requirements.txt"]
    subprocess.run(command, cwd=checkout, check=True)
    subprocess.run([str(checkout / "binder" / "postBuild")], cwd=checkout, env=switched_on(python), check=True)
    return python


def like_the_image() -> str:
    """A Python of the image's version where this machine has one that runs, else the one at hand."""
    path = shutil.which(f"python{binder_files.PYTHON}")
    # A version manager leaves the name on the path for versions that are switched off.
    works = path and subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0
    return path if path and works else sys.executable


def switched_on(python: Path) -> dict[str, str]:
    """The environment variables of somebody who works with `python`: `jupyter` finds its parts on the PATH."""
    return {**keyless(), "PATH": os.pathsep.join([str(python.parent), os.environ["PATH"]])}


def runs(notebook: Path, python: Path) -> bool:
    """Whether a notebook runs from its first cell to its last in that environment; prints its line, and why not."""
    command = [str(python), "-m", "jupyter", "execute", str(notebook)]
    report = subprocess.run(
        command, env=switched_on(python), capture_output=True, text=True, encoding="utf-8", check=False
    )
    done = report.returncode == 0
    print(f"{notebook.name:45}{'ran' if done else report.stderr}", flush=True)
    return done


if __name__ == "__main__":
    sys.exit(main())
