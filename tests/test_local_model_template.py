"""The chat template, as text: calls are declared and shown as a fence, and a result is followed by a nudge."""

from __future__ import annotations

import json

import jinja2
import pytest

from harness.workbook.local_model import measure
from harness.workbook.local_model.model import TEMPLATE

CALC = {"type": "function", "function": {"name": "calc", "description": "Add.", "parameters": {"type": "object"}}}
FENCE = '```json\n{"name": "calc", "arguments": {"expression": "%s"}}\n```'


def prompt(messages, tools=(), go_on=False):
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined)
    environment.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    # llama.cpp leaves no field of a message undefined that a template asks for
    whole = [{"content": None, "tool_calls": None} | message for message in messages]
    return template.render(messages=whole, tools=list(tools), add_generation_prompt=go_on)


def call(expression):
    return {"type": "function", "function": {"name": "calc", "arguments": {"expression": expression}}}


def test_without_tools_it_is_plain_turns():
    text = prompt([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}], go_on=True)
    assert text == ("<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n")


def test_a_conversation_without_system_gets_a_neutral_one():
    assert prompt([{"role": "user", "content": "Hi"}]).startswith(
        "<|im_start|>system\nYou are a helpful assistant.<|im"
    )


def test_tools_are_declared_with_the_fence_they_are_called_by():
    text = prompt([{"role": "user", "content": "Hi"}], [CALC])
    assert json.dumps(CALC) in text
    assert '```json\n{"name": <function-name>, "arguments": <args-json-object>}\n```<|im_end|>\n' in text


@pytest.mark.parametrize(("said", "before"), [(None, ""), ("", ""), ("Let me see.", "Let me see.\n")])
def test_calls_are_shown_as_the_model_wrote_them(said, before):
    text = prompt([{"role": "assistant", "content": said, "tool_calls": [call("1+1"), call("2+2")]}], [CALC])
    shown = f"{before}{FENCE % '1+1'}\n{FENCE % '2+2'}"
    assert text.endswith(f"<|im_start|>assistant\n{shown}<|im_end|>\n")


def test_neighbouring_results_share_a_turn_and_one_nudge():
    text = prompt([{"role": "tool", "content": "2"}, {"role": "tool", "content": "4"}])
    assert text.endswith(
        "<|im_start|>user\n<tool_response>\n2\n</tool_response>\n<tool_response>\n4\n</tool_response>\n"
        "Now answer my question in one short sentence.<|im_end|>\n"
    )


def test_the_measured_table_belongs_to_this_template():
    measured = json.loads(measure.MEASURED.read_text(encoding="utf-8"))
    assert measured["asked_with"] == measure.asked_with(), f"out of date: {measured['command']}"
    rows = [(row["template"], row["wire"], row["temperature"], row["runs"]) for row in measured["rows"]]
    assert sorted(rows) == sorted(measure.PLAN)
    assert all(sum(row["outcomes"].values()) == row["runs"] for row in measured["rows"])
