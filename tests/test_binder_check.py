"""What is said of the Binder files holds for ours, and each sentence appears once its fact is broken."""

from __future__ import annotations

import shutil

import pytest

from harness.workbook.tasks import binder_files
from harness.workbook.tasks.bootstrap import ROOT


@pytest.fixture
def copy(tmp_path):
    """A checkout of nothing but the files that matter."""
    for name in ("pyproject.toml", "environment.yml"):
        shutil.copy2(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "binder", tmp_path / "binder")
    return tmp_path


def test_ours_are_right(copy):
    assert list(binder_files.problems(copy)) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("binder/requirements.txt", "orjson>=3.10,<4\n", "", ["requirements.txt lacks orjson"]),
        (
            "binder/requirements.txt",
            "orjson>=3.10,<4",
            "orjson",
            ["lacks orjson", "has orjson, pyproject.toml has not"],
        ),
        ("binder/requirements.txt", "orjson", "jupyterlab>=4\norjson", ["has jupyterlab>=4"]),
        ("binder/requirements.txt", "orjson", "-e .\norjson", ["'-e .' is no third-party requirement"]),
        ("pyproject.toml", "xllamacpp>=", "xllamacpp>=2026.11,!=", ["lacks xllamacpp", "has xllamacpp"]),
        ("environment.yml", "python=3.12", "python>=3.11", ["python>=3.11"]),
        ("environment.yml", "- -e .", "- -e ..", ["-e .."]),
        ("binder/postBuild", " --no-deps", "", ["does not install this checkout alone"]),
        ("binder/postBuild", "#!", "#", ["names no interpreter"]),
        ("binder/runtime.txt", "3.12", "3.11", ["the Python is not 3.12"]),
    ],
)
def test_a_broken_fact_is_named(copy, name, old, new, words):
    path = copy / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    found = list(binder_files.problems(copy))
    assert len(found) == len(words)
    assert all(word in problem for word, problem in zip(words, found, strict=True))


def test_a_conda_environment_in_binder_would_be_solved(copy):
    shutil.copy2(copy / "environment.yml", copy / "binder" / "environment.yml")
    found = list(binder_files.problems(copy))
    assert "the image: binder/requirements.txt is not installed" in found
    assert found[-1].startswith("the image: a conda environment is solved")


def test_a_missing_post_build_is_not_run(copy):
    text = binder_files.dockerfile(copy).replace("RUN ./binder/postBuild", "")
    assert list(binder_files.image(text)) == ["the image: binder/postBuild is not run"]
