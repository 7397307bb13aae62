"""The real model in the real server, asked through the vendors' real SDKs on all three endpoints."""

from __future__ import annotations

import json
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
import pytest

from harness.agent import run
from harness.messages import Transcript
from harness.tools import CALC_SCHEMA, calc
from harness.workbook import local_model
from harness.workbook.local_model import MODEL, client, measure, running

pytestmark = [pytest.mark.model, pytest.mark.slow]

WIRES = ("openai.chat", "openai.responses", "anthropic.messages")
ASK = [{"role": "user", "content": measure.QUESTION}]
NAME, WORDS, SCHEMA = CALC_SCHEMA["name"], CALC_SCHEMA["description"], CALC_SCHEMA["input_schema"]


@pytest.fixture(scope="module", autouse=True)
def model(require):
    status = local_model.status()
    require(status.cached, f"embedded model: {status.sentence}")
    local_model.ensure()


def chat():
    function = {"name": NAME, "description": WORDS, "parameters": SCHEMA}
    answer = client.openai_client().chat.completions.create(
        model=MODEL.name, messages=ASK, tools=[{"type": "function", "function": function}], temperature=0
    )
    [call] = answer.choices[0].message.tool_calls
    return call.function.name, json.loads(call.function.arguments), answer.choices[0].finish_reason


def responses():
    tool = {"type": "function", "name": NAME, "description": WORDS, "parameters": SCHEMA, "strict": False}
    answer = client.openai_client().responses.create(model=MODEL.name, input=ASK, tools=[tool], temperature=0)
    [call] = [item for item in answer.output if item.type == "function_call"]
    return call.name, json.loads(call.arguments), answer.status


def messages():
    tool = {"name": NAME, "description": WORDS, "input_schema": SCHEMA}
    # this SDK has no argument for a temperature: the transport puts it in
    answer = client.anthropic_client(0).messages.create(model=MODEL.name, messages=ASK, tools=[tool], max_tokens=300)
    [call] = [block for block in answer.content if block.type == "tool_use"]
    return call.name, call.input, answer.stop_reason


@pytest.mark.parametrize(("ask", "reason"), [(chat, "tool_calls"), (responses, "completed"), (messages, "tool_use")])
def test_each_endpoint_gives_a_real_call(ask, reason):
    name, arguments, why = ask()
    assert name == "calc"
    assert calc(**arguments) == "291"
    assert why == reason


@pytest.mark.parametrize("wire", WIRES)
def test_the_loop_answers_the_chapters_question(wire):
    transcript = Transcript()
    answer = run(local_model.provider(wire), {"calc": calc}, [CALC_SCHEMA], measure.QUESTION, transcript=transcript)
    assert measure.RIGHT.search(answer)
    kinds = [block.kind for message in transcript for block in message.blocks]
    assert kinds == ["text", "tool_call", "tool_result", "text"]
    made_by = [message.provenance for message in transcript if message.role == "assistant"]
    assert {(it.wire, it.provider, it.model) for it in made_by} == {(wire, "local model", MODEL.name)}
    assert all(message.usage.output_tokens > 0 for message in transcript if message.role == "assistant")


def test_temperature_0_says_the_same_twice():
    def answer():
        return run(local_model.provider(), {"calc": calc}, [CALC_SCHEMA], "What is 12 * 12?")

    assert answer() == answer()


def test_a_plain_question_gets_a_plain_answer():
    assert "Paris" in run(local_model.provider(), {}, [], "What is the capital of France?")


def test_nobody_without_the_token_is_answered():
    with pytest.raises(HTTPError, match="401"):
        urlopen(f"{local_model.ensure().base_url}/v1/models")


def test_it_takes_less_memory_than_promised():
    pid = running._read_state()["pid"]
    assert psutil.Process(pid).memory_info().rss < 0.8e9
