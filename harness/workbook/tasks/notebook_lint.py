"""The rules for a committed notebook; each is a function that yields what breaks it, in words."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode

from . import navigation
from .notebook_files import NOTEBOOKS, code_cells, paths, prose, read

LONGEST_CELL = 15
LONGEST_STUB = 25  # an exercise's cell, which names all that is to be written
# What differs from run to run or from machine to machine, or must never be seen.
FORBIDDEN = {
    "an id (uuid)": r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b",
    "an address": r"\b0x[0-9a-f]{6,}\b",
    "a time": r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\b\d\d:\d\d:\d\d\b",
    "a path": r"(?<![\w.])/(?:home|Users|root|tmp|usr|var|opt|srv|mnt|private|work)/\w|\b[A-Z]:\\+\w",
    "a key": r"\bsk-[\w-]{16,}|\bAIza[\w-]{20,}|\bgsk_\w{16,}|\bAKIA[A-Z0-9]{12,}",
}
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(\s*<?([^)\s>]*)>?[^)]*\)")
IMAGE_TAG = re.compile(r"<(?:img|svg)\b[^>]*>", re.IGNORECASE)
ALTERNATIVE = re.compile(
    r"\b(?:alt|aria-label|aria-labelledby)\s*=\s*[\"'][^\"']+[\"']|\baria-hidden\s*=\s*[\"']true", re.I
)


def heading(notebook: NotebookNode) -> Iterator[str]:
    """One H1, in the first cell."""
    found = [
        number
        for number, cell in enumerate(notebook.cells)
        if cell.cell_type == "markdown"
        for line in prose(cell)
        if line.startswith("# ")
    ]
    if found != [0]:
        yield f"one H1 in the first cell is wanted; H1 found in cells {found}"


def counts(notebook: NotebookNode) -> Iterator[str]:
    """Committed as run once from top to bottom."""
    found = [cell.execution_count for cell in code_cells(notebook)]
    if found != list(range(1, len(found) + 1)):
        yield f"execution counts are {found}, not 1 to {len(found)}"


def metadata(notebook: NotebookNode) -> Iterator[str]:
    """The kernel that every machine has, and no widget state, which GitHub refuses to show."""
    if (name := notebook.metadata.get("kernelspec", {}).get("name")) != "python3":
        yield f"the kernelspec is {name!r}, not 'python3'"
    if "widgets" in notebook.metadata:
        yield "metadata.widgets is there"


def short_cells(notebook: NotebookNode) -> Iterator[str]:
    """A cell that fits the screen with its output."""
    for number, cell in enumerate(code_cells(notebook), 1):
        most = LONGEST_STUB if "exercise" in cell.metadata else LONGEST_CELL
        if (length := len(cell.source.splitlines())) > most:
            yield f"In [{number}] has {length} lines, more than {most}"


def clean_outputs(notebook: NotebookNode) -> Iterator[str]:
    """No warning, no unintended error, nothing that another run would show differently."""
    for number, cell in enumerate(code_cells(notebook), 1):
        for output in cell.outputs:
            if output.get("name") == "stderr":
                yield f"In [{number}] writes to stderr"
            if output.output_type == "error" and "raises-exception" not in cell.metadata.get("tags", ()):
                yield f"In [{number}] ends with {output.ename}; tag it raises-exception if that is meant"
        shown = "\n".join(text for output in cell.outputs for text in texts(output))
        for what, pattern in FORBIDDEN.items():
            if found := re.search(pattern, shown):
                yield f"In [{number}] shows {what}: {found[0][:60]}"


def no_keys(notebook: NotebookNode) -> Iterator[str]:
    """No key in what is written, either."""
    for number, cell in enumerate(notebook.cells):
        if re.search(FORBIDDEN["a key"], cell.source):
            yield f"cell {number} holds what looks like a key"


def pictures(notebook: NotebookNode) -> Iterator[str]:
    """A text for each picture; beside a plotted figure, its table in the same cell."""
    for number, cell in enumerate(notebook.cells):
        outputs = cell.get("outputs", [])
        shown = [text for output in outputs for text in texts(output)]
        written = [cell.source] if cell.cell_type == "markdown" else []
        for tag in (tag for text in written + shown for tag in IMAGE_TAG.findall(text)):
            if not ALTERNATIVE.search(tag):
                yield f"cell {number} has a picture without a text: {tag[:60]}"
        for bang, alternative, target in (link for text in written for link in LINK.findall(text)):
            if bang and not alternative.strip():
                yield f"cell {number} has a picture without a text: {target}"
        drawn = any(name.startswith("image/") for output in outputs for name in output.get("data", ()))
        if drawn and not any(text.strip() and not text.startswith("<Figure") for text in shown):
            yield f"cell {number} draws a figure without printing its table"


def links(notebook: NotebookNode, path: Path) -> Iterator[str]:
    """Each link leads to a file beside us, a heading, or the web; one into the chapter, to one of its sections."""
    sections = {navigation.CHAPTER + section for section in navigation.SECTIONS.values()}
    text = "\n".join(line for cell in notebook.cells if cell.cell_type == "markdown" for line in prose(cell))
    for _, _, target in LINK.findall(text):
        if target.startswith(navigation.CHAPTER):
            if target not in sections:
                yield f"the chapter has no section {target}"
        elif not target.startswith(("https://", "attachment:")) and not resolves(target, path):
            yield f"the link {target!r} leads nowhere"


def resolves(target: str, path: Path) -> bool:
    """Whether a relative link has its file and, in a notebook, its heading (JupyterLab writes blanks as hyphens)."""
    name, _, fragment = target.partition("#")
    file = path.parent / name if name else path
    if not file.exists() or not fragment or file.suffix != ".ipynb":
        return file.exists() and bool(target)
    cells = (cell for cell in read(file).cells if cell.cell_type == "markdown")
    headings = (re.match(r"#{1,6} +(.*?)\s*$", line) for cell in cells for line in prose(cell))
    return any(found and found[1].replace(" ", "-") == fragment for found in headings)


def navigation_line(notebook: NotebookNode, path: Path) -> Iterator[str]:
    """The generated line, at both ends."""
    wanted = navigation.line(path, paths(path.parent))
    for cell in navigation.ends(notebook):
        if wanted not in cell.source.splitlines():
            yield "the navigation line is missing or old: run `python -m harness.workbook.tasks.navigation`"


def texts(output: NotebookNode) -> list[str]:
    """Everything in an output that is text."""
    if output.output_type == "stream":
        return [output.text]
    if output.output_type == "error":
        return [output.evalue]
    return [body if isinstance(body, str) else str(body) for name, body in output.data.items() if name not in BINARY]


BINARY = {"image/png", "image/jpeg", "application/pdf"}
RULES = (heading, counts, metadata, short_cells, clean_outputs, no_keys, pictures)
RULES_WITH_FILE = (links, navigation_line)


def problems(path: Path) -> list[str]:
    """What breaks a rule in the notebook at `path`, in words."""
    notebook = read(path)
    found = [problem for rule in RULES for problem in rule(notebook)]
    return found + [problem for rule in RULES_WITH_FILE for problem in rule(notebook, path)]


def main(folder: Path = NOTEBOOKS) -> int:
    """Print each problem as `notebook: words`; 1 when there is one."""
    found = [f"{path.name}: {problem}" for path in paths(folder) for problem in problems(path)]
    print(*found, f"{len(paths(folder))} notebooks, {len(found)} problems", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
