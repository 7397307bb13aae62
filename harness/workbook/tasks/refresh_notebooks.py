"""`make refresh-notebooks`: run every notebook in place and normalise it, so that a diff shows only real change."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from . import navigation
from .notebook_files import code_cells, keyless, paths, read, text_of

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
# What editors and kernels leave behind: it differs from run to run and tells a reader nothing.
NOISE = {"execution", "ExecuteTime", "collapsed", "scrolled", "trusted", "editable", "vscode"}
LIVE_VIEW = "application/vnd.jupyter.widget-view+json"


def execute(path: Path) -> nbformat.NotebookNode:
    """The notebook at `path` with the outputs of a fresh kernel, run in its own folder."""
    notebook = read(path)
    resources = {"metadata": {"path": str(path.parent)}}
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources=resources,
        coalesce_streams=True,
        store_widget_state=False,
    )
    return client.execute()


def normalise(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The same notebook as we commit it: counts 1..N, no widget state, no timing, no Python version."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata.kernelspec = nbformat.from_dict(KERNEL)
    notebook.metadata.language_info = nbformat.from_dict({"name": "python"})
    for cell in notebook.cells:
        for name in NOISE & set(cell.metadata):
            del cell.metadata[name]
    for count, cell in enumerate(code_cells(notebook), 1):
        cell.execution_count = count
        for output in cell.outputs:
            settle(output, count)
    return notebook


def settle(output: nbformat.NotebookNode, count: int) -> None:
    """Take the live view's id out of one output (its static picture stays), and set the kernel's count."""
    if output.output_type == "execute_result":
        output.execution_count = count
    if "data" in output:
        output.data.pop(LIVE_VIEW, None)


def refresh(path: Path) -> bool:
    """Run, normalise and write one notebook; whether its text changed."""
    before = path.read_text(encoding="utf-8")
    after = text_of(normalise(execute(path)))
    if after != before:
        path.write_text(after, encoding="utf-8", newline="\n")
    return after != before


def main() -> int:
    """Refresh all, two at a time, without keys; a cell that raises unexpectedly ends it with its traceback."""
    navigation.write(paths())
    os.environ.pop("PROVIDER", None)
    for name in set(os.environ) - set(keyless()):
        del os.environ[name]
    with ProcessPoolExecutor(max_workers=2) as pool:
        for path, changed in zip(paths(), pool.map(refresh, paths()), strict=True):
            print(f"{path.name:45}{'changed' if changed else 'same'}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
