"""`make test`: every test of the package, then every notebook and exercise."""

from __future__ import annotations

import subprocess
import sys

from . import check_notebooks
from .bootstrap import ROOT

# One test that hangs must not take the whole run with it.
TEST_SECONDS = 300


def main() -> int:
    """Run both, the second also when the first failed; non-zero when either failed."""
    tests = subprocess.call([sys.executable, "-m", "pytest", f"--timeout={TEST_SECONDS}"], cwd=ROOT)
    return check_notebooks.main() or tests


if __name__ == "__main__":
    sys.exit(main())
