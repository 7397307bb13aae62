"""What README.md and CONTRIBUTING.md say is so: tables are the code's, links and commands lead somewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.providers import PROVIDERS
from harness.workbook import kinds, standins
from harness.workbook.local_model import MODEL
from harness.workbook.tasks import navigation, notebook_files
from harness.workbook.tasks.__main__ import TASKS
from harness.workbook.tasks.bootstrap import ROOT

PAGES = ("README.md", "CONTRIBUTING.md")
README = (ROOT / "README.md").read_text(encoding="utf-8")
LARGEST_PICTURE = 80_000  # bytes


def text(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def prose(page: str) -> str:
    """A page without its code fences."""
    return re.sub(r"^```.*?^```", "", text(page), flags=re.MULTILINE | re.DOTALL)


def rows(first_cell: str) -> list[tuple[str, ...]]:
    """The rows of the README's table whose heading begins with that cell."""
    table = re.search(rf"^\| {re.escape(first_cell)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", README, re.MULTILINE)
    assert table, f"the README has no table {first_cell!r}"
    return [tuple(cell.strip() for cell in line.strip("|").split(" | ")) for line in table[1].splitlines()]


def test_the_targets_and_their_equivalents_are_the_tasks():
    found = [(make.split()[1].strip("`"), python.strip("`").split()[:4], does) for make, python, does in rows("make")]
    command = ["python", "-m", "harness.workbook.tasks"]
    assert found == [(name, [*command, name], task.summary) for name, task in TASKS.items()]


def test_the_variables_of_the_keys_are_the_registrys():
    wanted = [(f"`{name}`", entry.label, entry.key_variable) for name, entry in PROVIDERS.items()]
    assert rows("`PROVIDER`") == [(*row, f"`{key}`" if key else "none") for *row, key in wanted]


def test_the_five_words_mean_what_the_notebooks_say():
    assert rows("word") == list(kinds.MEANING.items())


def test_the_map_has_every_notebook_with_its_title_and_minutes():
    wanted = []
    for path in notebook_files.paths():
        notebook = notebook_files.read(path)
        minutes = re.search(r"\*About (\d+(?: to \d+)?) minutes", notebook.cells[0].source)
        assert minutes, f"{path.name} does not say how long it takes"
        exercises = sum("exercise" in cell.metadata for cell in notebook_files.code_cells(notebook))
        count = "a warm-up" if path.name.startswith("3.0") else str(exercises)
        wanted.append((f"[{notebook_files.title(notebook)}](notebooks/{path.name})", minutes[1], count))
    assert rows("notebook") == wanted


def test_the_recorded_requests_are_as_many_as_the_floor_counts():
    floor = json.loads((ROOT / "tests" / "corpus_floor.json").read_text(encoding="utf-8"))
    labels = {entry.wire: entry.label for entry in reversed(PROVIDERS.values())}
    assert {row[0]: row[-1] for row in rows("wire")} == {
        labels[wire]: str(figures["decode"][1]) for wire, figures in floor.items()
    }


def test_every_wire_that_is_said_to_have_a_stand_in_has_one_and_no_other():
    said = [label for label, _, partner, _ in rows("wire") if "stand-in" in partner]
    assert said == [PROVIDERS[name].label for name in standins.available()]


def test_the_size_of_the_model_is_the_models():
    assert f"{MODEL.size / 1e6:.0f} MB" in README


def links(page: str) -> Iterator[str]:
    yield from re.findall(r"\]\(([^)\s]+)\)", prose(page))
    yield from re.findall(r"(?:src|srcset)=\"([^\"]+)\"", text(page))
    yield from re.findall(r"^\[[^\]]+\]: (\S+)$", text(page), re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The headings of a page, as GitHub spells them in an address."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file_and_its_heading_or_to_the_web(page):
    for link in links(page):
        if link.startswith("https://"):
            continue
        name, _, heading = link.partition("#")
        file = ROOT / (name or page)
        assert file.is_file(), link
        assert not heading or heading in anchors(file), link


def test_links_into_the_chapter_are_the_notebooks_own():
    [chapter] = re.findall(r"^\[chapter\]: (\S+)$", README, re.MULTILINE)
    assert chapter == navigation.CHAPTER


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_named_exists(page):
    modules = set(re.findall(r"(?:python|py) -m ([\w.]+\w)", text(page)))
    assert modules
    assert [name for name in modules if find_spec(name) is None] == []
    targets = set(re.findall(r"`make ([a-z-]+)|^make ([a-z-]+)", text(page), re.MULTILINE))
    assert {a or b for a, b in targets} <= set(TASKS)


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(page):
    named = re.findall(r"`([\w./-]+\.(?:py|json|csv|yml|toml)|[\w.-]+(?:/[\w.-]+)*/)`", text(page))
    assert named
    places = (ROOT, ROOT / "harness", ROOT / "harness" / "providers", ROOT / "harness" / "workbook" / "exercises")
    assert [name for name in named if not any((place / name).exists() for place in places)] == []


def test_every_picture_is_small_and_has_words_and_a_dark_twin():
    pictures = re.findall(r"<picture>(.*?)</picture>", README, re.DOTALL)
    assert len(pictures) == 4
    for picture in pictures:
        assert len(re.search(r"alt=\"([^\"]+)\"", picture)[1]) > 100
        light, dark = (re.search(rf"docs/([\w-]+)-{theme}\.png", picture)[1] for theme in ("light", "dark"))
        assert light == dark
    shown = set(re.findall(r"docs/[\w-]+\.png", README))
    assert shown == {f"docs/{path.name}" for path in (ROOT / "docs").iterdir()}
    assert all((ROOT / name).stat().st_size < LARGEST_PICTURE for name in shown)


def test_the_line_for_binder_opens_the_first_notebook():
    line = re.search(r"https://mybinder\.org/v2/gh/[\w.-]+/[\w.-]+/[\w.-]+\?urlpath=lab/tree/([\w./-]+)", README)
    assert (ROOT / line[1]) == notebook_files.paths()[0]
