"""3.6-ids: call ids that another vendor refuses, mapped one to one through a whole transcript."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from random import Random
from typing import Any

from ...messages import Message, ToolCall, ToolResult, Transcript
from .cases import Case, fault, quietly, try_cases, wanted, words
from .model import Exercise, Wrong

NINE = re.compile(r"[a-zA-Z0-9]{9}")


def nine(id_: str) -> bool:
    """Mistral's rule: nine letters or digits."""
    return NINE.fullmatch(id_) is not None


def short(id_: str) -> bool:
    """At most twelve letters, digits, hyphens or underscores."""
    return re.fullmatch(r"[\w-]{1,12}", id_) is not None


def _transcript(rng: Random, turns: int, taken: tuple[str, ...] = ()) -> Transcript:
    ids = [f"call_with_a_long_common_prefix_{rng.randrange(10**6)}" for _ in range(turns * 2)]
    ids[::3] = [f"legal{rng.randrange(1000, 9999)}" for _ in ids[::3]]
    ids[: len(taken)] = taken
    messages = [Message.user_text("go")]
    for turn in range(turns):
        pair = list(dict.fromkeys(ids[turn * 2 : turn * 2 + 2]))
        messages.append(Message("assistant", tuple(ToolCall(id_, "calc", {"n": turn}) for id_ in pair)))
        messages.append(Message("user", tuple(ToolResult(id_, f"r{turn}") for id_ in reversed(pair))))
    return Transcript(messages, system="s")


def _ids(transcript: Transcript) -> list[str]:
    return [
        block.id if isinstance(block, ToolCall) else block.call_id
        for message in transcript
        for block in message.blocks
        if isinstance(block, ToolCall | ToolResult)
    ]


def _unnamed(transcript: Transcript) -> list[Any]:
    """The blocks without their ids."""
    return [
        replace(block, id="")
        if isinstance(block, ToolCall)
        else replace(block, call_id="")
        if isinstance(block, ToolResult)
        else block
        for message in transcript
        for block in message.blocks
    ]


def _judge(case: Case, outcome: Any) -> None:
    transcript, legal = case.arguments
    if not isinstance(outcome, Transcript):
        raise fault(case, "a Transcript", words(outcome))
    before, after = _ids(transcript), _ids(outcome)
    if _unnamed(outcome) != _unnamed(transcript) or len(before) != len(after) or outcome.system != transcript.system:
        raise fault(case, "everything but the ids as it was", "other blocks or another system prompt")
    if bad := [id_ for id_ in after if not legal(id_)]:
        raise fault(case, "only ids that `legal` accepts", words(bad[0]))
    if touched := [(old, new) for old, new in zip(before, after, strict=True) if legal(old) and old != new]:
        raise fault(case, f"the legal id {touched[0][0]!r} untouched", words(touched[0][1]))
    pairs = set(zip(before, after, strict=True))
    if not len(pairs) == len(set(before)) == len(set(after)):
        raise fault(
            case, "one new id for one old id: calls and results agree, distinct ids stay distinct", words(sorted(pairs))
        )


def check(names: dict[str, Any], rng: Random) -> None:
    """Generated transcripts under two rules; then the names that the answer invented are made legal ids in use."""
    function = wanted(names, "map_ids")
    cases = [Case((Transcript(), nine), "an empty transcript", 0)]
    for number in range(22):
        transcript = _transcript(rng, 1 + number % 6)
        rule, told = ((nine, "nine letters or digits"), (short, "at most twelve characters"))[number % 2]
        cases.append(
            Case((transcript, rule), f"{1 + number % 6} turns, legal: {told}", 1 + number % 6, hidden=number == 21)
        )
    try_cases(function, cases, _judge)
    transcript = _transcript(rng, 2)
    invented = [new for old, new in zip(_ids(transcript), _ids(quietly(function, transcript, nine)), strict=True)]
    clash = copy.copy(_transcript(rng, 4))
    clash = Transcript([*_transcript(rng, 1, (invented[0], invented[-1])), *clash], system="s")
    told = "a transcript in which a name that you invent is an id already"
    _judge(Case((clash, nine), told), quietly(function, clash, nine))


