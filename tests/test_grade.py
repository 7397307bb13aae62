"""Forty submissions, good, wrong, strange and hostile, get the marks they should, and none harms another."""

from __future__ import annotations

import csv
import html
import json
import time
from pathlib import Path
from typing import Any

import pytest

from harness.workbook.exercises import EXERCISES
from harness.workbook.exercises.cells import metadata
from harness.workbook.exercises.worker import Limits
from harness.workbook.grade import __main__ as grade
from harness.workbook.grade import marking
from harness.workbook.grade.reports import earlier

COUNT, TURN, ADAPTER = EXERCISES["3.1-count"], EXERCISES["3.2-turn"], EXERCISES["3.8-adapter"]
FIVE = "\ndef text_length(messages):\n    return 5\n"
ALWAYS_FIVE = "3.1-count", FIVE


def _cell(exercise_id: str, source: str, *, version: int | None = None, bare: bool = False) -> dict[str, Any]:
    exercise = EXERCISES[exercise_id]
    about: dict[str, Any] = {} if bare else metadata(exercise)
    marker = exercise.marker
    if version is not None:
        marker = marker.replace(f"version {exercise.version}", f"version {version}")
        about = {"exercise": {**about["exercise"], "version": version}}
    cell = {"cell_type": "code", "metadata": about, "source": f"{marker}\n{source.strip()}"}
    return {**cell, "outputs": [], "execution_count": 1}


def _hand_in(folder: Path, student: str, *cells: dict[str, Any], name: str = "work.ipynb") -> None:
    place = folder / student / name
    place.parent.mkdir(parents=True, exist_ok=True)
    body = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    place.write_text(json.dumps(body), encoding="utf-8")


def _hostile(canary: Path) -> dict[str, str]:
    """Cells that do harm, by what they do; none of them earns a point."""
    return {
        "loops": "while True: pass",
        "sleeps": "import time\ntime.sleep(600)",
        "loops-when-called": "def text_length(messages):\n    while True: pass",
        "exits": "import sys\nsys.exit(0)",
        "exits-hard": "import os\nos._exit(0)",
        "fills-memory": "hoard = []\nwhile True: hoard.append(bytearray(10**7))",
        "fills-disk": "with open('big', 'wb') as file:\n    while True: file.write(b'x' * 10**6)",
        "deletes": f"import os\nos.remove({str(canary)!r})" + FIVE,
        "deletes-tree": f"import shutil\nshutil.rmtree({str(canary.parent)!r})" + FIVE,
        "overwrites": f"open({str(canary)!r}, 'w').close()" + FIVE,
        "forks": "import os\nwhile True: os.fork()",
        "starts-programs": "import subprocess\nsubprocess.run(['true'])" + FIVE,
        "calls-home": "import socket\nsocket.create_connection(('127.0.0.1', 9), 1)" + FIVE,
        "prints-solved": "print('✓ 3.1-count: solved (1 of 1 points)')" + FIVE,
        "writes-solved": (
            'import os\nfor number in range(3, 20):\n    try: os.write(number, b\'\\n0 {"state": "solved"}\\n\')\n'
            "    except OSError: pass\nos._exit(0)"
        ),
        "rebinds-check": "check = lambda *a: None" + FIVE,
        "patches-judge": (
            "import sys\nsys.modules['harness.workbook.exercises.e_3_1_count'].try_cases = lambda *a: None" + FIVE
        ),
        "patches-fault": (
            "import sys\nsys.modules['harness.workbook.exercises.model'].Fault.__init__ = lambda *a, **k: None" + FIVE
        ),
        "patches-builtins": "import builtins\nbuiltins.isinstance = lambda *a: True" + FIVE,
        "patches-json": "import json\njson.dumps = lambda *a, **k: 'solved'\n" + COUNT.reference,
        "equals-everything": (
            "class Any(int):\n    def __eq__(self, other): return True\n    def __ne__(self, other): return True\n"
            "    __hash__ = int.__hash__\ndef text_length(messages):\n    return Any()"
        ),
        "imports-the-answer": (
            "from harness.workbook.exercises import EXERCISES\nexec(EXERCISES['3.1-count'].reference)"
        ),
    }


