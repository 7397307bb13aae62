"""How often the local model gets the chapter's question right, with its own chat template and with ours.

`python -m harness.workbook.local_model.measure` asks again and writes `data/local_model_measured.json`, which the
notebooks show; it takes a quarter of an hour.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ...agent import run
from ...errors import HarnessError
from ...messages import Transcript
from ...providers.base import Provider
from ...tools import CALC_SCHEMA, calc
from .adapters import Wire, adapter
from .fetch import fetch
from .model import MODEL, TEMPLATE
from .running import Running
from .server import SAMPLING, serve

QUESTION = "What is 17 * 23, minus 100?"
RIGHT = re.compile(r"\b291\b")
MEASURED = Path(__file__).parents[1] / "data" / "local_model_measured.json"
TOKEN = "measure"
# Template, wire, temperature, runs.
PLAN: tuple[tuple[str, Wire, float, int], ...] = (
    ("built-in", "openai.chat", 0, 5),
    ("built-in", "openai.chat", 0.7, 20),
    ("ours", "openai.chat", 0, 5),
    ("ours", "openai.responses", 0, 5),
    ("ours", "anthropic.messages", 0, 5),
    ("ours", "openai.chat", 0.7, 20),
)


def main() -> None:
    """Ask all of it, print each row, and write the table."""
    rows = []
    for template in ("built-in", "ours"):
        with _server(template) as find:
            rows += [_row(plan, find) for plan in PLAN if plan[0] == template]
    _write(rows)


def _row(plan: tuple[str, Wire, float, int], find: Callable[[], Running]) -> dict[str, Any]:
    template, wire, temperature, runs = plan
    provider = adapter(wire, temperature, find)
    outcomes = Counter(outcome(provider) for _ in range(runs))
    row = {"template": template, "wire": wire, "temperature": temperature, "runs": runs, "right": outcomes["right"]}
    print(row, dict(outcomes), flush=True)
    return row | {"outcomes": dict(outcomes.most_common())}


def outcome(provider: Provider) -> str:
    """Ask once: "right" is the loop's answer with 291 in it, after a call of the calculator."""
    transcript = Transcript()
    try:
        answer = run(provider, {"calc": calc}, [CALC_SCHEMA], QUESTION, transcript=transcript)
    except HarnessError as error:
        return type(error).__name__
    if not any(block.kind == "tool_call" for message in transcript for block in message.blocks):
        return "no call was found in the answer"
    return "right" if RIGHT.search(answer) else "wrong answer"


def asked_with() -> str:
    """The hash of template, question, tool and sampling: a table that was measured with others is out of date."""
    inputs = (TEMPLATE.read_text(encoding="utf-8"), QUESTION, json.dumps([CALC_SCHEMA, SAMPLING], sort_keys=True))
    return hashlib.sha256("\n".join(inputs).encode()).hexdigest()


@contextmanager
def _server(template: str) -> Iterator[Callable[[], Running]]:
    """A server of its own, in this process."""
    text = TEMPLATE.read_text(encoding="utf-8") if template == "ours" else None
    server = serve(str(fetch()), MODEL.name, TOKEN, text)
    port = int(server.listening_address.rsplit(":", 1)[1])
    yield lambda: Running(port, TOKEN)
    del server


def _write(rows: list[dict[str, Any]]) -> None:
    measured = {
        "question": QUESTION,
        "command": "python -m harness.workbook.local_model.measure",
        "model": MODEL.file_name,
        "engine": f"xllamacpp {importlib.metadata.version('xllamacpp')}",
        "sampling": SAMPLING,
        "asked_with": asked_with(),
        "rows": rows,
    }
    MEASURED.parent.mkdir(exist_ok=True)
    MEASURED.write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
