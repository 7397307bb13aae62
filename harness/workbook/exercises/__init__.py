"""Exercises filled in the cells: each is one definition, judged in a process of its own. One file an exercise."""

from __future__ import annotations

from . import (
    e_0_warm_up,
    e_3_1_count,
    e_3_2_fifth,
    e_3_2_turn,
    e_3_3_provider,
    e_3_4_results,
    e_3_4_thinking,
    e_3_5_dispatch,
    e_3_6_ids,
    e_3_7_schema,
    e_3_8_adapter,
    e_3_8_break,
    e_3_8_trace,
)
from .cells import cells_for
from .model import Exercise, Verdict
from .session import answer, check, hint, report

# In the order of the notebooks.
_MODULES = (
    e_0_warm_up,
    e_3_1_count,
    e_3_2_turn,
    e_3_2_fifth,
    e_3_3_provider,
    e_3_4_thinking,
    e_3_4_results,
    e_3_5_dispatch,
    e_3_6_ids,
    e_3_7_schema,
    e_3_8_adapter,
    e_3_8_break,
    e_3_8_trace,
)
EXERCISES: dict[str, Exercise] = {module.EXERCISE.id: module.EXERCISE for module in _MODULES}

__all__ = ["EXERCISES", "Exercise", "Verdict", "answer", "cells_for", "check", "hint", "report"]
