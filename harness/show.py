"""How messages look: one line in a terminal, labelled blocks in a notebook. Ids of messages and times are left out."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any

from .messages import Block, OpaqueBlock, ReasoningBlock, TextBlock, ToolCall, ToolResult

if TYPE_CHECKING:
    from .messages import Message, Transcript

ICONS = {"text": "💬", "tool_call": "🔧", "tool_result": "📥", "reasoning": "💭", "opaque": "📦"}
BOX = (
    "border:1px solid var(--jp-border-color1,#bdbdbd);border-radius:4px;padding:4px 8px;margin:4px 0;"
    "color:var(--jp-content-font-color1,inherit);background:var(--jp-layout-color1,transparent)"
)
LONG = 600  # characters, above which a block's box may scroll
BODY = "margin:2px 0 0;white-space:pre-wrap;overflow-wrap:anywhere;max-height:16em;overflow:auto"


def message_line(message: Message) -> str:
    """A message in one line, as `Message user: text 'hello'`."""
    return f"Message {message.role}: {', '.join(map(_brief, message.blocks)) or 'no blocks'}"


def transcript_lines(transcript: Transcript) -> str:
    """A transcript in one line a message, the system prompt first."""
    head = f"Transcript: {len(transcript)} message{'s' * (len(transcript) != 1)}"
    if transcript.system:
        head += f", system {_short(transcript.system)!r}"
    return "\n  ".join([head, *map(message_line, transcript)])


def transcript_html(transcript: Transcript) -> str:
    """A transcript as HTML, safe against HTML in its content."""
    system = _box("⚙️ system prompt", "", transcript.system) if transcript.system else ""
    inner = system + "".join(map(message_html, transcript)) or "<p>An empty transcript.</p>"
    return f'<section aria-label="Transcript">{inner}</section>'


def message_html(message: Message) -> str:
    """A message as HTML: its role as a heading, each block labelled by icon and word."""
    blocks = "".join(map(_block_html, message.blocks)) or "<p>no blocks</p>"
    return f'<div style="margin:8px 0"><strong>{message.role}</strong>{blocks}</div>'


def block_label(block: Block | OpaqueBlock) -> tuple[str, str]:
    """What a block is, in words, and the detail that names it: `("tool call", "calc, id call_1")`."""
    match block:
        case TextBlock():
            return "text", ""
        case ToolCall(id_, name):
            return "tool call", f"{name}, id {id_}"
        case ToolResult(call_id, _, is_error):
            return ("tool result (error)" if is_error else "tool result"), f"for id {call_id}"
        case ReasoningBlock():
            return "reasoning", ", ".join(sorted(block.metadata))
        case OpaqueBlock(wire, payload):
            return "opaque", f"{payload.get('type', 'content')} of {wire}"


def block_body(block: Block | OpaqueBlock) -> str:
    """What a block holds, as text."""
    match block:
        case TextBlock(text) | ReasoningBlock(text):
            return text or "(empty)"
        case ToolCall():
            return block.unreadable or _json(block.args)
        case ToolResult(_, content):
            return content or "(empty)"
        case OpaqueBlock(_, payload):
            return _json(payload)


def _block_html(block: Block | OpaqueBlock) -> str:
    label, detail = block_label(block)
    return _box(f"{ICONS[block.kind]} {label}", detail, block_body(block))


def _box(label: str, detail: str, body: str) -> str:
    note = f" <small>{escape(detail)}</small>" if detail else ""
    focus = ' tabindex="0"' if len(body) > LONG else ""  # what scrolls must be reached by keyboard, too
    return f'<div style="{BOX}"><b>{escape(label)}</b>{note}<pre style="{BODY}"{focus}>{escape(body)}</pre></div>'


def _brief(block: Block | OpaqueBlock) -> str:
    match block:
        case TextBlock(text):
            return f"text {_short(text)!r}"
        case ToolCall(_, name):
            return f"call {name}({_short(block_body(block))})"
        case ToolResult(_, content, is_error):
            return f"{'error' if is_error else 'result'} {_short(content)!r}"
        case ReasoningBlock(text):
            return f"reasoning {_short(text)!r}"
        case OpaqueBlock():
            return " ".join(block_label(block))


def _short(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
