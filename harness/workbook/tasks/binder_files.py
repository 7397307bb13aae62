"""What the files for Binder and conda say, held against pyproject.toml and against the image that would be built."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import InvalidRequirement, Requirement

PYTHON = "3.12"
# Binder's base image has one that fits the rest of that image.
BROUGHT_BY_BINDER = {"jupyterlab"}


def problems(root: Path) -> Iterator[str]:
    """Everything that is wrong with the files below `root`, in words."""
    yield from requirements(root)
    yield from conda(root)
    yield from post_build(root)
    yield from image(dockerfile(root))


def requirements(root: Path) -> Iterator[str]:
    """binder/requirements.txt is the dependencies and the model's server: third-party only, each with its range."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {Requirement(text) for text in project["dependencies"] + project["optional-dependencies"]["model"]}
    wanted = {requirement for requirement in wanted if requirement.name not in BROUGHT_BY_BINDER}
    found = set()
    for line in (root / "binder" / "requirements.txt").read_text(encoding="utf-8").splitlines():
        text = line.partition("#")[0].strip()
        try:
            found |= {Requirement(text)} if text else set()
        except InvalidRequirement:
            yield f"binder/requirements.txt: {text!r} is no third-party requirement"
    for requirement in sorted(map(str, wanted - found)):
        yield f"binder/requirements.txt lacks {requirement}"
    for requirement in sorted(map(str, found - wanted)):
        yield f"binder/requirements.txt has {requirement}, pyproject.toml has not"


def conda(root: Path) -> Iterator[str]:
    """environment.yml is Python, pip and this checkout: whatever else it needs stands in pyproject.toml."""
    dependencies: list[Any] = yaml.safe_load((root / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    wanted = [f"python={PYTHON}", "pip", {"pip": ["-e ."]}]
    if dependencies != wanted:
        yield f"environment.yml: the dependencies are {dependencies}, not {wanted}"
    # Conda runs pip in the folder of the file.
    if not (root / "pyproject.toml").exists():
        yield "environment.yml: `-e .` finds no pyproject.toml beside it"


def post_build(root: Path) -> Iterator[str]:
    """binder/postBuild runs in the checkout, with the interpreter of the image."""
    text = (root / "binder" / "postBuild").read_text(encoding="utf-8")
    if not text.startswith("#!/"):
        yield "binder/postBuild: the first line names no interpreter"
    if "python -m pip install --no-deps -e ." not in text.splitlines():
        yield "binder/postBuild does not install this checkout alone, without its dependencies"


def dockerfile(root: Path) -> str:
    """The Dockerfile that repo2docker would build from `root`, after a line on its choice; needs no docker."""
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    report = subprocess.run(command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=True)
    return report.stderr + report.stdout


def image(text: str) -> Iterator[str]:
    """The Dockerfile uses what we wrote, and nothing else."""
    wanted = {
        f"the Python is not {PYTHON}": rf"^Building conda environment for python={re.escape(PYTHON)}$",
        "binder/requirements.txt is not installed": r'^RUN .*/pip install .*-r "binder/requirements\.txt"$',
        "binder/postBuild is not run": r"^RUN \./binder/postBuild$",
    }
    for problem, pattern in wanted.items():
        if not re.search(pattern, text, re.MULTILINE):
            yield f"the image: {problem}"
    if "environment.yml" in text or " env update" in text:
        yield "the image: a conda environment is solved, which takes minutes and may fail"
