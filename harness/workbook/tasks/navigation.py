"""The line "previous | contents | next" and the chapter link: written into each notebook, and checked by the lint."""

from __future__ import annotations

from pathlib import Path

import nbformat

from .notebook_files import paths, read, text_of, title

CHAPTER = "https://ven109.github.io/agent-harness-book-claude/chapters/messages-turns-transcript"
# A section's heading in the chapter, as its page spells it in an address.
SECTIONS = {
    "3.0": "",
    "3.1": "#_31-the-problem-with-dicts",
    "3.2": "#_32-the-canonical-shape",
    "3.3": "#_33-the-provider-protocol-upgraded",
    "3.4": "#_34-the-adapters",
    "3.5": "#_35-updating-the-loop",
    "3.6": "#_36-swapping-providers",
    "3.7": "#_37-why-tool-schemas-are-still-dicts",
    "3.8": "#_38-try-it-yourself",
}
MARK = "<!-- navigation -->"


def chapter_link(path: Path) -> str:
    """The address of the chapter's section that a notebook accompanies."""
    return CHAPTER + SECTIONS[path.name.split("-")[0]]


def line(path: Path, all_paths: list[Path]) -> str:
    """The navigation line of one notebook, as markdown."""
    place = all_paths.index(path)
    parts = [f"[← {title(read(before))}]({before.name})" for before in all_paths[:place][-1:]]
    if place > 0:
        parts.append(f"[contents]({all_paths[0].name})")
    parts += [f"[{title(read(after))} →]({after.name})" for after in all_paths[place + 1 :][:1]]
    parts.append(f"[this section in the chapter]({chapter_link(path)})")
    return f"{' | '.join(parts)} {MARK}"


def ends(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The cells that carry the line: the first and the last cell of prose."""
    markdown = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    return [markdown[0], markdown[-1]] if len(markdown) > 1 else markdown


def put(source: str, wanted: str) -> str:
    """A cell's text with its navigation line replaced, or added at the end."""
    lines = source.rstrip().splitlines()
    if any(text.endswith(MARK) for text in lines):
        return "\n".join(wanted if text.endswith(MARK) else text for text in lines)
    return "\n".join([*lines, "", wanted])


def write(all_paths: list[Path]) -> None:
    """Bring the line of every notebook up to date; files that are right already stay untouched."""
    for path in all_paths:
        notebook, wanted = read(path), line(path, all_paths)
        for cell in ends(notebook):
            cell.source = put(cell.source, wanted)
        if (text := text_of(notebook)) != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(paths())
