"""The token plot: counts that agree with the data, filters, own runs, one deterministic picture, nothing heavy."""

from __future__ import annotations

import re
import subprocess
import sys
from base64 import b64decode
from xml.etree import ElementTree

import pytest

from harness import Message, ProviderResponse
from harness.messages import Provenance, Usage
from harness.workbook import samples
from harness.workbook.usage_data import rows
from harness.workbook.usage_points import limits, vendors
from harness.workbook.widgets import token_plot
from harness.workbook.widgets._scatter import Axis, Group, Look, mark


def response(provider: str, reasoning: int = 0, model: str = "") -> Message:
    return Message(
        "assistant", (), provenance=Provenance(provider=provider, model=model), usage=Usage(10, 50, reasoning)
    )


def svg(plot) -> ElementTree.Element:
    """The live drawing; the static one is the same, as an image."""
    live = re.sub(r" xmlns=\S+", "", re.search(r"<svg [^>]*hwt-svg.*?</svg>", plot._body.value)[0])
    image = b64decode(re.search(r"base64,([^\"]+)", plot.picture())[1]).decode()
    assert re.sub(r" xmlns=\S+", "", image).replace(' style="background:white"', "") == live
    return ElementTree.fromstring(live)


def points(plot) -> dict[str, int]:
    marks = [path for path in svg(plot).iter("path") if path.find("title") is not None]
    return {path.findtext("title"): path.get("d").count("M") for path in marks}


def test_one_point_is_drawn_for_each_pair_of_counts_that_a_vendor_has():
    plot = token_plot()
    pairs = {name: {(r.output_tokens, r.reasoning_tokens) for r in rows() if r.vendor == name} for name in plot.vendors}
    assert points(plot) == {name: len(found) for name, found in pairs.items()}


def test_no_two_vendors_look_alike_and_colour_is_never_alone():
    looks = [Look.numbered(number) for number in range(len(vendors()))]
    assert len({(look.colour, look.shape) for look in looks}) == len(looks)
    assert {look.shape for look in looks[:2]} == {"circle", "square"}


def test_the_axes_are_logarithmic_and_zero_has_a_place_of_its_own():
    axis = Axis(0, 444, 4)
    assert axis.place(10) - axis.place(1) == pytest.approx(axis.place(1000) - axis.place(100))
    assert 0 < axis.place(0) < axis.place(1)
    assert Axis(444, 0, 4).place(0) > Axis(444, 0, 4).place(1)
    assert axis.place(10_000) == 444


def test_what_it_says_agrees_with_the_data():
    plot = token_plot(["openai"])
    assert "566 of 2,459 recorded responses are shown" in plot.text()
    assert "openai: median 77% of the output was reasoning (566 responses)." in plot.text()
    plot.effort = "medium"
    assert len(plot.frame) == 20
    assert plot.frame["reasoning_tokens"].median() == 736


def test_what_the_data_cannot_show_is_counted_from_it():
    said = " ".join(limits())
    for part in ("41 of 2,459", "known for 312", "low 64 (23", "medium 736 (20", "high 290 (30", "539 of 610"):
        assert part in said
    assert "does not reason" in said


def test_a_model_that_the_new_vendors_do_not_have_is_let_go_of():
    plot = token_plot(["anthropic"])
    plot.model = "claude-sonnet-4-5"
    assert set(plot.frame["model"]) == {"claude-sonnet-4-5"}
    plot.vendors = ["openai"]
    assert plot.model is None
    assert len(plot.frame) == 566


def test_no_vendor_is_no_point_and_no_fault():
    plot = token_plot([])
    assert points(plot) == {}
    assert "0 of 2,459 recorded responses are shown" in plot.text()
    assert plot.figure().axes


@pytest.mark.parametrize(
    ("provider", "word"),
    [
        ("local model", "local model"),
        ("anthropic stand-in", "stand-in"),
        ("openai_chat recording", "recorded"),
        ("openai", "live"),
    ],
)
def test_own_runs_are_on_top_under_their_word_whatever_the_filter(provider, word):
    plot = token_plot([])
    plot.add(response(provider, 7))
    assert f"Your response 1 ({word}, {provider}): 50 tokens out, 7 of them reasoning." in plot.text()
    assert points(plot) == {"this session's responses": 1}
    assert [*plot.frame["kind"]] == [word]


def test_a_model_that_does_not_reason_is_said_not_to():
    plot = token_plot()
    plot.add(response("local model"))
    assert "0 of them reasoning, because this model does not reason." in plot.text()


def test_responses_transcripts_and_words_of_ones_own_can_be_added():
    plot = token_plot()
    plot.add(ProviderResponse(text="hi", input_tokens=1, output_tokens=2))
    plot.add(samples.thinking_run(), "recorded")
    plot.add(Message.user_text("no usage, no point"))
    own = plot.frame[plot.frame["source"].str.startswith("this session")]
    assert [*own["kind"]] == ["scripted", "recorded"]


def test_the_frame_keeps_the_source_of_each_row():
    frame = token_plot().frame
    assert len(frame) == 607
    assert frame["source"].str.contains(":").all()
    assert frame["share"].between(0, 1).all()


def test_the_printed_figure_has_the_same_groups_and_logarithmic_axes():
    plot = token_plot()
    plot.add(response("openai", 20))
    figure = plot.figure()
    axes = figure.axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("symlog", "symlog")
    names = axes.get_legend_handles_labels()[1]
    assert names == ["all output is reasoning", "anthropic", "openai", "this session's responses"]


def test_two_pictures_are_equal_and_names_are_never_taken_for_html():
    assert token_plot().static_html() == token_plot().static_html()
    assert "run this cell to make it live" in token_plot().static_html()
    group = Group("<script>", Look.numbered(0), [(1, 1)])
    assert "<script>" not in mark(group, Axis(0, 100, 1), Axis(100, 0, 1))


def test_neither_pandas_nor_matplotlib_is_loaded_before_it_is_asked_for():
    code = (
        "import sys; from harness.workbook.widgets import token_plot; token_plot().static_html(); print(*sys.modules)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "harness.workbook.widgets.reasoning_plot" in loaded
    assert not {"pandas", "matplotlib", "openai", "anthropic"} & set(loaded)
