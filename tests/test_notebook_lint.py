"""Each rule for notebooks passes a notebook that keeps it, and names what breaks it in one that does not."""

from __future__ import annotations

import nbformat
import pytest
from nbformat import v4

from harness.workbook.tasks import navigation, notebook_lint
from harness.workbook.tasks.refresh_notebooks import KERNEL

UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"


def stream(text, name="stdout"):
    return v4.new_output("stream", name=name, text=text)


def display(**data):
    return v4.new_output("display_data", data={name.replace("_", "/"): value for name, value in data.items()})


def sample():
    """A notebook that keeps every rule."""
    cells = [
        v4.new_markdown_cell("# 3.1 A title\n\nText.\n\n## A part"),
        v4.new_code_cell("1 + 1", execution_count=1, outputs=[stream("2\n")]),
        v4.new_markdown_cell("Back to [a part](#A-part), on to [two](3.2-two.ipynb#A-part).\n\n```\n# no heading\n```"),
        v4.new_code_cell("2 + 2", execution_count=2, outputs=[stream("4\n")]),
        v4.new_markdown_cell("The end."),
    ]
    return v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})


@pytest.fixture
def problems(tmp_path):
    """What the lint says of a notebook that stands beside another."""

    def found(notebook):
        one, two = tmp_path / "3.1-one.ipynb", tmp_path / "3.2-two.ipynb"
        nbformat.write(sample(), two)
        nbformat.write(notebook, one)
        navigation.write([one, two])
        return notebook_lint.problems(one)

    return found


def test_a_notebook_that_keeps_all_rules(problems):
    assert problems(sample()) == []


@pytest.mark.parametrize(
    ("output", "word"),
    [
        (stream("careful", "stderr"), "stderr"),
        (v4.new_output("error", ename="KeyError", evalue="", traceback=[]), "KeyError"),
        (stream(f"made {UUID}"), "an id"),
        (stream("<object at 0x7f4cdd8a7d80>"), "an address"),
        (stream("at 2026-01-02T03:04:05Z"), "a time"),
        (stream("in /home/ada/x.py"), "a path"),
        (stream("in C:\\Users\\ada"), "a path"),
        (display(text_html="<b>sk-ant-abcdefgh12345678</b>"), "a key"),
        (display(text_html="<img src='x.png'>"), "without a text"),
        (display(text_html="<svg viewBox='0 0 1 1'></svg>"), "without a text"),
        (display(image_png="iVBORw0KGgo=", text_plain="<Figure size 1x1>"), "without printing its table"),
    ],
)
def test_outputs_that_must_not_be_committed(problems, output, word):
    notebook = sample()
    notebook.cells[1].outputs = [output]
    (problem,) = problems(notebook)
    assert word in problem


@pytest.mark.parametrize(
    "output",
    [
        stream("POST /v1/messages at 127.0.0.1, or 3/4, in tmp/x, id call_1, 0xff"),
        display(text_html="<svg role='img' aria-label='two points'></svg><svg aria-hidden='true'></svg>"),
    ],
)
def test_outputs_that_may_be_committed(problems, output):
    notebook = sample()
    notebook.cells[1].outputs = [output]
    assert problems(notebook) == []


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("# 3.1 Another title", "one H1"),
        ("See [there](missing.md).", "leads nowhere"),
        ("See [there](#Another-part).", "leads nowhere"),
        ("See [there](3.2-two.ipynb#Another-part).", "leads nowhere"),
        ("See [there](http://example.org).", "leads nowhere"),
        (f"See [there]({navigation.CHAPTER}#_39-more).", "no section"),
        ("![](3.2-two.ipynb)", "without a text"),
        ("Set it to sk-proj-abcdefgh12345678.", "key"),
    ],
)
def test_prose_that_breaks_a_rule(problems, source, word):
    notebook = sample()
    notebook.cells[2].source = source
    (problem,) = problems(notebook)
    assert word in problem


@pytest.mark.parametrize("counts", [(None, None), (1, 1), (2, 3), (2, 1)])
def test_counts(problems, counts):
    notebook = sample()
    for cell, count in zip(notebook.cells[1:4:2], counts, strict=True):
        cell.execution_count = count
    (problem,) = problems(notebook)
    assert "not 1 to 2" in problem


def test_metadata(problems):
    notebook = sample()
    notebook.metadata.kernelspec = {**KERNEL, "name": "my-env"}
    notebook.metadata.widgets = {}
    assert [problem.split(" ")[0] for problem in problems(notebook)] == ["the", "metadata.widgets"]


def test_long_cells(problems):
    notebook = sample()
    notebook.cells[1].source = "\n".join(["x = 1"] * notebook_lint.LONGEST_CELL)
    assert problems(notebook) == []
    notebook.cells[1].source += "\ny = 2"
    (problem,) = problems(notebook)
    assert "has 16 lines" in problem


def test_an_error_that_is_meant(problems):
    notebook = sample()
    notebook.cells[1].outputs = [v4.new_output("error", ename="KeyError", evalue="'x'", traceback=[])]
    notebook.cells[1].metadata.tags = ["raises-exception"]
    assert problems(notebook) == []


def test_the_navigation_line_is_written_once_and_checked(tmp_path):
    one, two = tmp_path / "3.1-one.ipynb", tmp_path / "3.2-two.ipynb"
    for path in (one, two):
        nbformat.write(sample(), path)
    assert any("navigation" in problem for problem in notebook_lint.problems(one))
    navigation.write([one, two])
    once = two.read_text(encoding="utf-8")
    assert once.count("[← 3.1 A title](3.1-one.ipynb)") == 2
    navigation.write([one, two])
    assert two.read_text(encoding="utf-8") == once
    assert notebook_lint.problems(one) == []
