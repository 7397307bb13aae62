"""The model comes into the cache: from the first source that delivers, by one process at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from . import cache
from .download import Unreachable
from .model import MODEL, Model, ModelUnavailable
from .progress import bar
from .sources import Source, sources

HOW_TO_GET_IT = (
    "try make model (python -m harness.workbook.local_model) where there is a network, or set HARNESS_MODEL to a copy "
    "of the file or its address; everything else in the workbook works without it."
)


def fetch(model: Model = MODEL) -> Path:
    """The model file, fetched with a progress bar if it is not in the cache yet.

    Interrupted, the next call goes on where this one stopped. Raises `ModelUnavailable` when no source delivers.
    """
    if cache.is_cached(model):
        return cache.model_path(model)
    with _alone():  # a second one waits for the first, and then finds the file
        if cache.is_cached(model):
            return cache.model_path(model)
        return _from_first(model)


@contextmanager
def _alone() -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(cache.folder() / "fetch.lock")
    try:
        lock.acquire(timeout=0.5)
    except Timeout:
        print("Another process is fetching the model: waiting for it.")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _from_first(model: Model) -> Path:
    faults: list[str] = []
    for source in sources():
        try:
            path = _from(source, model)
        except Unreachable as error:
            faults.append(f"{source.name}: {error}")
        except cache.WrongBytes:
            faults.append(f"{source.name}: it delivers another file than the model (wrong hash), which was thrown away")
        else:
            _clear(path)
            return path
        print(f"Not from {faults[-1]}.")
    raise ModelUnavailable(f"The embedded model could not be fetched ({'; '.join(faults)}): {HOW_TO_GET_IT}")


def _from(source: Source, model: Model) -> Path:
    part = cache.folder() / f"{source.part}.part"
    with bar(f"Model from {source.name}", model.size) as report:
        source.deliver(part, model, report)
    return cache.accept(part, model)


def _clear(path: Path) -> None:
    """Remove what other sources left unfinished."""
    for left in path.parent.glob("*.part"):
        left.unlink()
