"""The conformance kit: what an adapter must do with text, calls, errors, reasoning and handover, row by row.

>>> conform(adapter, vendor)      # a `Table`: in a notebook as HTML, else as text
"""

from __future__ import annotations

import json
from random import Random

from .laws import Departure, DoesNotApply, Laws, NotAttempted
from .ours import OURS
from .rows import ROWS, STEPS, KitRow
from .table import Outcome, Table
from .vendor import Adapter, Turn, Vendor

__all__ = ["OURS", "ROWS", "STEPS", "Adapter", "Outcome", "Table", "Turn", "Vendor", "conform"]


def conform(adapter: Adapter, vendor: Vendor, rng: Random | None = None) -> Table:
    """Every row of the kit, tried on an adapter against the vendor's side of its wire; nothing is raised."""
    laws = Laws(adapter, vendor)
    seed = (rng or Random("conformance")).random()
    return Table(tuple(_outcome(row, laws, Random(f"{seed}/{row.name}")) for row in ROWS))


def _outcome(row: KitRow, laws: Laws, rng: Random) -> Outcome:
    state, note, body = "pass", "", None
    try:
        row.check(laws, rng)
    except NotAttempted as nothing:
        state, note = "not attempted", str(nothing)
    except DoesNotApply as reason:
        state, note = "does not apply", str(reason)
    except Departure as departure:
        state, note, body = "fail", str(departure), departure.body
    except Exception as error:
        state, note = "fail", f"raised {type(error).__name__}: {error}"
    shown = "" if body is None else json.dumps(body, indent=1, ensure_ascii=False, default=repr)
    return Outcome(row.step, row.name, state, note, shown)
