"""3.8-adapter: a fourth adapter, for a vendor that does not exist, marked row by row by the conformance kit."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

from ..conformance import ROWS, conform
from ..fictional import larkspur
from ..fictional.side import LarkspurSide
from .cases import wanted, words
from .model import Exercise, Fault, Row, Wrong

TRANSLATORS = ("to_request", "from_request", "from_response")
POINTS = 6
ROW_POINTS = POINTS / len(ROWS)


def check(names: dict[str, Any], rng: Random) -> list[Row]:
    """The kit's rows for the reader's three translators, on the wire of the sheet that the cell names."""
    adapter = SimpleNamespace(**{name: wanted(names, name) for name in TRANSLATORS})
    sheet = names.get("SHEET")
    if not isinstance(sheet, str):
        raise Fault("SHEET", "the name of a sheet", words(sheet))
    table = conform(adapter, LarkspurSide(larkspur.vendor(sheet)), rng)
    return [Row(row.name, ROW_POINTS, row.state, row.note, row.step, row.body) for row in table.outcomes]


REFERENCE = '''
import json

from harness import Message, ProviderResponse, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript, Usage

SHEET = "workbook"
ENDED = {"done": "end", "invoking": "tool_calls", "full": "max_tokens"}

def to_part(block):
    """The speaker and the part for a block; None for reasoning of others."""
    match block:
        case TextBlock(text):
            return None, {"part": "say", "text": text}
        case ToolCall(id_, name, args):
            return "voice", {"part": "invoke", "ref": id_, "tool": name, "inputs": json.dumps(args)}
        case ToolResult(call_id, content, is_error):
            grade = "broken" if is_error else "fine"
            return "clerk", {"part": "outcome", "ref": call_id, "text": content, "grade": grade}
        case ReasoningBlock(text, metadata):
            seal = metadata.get("larkspur", {}).get("cachet")
            return "voice", seal and {"part": "muse", "text": text, "cachet": seal}

def to_request(transcript, tools):
    dialogue = []
    for message in transcript:
        for block in message.blocks:
            speaker, part = to_part(block)
            speaker = speaker or ("voice" if message.role == "assistant" else "client")
            if part and dialogue and dialogue[-1]["speaker"] == speaker:
                dialogue[-1]["parts"].append(part)
            elif part:
                dialogue.append({"speaker": speaker, "parts": [part]})
    body = {"engine": "lark-1", "dialogue": dialogue}
    if transcript.system:
        body["brief"] = transcript.system
    if tools:
        body["abilities"] = [to_ability(tool) for tool in tools]
    return body

def to_ability(tool):
    ability = {"title": tool["name"], "takes": tool["input_schema"]}
    return ability | ({"about": tool["description"]} if tool.get("description") else {})

def from_part(part):
    match part["part"]:
        case "say":
            return TextBlock(part["text"])
        case "muse":
            return ReasoningBlock(part["text"], {"larkspur": {"cachet": part["cachet"]}})
        case "invoke":
            return ToolCall(part["ref"], part["tool"], json.loads(part["inputs"]))
        case "outcome":
            return ToolResult(part["ref"], part["text"], part["grade"] == "broken")

def from_request(body):
    messages = []
    for turn in body["dialogue"]:
        role = "assistant" if turn["speaker"] == "voice" else "user"
        messages.append(Message(role, tuple(map(from_part, turn["parts"]))))
    return Transcript(messages, body.get("brief")), [from_ability(ability) for ability in body.get("abilities", [])]

def from_ability(ability):
    tool = {"name": ability["title"], "input_schema": ability["takes"]}
    return tool | ({"description": ability["about"]} if "about" in ability else {})

def from_response(body):
    meter = body["meter"]
    return ProviderResponse(
        blocks=tuple(map(from_part, body["reply"]["parts"])),
        stop_reason=ENDED[body["ended"]],
        input_tokens=meter["read"],
        output_tokens=meter["wrote"] + meter["mused"],
        reasoning_tokens=meter["mused"],
    )
'''

# The three translators in one function each, with tables in the place of `match`.
ALSO_RIGHT = """
import json
from itertools import groupby

import harness as h

SHEET = "workbook"

def _parts(message):
    for block in message.blocks:
        if block.kind == "text":
            yield ("voice" if message.role == "assistant" else "client"), dict(part="say", text=block.text)
        elif block.kind == "tool_call":
            arguments = json.dumps(dict(block.args), ensure_ascii=False)
            yield "voice", dict(part="invoke", ref=block.id, tool=block.name, inputs=arguments)
        elif block.kind == "tool_result":
            grade = ["fine", "broken"][block.is_error]
            yield "clerk", dict(part="outcome", ref=block.call_id, text=block.content, grade=grade)
        elif "larkspur" in block.metadata:
            yield "voice", json.loads(block.metadata["larkspur"]["whole"])

