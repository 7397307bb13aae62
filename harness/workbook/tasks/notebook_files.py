"""The workbook's notebooks as files: where they are, how they are read, the surroundings in which they run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import nbformat

from .bootstrap import ROOT

NOTEBOOKS = ROOT / "notebooks"
VENDOR_VARIABLE = re.compile(
    r"PROVIDER$|HARNESS_MODEL$|(ANTHROPIC|OPENAI|AZURE|GEMINI|GOOGLE|AWS|COHERE|CO|GROQ|TOGETHER|DEEPSEEK)_|.*_API_KEY$"
)


def paths(folder: Path = NOTEBOOKS) -> list[Path]:
    """All notebooks, in reading order."""
    return sorted(folder.glob("*.ipynb"))


def read(path: Path) -> nbformat.NotebookNode:
    """A notebook in the current format; a file that is none raises `nbformat.reader.NotJSONError`."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    return notebook


def text_of(notebook: nbformat.NotebookNode) -> str:
    """The file's text: equal notebooks give equal bytes."""
    return str(nbformat.writes(notebook)).rstrip("\n") + "\n"


def code_cells(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The code cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(cell: nbformat.NotebookNode) -> Iterator[str]:
    """The lines of a markdown cell that are not inside a code fence."""
    fenced = False
    for line in cell.source.splitlines():
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced:
            yield line


def title(notebook: nbformat.NotebookNode) -> str:
    """The text of the first H1, or an empty string."""
    headings = (line for cell in notebook.cells if cell.cell_type == "markdown" for line in prose(cell))
    return next((line[2:].strip() for line in headings if line.startswith("# ")), "")


def keyless(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment without PROVIDER, keys and vendors' settings: what a reader starts with."""
    return {name: value for name, value in environment.items() if not VENDOR_VARIABLE.match(name)}
