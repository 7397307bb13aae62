"""Hold the adapters to what they once reached on recorded traffic: `corpus_floor path/to/score.py [--raise]`."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from .bootstrap import ROOT

FLOOR = ROOT / "tests" / "corpus_floor.json"
# Counted, not scored: a figure below the floor's is better.
AT_MOST = {"refused", "broken"}

Figures: TypeAlias = dict[str, dict[str, list[int]]]
"""`{"openai.chat": {"decode": [hit, total], "broken": [0, count]}}`"""


def measure(score: Path) -> Figures:
    """The figures that the scorer gives today."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "figures.json"
        subprocess.run([sys.executable, str(score), "--json", str(report)], cwd=ROOT, check=True)
        figures: Figures = json.loads(report.read_text(encoding="utf-8"))
    return figures


def falls(floor: Figures, today: Figures) -> Iterator[str]:
    """Each figure that is worse than its floor, in words."""
    for wire, figures in floor.items():
        for name, (hit, total) in figures.items():
            now_hit, now_total = today.get(wire, {}).get(name, [0, 0])
            if name in AT_MOST:
                if now_total > total:
                    yield f"{wire} {name}: {now_total}, at most {total}"
            elif now_total == 0 or now_hit * total < hit * now_total:
                yield f"{wire} {name}: {now_hit} of {now_total}, at least {hit} of {total}"


def main(arguments: list[str]) -> int:
    """Score and compare; `--raise` writes today's figures as the new floor."""
    score, *options = arguments
    today = measure(Path(score).resolve())
    if options == ["--raise"]:
        lines = ",\n".join(f" {json.dumps(wire)}: {json.dumps(figures)}" for wire, figures in today.items())
        FLOOR.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8", newline="\n")
        return 0
    fallen = list(falls(json.loads(FLOOR.read_text(encoding="utf-8")), today))
    print(*fallen, f"{len(fallen)} figures below the floor", sep="\n")
    return bool(fallen)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
