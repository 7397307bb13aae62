"""Named samples for the notebooks: each call gives a fresh one, so no cell can spoil another's.

They are written by hand for teaching; signatures and encrypted contents are made up and say so.
"""

from __future__ import annotations

from typing import Any

from ..agent import Event, run
from ..messages import (
    Message,
    Provenance,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
    Usage,
)
from ..providers.base import ProviderResponse, ToolSchema
from ..providers.mock import MockProvider
from ..tools import CALC_SCHEMA, calc

QUESTION = "What is 17 * 23, minus 100?"
SYSTEM = "You are a careful assistant. Use the calculator for arithmetic."
ANSWER = "17 * 23 is 391; minus 100 that is 291."
TOOLS = {"calc": calc}


def schemas() -> list[ToolSchema]:
    """The calculator's schema, in the canonical shape."""
    return [CALC_SCHEMA]


def calculator_script() -> list[ProviderResponse]:
    """Two scripted responses: a call of the calculator, then the answer 291."""
    call = ToolCall("call_1", "calc", {"expression": "17 * 23 - 100"})
    return [
        ProviderResponse(tool_calls=(call,), input_tokens=92, output_tokens=24),
        ProviderResponse(text=ANSWER, input_tokens=131, output_tokens=19),
    ]


def calculator_run() -> Transcript:
    """The calculator question, asked and answered: four messages."""
    return _play(calculator_script(), QUESTION)


def calculator_events() -> list[Event]:
    """What the loop reports during `calculator_run`."""
    events: list[Event] = []
    run(MockProvider(calculator_script()), TOOLS, schemas(), QUESTION, SYSTEM, on_event=events.append)
    return events


def parallel_script() -> list[ProviderResponse]:
    """Text and two calls in one turn, of which the first fails; then an answer."""
    calls = (
        ToolCall("call_a", "calc", {"expression": "17 / 0"}),
        ToolCall("call_b", "calc", {"expression": "17 * 23"}),
    )
    return [
        ProviderResponse(blocks=(TextBlock("Two sums at once."), *calls), input_tokens=97, output_tokens=51),
        ProviderResponse(text="17 / 0 has no value; 17 * 23 is 391.", input_tokens=188, output_tokens=21),
    ]


def parallel_run() -> Transcript:
    """Two calls in one turn: one error result, one good one."""
    return _play(parallel_script(), "What are 17 / 0 and 17 * 23?")


def parallel_events() -> list[Event]:
    """What the loop reports during `parallel_run`."""
    events: list[Event] = []
    question = "What are 17 / 0 and 17 * 23?"
    run(MockProvider(parallel_script()), TOOLS, schemas(), question, SYSTEM, on_event=events.append)
    return events


def thinking_turn() -> list[dict[str, Any]]:
    """The content of one assistant turn on the Messages wire: two thinking blocks, a sealed one, text, a call."""
    return [
        {"type": "thinking", "thinking": "A product, then a difference.", "signature": "made-up-signature-1=="},
        {"type": "redacted_thinking", "data": "made-up-sealed-data=="},
        {"type": "text", "text": "I will use the calculator."},
        {"type": "thinking", "thinking": "", "signature": "made-up-signature-2=="},
        {"type": "tool_use", "id": "toolu_1", "name": "calc", "input": {"expression": "17 * 23 - 100"}},
    ]


def thinking_run() -> Transcript:
    """The calculator question on the Messages wire with thinking: signed reasoning before the call."""
    signed = {"anthropic.messages": {"signature": "made-up-signature-1=="}}
    call = ToolCall("toolu_1", "calc", {"expression": "17 * 23 - 100"})
    blocks = (ReasoningBlock("A product, then a difference.", signed), TextBlock("I will use the calculator."), call)
    made_by = Provenance("anthropic.messages", "anthropic", None, "msg_made_up", "tool_calls")
    return Transcript(
        [
            Message.user_text(QUESTION),
            Message("assistant", blocks, provenance=made_by, usage=Usage(412, 96, 41, 0)),
            Message.tool_result(ToolResult("toolu_1", "291")),
        ],
        system=SYSTEM,
    )


def encrypted_run() -> Transcript:
    """The calculator question on the Responses wire with reasoning: an encrypted item before the call."""
    from ..providers.openai import from_request

    return from_request(encrypted_body())[0]


def encrypted_body() -> dict[str, Any]:
    """The Responses request that goes on after a call with encrypted reasoning."""
    summary = [{"type": "summary_text", "text": "A product, then a difference."}]
    reasoning = {"type": "reasoning", "id": "rs_1", "encrypted_content": "made-up-ciphertext==", "summary": summary}
    arguments = '{"expression":"17 * 23 - 100"}'
    call = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "calc", "arguments": arguments}
    return {
        "instructions": SYSTEM,
        "input": [
            {"role": "user", "content": QUESTION},
            reasoning,
            call,
            {"type": "function_call_output", "call_id": "call_1", "output": "291"},
        ],
    }


def three_shapes() -> dict[str, list[dict[str, Any]]]:
    """One conversation as three lists of dicts: Anthropic blocks, Chat messages, plain strings before any tool."""
    arguments = '{"expression": "17 * 23 - 100"}'
    function = {"name": "calc", "arguments": arguments}
    return {
        "anthropic": [
            {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "One moment."},
                    {"type": "tool_use", "id": "t_1", "name": "calc", "input": {"expression": "17 * 23 - 100"}},
                ],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t_1", "content": "291"}]},
        ],
        "chat": [
            {"role": "user", "content": QUESTION},
            {
                "role": "assistant",
                "content": "One moment.",
                "tool_calls": [{"id": "t_1", "type": "function", "function": function}],
            },
            {"role": "tool", "tool_call_id": "t_1", "content": "291"},
        ],
        "strings": [
            {"role": "user", "content": QUESTION},
            {"role": "assistant", "content": "One moment."},
            {"role": "user", "content": "291"},
        ],
    }


def _play(script: list[ProviderResponse], question: str) -> Transcript:
    transcript = Transcript()
    run(MockProvider(script), TOOLS, schemas(), question, SYSTEM, transcript=transcript)
    return transcript
