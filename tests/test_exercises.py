"""The exercises: each proven, three states, limits of the worker, cells found by id, hints, report, update."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import nbformat
import pytest

from harness.workbook.exercises import EXERCISES, Exercise, answer, cells_for, check, hint, report
from harness.workbook.exercises.__main__ import faults, main
from harness.workbook.exercises.cells import answers, metadata
from harness.workbook.exercises.judge import judge
from harness.workbook.exercises.model import Fault, Wrong
from harness.workbook.exercises.update import LEFT_OVER, update
from harness.workbook.exercises.worker import Limits, judge_apart
from harness.workbook.fictional import ask, larkspur

COUNT = EXERCISES["3.1-count"]
ADAPTER = EXERCISES["3.8-adapter"]
FIVE = "def text_length(messages):\n    return 5"
QUICK = Limits(seconds=20, computing=3, megabytes=800, written=2)


# ---- the exercises themselves


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_an_exercise_is_proven_by_its_own_answers(exercise: Exercise) -> None:
    assert faults(exercise) == []
    assert exercise.also_right, "a second right answer, written differently"
    assert len(exercise.hints) >= 2


def test_the_proof_finds_an_exercise_that_is_wrong() -> None:
    drifted = replace(
        COUNT,
        stub=COUNT.reference,
        reference=FIVE,
        also_right=(FIVE,),
        wrong=(Wrong(FIVE, "words that no feedback has"), Wrong(COUNT.also_right[0], "x")),
    )
    found = "\n".join(faults(drifted))
    assert "right answer 0 (0: the reference) is judged" in found
    assert "wrong answer 1 is not told 'words that no feedback has'" in found
    assert "wrong answer 2 is judged solved" in found


def test_there_are_twelve_marked_exercises_of_23_points() -> None:
    marked = [exercise for exercise in EXERCISES.values() if exercise.points]
    assert (len(marked), sum(exercise.points for exercise in marked)) == (12, 23)


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_a_secret_seed_judges_right_and_wrong_answers_alike(exercise: Exercise) -> None:
    for seed in ("term 1", "term 2"):
        assert judge(exercise, exercise.cell(exercise.reference), seed).state == "solved"
        assert {judge(exercise, exercise.cell(wrong.source), seed).state for wrong in exercise.wrong} == {"not yet"}


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=EXERCISES)
def test_feedback_is_the_same_each_time(exercise: Exercise) -> None:
    for wrong in exercise.wrong:
        first, second = (repr(judge(exercise, exercise.cell(wrong.source))) for _ in range(2))
        assert first == second
        assert "0x" not in first


def test_feedback_tells_the_smallest_case_and_hides_a_hidden_one() -> None:
    assert judge(COUNT, COUNT.cell(FIVE)).message == "given no messages, expected 0, but got 5"
    assert "secret" not in Fault("secret", "secret", "secret", hidden=True).sentence()


# ---- three states, in words


def test_a_stub_with_other_comments_is_not_attempted() -> None:
    assert judge(COUNT, COUNT.cell(COUNT.stub + "\n# thinking...\n")).state == "not attempted"


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def text_length(:", "the cell is no Python yet, line 2"),
        ("x = 1", "a definition of `text_length`"),
        ("def text_length(messages):\n    raise ValueError('no')", "ValueError: no"),
        ("import sys\nsys.exit()", "your code raised SystemExit, line 3 of the cell"),
        ("def text_length(messages):\n    return messages.clear() or 0", "the input left as it was"),
        ("from harness.workbook.exercises import EXERCISES", "which is part of the check"),
        ("import itertools\nc = itertools.count()\ndef text_length(messages):\n    return next(c)", "expected"),
    ],
)
def test_what_is_wrong_is_told_in_words(source: str, told: str) -> None:
    verdict = judge(COUNT, COUNT.cell(source))
    assert verdict.state == "not yet"
    assert told in verdict.message


def test_a_verdict_shows_its_state_as_a_word_and_no_markup_of_the_answer() -> None:
    verdict = judge(COUNT, COUNT.cell("def text_length(messages):\n    return '<b>'"))
    assert repr(verdict).startswith("✗ 3.1-count: not yet (0 of 1 points)\n")
    assert "<b>" not in verdict._repr_html_()
    assert 'role="status"' in verdict._repr_html_()


def test_the_adapter_is_marked_row_by_row() -> None:
    stub, part = judge(ADAPTER, ADAPTER.cell()), judge(ADAPTER, ADAPTER.cell(ADAPTER.wrong[1].source))
    assert {row.state for row in stub.rows} == {"not attempted"}
    assert (part.state, part.points, len(part.rows)) == ("not yet", 5.6, 15)
    assert "1 text and system" in repr(part)
    assert "<table>" in part._repr_html_()


# ---- the worker


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("while True: pass", "is there a loop that never ends?" if os.name == "posix" else ""),
        ("import os\nos._exit(0)", "your code ended the process (exit status 0)"),
        ("hoard = []\nwhile True: hoard.append(bytearray(10**7))", "MemoryError"),
        ("import subprocess\nsubprocess.run(['true'])", "an answer may not start programs"),
        ("import gc\ngc.get_objects()", "an answer may not look into the judge"),
        ("import harness.messages as m\nm.TextBlock.__eq__ = lambda a, b: True", "changes harness.messages.TextBlock"),
        (
            "from harness.messages import TextBlock as T\nT.__init__.__code__ = (lambda self: 0).__code__",
            "may not change",
        ),
    ],
)
def test_a_worker_outlives_an_answer_and_says_what_it_did(source: str, told: str) -> None:
    if sys.platform != "linux" and "Memory" in told:
        pytest.skip("only Linux limits the memory of a process by its addresses")
    verdict = judge_apart(COUNT, COUNT.cell(source + "\n" + FIVE), limits=QUICK)
    assert verdict.points == 0
    assert told in verdict.message


def test_a_worker_is_given_up_in_time() -> None:
    start = time.monotonic()
    verdict = judge_apart(COUNT, COUNT.cell("import time\ntime.sleep(60)"), limits=replace(QUICK, seconds=3))
    assert "ran for more than 3 seconds" in verdict.message
    assert time.monotonic() - start < 30


def test_a_worker_knows_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "not for answers")
    source = "import os\ndef text_length(messages):\n    return os.environ.get('SOME_API_KEY', 'no key')"
    assert "'no key'" in judge_apart(COUNT, COUNT.cell(source), limits=QUICK).message


def test_the_worker_judges_as_the_proof_does() -> None:
    for exercise in (COUNT, EXERCISES["3.8-trace"]):
        assert judge_apart(exercise, exercise.cell(exercise.reference)).state == "solved"


# ---- in a kernel


def _notebook(*sources: str) -> Any:
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "p"}})


def _said(notebook: Any) -> list[str]:
    """The text of each cell's outputs."""
    return [
        "".join(output.get("data", {}).get("text/plain", output.get("text", "")) for output in cell.outputs)
        for cell in notebook.cells
    ]


