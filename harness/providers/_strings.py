"""Tool arguments as a JSON string, and tool errors on wires that have no flag for them (OpenAI's and their kin)."""

from __future__ import annotations

import json
from typing import Any

from ..frozen import FrozenDict, freeze, parse_object
from ..messages import ToolCall

# An error result on such a wire is this mark and then the content. A genuine output that begins with either mark is
# sent behind VERBATIM, so that reading back is exact.
ERROR_MARK = "[tool error]\n"
VERBATIM_MARK = "[tool output, verbatim]\n"

# One encoder for all calls: `json.dumps` with options makes a new one each time, at half the price of a call.
_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def mark_error(content: str, is_error: bool) -> str:
    """A result's content as a wire without an error flag carries it."""
    if is_error:
        return ERROR_MARK + content
    return VERBATIM_MARK + content if content.startswith((ERROR_MARK, VERBATIM_MARK)) else content


def read_error(output: str) -> tuple[str, bool]:
    """The content and error flag that `mark_error` wrote."""
    if output.startswith(ERROR_MARK):
        return output.removeprefix(ERROR_MARK), True
    rest = output.removeprefix(VERBATIM_MARK)
    return (rest, False) if rest.startswith((ERROR_MARK, VERBATIM_MARK)) else (output, False)


def dump_arguments(args: dict[str, Any]) -> str:
    """Arguments as a compact JSON string, as the vendors' models write them."""
    return _compact(args)


def read_arguments(raw: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A model's arguments as an object, and what to keep of their string: {} or {"arguments": raw}.

    A missing string is no arguments; one that is no JSON object gives {} and is kept, so that `ToolCall.unreadable`
    finds it; some local servers send an object.
    """
    if isinstance(raw, dict):
        return raw, {}
    raw = "" if raw is None else raw if isinstance(raw, str) else _compact(freeze(raw))
    args = parse_object(raw)
    if args is not None and raw == dump_arguments(args):
        return args, {}
    return args if args is not None else FrozenDict(), {"arguments": raw}


def write_arguments(call: ToolCall, wire: str) -> str:
    """A call's arguments as a string: byte for byte as the model wrote them while they still say the same."""
    raw = call.metadata.get(wire, {}).get("arguments")
    return raw if isinstance(raw, str) and _says(raw, call.args) else dump_arguments(call.args)


def _says(raw: str, args: dict[str, Any]) -> bool:
    """Whether a string stands for these arguments; one that is no object stands for none."""
    if not args:
        return not parse_object(raw)
    try:
        # repr tells 1 from True and 1.0, which == does not, and keeps the order of keys.
        return repr(json.loads(raw)) == repr(args)
    except (ValueError, RecursionError):
        return False
