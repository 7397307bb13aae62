"""The fictional vendor's side of its wire, for the conformance kit: how it reads, writes and speaks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ...errors import Problem
from ...messages import Message, ReasoningBlock, TextBlock, ToolCall, ToolResult, Transcript
from ...providers.base import ToolSchema
from ..conformance.vendor import Turn
from .larkspur import MODEL, WIRE, Body, Larkspur, seal_of

ENDED = {"end": "done", "tool_calls": "invoking", "max_tokens": "full"}


@dataclass(frozen=True)
class LarkspurSide:
    """The vendor under one sheet, as the kit talks to it."""

    vendor: Larkspur
    wire: str = WIRE
    takes_reasoning_back: bool = True
    counts_reasoning: bool = True

    def seal(self, text: str) -> str | None:
        """The vendor's seal."""
        return seal_of(text)

    def check_request(self, body: Body) -> list[Problem]:
        """The rules of the page."""
        return self.vendor.check_request(body)

    def read(self, body: Body) -> tuple[Transcript, list[ToolSchema]]:
        """What a valid body says."""
        roles: dict[str, Any] = {self.vendor.sheet.model: "assistant"}
        messages = [
            Message(roles.get(turn["speaker"], "user"), tuple(self._block(part) for part in turn["parts"]))
            for turn in body["dialogue"]
        ]
        return Transcript(messages, body.get("brief")), [_schema(ability) for ability in body.get("abilities", [])]

    def write(self, transcript: Transcript, tools: list[ToolSchema]) -> Body:
        """A valid body that says a transcript, which has no reasoning of others."""
        dialogue: list[Body] = []
        for message in transcript:
            for block in message.blocks:
                who = "model" if message.role == "assistant" else "tool" if isinstance(block, ToolResult) else "person"
                turn = self.vendor.turn(who, self._part(block))
                if dialogue and dialogue[-1]["speaker"] == turn["speaker"]:
                    dialogue[-1]["parts"] += turn["parts"]
                else:
                    dialogue.append(turn)
        body: Body = {"engine": MODEL, "dialogue": dialogue}
        if transcript.system:
            body["brief"] = transcript.system
        if tools:
            body["abilities"] = [_ability(tool) for tool in tools]
        return body

    def speak(self, turn: Turn) -> Body:
        """The response that says a turn."""
        usage = turn.usage
        counts = {"read": usage.input_tokens, "mused": usage.reasoning_tokens}
        wrote = usage.output_tokens - usage.reasoning_tokens
        return self.vendor.reply([self._part(block) for block in turn.blocks], ENDED[turn.stop], wrote=wrote, **counts)

    def _part(self, block: Any) -> Body:
        match block:
            case TextBlock(text):
                return self.vendor.say(text)
            case ReasoningBlock(text):
                return self.vendor.muse(text)
            case ToolCall(id_, name, args):
                return self.vendor.invoke(id_, name, args)
            case ToolResult(call_id, content, is_error):
                return self.vendor.outcome(call_id, content, failed=is_error)
        raise TypeError(f"the vendor has no part for a {type(block).__name__}")

    def _block(self, part: Body) -> Any:
        sheet = self.vendor.sheet
        match part["part"]:
            case "say":
                return TextBlock(part["text"])
            case "muse":
                return ReasoningBlock(part["text"])
            case "invoke":
                return ToolCall(part["ref"], part["tool"], sheet.read_arguments(part[sheet.arguments]))
        return ToolResult(part["ref"], part["text"], part[sheet.mark] == sheet.bad)


def _ability(tool: ToolSchema) -> Body:
    about = {"about": tool["description"]} if tool.get("description") else {}
    return {"title": tool["name"], **about, "takes": json.loads(json.dumps(tool["input_schema"]))}


def _schema(ability: Body) -> ToolSchema:
    about = {"description": ability["about"]} if "about" in ability else {}
    return {"name": ability["title"], **about, "input_schema": ability["takes"]}
