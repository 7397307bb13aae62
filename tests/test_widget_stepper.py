"""The loop stepper: each turn's transcript, what it added, its body on any wire, tokens added up; in words, too."""

from __future__ import annotations

import html
import json

import pytest

from harness import Message, OpaqueBlock, ProviderResponse, Transcript
from harness.agent import run
from harness.errors import HarnessError, UnfinishedAnswer
from harness.providers import adapters
from harness.providers.mock import MockProvider
from harness.workbook import samples
from harness.workbook.turns import turns_of
from harness.workbook.widgets import stepper


def body(widget) -> dict:
    """The body on show, read from the HTML."""
    shown = widget.picture().rsplit("<pre", 1)[1].split(">", 1)[1].split("</pre>")[0]
    return json.loads(html.unescape(shown))


def test_each_turn_shows_what_was_sent_what_was_added_and_the_tokens_so_far():
    widget = stepper(samples.calculator_events())
    assert "Turn 1 of 2. Tokens so far: 92 in, 24 out." in widget.picture()
    assert "added: the response" in widget.picture()
    assert "added: a tool&#x27;s result" in html.escape(widget.picture())
    widget.turn = 2
    assert "Turn 2 of 2. Tokens so far: 223 in, 43 out." in widget.picture()
    assert samples.ANSWER in widget.picture()
    assert "3 messages" in widget.picture()


def test_the_same_stands_in_words():
    assert stepper(samples.calculator_events()).text().splitlines() == [
        "Loop stepper: 2 turns",
        "turn 1: 1 message sent; so far 92 in, 24 out",
        """  + Message assistant: call calc({"expression": "17 * 23 - 100"})""",
        "  + Message user: result '291'",
        "turn 2: 3 messages sent; so far 223 in, 43 out",
        "  + Message assistant: text '17 * 23 is 391; minus 100 that is 291.'",
    ]


@pytest.mark.parametrize("wire", adapters())
def test_the_body_of_each_turn_is_the_adapters(wire):
    events = samples.parallel_events()
    widget = stepper(events)
    widget.wire = wire
    for event in (event for event in events if event.kind == "request"):
        widget.turn = event.turn
        transcript = Transcript(list(event.messages), event.system)
        assert body(widget) == adapters()[wire].to_request(transcript, samples.schemas())


def test_what_a_wire_cannot_say_is_a_sentence():
    transcript = Transcript([Message("assistant", (OpaqueBlock("gemini", {"type": "drawing"}),))])
    events = []
    run(MockProvider([ProviderResponse(text="hm")]), {}, [], "go on", transcript=transcript, on_event=events.append)
    widget = stepper(events)
    widget.wire = "openai.chat"
    assert "drawing" in widget.picture().split("hw-error")[1]


def test_a_turn_beyond_an_end_is_the_end_and_each_change_repaints():
    widget = stepper(samples.calculator_events())
    widget.turn = 0
    assert widget.turn == 1
    widget.turn = 7
    assert widget.turn == 2
    assert "Turn 2 of 2" in widget._body.value
    widget.turn = 1
    assert "Turn 1 of 2" in widget._body.value


def test_both_results_of_one_turn_are_added_by_it():
    first, last = turns_of(samples.parallel_events())
    assert [message.role for message in first.added] == ["assistant", "user", "user"]
    assert (len(first.sent), len(last.sent)) == (1, 4)
    assert first.tools == tuple(samples.schemas())


def test_a_turn_that_brought_no_response_is_shown_as_such():
    events = []
    with pytest.raises(HarnessError):
        run(MockProvider([]), {}, [], "hello?", on_event=events.append)
    assert "no response came" in stepper(events).picture()
    assert "nothing" in stepper(events).picture()


def test_a_turn_that_was_cut_off_says_why_it_stopped():
    events = []
    cut = ProviderResponse(text="Once", stop_reason="max_tokens")
    with pytest.raises(UnfinishedAnswer):
        run(MockProvider([cut]), {}, [], "tell", on_event=events.append)
    assert "stopped: max_tokens" in stepper(events).picture()


def test_reasoning_is_counted_and_named():
    events = []
    thought = ProviderResponse(text="hi", output_tokens=20, reasoning_tokens=15)
    run(MockProvider([thought]), {}, [], "hello", on_event=events.append)
    assert "so far 0 in, 20 out, 15 of them reasoning" in stepper(events).text()


def test_a_run_without_events_is_refused_in_words():
    with pytest.raises(HarnessError, match="no turn to step through"):
        stepper([])


def test_its_picture_is_the_same_each_time_and_safe():
    one, two = stepper(samples.calculator_events()), stepper(samples.calculator_events())
    assert one.static_html() == two.static_html()
    assert "run this cell to make it live" in one.static_html()
    assert one.picture() in one._body.value  # what the live one shows
    events = []
    run(MockProvider([ProviderResponse(text="<script>")]), {}, [], "<script>", on_event=events.append)
    assert "<script>" not in stepper(events).static_html()
