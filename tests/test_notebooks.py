"""All notebooks: in any order, within the import budget, readable without a kernel, and what they promise by number."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from harness.workbook.exercises import EXERCISES, cells_for
from harness.workbook.tasks.notebook_files import NOTEBOOKS, code_cells, keyless, paths, read
from harness.workbook.widgets._base import HINT

NAMES = ["3.0", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.8"]
TABLES = {"pandas", "matplotlib"}
SDKS = {"anthropic", "openai", "google.genai", "boto3", "cohere"}
MAY_IMPORT_SDKS = {"3.6", "3.8"}
LOADED = "import sys; print(*sorted({modules} & set(sys.modules)))"
CALL = re.compile(r"^(viewer|inspector|switcher|stepper|token_plot|status_card)\(", re.MULTILINE)
WIDGETS = {
    "3.0": ["viewer", "status_card"],
    "3.2": ["viewer"],
    "3.4": ["inspector", "inspector"],
    "3.5": ["stepper"],
    "3.6": ["switcher", "token_plot"],
    "3.7": ["inspector"],
}


def notebook(name: str) -> nbformat.NotebookNode:
    [path] = NOTEBOOKS.glob(f"{name}-*.ipynb")
    return read(path)


def prose(name: str) -> str:
    return "\n\n".join(cell.source for cell in notebook(name).cells if cell.cell_type == "markdown")


def shown(cell: nbformat.NotebookNode) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


class Reader:
    """Somebody with one notebook and its kernel, who runs cells in an order of their own."""

    def __init__(self, name: str) -> None:
        self.notebook = notebook(name)
        self.cells = code_cells(self.notebook)
        resources = {"metadata": {"path": str(NOTEBOOKS)}}
        self.client = NotebookClient(self.notebook, timeout=60, kernel_name="python3", resources=resources)

    def run(self, cell: nbformat.NotebookNode) -> None:
        """Run one cell; an error that is not tagged as meant raises, and so does a warning."""
        self.client.execute_cell(cell, self.notebook.cells.index(cell))
        assert not [output.text for output in cell.outputs if output.get("name") == "stderr"]

    def ask(self, source: str) -> str:
        """What the kernel prints for `source`."""
        cell = nbformat.v4.new_code_cell(source)
        self.client.execute_cell(cell, 0)
        return shown(cell)


@pytest.fixture(scope="module", params=NAMES)
def reader(request) -> Iterator[Reader]:
    """A reader who has run all cells from top to bottom."""
    one = Reader(request.param)
    with one.client.setup_kernel(env=keyless()):
        for cell in one.cells:
            one.run(cell)
        one.name = request.param
        yield one


def test_all_nine_are_there():
    assert [path.name.split("-")[0] for path in paths()] == NAMES


@pytest.mark.slow
def test_imports_stay_within_the_budget(reader):
    forbidden = TABLES if reader.name in MAY_IMPORT_SDKS else TABLES | SDKS
    assert reader.ask(LOADED.format(modules=forbidden)).split() == []
    assert reader.ask(LOADED.format(modules={"harness"})).split() == ["harness"]


@pytest.mark.slow
def test_cells_run_again_in_any_order_twice(reader):
    order = random.Random(f"order {reader.name}")
    for _ in range(2):
        reader.run(reader.cells[0])
        for cell in order.sample(reader.cells[1:], len(reader.cells) - 1):
            reader.run(cell)


@pytest.mark.parametrize(("name", "widgets"), WIDGETS.items())
def test_every_widget_has_its_picture_where_no_kernel_runs(name, widgets):
    calls = [found for cell in code_cells(notebook(name)) for found in CALL.findall(cell.source)]
    page = HTMLExporter().from_notebook_node(notebook(name))[0]
    assert calls == widgets
    assert len(re.findall(r'<section [^>]*class="hw[ "]', page)) == len(widgets)
    # The viewer is HTML alone and needs no kernel.
    assert page.count(HINT) == len(widgets) - widgets.count("viewer")


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))
def test_an_exercise_stands_in_a_notebook_as_the_package_has_it(exercise):
    wanted = [(cell["source"], cell["metadata"]) for cell in cells_for(exercise)]
    there = [(cell.source, dict(cell.metadata)) for name in NAMES for cell in notebook(name).cells]
    first = there.index(wanted[0])
    assert there[first : first + len(wanted)] == wanted


def test_exercises_stand_in_the_packages_order_and_no_other_is_there():
    cells = [cell for name in NAMES for cell in code_cells(notebook(name))]
    assert [cell.metadata["exercise"]["id"] for cell in cells if "exercise" in cell.metadata] == list(EXERCISES)


@pytest.mark.parametrize("name", ["3.0", "3.8"])
def test_three_outcomes(name):
    found = re.findall(r"^(\d)\. (?:✓ )?(.*(?:\n   .*)*)", prose(name), re.MULTILINE)
    assert [number for number, _ in found] == ["1", "2", "3"]
    assert [re.search(r"3\.\d", words)[0] for _, words in found] == ["3.2", "3.4", "3.5"]


def test_five_things_to_notice_and_three_facts_on_reasoning_tokens():
    assert sorted(re.findall(r"notice (\d):", prose("3.2"), re.IGNORECASE)) == ["1", "2", "3", "4", "5"]
    assert re.findall(r"\*\*Fact (\d):", prose("3.2")) == ["1", "2", "3"]


def test_three_runs_in_one_cell():
    [cell] = [cell for cell in code_cells(notebook("3.6")) if cell.source.startswith("runs = ")]
    assert len(re.findall(r"^\[stand-in\] \w+ .*\b291\b", shown(cell), re.MULTILINE)) == 3
