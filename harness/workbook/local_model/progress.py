"""How far the fetch is: a bar that suits where it is shown, the terminal or a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[int], None]
"""Called with the bytes of the model that are here so far."""


@contextmanager
def bar(title: str, total: int) -> Iterator[Report]:
    """A bar over `total` bytes; call what it gives with the bytes that are here."""
    from tqdm.auto import tqdm

    with tqdm(total=total, desc=title, unit="B", unit_scale=True, leave=False) as shown:

        def report(here: int) -> None:
            shown.update(here - shown.n)

        yield report
