"""`make check-notebooks`: every notebook against its committed outputs, then every exercise; a line for each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from . import notebook_lint
from .bootstrap import ROOT
from .notebook_files import keyless, paths, read

# nbval's own limit for a cell is 2,000 s, for which a dead kernel would hang.
OPTIONS = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=60", "-n2", "--dist=loadfile", "-q"]
# Whatever else is installed would cost each worker seconds; pyproject.toml's options turn nbval off.
PLUGINS = ["nbval.plugin", "xdist.plugin", "no:cacheprovider", "harness.workbook.tasks.one_line_each"]


def main() -> int:
    """Compare, then prove; non-zero when either failed."""
    notebooks = paths()
    compared = compare(notebooks) if notebooks else 0
    print(f"{len(notebooks)} notebooks compared with their outputs." if notebooks else "No notebooks yet.", flush=True)
    proven = subprocess.call([sys.executable, "-m", "harness.workbook.exercises", "prove"], cwd=ROOT, env=keyless())
    return compared or proven


def compare(notebooks: list[Path]) -> int:
    """Strict nbval over `notebooks`; pytest's exit code."""
    # nbval passes over a cell without a count, so a notebook that was never run would be "equal".
    uncounted = [f"{path.name}: {problem}" for path in notebooks for problem in notebook_lint.counts(read(path))]
    if uncounted:
        print(*uncounted, "Run `make refresh-notebooks`.", sep="\n")
        return 1
    plugins = [part for name in PLUGINS for part in ("-p", name)]
    command = [sys.executable, "-m", "pytest", "-o", "addopts=", *plugins, *OPTIONS, *map(str, notebooks)]
    return subprocess.call(command, cwd=ROOT, env={**keyless(), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})


if __name__ == "__main__":
    sys.exit(main())
