"""What all widgets share: the picture beside the live view, safe text, and nothing loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys

import ipywidgets
import pytest

from harness.workbook import widgets
from harness.workbook.widgets import _base


class Card(_base.WithPicture, ipywidgets.VBox):
    title = "A <card>"

    def picture(self) -> str:
        return _base.row([_base.pane("one & two", _base.pre("<b>bold</b>"), note="<i>")]) + _base.items(["x < y"])

    def text(self) -> str:
        return "A card, in words."


def test_the_bundle_holds_the_live_view_the_picture_and_the_text():
    card = Card()
    bundle = card._repr_mimebundle_()
    assert bundle[_base.VIEW]["model_id"] == card.model_id
    assert _base.HINT in bundle["text/html"]
    assert bundle["text/plain"] == "A card, in words."


def test_two_widgets_of_one_content_have_one_picture_and_no_id_in_it():
    one, two = Card(), Card()
    assert one.static_html() == two.static_html()
    assert one.model_id not in one.static_html()


def test_nothing_in_a_picture_is_taken_for_html():
    html = Card().static_html()
    for raw in ("<card>", "<b>bold", "<i>", "x < y", "one & two"):
        assert raw not in html


def test_the_look_comes_with_the_picture():
    assert Card().static_html().startswith("<style>")
    assert "var(--jp-" in _base.css()


def test_an_unknown_widget_is_named_with_the_known_ones():
    with pytest.raises(AttributeError, match="no widget 'spinner'; there are: viewer, inspector"):
        _ = widgets.spinner


def test_no_module_hides_a_widget_by_having_its_name():
    assert not set(widgets.HOMES) & set(widgets.HOMES.values())


def test_importing_the_widgets_loads_none_of_them():
    code = "import harness.workbook.widgets, sys; print(*sys.modules)"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert "harness.workbook.widgets" in loaded
    assert not loaded & {"ipywidgets", "anywidget", "pandas", "matplotlib", "anthropic", "openai", "IPython"}
