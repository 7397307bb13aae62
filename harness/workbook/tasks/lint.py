"""`make lint`: style, layout, types, and the rules for notebooks."""

from __future__ import annotations

import subprocess
import sys

from . import notebook_lint
from .bootstrap import ROOT

CHECKS = (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"])


def main() -> int:
    """Run all, also after one has failed; non-zero when any failed."""
    codes = []
    for check in CHECKS:
        print(f"$ {' '.join(check)}", flush=True)
        codes.append(subprocess.call([sys.executable, "-m", *check], cwd=ROOT))
    print("$ notebook lint", flush=True)
    return max(*codes, notebook_lint.main())


if __name__ == "__main__":
    sys.exit(main())
