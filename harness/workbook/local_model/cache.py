"""Where the model is kept: one folder for the user, in which a file bears the model's name only once it is proven."""

from __future__ import annotations

import os
from pathlib import Path

from .model import MODEL, Model, is_genuine


class WrongBytes(Exception):
    """A source delivered something else than the model."""


def folder() -> Path:
    """The user's cache folder for this workbook, made if it is missing; HARNESS_CACHE names another."""
    named = os.environ.get("HARNESS_CACHE")
    if named:
        path = Path(named).expanduser().absolute()  # the server has another working folder
    else:
        import platformdirs

        path = platformdirs.user_cache_path("harness-workbook", appauthor=False)
    path.mkdir(parents=True, exist_ok=True)
    return path


def model_path(model: Model = MODEL) -> Path:
    """Where the proven model file is, or will be."""
    return folder() / model.file_name


def is_cached(model: Model = MODEL) -> bool:
    """Whether a whole file is there. Its bytes were proven when it came, and are again when a server starts."""
    path = model_path(model)
    return path.is_file() and path.stat().st_size == model.size


def accept(candidate: Path, model: Model = MODEL) -> Path:
    """Give the candidate the model's name, in one step; raises `WrongBytes`, and removes it, if it is another file."""
    if not is_genuine(candidate, model):
        candidate.unlink()
        raise WrongBytes
    return candidate.replace(model_path(model))


def discard_damaged(model: Model = MODEL) -> bool:
    """Remove the kept file if it is no longer the model; true if it was removed."""
    path = model_path(model)
    damaged = path.is_file() and not is_genuine(path, model)
    if damaged:
        path.unlink()
    return damaged
