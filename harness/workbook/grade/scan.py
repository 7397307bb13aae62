"""What is looked for in the text of a submission: keys, unusual names, answers of one shape. All of it is a hint."""

from __future__ import annotations

import ast
import hashlib
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from ..exercises import EXERCISES

KEYS = {
    "an Anthropic key": r"sk-ant-[\w-]{20,}",
    "an OpenAI key": r"sk-(?!ant-)(?:proj-)?[\w-]{20,}",
    "a Google key": r"AIza[\w-]{30,}",
    "an AWS key": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a Groq key": r"gsk_\w{20,}",
    "an xAI key": r"xai-\w{20,}",
    "a Hugging Face token": r"\bhf_\w{20,}",
    "a GitHub token": r"\bgh[pousr]_\w{20,}",
}
# Ways to the machinery of Python that no exercise asks for.
UNUSUAL = re.compile(
    r"\b(sys\.modules|importlib|__import__|__globals__|__closure__|__subclasses__|__builtins__|f_back|_getframe|ctypes"
    r"|inspect|builtins|os\._exit|subprocess|harness\.workbook|exec|eval)\b"
)
SMALL = 60  # nodes of a syntax tree below which answers look alike by chance


def keys_in(notebook: Path) -> list[str]:
    """The kinds of key that a file seems to hold, outputs included; never the keys themselves."""
    text = notebook.read_text(encoding="utf-8", errors="replace")
    return [kind for kind, pattern in KEYS.items() if re.search(pattern, text)]


def unusual(source: str) -> list[str]:
    """Names in an answer that are worth a look."""
    return sorted(set(UNUSUAL.findall(source)))


def alike(answers: Iterable[tuple[str, str, str]]) -> dict[tuple[str, str], list[str]]:
    """For (student, exercise, source): whose answer has the same tree once names and texts are left out."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for known in EXERCISES.values():
        if print_ := _shape(known.reference):
            groups[known.id, print_].append("the reference")
    placed = [(student, exercise, _shape(source)) for student, exercise, source in answers]
    for student, exercise, print_ in placed:
        if print_:
            groups[exercise, print_].append(student)
    return {
        (student, exercise): others
        for student, exercise, print_ in placed
        if print_ and (others := [name for name in groups[exercise, print_] if name != student])
    }


def _shape(source: str) -> str:
    """A digest of the kinds of nodes in order; empty for what is small or no Python."""
    try:
        nodes = [type(node).__name__ for node in ast.walk(ast.parse(source))]
    except (SyntaxError, ValueError, RecursionError):
        return ""
    return hashlib.sha256(" ".join(nodes).encode()).hexdigest() if len(nodes) >= SMALL else ""
