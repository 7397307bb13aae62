"""3.8-break: a Responses translator with exactly one fault, and what the vendor's error tells of it."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import replace
from random import Random
from typing import Any

from ...messages import Message, ToolCall, Transcript
from ...providers import openai
from ..breaking import conversation, generated, send
from .cases import Case, fault, try_cases, wanted, words
from .model import Exercise, Fault, Wrong


def _cases(rng: Random) -> list[Case]:
    cases = [Case((Transcript([Message.user_text("hi")]),), "one question", 1)]
    for number in range(22):
        transcript = generated(rng, 1 + number % 4, calls=number % 3 != 0)
        calls = len(_calls(transcript))
        told = f"{len(transcript)} messages with {calls} call{'s' * (calls != 1)}"
        cases.append(Case((transcript,), told, len(transcript) + calls, hidden=number == 21))
    return cases


def _calls(transcript: Transcript) -> list[ToolCall]:
    return [block for message in transcript for block in message.blocks if isinstance(block, ToolCall)]


def _judge(case: Case, outcome: Any) -> None:
    [transcript] = case.arguments
    if not all(isinstance(item, dict) for item in outcome):
        raise fault(case, "a list of items for each message", words(outcome))
    written = [item for item in outcome if item.get("type") == "function_call"]
    if [item.get("call_id") for item in written] != [call.id for call in _calls(transcript)]:
        raise fault(case, "one function_call item for each call, in order", words(outcome, 300))
    for item, call in zip(written, _calls(transcript), strict=True):
        if isinstance(item.get("arguments"), str):
            raise fault(case, "arguments left as objects: that is the fault to make", "arguments as a JSON string")
        if item.get("arguments") != call.args:
            raise fault(case, f"the arguments {words(dict(call.args))}, as an object", words(item.get("arguments")))
    mended = _mended(outcome)
    if (said := _said(mended)) != (meant := _said(openai.to_request(transcript)["input"])):
        lost = next((entry for entry in meant if entry not in said), meant)
        raise fault(case, "nothing else lost or changed", f"no {words(str(lost))} in its place")
    if problems := openai.check_request({"input": mended}):
        raise fault(case, "no fault but this one", str(problems[0]))


def _mended(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The items with their arguments as strings, as the vendor wants them."""
    mended = copy.deepcopy(items)
    for item in mended:
        if item.get("type") == "function_call":
            item["arguments"] = json.dumps(item["arguments"])
    return mended


def _said(items: list[dict[str, Any]]) -> list[Any]:
    transcript, _ = openai.from_request({"input": items})
    blocks: list[tuple[str, Any]] = [(message.role, block) for message in transcript for block in message.blocks]
    return [(role, replace(block, metadata={})) for role, block in blocks]


def check(names: dict[str, Any], rng: Random) -> None:
    """One kind of fault and no other; then the three answers, against what the reader's own translator got."""
    function = wanted(names, "broken")

    def whole(transcript: Transcript) -> list[dict[str, Any]]:
        return [item for message in transcript for item in function(message)]

    try_cases(whole, _cases(rng), _judge)
    sheet, answers = names.get("SHEET"), names.get("ANSWERS")
    if not isinstance(sheet, str) or not isinstance(answers, dict):
        raise Fault("the cell", "SHEET, a string, and ANSWERS, a dict", "something else")
    said = send(function, conversation(sheet))
    path = str((said.get("error") or {}).get("param"))
    found = re.search(r"\[(\d+)\]", path)
    expected = {"status": said["status"], "path": path, "index": int(found[1]) if found else None}
    for name, value in expected.items():
        if answers.get(name) != value:
            told = f"ANSWERS[{name!r}] and what `send(broken, conversation(SHEET))` gives"
            raise Fault(told, "the same in both", words(answers.get(name)))


WORKING = '''
import json

from harness import Message, TextBlock, ToolCall, ToolResult

SHEET = "workbook"  # your instructor may give you another

def broken(message: Message) -> list[dict]:
    """The Responses items of one message. It works: make it forget to serialise arguments."""
    items = []
    for block in message.blocks:
        match block:
            case TextBlock(text):
                items.append({"role": message.role, "content": text})
            case ToolCall(id_, name, args):
                items.append({"type": "function_call", "call_id": id_, "name": name, "arguments": json.dumps(args)})
            case ToolResult(call_id, content):
                items.append({"type": "function_call_output", "call_id": call_id, "output": content})
    return items

ANSWERS = {"status": None, "path": None, "index": None}  # what the vendor says to the whole conversation
'''


def _with(arguments: str, answers: str = '{"status": 400, "path": "input[4].arguments", "index": 4}') -> str:
    """The working translator with another expression for the arguments, and answers filled in."""
    source = WORKING.replace("json.dumps(args)", arguments)
    return source.replace('{"status": None, "path": None, "index": None}', answers)


EXERCISE = Exercise(
    id="3.8-break",
    title="break the translation",
    points=2,
    minutes=15,
    task="""
`broken(message)` translates one message into items of the Responses API, and it works. Give it exactly one fault: the
arguments of a call are left as an object, where the wire wants a JSON string. Nothing else may be lost. Then run
`send(broken, conversation("workbook"))` in a cell of your own, read the vendor's error, and fill in `ANSWERS`: the
`status`, the `path` as the vendor names it, and the `index` of the first faulty item, a number.
""",
    stub=WORKING,
    hints=(
        "start from the working translator and change one expression",
        "print the error's body, not its class: it stands under `error` in what `send` gives, and `param` is the path",
    ),
    reference=_with("dict(args)"),
    also_right=(
        """
SHEET = "workbook"

def broken(message):
    def item(block):
        if block.kind == "tool_call":
            return dict(type="function_call", call_id=block.id, name=block.name, arguments=block.args)
        if block.kind == "tool_result":
            return dict(type="function_call_output", call_id=block.call_id, output=block.content)
        kind = "output_text" if message.role == "assistant" else "input_text"
        return dict(type="message", role=message.role, content=[dict(type=kind, text=block.text)])
    return [item(block) for block in message.blocks]

ANSWERS = dict(status=400, path="input[4].arguments", index=4)
""",
    ),
    wrong=(
        Wrong(_with("json.dumps(args)"), "that is the fault to make"),
        Wrong(_with("{}"), "the arguments"),
        Wrong(
            _with("dict(args)").replace('items.append({"role": message.role, "content": text})', "pass"),
            "nothing else lost or changed",
        ),
        Wrong(_with("dict(args)", '{"status": 400, "path": "arguments", "index": 1}'), "ANSWERS['path']"),
    ),
    check=check,
)
