"""3.5-dispatch: one call, one result, whatever goes wrong, and nothing of the user's swallowed."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from ...messages import ToolCall, ToolResult
from .cases import Case, fault, quietly, try_cases, wanted, words
from .model import Exercise, Fault, Wrong


def _broken(**_: Any) -> str:
    raise KeyError("no such row")


TOOLS: dict[str, Callable[..., Any]] = {
    "echo": lambda text="": text,
    "table": lambda: {"rows": [1, 2], "ok": True},
    "broken": _broken,
    "divide": lambda number: str(1 / number),
}


def _cases(rng: Random) -> list[Case]:
    plain = [
        Case((ToolCall(f"c{i}", "echo", {"text": f"said {rng.random():.3f}"}), TOOLS), "a call that works", i)
        for i in range(12)
    ]
    special = [
        Case((ToolCall("u", "lookup", {}), TOOLS), "a call of an unknown tool", 20),
        Case((ToolCall("u", "lookup", {}), {}), "a call when there are no tools", 20),
        Case((ToolCall("k", "broken", {}), TOOLS), "a tool that raises KeyError('no such row')", 21),
        Case((ToolCall("z", "divide", {"number": 0}), TOOLS), "a tool that divides by zero", 22),
        Case((ToolCall("a", "divide", {"wrong": 1}), TOOLS), "arguments that do not fit the tool", 23),
        Case((ToolCall("d", "table", {}), TOOLS), "a tool that returns a dict", 24),
        Case((ToolCall("e", "echo", {}), TOOLS), "a tool that returns an empty string", 25, hidden=True),
    ]
    return [*plain, *special, Case((ToolCall("n", "echo", {"text": "291"}), TOOLS), "the text 291", 13)]


def _judge(case: Case, outcome: Any) -> None:
    call, tools = case.arguments
    if not isinstance(outcome, ToolResult) or outcome.call_id != call.id:
        raise fault(case, f"a ToolResult for the id {call.id!r}", words(outcome))
    if call.name not in tools:
        if not outcome.is_error or not all(name in outcome.content for name in tools):
            raise fault(case, "an error result that names the known tools", words(outcome.content))
    elif call.name == "broken":
        if not outcome.is_error or "no such row" not in outcome.content:
            raise fault(case, "an error result that tells the tool's own failure", words(outcome.content))
    elif call.name == "divide":
        if not outcome.is_error:
            raise fault(case, "an error result", words(outcome.content))
    elif outcome.is_error:
        raise fault(case, "a result that is no error", words(outcome.content))
    elif call.name == "table" and json.loads(outcome.content) != TOOLS["table"]():
        raise fault(case, "the dict as JSON", words(outcome.content))
    elif call.name == "echo" and outcome.content != call.args.get("text", ""):
        raise fault(case, words(call.args.get("text", "")), words(outcome.content))


def check(names: dict[str, Any], rng: Random) -> None:
    """Every way a call can end; a tool is called once; an interrupt is the user's."""
    function = wanted(names, "dispatch")
    try_cases(function, _cases(rng), _judge)
    ran: list[int] = []

    def counted() -> str:
        ran.append(1)
        raise KeyError("inside")

    def interrupted() -> str:
        raise KeyboardInterrupt

    quietly(function, ToolCall("c", "counted", {}), {"counted": counted})
    if len(ran) != 1:
        raise Fault("a tool that raises", "one call of it", f"{len(ran)} calls")
    try:
        outcome = quietly(function, ToolCall("c", "stop", {}), {"stop": interrupted})
    except KeyboardInterrupt:
        return
    raise Fault("a user who presses Ctrl-C during a tool", "KeyboardInterrupt to pass through", words(outcome))


EXERCISE = Exercise(
    id="3.5-dispatch",
    title="one call, one result",
    points=2,
    minutes=15,
    task="""
Write `dispatch(call, tools)`: run one `ToolCall` with `tools`, a dict of functions by name, and return one `ToolResult`
under the call's id. An unknown tool gives an error result that lists the known names. A tool that raises, or whose
arguments do not fit, gives an error result with the exception's message; a `KeyError` raised *inside* a tool is that
tool's failure. A result that is no string is sent as JSON. The tool runs once, and `KeyboardInterrupt` passes through.
""",
    stub='''
import json

from harness import ToolCall, ToolResult

def dispatch(call: ToolCall, tools: dict) -> ToolResult:
    """The result of one call; what goes wrong is told in an error result."""
    ...  # your code here
''',
    hints=(
        "look up first, call afterwards, in two steps",
        "which exceptions are the user's and not the tool's? What does `except Exception` leave alone?",
    ),
    reference="""
import json

from harness import ToolCall, ToolResult

def dispatch(call: ToolCall, tools: dict) -> ToolResult:
    tool = tools.get(call.name)
    if tool is None:
        return ToolResult(call.id, f"unknown tool {call.name}; known: {', '.join(tools)}", is_error=True)
    try:
        value = tool(**call.args)
    except Exception as error:
        return ToolResult(call.id, f"{call.name} failed: {error}", is_error=True)
    return ToolResult(call.id, value if isinstance(value, str) else json.dumps(value))
""",
    also_right=(
        """
import json

from harness import ToolResult

def dispatch(call, tools):
    def failed(why):
        return ToolResult(call_id=call.id, content=why, is_error=True)

    try:
        tool = tools[call.name]
    except KeyError:
        return failed("There is no such tool. There are: " + repr(sorted(tools)))
    try:
        value = tool(**call.args)
        text = value if type(value) is str else json.dumps(value, indent=2)
    except Exception as error:
        return failed(f"{type(error).__name__}: {error}")
    else:
        return ToolResult(call.id, text)
""",
    ),
    wrong=(
        Wrong(
            """
import json

from harness import ToolCall, ToolResult

def dispatch(call, tools):
    try:
        value = tools[call.name](**call.args)
        return ToolResult(call.id, value if isinstance(value, str) else json.dumps(value))
    except KeyError:
        return ToolResult(call.id, f"unknown tool: {call.name}; known: {', '.join(tools)}", is_error=True)
    except Exception as error:
        return ToolResult(call.id, str(error), is_error=True)
""",
            "KeyError",
        ),
        Wrong(
            """
import json

from harness import ToolCall, ToolResult

def dispatch(call, tools):
    if call.name not in tools:
        return ToolResult(call.id, f"known: {', '.join(tools)}", is_error=True)
    try:
        value = tools[call.name](**call.args)
        return ToolResult(call.id, value if isinstance(value, str) else json.dumps(value))
    except BaseException as error:
        return ToolResult(call.id, str(error), is_error=True)
""",
            "Ctrl-C",
        ),
    ),
    check=check,
)