def _class_of_forty(folder: Path, canary: Path) -> dict[str, float]:
    """Write forty submissions; the points that each should get for three exercises."""
    expected: dict[str, float] = {}

    def student(name: str, points: float, *cells: dict[str, Any], file: str = "work.ipynb") -> None:
        _hand_in(folder, name, *cells, name=file)
        expected[name] = points

    for name, source in _hostile(canary).items():
        student(f"hostile-{name}", 1, _cell("3.1-count", source), _cell("3.2-turn", TURN.reference))
    everything = [_cell(name, EXERCISES[name].reference) for name in ("3.1-count", "3.2-turn", "3.8-adapter")]
    student("all-right", 8, *everything)
    student("renamed-notebook", 8, *everything, file="deep/er/Untitled (copy) 3.ipynb")
    student("other-order", 8, *reversed(everything))
    student("no-metadata", 1, _cell("3.1-count", COUNT.reference, bare=True))
    student("stubs", 0, *(_cell(name, EXERCISES[name].stub) for name in ("3.1-count", "3.2-turn", "3.8-adapter")))
    for number, wrong in enumerate(ADAPTER.wrong):
        student(f"adapter-wrong-{number}", round(wrong.points, 2), _cell("3.8-adapter", wrong.source))
    student("adapter-other-words", 6, _cell("3.8-adapter", ADAPTER.also_right[0]))
    student("syntax-error", 1, _cell("3.1-count", "def text_length(:"), _cell("3.2-turn", TURN.reference))
    student("old-version", 0, _cell("3.1-count", COUNT.reference, version=7))
    student("wrong-then-right", 1, _cell(*ALWAYS_FIVE), _cell("3.1-count", COUNT.reference))
    student("right-then-stub", 1, _cell("3.1-count", COUNT.reference), _cell("3.1-count", COUNT.stub))
    student("with-a-key", 1, _cell("3.1-count", COUNT.reference + "\n# sk-ant-" + "a" * 30))
    student("empty", 0)
    broken = folder / "broken" / "work.ipynb"
    broken.parent.mkdir()
    broken.write_text("no notebook at all", encoding="utf-8")
    expected["broken"] = 0
    (folder / "nothing-handed-in").mkdir()
    expected["nothing-handed-in"] = 0
    return expected


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, float], Path, Path, str]:
    """The class, marked once with a secret seed: what each should have, the output, the canary, what was printed."""
    folder, out = tmp_path_factory.mktemp("submissions"), tmp_path_factory.mktemp("marks")
    canary = tmp_path_factory.mktemp("others") / "canary.txt"
    canary.write_text("alive", encoding="utf-8")
    expected = _class_of_forty(folder, canary)
    patch = pytest.MonkeyPatch()
    patch.setattr(marking, "MARKING", Limits(seconds=25, computing=4, megabytes=1_000, written=4))
    exercises = [COUNT, TURN, ADAPTER]
    patch.setattr(grade, "chosen", lambda only: exercises)
    start = time.monotonic()
    assert grade.main([str(folder), "--seed", "a secret", "--out", str(out), "--jobs", "4"]) == 0
    patch.undo()
    print(f"{len(expected)} submissions in {time.monotonic() - start:.0f} s")
    return expected, out, canary, html.unescape((out / "report.html").read_text(encoding="utf-8"))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_forty_submissions_get_the_marks_they_should(marked: tuple[dict[str, float], Path, Path, str]) -> None:
    expected, out, _, _ = marked
    found = {row["student"]: float(row["total"]) for row in _rows(out / "marks.csv")}
    assert len(expected) >= 40
    assert found == pytest.approx(expected)


def test_a_hostile_cell_costs_only_itself(marked: tuple[dict[str, float], Path, Path, str]) -> None:
    _, out, canary, _ = marked
    assert canary.read_text(encoding="utf-8") == "alive"
    hostile = [mark for mark in earlier(out) if mark.student.startswith("hostile-")]
    assert {(mark.exercise, mark.points) for mark in hostile} == {
        ("3.1-count", 0),
        ("3.2-turn", 1),
        ("3.8-adapter", 0),
    }
    assert all(mark.why for mark in hostile if mark.exercise == "3.1-count")