EXERCISE = Exercise(
    id="3.6-ids",
    title="ids that another vendor refuses",
    points=2,
    minutes=20,
    task="""
Write `map_ids(transcript, legal)`: a new `Transcript` in which every id of a call or result passes `legal(id)`, a
function that is given. One old id becomes one new id, the same for the call and its result; two different ids stay
different; legal ids stay as they are. Careful: a name that you invent may be an id in use already. Everything else in
the transcript stays as it is. Legal ids can always be made of nine letters or digits.
""",
    stub='''
from dataclasses import replace

from harness import Message, ToolCall, ToolResult, Transcript

def map_ids(transcript: Transcript, legal) -> Transcript:
    """The transcript with each id that is not legal replaced, one to one."""
    ...  # your code here
''',
    hints=(
        "collect all ids first, then name, then rewrite",
        "a name you invent may already be taken: keep a set of the names in use, and go on counting until one is free",
    ),
    reference="""
from dataclasses import replace

from harness import Message, ToolCall, ToolResult, Transcript

def map_ids(transcript: Transcript, legal) -> Transcript:
    def id_of(block):
        return block.id if isinstance(block, ToolCall) else getattr(block, "call_id", None)

    used = {id_of(block): None for message in transcript for block in message.blocks if id_of(block) is not None}
    names, count = {}, 0
    for old in used:
        if legal(old):
            continue
        while (new := f"id{count:07d}") in used or new in names.values():
            count += 1
        names[old] = new

    def renamed(block):
        new = names.get(id_of(block))
        if new is None:
            return block
        return replace(block, id=new) if isinstance(block, ToolCall) else replace(block, call_id=new)

    messages = [replace(message, blocks=tuple(renamed(b) for b in message.blocks)) for message in transcript]
    return Transcript(messages, transcript.system, transcript.metadata)
""",
    also_right=(
        """
from dataclasses import replace
from itertools import product
from string import ascii_lowercase

from harness import Transcript

def map_ids(transcript, legal):
    field = {"tool_call": "id", "tool_result": "call_id"}
    blocks = [block for message in transcript for block in message.blocks if block.kind in field]
    old = list(dict.fromkeys(getattr(block, field[block.kind]) for block in blocks))
    free = ("".join(letters) for letters in product(ascii_lowercase, repeat=9))
    new = {}
    for id_ in old:
        new[id_] = id_ if legal(id_) else next(name for name in free if name not in old)
    out = Transcript(system=transcript.system, metadata=transcript.metadata)
    for message in transcript:
        changed = []
        for block in message.blocks:
            name = field.get(block.kind)
            changed.append(replace(block, **{name: new[getattr(block, name)]}) if name else block)
        out.append(replace(message, blocks=changed))
    return out
""",
    ),
    wrong=(
        Wrong(
            """
from dataclasses import replace
from harness import ToolCall, ToolResult, Transcript

def map_ids(transcript, legal):
    def cut(id_):
        return id_ if legal(id_) else "".join(c for c in id_ if c.isalnum())[:9].ljust(9, "0")
    def one(b):
        if isinstance(b, ToolCall):
            return replace(b, id=cut(b.id))
        return replace(b, call_id=cut(b.call_id)) if isinstance(b, ToolResult) else b
    return Transcript([replace(m, blocks=tuple(map(one, m.blocks))) for m in transcript], transcript.system)
""",
            "distinct",
        ),
        Wrong(
            """
from dataclasses import replace
from harness import ToolCall, Transcript

def map_ids(transcript, legal):
    names = {}
    def one(b):
        if isinstance(b, ToolCall) and not legal(b.id):
            return replace(b, id=names.setdefault(b.id, f"id{len(names):07d}"))
        return b
    return Transcript([replace(m, blocks=tuple(map(one, m.blocks))) for m in transcript], transcript.system)
""",
            "legal",
        ),
        Wrong(
            """
from dataclasses import replace
from harness import ToolCall, ToolResult, Transcript

def map_ids(transcript, legal):
    names = {}
    def one(b):
        if isinstance(b, ToolCall):
            return replace(b, id=names.setdefault(b.id, f"id{len(names):07d}"))
        if isinstance(b, ToolResult):
            return replace(b, call_id=names.setdefault(b.call_id, f"id{len(names):07d}"))
        return b
    return Transcript([replace(m, blocks=tuple(map(one, m.blocks))) for m in transcript], transcript.system)
""",
            "untouched",
        ),
    ),
    check=check,
)
