"""A student in JupyterLab: not attempted, a wrong answer, a hint, the right one, under any notebook name."""

from __future__ import annotations

from playwright.sync_api import expect

from harness.workbook.exercises import EXERCISES

WARM_UP = EXERCISES["0-warm-up"]


def test_an_exercise_is_got_wrong_then_right(lab, notebook):
    wrong, right = WARM_UP.cell(WARM_UP.wrong[0].source), WARM_UP.cell(WARM_UP.reference)
    lab.open(
        notebook(
            "from harness.workbook.exercises import check, hint",
            WARM_UP.cell(),
            'check("0-warm-up")',
            'hint("0-warm-up")',
            wrong,
            'check("0-warm-up")',
            'hint("0-warm-up")',
            'hint("0-warm-up")',
            right,
            'check("0-warm-up")',
        )
    )
    lab.run_all()
    lab.screenshot("student")
    shown = lab.page.locator(".jp-Notebook .jp-OutputArea-output")
    said = [
        "0-warm-up: not attempted",
        "hints wait: try first",
        "0-warm-up: not yet",
        "hint 1 of 2",
        "hint 2 of 2",
        "0-warm-up: solved",
    ]
    expect(shown).to_have_count(len(said))
    for number, words in enumerate(said):
        expect(shown.nth(number)).to_contain_text(words)
    expect(shown.nth(2)).to_contain_text("expected")
    assert lab.console_errors == []
