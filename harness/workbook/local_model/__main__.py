"""`python -m harness.workbook.local_model` fetches the embedded model; `--status` and `--stop` do as they say."""

from __future__ import annotations

import argparse
import sys

from ...errors import HarnessError
from . import fetch, status, stop


def main() -> int:
    """0 when the model is here; 1 with one sentence when it cannot be had."""
    parser = argparse.ArgumentParser(prog="python -m harness.workbook.local_model", description=__doc__)
    parser.add_argument("--status", action="store_true", help="say whether it is here and its server runs")
    parser.add_argument("--stop", action="store_true", help="stop its server, which frees 0.8 GB of memory")
    given = parser.parse_args()
    if given.stop:
        print("The server stops." if stop() else "No server was running.")
    elif given.status:
        print(status().sentence)
    else:
        return _fetch()
    return 0


def _fetch() -> int:
    try:
        fetch()
    except HarnessError as error:
        print(error, file=sys.stderr)
        return 1
    print(status().sentence)
    return 0


if __name__ == "__main__":
    sys.exit(main())