def test_a_kernel_finds_the_cell_as_it_was_last_run_whatever_came_between(tmp_path: Path) -> None:
    from nbclient import NotebookClient

    imports = "from harness.workbook.exercises import answer, check, hint"
    notebook = _notebook(
        imports,
        'check("3.1-count")',
        COUNT.cell(),
        'check("3.1-count")',
        'hint("3.1-count")',
        COUNT.cell(FIVE),
        "# another cell: 3.1-count\nx = 1",
        'check("3.1-count")',
        'hint("3.1-count")',
        'hint("3.1-count")',
        COUNT.cell(COUNT.reference),
        'check("3.1-count")',
        'answer("3.1-count").text_length([{"content": "four"}])',
    )
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    said = _said(notebook)
    assert "not attempted" in said[1]
    assert "run the cell above first" in said[1]
    assert "not attempted" in said[3]
    assert "try first" in said[4]
    assert "not yet" in said[7]
    assert "expected 0, but got 5" in said[7]
    assert (said[8][:11], said[9][:11]) == ("hint 1 of 2", "hint 2 of 2")
    assert said[11].startswith("✓ 3.1-count: solved")
    assert said[12] == "4"


@pytest.fixture
def history(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What a kernel keeps of the cells that were run."""
    cells: list[str] = [""]
    monkeypatch.setattr(sys.modules["__main__"], "In", cells, raising=False)
    yield cells


def test_an_answer_gives_its_names_and_counts_its_lines(history: list[str]) -> None:
    assert answer("3.1-count").text_length([]) is None
    history.append(COUNT.cell("# a comment\n\ndef text_length(messages):\n    return 5"))
    assert (answer("3.1-count").text_length([]), answer("3.1-count").lines) == (5, 2)


def test_the_readers_adapter_runs_the_calculator_over_the_stand_in(history: list[str]) -> None:
    question = "What is 17 * 23, minus 100?"
    assert ask(answer("3.8-adapter"), question) == "not attempted: `to_request` gives nothing yet"
    history.append(ADAPTER.cell(ADAPTER.reference))
    assert ask(answer("3.8-adapter"), question) == "stand-in: The answer is 291."
    history.append(ADAPTER.cell(ADAPTER.wrong[0].source))
    assert ask(answer("3.8-adapter"), question).startswith("not yet: status 422: dialogue[2].parts[0]")


def test_every_sheet_makes_a_vendor_that_accepts_its_own_samples() -> None:
    for name in map(str, range(50)):
        vendor = larkspur.vendor(name)
        assert vendor.check_request(vendor.request()) == []
        assert vendor.respond(vendor.request())[0] == 200
        assert all(word in vendor.page for word in (vendor.sheet.tool, vendor.sheet.mark, vendor.sheet.seal))


def test_an_unknown_exercise_is_named() -> None:
    for function in (check, hint, answer):
        with pytest.raises(KeyError, match=r"there is no exercise '9\.9'"):
            function("9.9")


# ---- in files


def _save(folder: Path, name: str, *cells: tuple[str, str], version: int = 1) -> Path:
    """A notebook of exercise cells, given by id and source."""
    notebook = nbformat.v4.new_notebook()
    for id_, source in cells:
        exercise = replace(EXERCISES[id_], version=version)
        cell = nbformat.v4.new_code_cell(exercise.cell(source), metadata=metadata(exercise))
        notebook.cells += [nbformat.v4.new_markdown_cell("Keep me: naïve 🙂"), cell]
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(nbformat.writes(notebook), encoding="utf-8")
    return path


def test_the_cells_of_an_exercise_are_task_answer_check_hint() -> None:
    task, cell, checked, hinted = cells_for(COUNT)
    assert task["source"].startswith("### Exercise 3.1-count: count the text\n\n*1 point, about 8 minutes.*")
    assert cell["source"] == COUNT.cell()
    assert cell["metadata"]["exercise"] == {"id": "3.1-count", "version": 1, "points": 1, "minutes": 8}
    assert (checked["source"], hinted["source"][:17]) == ('check("3.1-count")', 'hint("3.1-count")')


def test_a_cell_is_known_by_its_metadata_or_by_its_first_line(tmp_path: Path) -> None:
    path = _save(tmp_path, "any name.ipynb", ("3.1-count", FIVE))
    body = json.loads(path.read_text(encoding="utf-8"))
    assert [found.exercise for found in answers(path)] == ["3.1-count"]
    body["cells"][1]["metadata"] = {"exercise": ["nonsense"]}
    path.write_text(json.dumps(body), encoding="utf-8")
    assert [(found.exercise, found.version) for found in answers(path)] == [("3.1-count", 1)]
    path.write_text("[]", encoding="utf-8")
    with pytest.raises(ValueError, match="is no notebook"):
        answers(path)


def test_the_report_counts_what_is_saved(tmp_path: Path) -> None:
    _save(tmp_path, "a.ipynb", ("3.1-count", COUNT.reference), ("3.2-turn", EXERCISES["3.2-turn"].stub))
    lines = report(tmp_path).splitlines()
    assert lines == [
        "✓ 3.1-count: solved (1 of 1 points)",
        "○ 3.2-turn: not attempted (0 of 1 points)",
        "1 of 2 solved, 1 of 2 points",
    ]


def test_an_update_carries_answers_by_id_into_other_files(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    _save(old, "mine.ipynb", ("3.1-count", FIVE), ("3.2-turn", EXERCISES["3.2-turn"].stub))
    path = _save(new, "3.1 renamed.ipynb", ("3.2-turn", EXERCISES["3.2-turn"].stub), ("3.1-count", COUNT.stub))
    assert update(old, new, EXERCISES) == ["3.1-count: carried into 3.1 renamed.ipynb"]
    carried = {found.exercise: found.source for found in answers(path)}
    assert carried["3.1-count"] == COUNT.cell(FIVE)
    assert carried["3.2-turn"] == EXERCISES["3.2-turn"].cell()
    nbformat.validate(nbformat.read(path, as_version=4))
    assert "Keep me: naïve 🙂" in path.read_text(encoding="utf-8")
    assert update(old, new, EXERCISES) == []
    assert not (new / LEFT_OVER).exists()


def test_an_update_never_loses_or_overwrites_an_answer(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    turn = EXERCISES["3.2-turn"]
    _save(old, "a.ipynb", ("3.1-count", FIVE), ("3.2-turn", turn.reference), ("3.7-schema", "x = 1"))
    theirs = _save(new, "a.ipynb", ("3.1-count", COUNT.reference))
    _save(new, "b.ipynb", ("3.2-turn", turn.stub), version=2)
    said = update(old, new, EXERCISES)
    assert "3.1-count: not carried, there is another answer already" in said
    assert "3.2-turn: not carried, version 1 became 2: read the new task" in said
    assert f"3.7-schema: kept in {LEFT_OVER}" in said
    kept = (new / LEFT_OVER).read_text(encoding="utf-8")
    assert all(text in kept for text in (COUNT.cell(FIVE), turn.cell(turn.reference), "x = 1"))
    assert answers(theirs)[0].source == COUNT.cell(COUNT.reference)
    update(old, new, EXERCISES)
    assert (new / LEFT_OVER).read_text(encoding="utf-8") == kept


def test_the_commands_say_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["update", "--from", str(tmp_path), "--into", str(tmp_path)]) == 1
    assert "there are no notebooks in" in capsys.readouterr().err


def test_prove_prints_a_line_for_each_exercise() -> None:
    command = [sys.executable, "-m", "harness.workbook.exercises", "prove"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines() == [f"proven  {name}" for name in EXERCISES]