def to_request(transcript, tools):
    parts = [pair for message in transcript for pair in _parts(message)]
    dialogue = [dict(speaker=who, parts=[part for _, part in group]) for who, group in groupby(parts, lambda p: p[0])]
    names = (("name", "title"), ("description", "about"), ("input_schema", "takes"))
    abilities = [{new: tool[old] for old, new in names if tool.get(old) is not None} for tool in tools]
    body = dict(engine="lark-1", dialogue=dialogue, brief=transcript.system, abilities=abilities)
    return {key: value for key, value in body.items() if value or key == "dialogue"}

READERS = {
    "say": lambda p: h.TextBlock(p["text"]),
    "muse": lambda p: h.ReasoningBlock(p["text"], {"larkspur": {"whole": json.dumps(p)}}),
    "invoke": lambda p: h.ToolCall(p["ref"], p["tool"], json.loads(p["inputs"])),
    "outcome": lambda p: h.ToolResult(p["ref"], p["text"], p["grade"] != "fine"),
}

def from_request(body):
    transcript = h.Transcript(system=body.get("brief"))
    for turn in body["dialogue"]:
        role = {"voice": "assistant"}.get(turn["speaker"], "user")
        for part in turn["parts"]:
            transcript.append(h.Message(role, [READERS[part["part"]](part)]))
    names = (("title", "name"), ("about", "description"), ("takes", "input_schema"))
    return transcript, [{new: a[old] for old, new in names if old in a} for a in body.get("abilities", [])]

def from_response(body):
    read, wrote, mused = (body["meter"][key] for key in ("read", "wrote", "mused"))
    blocks = [READERS[part["part"]](part) for part in body["reply"]["parts"]]
    reason = {"full": "max_tokens"}.get(body["ended"])
    return h.ProviderResponse(
        blocks=blocks, stop_reason=reason, input_tokens=read, output_tokens=wrote + mused, reasoning_tokens=mused
    )
"""

EXERCISE = Exercise(
    id="3.8-adapter",
    title="a fourth adapter",
    points=POINTS,
    minutes=50,
    task="""
Write the adapter of the Larkspur wire, from its page above, in one cell and three steps of two points each:
`to_request`, `from_request` and `from_response`, with the meaning they have in the package. (1) Text and system.
(2) Tools, calls and results. (3) Reasoning, usage, handover. Run the check after each step: its table says which row
to go for next, with the path and the body where one fails. Every row counts by itself. A response's `output_tokens`
include reasoning. What is given to a function stays as it is.
""",
    stub='''
from harness import Message, ProviderResponse, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript

SHEET = "workbook"  # the sheet whose words you use; your instructor may give you another

def to_request(transcript: Transcript, tools: list[dict]) -> dict:
    """The request body for a transcript and its tools."""
    ...  # your code here

def from_request(body: dict) -> tuple[Transcript, list[dict]]:
    """The transcript and the tools in a request body: the mirror image."""
    ...  # your code here

def from_response(body: dict) -> ProviderResponse:
    """The assistant turn in a response body."""
    ...  # your code here
''',
    hints=(
        "make text work in all three functions before you look at calls; the table tells you the next row",
        "go through the blocks, find speaker and part for each, and start a new turn only when the speaker changes",
        "for reasoning, copy what you do not understand, unread: keep the seal in the block's metadata under a name of "
        "this wire, and leave reasoning out that has none",
    ),
    reference=REFERENCE,
    also_right=(ALSO_RIGHT,),
    wrong=(
        Wrong(
            REFERENCE.replace('return "clerk", {"part": "outcome"', 'return "client", {"part": "outcome"'),
            "stands in a turn of clerk",
            points=POINTS - 5 * ROW_POINTS,
        ),
        Wrong(
            REFERENCE.replace(', {"larkspur": {"cachet": part["cachet"]}})', ")"),
            "reasoning goes back as it came",
            points=POINTS - ROW_POINTS,
        ),
        Wrong(
            REFERENCE.replace('meter["wrote"] + meter["mused"]', 'meter["wrote"]'),
            "reasoning included",
            points=POINTS - ROW_POINTS,
        ),
        Wrong(
            'SHEET = "workbook"\n\ndef to_request(transcript, tools):\n    return {}\n\n'
            "def from_request(body):\n    return {}\n\ndef from_response(body):\n    return {}\n",
            "engine",
            points=0,
        ),
    ),
    check=check,
    plan=tuple(Row(row.name, ROW_POINTS, "not attempted", step=row.step) for row in ROWS),
)
