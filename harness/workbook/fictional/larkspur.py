"""Larkspur, a vendor that does not exist: its wire read, written and checked as the vendor itself would.

Nothing here is an adapter to copy: the vendor knows neither `ProviderResponse` nor metadata, only its own bodies.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...errors import Problem
from .page import Page, page
from .sheet import DEFAULT_SHEET, Sheet, sheet

WIRE = "larkspur"
MODEL = "lark-1"

Body = dict[str, Any]


@dataclass
class Larkspur:
    """The vendor under one sheet: its page, two sample bodies, its rules, and its stand-in."""

    sheet: Sheet
    requests: list[Body] = field(default_factory=list, repr=False)

    @property
    def page(self) -> Page:
        """The whole documentation of the wire, one page of Markdown."""
        return page(self.sheet, self.request(), self.response())

    def request(self) -> Body:
        """A valid request: the calculator question after a call and its outcome."""
        call = {"expression": "17 * 23 - 100"}
        return {
            "engine": MODEL,
            "brief": "Use the calculator.",
            "dialogue": [
                self.turn("person", self.say("What is 17 * 23, minus 100?")),
                self.turn("model", self.muse("A product, then a difference."), self.invoke("k1", "calc", call)),
                self.turn("tool", self.outcome("k1", "291")),
            ],
            "abilities": [{"title": "calc", "about": "Evaluates arithmetic.", "takes": {"type": "object"}}],
        }

    def response(self) -> Body:
        """The response that called the calculator."""
        return self.reply(self.request()["dialogue"][1]["parts"], "invoking", read=92, wrote=24, mused=9)

    # ---- what the vendor writes

    def turn(self, who: str, *parts: Body) -> Body:
        """A turn of the "person", the "model" or the "tool", under the sheet's word for that speaker."""
        return {"speaker": getattr(self.sheet, who), "parts": list(parts)}

    def say(self, text: str) -> Body:
        """A part of plain text."""
        return {"part": "say", "text": text}

    def muse(self, text: str) -> Body:
        """A part of reasoning, sealed by the vendor."""
        return {"part": "muse", "text": text, self.sheet.seal: seal_of(text)}

    def invoke(self, ref: str, tool: str, arguments: dict[str, Any]) -> Body:
        """A part that calls a tool."""
        return {
            "part": "invoke",
            "ref": ref,
            "tool": tool,
            self.sheet.arguments: self.sheet.write_arguments(arguments),
        }

    def outcome(self, ref: str, text: str, *, failed: bool = False) -> Body:
        """A part with what a tool gave back."""
        mark = self.sheet.bad if failed else self.sheet.good
        return {"part": "outcome", "ref": ref, "text": text, self.sheet.mark: mark}

    def reply(self, parts: Sequence[Body], ended: str, *, read: int, wrote: int, mused: int = 0) -> Body:
        """A response; `wrote` does not count what was `mused`."""
        meter = {"read": read, "wrote": wrote, "mused": mused}
        return {"reply": self.turn("model", *parts), "ended": ended, "meter": meter}

    # ---- what the vendor accepts

    def check_request(self, body: Any) -> list[Problem]:
        """The rules of the page that a body breaks."""
        from .rules import problems

        return list(problems(body, self.sheet))

    def respond(self, body: Any) -> tuple[int, Body]:
        """The stand-in: 422 and the vendor's error for the first broken rule, else 200 and the calculator's turn."""
        self.requests.append(body)
        for problem in self.check_request(body):
            return 422, {"refused": {"where": problem.path, "why": problem.rule, "see": problem.source}}
        return 200, self._play(body)

    def _play(self, body: Body) -> Body:
        last = body["dialogue"][-1]
        size = max(1, len(json.dumps(body)) // 4)
        if last["speaker"] == self.sheet.tool:
            said = " ".join(part["text"] for part in last["parts"])
            return self.reply([self.say(f"The answer is {said}.")], "done", read=size, wrote=8)
        from ..standins.turns import find_sum

        asked = find_sum(" ".join(part.get("text", "") for part in last["parts"]))
        if asked and any(ability["title"] == "calc" for ability in body.get("abilities", [])):
            ref = f"k{len(self.requests)}"
            parts = [self.muse("This is a sum."), self.invoke(ref, "calc", {"expression": asked})]
            return self.reply(parts, "invoking", read=size, wrote=12, mused=4)
        return self.reply([self.say("I can only do sums, with a calculator.")], "done", read=size, wrote=9)


def seal_of(text: str) -> str:
    """The vendor's seal for exactly that text."""
    return "lk-" + hashlib.sha256(f"larkspur {text}".encode()).hexdigest()[:20]


def vendor(name: str = DEFAULT_SHEET) -> Larkspur:
    """The vendor under the sheet of that name."""
    return Larkspur(sheet(name))


def parts_of(body: Body) -> Iterator[tuple[str, str, Body]]:
    """Each part of a valid request: its path, its speaker, the part."""
    for t, turn in enumerate(body["dialogue"]):
        for p, part in enumerate(turn["parts"]):
            yield f"dialogue[{t}].parts[{p}]", turn["speaker"], part
