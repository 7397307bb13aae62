"""The wire inspector without a browser: what each pane shows, what an edit or a paste makes, and what links to what."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest

from harness import Message, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript
from harness.errors import HarnessError, InvalidValue, TranslationError
from harness.providers import adapters
from harness.workbook import samples
from harness.workbook.widgets import inspector
from harness.workbook.widgets._links import Links
from harness.workbook.widgets._paste import read_paste
from harness.workbook.widgets._plain import from_plain, to_plain
from harness.workbook.widgets._wires import on_wire

CALL = ToolCall("call_1", "calc", {"expression": "17 * 23 - 100"})
FAILED = ToolResult("call_1", "calc failed: division by zero", is_error=True)
WIRES = list(adapters())
FIRST = ["anthropic.messages", "openai.responses", "openai.chat"]


def wire(name: str):
    return adapters()[name]


def ask(widget, do: str, **rest):
    """What the page sends when the reader does something."""
    widget._heard(None, {"do": do, "number": widget.view["answered"] + 1, **rest}, [])


def pane(widget, name: str) -> dict:
    return next(pane for pane in widget.view["panes"] if pane["wire"] == name)


# ---- one subject on each wire


def test_a_block_is_shown_as_its_own_part_of_a_body():
    assert [on_wire(CALL, wire(name)).body for name in FIRST] == [
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": [
                        {
                            "type": "tool_use",
                            "id": "call_1",
                            "name": "calc",
                            "input": {"expression": "17 * 23 - 100"},
                        }
                    ],
                }
            ]
        },
        {
            "input": [
                {
                    "type": "function_call",
                    "call_id": "call_1",
                    "name": "calc",
                    "arguments": '{"expression":"17 * 23 - 100"}',
                }
            ]
        },
        {
            "messages": [
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {
                            "id": "call_1",
                            "type": "function",
                            "function": {"name": "calc", "arguments": '{"expression":"17 * 23 - 100"}'},
                        }
                    ],
                }
            ]
        },
    ]


@pytest.mark.parametrize("name", WIRES)
@pytest.mark.parametrize("block", [TextBlock("hi"), CALL, FAILED], ids=lambda block: block.kind)
def test_a_block_in_its_small_conversation_breaks_no_rule_and_loses_nothing(block, name):
    found = on_wire(block, wire(name))
    assert (found.problems, found.left_out, found.error) == ((), (), "")


@pytest.mark.parametrize("name", WIRES)
def test_a_whole_run_is_shown_on_every_registered_wire(name):
    found = on_wire(samples.parallel_run(), wire(name))
    assert not found.error
    assert json.dumps(found.body).count("call_a") == 2  # the call and its result


def test_a_broken_rule_is_named_with_its_place_in_what_is_shown():
    (problem,) = on_wire(ToolCall("call_1", "not a name!", {}), wire("openai.responses")).problems
    assert problem.startswith("input[0].name: ")  # in the whole body it is the second item


def test_the_rules_and_what_is_left_out_stand_under_the_pane():
    notes = {pane["wire"]: pane["notes"] for pane in inspector(TextBlock("")).view["panes"]}
    assert "Rules broken:</b><ul><li>messages: " in notes["anthropic.messages"]
    assert "the empty text" in notes["anthropic.messages"]
    assert "Rules broken:</b> none" in notes["openai.responses"]


def test_foreign_reasoning_is_shown_as_left_out():
    signed = ReasoningBlock("A product.", {"signature": "made-up=="})
    assert on_wire(signed, wire("anthropic.messages")).left_out == ()
    assert on_wire(signed, wire("openai.responses")).left_out == (
        "the reasoning “A product.”, which belongs to anthropic.messages",
    )


def test_a_signature_that_an_edit_made_void_is_left_out_at_home_too():
    widget = inspector(ReasoningBlock("A product.", {"signature": "made-up=="}))
    ask(widget, "edit", field="text", text="A sum.")
    assert "Left out:</b><ul><li>the reasoning “A sum.”" in pane(widget, "anthropic.messages")["notes"]


def test_what_belongs_to_another_vendor_alone_is_shown_as_left_out():
    marked = TextBlock("hi", {"anthropic.messages": {"cache_control": {"type": "ephemeral"}}})
    assert on_wire(marked, wire("anthropic.messages")).left_out == ()
    assert on_wire(marked, wire("openai.chat")).left_out == (
        "cache_control of the text, which belongs to anthropic.messages",
    )


def test_an_error_flag_without_a_field_of_its_own_is_named():
    notes = {pane["wire"]: pane["notes"] for pane in inspector(FAILED).view["panes"]}
    assert "No field of its own" not in notes["anthropic.messages"]
    assert "is_error, carried in another form" in notes["openai.responses"]


def test_what_a_wire_cannot_say_is_one_sentence_with_its_place():
    late = Transcript([*samples.calculator_run(), Message("system", (TextBlock("Be brief."),)), *later()])
    results = {name: on_wire(late, wire(name)) for name in WIRES}
    refused = {name: found.error for name, found in results.items() if found.error}
    assert refused
    assert all(error.startswith("This wire cannot say it: messages[4]") for error in refused.values())


def later() -> list[Message]:
    return [Message.user_text("And now?")]


def test_a_faulty_adapter_costs_only_its_own_pane(monkeypatch):
    widget = inspector(CALL)
    monkeypatch.setattr(wire("openai.responses"), "to_request", lambda *_, **__: {}["messages"])
    widget.subject = FAILED
    assert "The adapter failed: KeyError" in pane(widget, "openai.responses")["notes"]
    assert "tool_result" in pane(widget, "anthropic.messages")["html"]


def test_an_adapter_that_fails_at_a_paste_is_answered_by_a_sentence(monkeypatch):
    widget = inspector(CALL)
    monkeypatch.setattr(wire("openai.chat"), "from_request", lambda body: body["nothing"])
    ask(widget, "paste", wire="openai.chat", text='{"messages": []}')
    assert widget.view["problems"] == {"openai.chat": "The adapter failed: KeyError: 'nothing'"}
    assert widget.view["answered"] == 1


@pytest.mark.parametrize(
    "typed",
    [
        '{"anthropic.messages": 5}',
        '{"x": {"signature": 1}}',
        '{"openai.responses": {"items": "?"}}',
        '{"signature": []}',
    ],
)
def test_strange_metadata_is_shown_or_refused_and_never_breaks_the_widget(typed):
    widget = inspector(ReasoningBlock("A product.", {"signature": "made-up=="}))
    ask(widget, "edit", field="metadata", text=typed)
    assert widget.view["answered"] == 1
    assert len(widget.view["panes"]) == 3


# ---- editing


def test_an_edit_of_a_field_changes_every_pane():
    widget = inspector(CALL)
    ask(widget, "edit", field="args", text='{"expression": "2 + 2"}')
    assert widget.subject == ToolCall("call_1", "calc", {"expression": "2 + 2"})
    assert all("2 + 2" in pane["html"] for pane in widget.view["panes"])


def test_a_check_box_is_a_field_as_well():
    widget = inspector(FAILED)
    ask(widget, "edit", field="is_error", text=False)
    assert widget.subject == ToolResult("call_1", "calc failed: division by zero")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ('{"expression": ', "args: is no JSON: line 1, column 16"),
        ("[1]", "args: must be a JSON object"),
        ('{"n": NaN}', "args.n: is nan, which JSON cannot carry"),
    ],
)
def test_an_edit_that_does_not_fit_says_where_and_changes_nothing(typed, sentence):
    widget = inspector(CALL)
    ask(widget, "edit", field="args", text=typed)
    assert widget.view["problems"]["here"].startswith(sentence)
    assert widget.subject == CALL


def test_an_answer_is_sent_even_when_nothing_changed():
    widget = inspector(CALL)
    ask(widget, "edit", field="name", text="calc")
    assert widget.view["answered"] == 1


def test_a_set_subject_is_painted_and_clears_the_problem():
    widget = inspector(CALL)
    ask(widget, "edit", field="args", text="{")
    widget.subject = TextBlock("hello")
    assert widget.view["problems"] == {}
    assert all("hello" in pane["html"] for pane in widget.view["panes"])


@pytest.mark.parametrize(
    "subject",
    [CALL, FAILED, samples.thinking_run(), samples.thinking_run().messages[1], samples.schemas()[0]],
    ids=["call", "result", "transcript", "message", "schema"],
)
def test_the_json_on_the_left_reads_back_as_the_same_subject(subject):
    again = from_plain(json.loads(json.dumps(to_plain(subject))), subject)
    assert to_plain(again) == to_plain(subject)
    if isinstance(subject, Transcript):
        assert [(m.id, m.created_at, m.usage) for m in again] == [(m.id, m.created_at, m.usage) for m in subject]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"messages": {}}, "messages"),
        ({"messages": [{"role": "robot", "blocks": []}]}, "messages[0].role"),
        ({"messages": [{"role": "user"}]}, "messages[0]"),
        ({"messages": [{"role": "user", "blocks": [{"kind": "film"}]}]}, "messages[0].blocks[0].kind"),
        ({"messages": [{"role": "user", "blocks": [{"kind": "text", "txt": "a"}]}]}, "messages[0].blocks[0]"),
        ({"messages": [{"role": "user", "blocks": [{"kind": "text", "text": 1}]}]}, "messages[0].blocks[0].text"),
        ({"messages": [], "sytem": "x"}, "transcript.sytem"),
    ],
)
def test_json_on_the_left_that_does_not_fit_names_its_place(change, path):
    with pytest.raises(InvalidValue) as caught:
        from_plain(change, samples.calculator_run())
    assert caught.value.path == path


# ---- pasting


@pytest.mark.parametrize("name", WIRES)
@pytest.mark.parametrize("block", [TextBlock("hi"), CALL, FAILED], ids=lambda block: block.kind)
def test_what_a_pane_shows_can_be_pasted_back_from_any_block(block, name):
    shown = json.dumps(on_wire(block, wire(name)).body)
    assert to_plain(read_paste(shown, wire(name), TextBlock("something else"))) == to_plain(block)


def test_an_item_and_a_block_of_it_can_be_pasted_too():
    whole = on_wire(CALL, wire("anthropic.messages")).body
    item = whole["messages"][0]
    for pasted in (whole["messages"], item, item["content"][0]):
        assert read_paste(json.dumps(pasted), wire("anthropic.messages"), CALL) == CALL


def test_signed_reasoning_comes_back_with_its_signature():
    signed = ReasoningBlock("A product.", {"signature": "made-up=="})
    shown = json.dumps(on_wire(signed, wire("anthropic.messages")).body)
    assert read_paste(shown, wire("anthropic.messages"), signed) == signed


def test_a_paste_of_several_blocks_becomes_a_message_and_of_several_turns_a_transcript():
    message = samples.thinking_run().messages[1]
    shown = on_wire(message, wire("anthropic.messages")).body
    assert read_paste(json.dumps(shown), wire("anthropic.messages"), CALL).blocks == message.blocks
    run = samples.calculator_run()
    body = wire("openai.chat").to_request(run)
    assert to_plain(read_paste(json.dumps(body), wire("openai.chat"), CALL)) == to_plain(run)


@pytest.mark.parametrize("name", WIRES)
def test_a_schema_can_be_pasted_back(name):
    (schema,) = samples.schemas()
    shown = json.dumps(on_wire(schema, wire(name)).body)
    assert read_paste(shown, wire(name), {"name": "other", "input_schema": {"type": "object"}}) == schema


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "the pasted text: is no JSON: line 1, column 2"),
        ('"hello"', "the pasted text: must be a JSON object or a list"),
        ("[]", "the pasted text: holds no message"),
    ],
)
def test_a_paste_that_is_no_body_is_a_sentence(text, sentence):
    with pytest.raises(InvalidValue) as caught:
        read_paste(text, wire("openai.chat"), CALL)
    assert str(caught.value).startswith(sentence)


def test_a_paste_that_is_wrong_names_the_place_and_loses_nothing():
    widget = inspector(CALL)
    wrong = '{"input": [{"type": "function_call", "call_id": 7, "name": "calc", "arguments": "{}"}]}'
    ask(widget, "paste", wire="openai.responses", text=wrong)
    assert "input[0].call_id" in widget.view["problems"]["openai.responses"]
    assert widget.subject == CALL
    ask(widget, "paste", wire="openai.responses", text=wrong.replace("7", '"call_7"'))
    assert widget.view["problems"] == {}
    assert widget.subject == ToolCall("call_7", "calc", {})


@pytest.mark.parametrize("name", WIRES)
def test_no_paste_of_damaged_json_raises_anything_but_our_errors(name):
    shown = on_wire(CALL, wire(name)).body
    text = json.dumps(shown)
    for old, new in [('"call_1"', "null"), ('"calc"', "[]"), ("[", '["x",'), ('"17 * 23 - 100"', "{}")]:
        try:
            read_paste(text.replace(old, new, 1), wire(name), CALL)
        except (InvalidValue, TranslationError) as error:
            assert str(error)


# ---- links


def test_an_id_links_to_the_same_id_everywhere_and_arguments_to_the_string_that_holds_them():
    links = Links(to_plain(CALL))
    body = on_wire(CALL, wire("openai.responses")).body
    assert [(place.path, [links.names[n] for n in place.numbers]) for place in links.places(body)] == [
        ("input[0].call_id", ["id"]),
        ("input[0].name", ["name"]),
        ("input[0].arguments", ["args.expression"]),
    ]


def test_a_text_links_to_the_longer_text_in_which_it_stands_as_lines_of_its_own():
    links = Links(to_plain(ToolResult("call_1", "boom", is_error=True)))
    (place,) = links.places({"output": "[tool error]\nboom"})
    assert links.names[place.numbers[0]] == "content"
    assert links.places({"output": "boomerang", "other": "a boom"}) == []


def test_numbers_and_flags_link_under_the_same_name_only():
    links = Links(to_plain(ToolCall("c", "f", {"n": 1, "on": True})))
    assert [place.path for place in links.places({"n": 1, "m": 1, "on": True, "x": 1})] == ["n", "on"]


def test_marked_json_is_the_same_json_and_safe():
    body = {"a": '<script>"&', "id": "call_1", "empty": [], "deep": {"list": [1, {"text": "x" * 40}]}}
    html = Links({"id": "call_1"}).html(body)
    assert "<script>" not in html
    assert '<span class="hw-v" data-v="0" data-at="id">"call_1"</span>' in html
    assert json.loads(unescape(re.sub("<[^>]*>", "", html))) == body


# ---- the widget as a whole


def test_three_wires_are_shown_at_first_and_further_ones_on_request():
    widget = inspector(CALL)
    assert [pane["wire"] for pane in widget.view["panes"]] == WIRES[:3]
    assert [offered["wire"] for offered in widget.view["offered"]] == WIRES
    ask(widget, "show", wires=[WIRES[-1], WIRES[0]])
    assert [pane["wire"] for pane in widget.view["panes"]] == [WIRES[0], WIRES[-1]]
    with pytest.raises(HarnessError, match="there is no wire 'fax'"):
        widget.show("fax")


def test_the_picture_shows_what_the_live_view_shows():
    widget = inspector(samples.thinking_run())
    html = widget.static_html()
    for pane in widget.view["panes"]:
        assert pane["html"] in html
        assert pane["notes"] in html
    assert widget.view["same"] in html


@pytest.mark.parametrize("make", [samples.calculator_run, samples.thinking_run], ids=lambda make: make.__name__)
def test_pictures_and_texts_of_one_subject_are_equal(make):
    one, two = inspector(make()), inspector(make())
    assert one.static_html() == two.static_html()
    assert one.text() == two.text()


def test_the_text_says_where_the_same_value_stands():
    text = inspector(CALL).text()
    assert "call_1 | id | messages[0].content[0].id | input[0].call_id | messages[0].tool_calls[0].id" in text
    assert "Left out: nothing." in text


def test_content_is_never_taken_for_html():
    widget = inspector(TextBlock("<img src=x onerror=alert(1)>"))
    assert "<img" not in widget.static_html()
    assert not any("<img" in pane["html"] + pane["notes"] for pane in widget.view["panes"])
    assert "<img" not in widget.view["same"] + widget.view["here"]["html"]
