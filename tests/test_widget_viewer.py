"""The transcript viewer: everything in words, safe HTML, and the same picture with and without a kernel."""

from __future__ import annotations

import subprocess
import sys

from harness import Message, OpaqueBlock, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript
from harness.workbook import samples
from harness.workbook.widgets import viewer


def test_every_block_is_named_by_a_word_and_shown_with_its_content():
    text = viewer(samples.thinking_run()).text()
    assert text.splitlines() == [
        "Transcript of 3 messages",
        f"system prompt: {samples.SYSTEM}",
        "1 user",
        f"  text: {samples.QUESTION}",
        "2 assistant (anthropic; 412 tokens in, 96 out (41 of them reasoning))",
        "  reasoning anthropic.messages: A product, then a difference.",
        "  text: I will use the calculator.",
        '  tool call calc, id toolu_1: {"expression": "17 * 23 - 100"}',
        "3 user",
        "  tool result for id toolu_1: 291",
    ]


def test_the_html_holds_what_the_text_holds():
    html = viewer(samples.parallel_run())._repr_html_()
    for part in ("Two sums at once.", "tool result (error)", "call_b", "division by zero", "system prompt"):
        assert part in html


def test_each_block_tells_its_type_and_fields():
    html = viewer(ToolCall("call_1", "calc", {"expression": "1 + 1"}))._repr_html_()
    assert html.count("ToolCall(id, name, args, metadata, kind)") == 2  # on pointing and to unfold
    assert "args: {&quot;expression&quot;: &quot;1 + 1&quot;}" in html


def test_there_is_a_filter_for_each_kind_that_occurs_and_none_for_one_kind_alone():
    kinds = (TextBlock("a"), ReasoningBlock("b"), ToolCall("c", "d", {}), OpaqueBlock("gemini", {"type": "x"}))
    html = viewer(Transcript([Message("assistant", kinds), Message("user", (ToolResult("c", "e"),))]))._repr_html_()
    assert all(f'class="hwv-on-{kind}"' in html for kind in ("text", "reasoning", "tool_call", "tool_result", "opaque"))
    assert "<fieldset" not in viewer(Message.user_text("hi"))._repr_html_()


def test_where_the_style_sheet_is_dropped_the_filter_is_hidden():
    assert '<fieldset class="hwv-filter" style="display:none">' in viewer(samples.calculator_run())._repr_html_()


def test_content_is_never_taken_for_html():
    nasty = '<script>alert("x")</script>'
    call = ToolCall(nasty, nasty, {nasty: nasty})
    html = viewer(Transcript([Message("assistant", (TextBlock(nasty), call))], system=nasty))._repr_html_()
    assert "<script" not in html
    assert 'title="ToolCall' in html


def test_equal_transcripts_have_equal_pictures_without_ids_and_times():
    one, two = samples.calculator_run(), samples.calculator_run()
    assert viewer(one)._repr_html_() == viewer(two)._repr_html_()
    assert one.messages[0].id not in viewer(one)._repr_html_()
    assert repr(viewer(one)) == viewer(two).text()


def test_an_empty_transcript_and_an_empty_message_are_shown():
    assert viewer(Transcript()).text() == "Transcript of 0 messages"
    assert viewer(Message("user", ())).text() == "Transcript of 1 message\n1 user\n  no blocks"


def test_it_loads_no_widget_library():
    code = (
        "import sys; from harness.workbook.widgets import viewer; from harness import Message; "
        "viewer(Message.user_text('hi'))._repr_html_(); print(*sys.modules)"
    )
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert "harness.workbook.widgets.transcript_viewer" in loaded
    assert not loaded & {"ipywidgets", "anywidget", "IPython", "pandas"}
