"""A file over HTTP that goes on where an interrupted one stopped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .progress import Report

if TYPE_CHECKING:
    import httpx2

CONNECT_SECONDS = 5  # somebody who is not there must not keep the next source waiting
SILENCE_SECONDS = 30
CHUNK = 1 << 20


class Unreachable(Exception):
    """A source that cannot be used now; the text says why, without an address."""


def download(url: str, part: Path, size: int, report: Report) -> None:
    """Fill `part` from `url`, at most `size` bytes and a chunk; what it holds already is not fetched again.

    A proxy of the environment is respected. Raises `Unreachable`; an interrupted `part` stays, for the next time.
    """
    import httpx2

    patience = httpx2.Timeout(SILENCE_SECONDS, connect=CONNECT_SECONDS)
    try:
        with httpx2.Client(timeout=patience, follow_redirects=True) as client:
            _fill(client, url, part, size, report)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise Unreachable(_why(error, part)) from error


def _why(error: Exception, part: Path) -> str:
    if part.exists() and part.stat().st_size:
        return f"the connection broke off ({type(error).__name__}), and the next attempt goes on from there"
    return f"no connection ({type(error).__name__})"


def _fill(client: httpx2.Client, url: str, part: Path, size: int, report: Report) -> None:
    here = part.stat().st_size if part.exists() else 0
    if here >= size:
        return
    # "identity": a compressed answer would be counted, and continued, in other bytes than the file's.
    headers = {"Range": f"bytes={here}-", "Accept-Encoding": "identity"}
    with client.stream("GET", url, headers=headers) as answer:
        if answer.status_code == 416:  # nothing more to come: the hash will say what it is
            return
        if answer.status_code not in (200, 206):
            raise Unreachable(f"it answers with status {answer.status_code}")
        _write(answer, part, here if answer.status_code == 206 else 0, size, report)


def _write(answer: httpx2.Response, part: Path, here: int, size: int, report: Report) -> None:
    with part.open("ab" if here else "wb") as file:
        for chunk in answer.iter_raw(CHUNK):
            file.write(chunk)
            here += len(chunk)
            report(min(here, size))
            if here > size:  # no more on the disk than a model takes
                return
