"""The tasks behind `make`: one table for all, an environment chosen well, notebooks compared and refreshed for real."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import nbformat
import pytest
from nbformat import v4

from harness.workbook.tasks import bootstrap, check_notebooks, corpus_floor, lab, notebook_files
from harness.workbook.tasks.__main__ import TASKS, main, usage
from harness.workbook.tasks.refresh_notebooks import KERNEL, LIVE_VIEW, refresh


def test_make_and_the_table_have_the_same_names():
    makefile = (bootstrap.ROOT / "Makefile").read_text(encoding="utf-8")
    targets = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split()
    assert set(targets) == {"help", *TASKS}
    assert set(re.findall(r"^([a-z- ]+):", makefile, re.MULTILINE)[0].split()) == set(targets) - {"grade"}


def test_an_unknown_name_lists_the_known_ones(capsys):
    assert main(["tset"]) == 2
    assert usage() in capsys.readouterr().out


def environment(folder):
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    return folder


@pytest.mark.parametrize(
    ("variables", "chosen"),
    [
        ({"VIRTUAL_ENV": "venv", "CONDA_PREFIX": "conda"}, "venv"),
        ({"CONDA_PREFIX": "conda", "CONDA_DEFAULT_ENV": "harness-workbook"}, "conda"),
        ({"CONDA_PREFIX": "conda", "CONDA_DEFAULT_ENV": "base"}, None),
        ({"VIRTUAL_ENV": "deleted"}, None),
        ({}, None),
    ],
)
def test_the_environment_that_is_switched_on(tmp_path, monkeypatch, variables, chosen):
    folders = {name: environment(tmp_path / name) for name in ("venv", "conda")}
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "CONDA_DEFAULT_ENV"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value if name == "CONDA_DEFAULT_ENV" else str(tmp_path / value))
    assert bootstrap.active() == folders.get(chosen)


def test_the_running_environment_wins(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setenv("VIRTUAL_ENV", str(environment(tmp_path / "venv")))
    assert bootstrap.active() == tmp_path


@pytest.fixture
def installs(tmp_path, monkeypatch):
    """An environment to be filled: which installations were asked for, and which of them fail."""
    environment(tmp_path)
    monkeypatch.setattr(bootstrap, "active", lambda: tmp_path)
    monkeypatch.setattr(bootstrap, "refuse_old", lambda python: None)
    asked, failing = [], set()

    def editable(python, what):
        asked.append(what)
        return what not in failing

    monkeypatch.setattr(bootstrap, "editable", editable)
    return asked, failing


def test_a_second_start_installs_nothing(installs):
    asked, _ = installs
    for extra in ("model", "model", "test", "model", "test"):
        bootstrap.ready(extra)
    assert asked == [".[model]", ".[test]"]


def test_a_changed_project_file_installs_again(installs, tmp_path, monkeypatch):
    asked, _ = installs
    bootstrap.ready("model")
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    (checkout / "pyproject.toml").write_text("[project]", encoding="utf-8")
    monkeypatch.setattr(bootstrap, "ROOT", checkout)
    bootstrap.ready("model")
    assert asked == [".[model]", ".[model]"]


def test_without_the_models_server_the_rest_is_installed_loudly_and_tried_again(installs, capsys):
    asked, failing = installs
    failing.add(".[model]")
    bootstrap.ready("model")
    bootstrap.ready("model")
    assert asked == [".[model]", "."] * 2
    assert "`model` could not be installed" in capsys.readouterr().out


def test_a_failed_installation_ends_with_a_sentence(installs):
    installs[1].update({".[test]", "."})
    with pytest.raises(SystemExit, match="installation failed"):
        bootstrap.ready("test")


def test_an_old_python_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr(subprocess, "check_output", lambda *_, **__: "3 9\n")
    with pytest.raises(SystemExit, match=r"3\.11 or newer is needed.*3\.9"):
        bootstrap.refuse_old(bootstrap.Path(sys.executable))


def test_the_bootstrap_needs_nothing_that_is_not_in_python():
    code = "import sys; from harness.workbook.tasks import __main__; print(*sys.modules)"
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(bootstrap.ROOT)!r}); {code}"]
    assert "harness.workbook.tasks.bootstrap" in subprocess.check_output(command, text=True).split()


def test_notebooks_run_without_keys_and_provider():
    given = {"PROVIDER": "anthropic", "OPENAI_BASE_URL": "x", "GROQ_API_KEY": "k", "AWS_PROFILE": "p", "HOME": "h"}
    assert notebook_files.keyless(given) == {"HOME": "h"}


@pytest.fixture
def notebook(tmp_path):
    """A notebook that was never run, with what editors leave behind."""
    sources = ["print(17 * 23 - 100)", "import ipywidgets\nipywidgets.IntSlider()", "print('done')"]
    cells = [v4.new_markdown_cell("# 3.1 Tiny"), *map(v4.new_code_cell, sources)]
    cells[1].metadata = {"collapsed": False, "scrolled": True, "exercise": "kept"}
    path = tmp_path / "3.1-tiny.ipynb"
    nbformat.write(v4.new_notebook(cells=cells, metadata={"kernelspec": {**KERNEL, "display_name": "mine"}}), path)
    return path


@pytest.mark.slow
def test_refreshing_twice_changes_nothing_and_what_is_refreshed_compares_equal(notebook):
    assert refresh(notebook)
    cells = notebook_files.code_cells(notebook_files.read(notebook))
    assert [cell.execution_count for cell in cells] == [1, 2, 3]
    assert cells[0].outputs[0].text == "291\n"
    assert cells[0].metadata == {"exercise": "kept"}
    assert LIVE_VIEW not in cells[1].outputs[0].data
    assert "widgets" not in json.loads(notebook.read_text(encoding="utf-8"))["metadata"]
    assert not refresh(notebook)
    assert check_notebooks.compare([notebook]) == 0


@pytest.mark.slow
def test_another_output_is_a_failure_with_a_line_for_the_notebook(notebook, capfd):
    refresh(notebook)
    text = notebook.read_text(encoding="utf-8")
    notebook.write_text(text.replace("291", "292"), encoding="utf-8")
    assert check_notebooks.compare([notebook]) != 0
    assert re.search(r"3\.1-tiny\.ipynb +\d+\.\d s +FAILED, cells that differ: 1", capfd.readouterr().out)


def test_a_notebook_that_was_never_run_is_not_taken_for_equal(notebook, capsys):
    assert check_notebooks.compare([notebook]) != 0
    assert "make refresh-notebooks" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("today", "words"),
    [
        ({"wire": {"exact": [9, 10], "broken": [0, 2]}}, []),
        ({"wire": {"exact": [18, 19], "broken": [0, 0]}}, []),
        ({"wire": {"exact": [8, 10], "broken": [0, 2]}}, ["wire exact: 8 of 10, at least 9 of 10"]),
        ({"wire": {"exact": [9, 10], "broken": [0, 3]}}, ["wire broken: 3, at most 2"]),
        ({}, ["wire exact: 0 of 0, at least 9 of 10"]),
    ],
)
def test_the_floor_under_the_adapters(today, words):
    assert list(corpus_floor.falls({"wire": {"exact": [9, 10], "broken": [0, 2]}}, today)) == words


@pytest.mark.parametrize(("user", "told"), [(0, ["--allow-root"]), (1000, [])])
def test_the_lab_starts_in_a_container_too_where_everybody_is_root(user, told, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    assert lab.as_root() == told
