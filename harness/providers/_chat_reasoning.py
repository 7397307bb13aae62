"""Where the dialects of Chat Completions keep reasoning: each form is read as blocks and goes back as it came.

{"reasoning_content": "..."} (DeepSeek, xAI, Z.ai), {"reasoning": "..."} (Groq, Cerebras, Ollama, OpenRouter),
{"reasoning_details": [...]} (OpenRouter), {"type": "thinking"} among the content parts (Mistral), and
"<think>...</think>" before the text (open models on servers that do not take it out).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..frozen import thaw
from ..messages import Block, Message, OpaqueBlock, ReasoningBlock, TextBlock, ToolCall, seal_holds
from ._dialects import ReasoningRule

WIRE = "openai.chat"
TEXT_FIELDS = ("reasoning_content", "reasoning")
OPEN, CLOSE = "<think>", "</think>"


def read_reasoning(message: Mapping[str, Any]) -> list[ReasoningBlock]:
    """The reasoning in the fields of an assistant message: one block for each different text."""
    fields_of: dict[str, list[str]] = {}
    for field in TEXT_FIELDS:
        if isinstance(text := message.get(field), str) and text:
            fields_of.setdefault(text, []).append(field)
    details = message.get("reasoning_details")
    if not isinstance(details, list) or not details:
        return [ReasoningBlock(text, {WIRE: {"fields": fields}}) for text, fields in fields_of.items()]
    fields_of = fields_of or {_details_text(details): []}
    kept = [{"fields": fields} for fields in fields_of.values()]
    kept[0]["reasoning_details"] = details
    return [ReasoningBlock(text, {WIRE: fields}) for text, fields in zip(fields_of, kept, strict=True)]


def read_thinking_part(part: Mapping[str, Any]) -> ReasoningBlock:
    """The reasoning in a content part; the part itself is kept."""
    return ReasoningBlock(_part_text(part), {WIRE: {"part": dict(part)}})


def split_thinking(blocks: Sequence[Block | OpaqueBlock]) -> tuple[Block | OpaqueBlock, ...]:
    """The blocks of an answer, with the reasoning that opens its text as a block of its own.

    Only answers are read so: in a request such a text is what somebody chose to say.
    """
    return tuple(part for block in blocks for part in _split(block))


def _split(block: Block | OpaqueBlock) -> tuple[Block | OpaqueBlock, ...]:
    if type(block) is not TextBlock or not block.text.startswith(OPEN) or block.metadata:
        return (block,)
    inner, closed, rest = block.text.removeprefix(OPEN).partition(CLOSE)
    if not closed:
        return (block,)
    thought = ReasoningBlock(inner, {WIRE: {"inline": True}})
    return (thought, TextBlock(rest)) if rest else (thought,)


def write_reasoning(block: ReasoningBlock, item: dict[str, Any], parts: list[dict[str, Any]]) -> str:
    """Put a block back where it came from: fields of `item`, `parts`, or the text returned, which opens the content.

    Reasoning that did not come from this wire has no place and is left out.
    """
    kept = block.metadata.get(WIRE, {})
    for field in kept.get("fields", ()):
        item[field] = block.text
    if "reasoning_details" in kept and seal_holds(block, WIRE):
        item["reasoning_details"] = thaw(kept["reasoning_details"])
    if "part" in kept:
        unchanged = _part_text(kept["part"]) == block.text
        parts.append(thaw(kept["part"]) if unchanged else {"type": "thinking", "thinking": _texts(block.text)})
    return f"{OPEN}{block.text}{CLOSE}" if kept.get("inline") else ""


def silent_turns(messages: Sequence[Message], rule: ReasoningRule) -> set[int]:
    """The places of the assistant messages that go back without their reasoning, by a dialect's rule."""
    silent: set[int] = set()
    for turn in _turns(messages) if rule != "always" else ():
        called = any(type(block) is ToolCall for m in turn for block in messages[m].blocks)
        if rule == "never" or not called:
            silent.update(turn)
    return silent


def _turns(messages: Sequence[Message]) -> Iterator[list[int]]:
    """The places of the assistant messages between two texts of the user."""
    turn: list[int] = []
    for m, message in enumerate(messages):
        if message.role == "assistant":
            turn.append(m)
        elif message.role == "user" and any(type(block) is TextBlock for block in message.blocks):
            yield turn
            turn = []
    yield turn


def _details_text(details: list[Any]) -> str:
    texts = [detail.get("text") or detail.get("summary") for detail in details if isinstance(detail, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _part_text(part: Mapping[str, Any]) -> str:
    thinking = part.get("thinking")
    if isinstance(thinking, str):
        return thinking
    items = thinking if isinstance(thinking, list) else []
    texts = [item.get("text") for item in items if isinstance(item, Mapping)]
    return "\n".join(text for text in texts if isinstance(text, str))


def _texts(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text}]
