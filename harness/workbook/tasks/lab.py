"""`make lab`: JupyterLab, opened on the first notebook."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from . import bootstrap

FIRST = "notebooks/3.0-start-here.ipynb"


def main(arguments: list[str]) -> int:
    """Start JupyterLab in the checkout; further `arguments` (a port, --no-browser) go to it."""
    print(f"Opening JupyterLab on {FIRST}; Ctrl-C here ends it.", flush=True)
    command = ["-m", "jupyterlab", f"--LabApp.default_url=/lab/tree/{FIRST}", *as_root(), *arguments]
    return bootstrap.run(Path(sys.executable), command)


def as_root() -> list[str]:
    """What Jupyter wants to be told where everything runs as root, as in most containers; nothing elsewhere."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return ["--allow-root"] if is_root else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