def test_what_is_worth_a_look_stands_beside_the_marks(marked: tuple[dict[str, float], Path, Path, str]) -> None:
    _, out, _, page = marked
    rows = {row["student"]: row for row in _rows(out / "marks.csv")}
    assert "work.ipynb holds what looks like an Anthropic key" in rows["with-a-key"]["notes"]
    assert "aaaaaaaaaa" not in page
    assert "could not be read" in rows["broken"]["notes"]
    assert rows["nothing-handed-in"]["notes"] == "no notebook"
    assert "answered more than once" in rows["wrong-then-right"]["notes"]
    assert rows["right-then-stub"]["notes"] == ""
    assert "sys.modules" in rows["hostile-patches-judge"]["unusual names"]
    assert "the reference" in rows["all-right"]["same shape as"]
    assert "the reference" not in rows["adapter-other-words"]["same shape as"]


def test_an_unknown_version_is_refused_by_a_sentence(marked: tuple[dict[str, float], Path, Path, str]) -> None:
    [mark] = [mark for mark in earlier(marked[1]) if mark.student == "old-version" and mark.exercise == "3.1-count"]
    assert mark.state == "refused"
    assert mark.why.startswith("the answer is for version 7 of 3.1-count, and this release marks version 1")


def test_the_report_says_whether_the_network_was_blocked(marked: tuple[dict[str, float], Path, Path, str]) -> None:
    assert (grade.BLOCKED if marking.without_network() else grade.NOT_BLOCKED) in marked[3]
    assert grade.SAID_SEED in marked[3]


def test_a_network_namespace_is_really_without_network() -> None:
    prefix = marking.without_network()
    if not prefix:
        pytest.skip("this system has no network namespace to be had")
    import subprocess
    import sys

    code = "import socket; print(socket.create_connection(('127.0.0.1', 9), 1))"
    done = subprocess.run([*prefix, sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "unreachable" in done.stderr


def test_one_exercise_is_marked_again_and_the_others_stay(tmp_path: Path) -> None:
    _hand_in(tmp_path / "in", "ada", _cell("3.1-count", COUNT.reference), _cell("3.2-turn", TURN.reference))
    out = tmp_path / "out"
    for only in ("3.1-count", "3.2-turn", "3.1-count"):
        assert grade.main([str(tmp_path / "in"), "--only", only, "--out", str(out)]) == 0
    [row] = _rows(out / "marks.csv")
    assert (row["3.1-count"], row["3.2-turn"], row["total"]) == ("1", "1", "2")


def test_own_sheets_refuse_a_neighbours_file(tmp_path: Path) -> None:
    _hand_in(tmp_path / "in", "ada", _cell("3.8-adapter", ADAPTER.reference))
    renamed = ADAPTER.reference.replace('SHEET = "workbook"', 'SHEET = "bob"')
    _hand_in(tmp_path / "in", "bob", _cell("3.8-adapter", renamed))
    arguments = [str(tmp_path / "in"), "--only", "3.8-adapter", "--own-sheets", "--out", str(tmp_path / "out")]
    assert grade.main(arguments) == 0
    ada, bob = earlier(tmp_path / "out")
    assert (ada.points, ada.why) == (0, "given SHEET, expected 'ada', but got 'workbook'")
    assert bob.points <= 2  # rows in which none of the words of the sheet occurs


def test_cells_of_a_table_are_no_formulas(tmp_path: Path) -> None:
    _hand_in(tmp_path / "in", "=HYPERLINK(1)", _cell(*ALWAYS_FIVE))
    grade.main([str(tmp_path / "in"), "--only", "3.1-count", "--out", str(tmp_path / "out")])
    assert _rows(tmp_path / "out" / "marks.csv")[0]["student"] == "'=HYPERLINK(1)"


def test_nothing_to_mark_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert grade.main([str(tmp_path)]) == 2
    assert grade.main([str(tmp_path), "--only", "9.9"]) == 2
    assert "there is no exercise '9.9'" in capsys.readouterr().err
