"""Exercises filled in the cells: each is one definition, judged in a process of its own. One file an exercise."""

from __future__ import annotations

from . import e_3_1_count
from .cells import cells_for
from .model import Exercise, Verdict
from .session import check, hint, report

EXERCISES: dict[str, Exercise] = {exercise.id: exercise for exercise in (e_3_1_count.EXERCISE,)}

__all__ = ["EXERCISES", "Exercise", "Verdict", "cells_for", "check", "hint", "report"]
