"""The parts of Chat Completions' messages, each written and read: content parts, calls, results, tools.

What our blocks have no field for stays below this wire's name in their metadata: a cache mark of a text, the further
fields of a call, the parts of a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ..errors import TranslationError
from ..frozen import freeze, thaw
from ..messages import Block, OpaqueBlock, TextBlock, ToolCall, ToolResult, seal_holds
from ._chat_reasoning import WIRE, read_thinking_part
from ._reading import as_object, as_text, reading
from ._strings import dump_arguments, mark_error, read_arguments, read_error, write_arguments
from .base import ToolSchema

Body: TypeAlias = dict[str, Any]

NO_PARAMETERS = {"type": "object", "properties": {}}
# What a text says in its metadata when it is a refusal: it stood in a content part, or in the message's own field.
REFUSAL_PART, REFUSAL_FIELD = {"refusal": "part"}, {"refusal": "field"}


class OpenCalls:
    """The calls that wait for their results, so that a result without an id finds the nearest."""

    def __init__(self, new_id: Callable[[int], str] = "call_without_id_{}".format) -> None:
        self._open: list[tuple[str, str]] = []  # [("call_1", "calc")]
        self._new_id = new_id
        self._invented = 0

    def ask(self, given: Any, name: str) -> str:
        """The id of a call, invented where it has none."""
        call_id = given if isinstance(given, str) and given else self._invent()
        self._open.append((call_id, name))
        return call_id

    def answer(self, given: Any, name: Any = None) -> str:
        """The id of the call that a result answers: its own, else that of the first open call (of that name)."""
        call_id = given if isinstance(given, str) and given else self._nearest(name)
        for place, (open_id, _) in enumerate(self._open):
            if open_id == call_id:
                del self._open[place]
                break
        return call_id

    def _nearest(self, name: Any) -> str:
        ids = [call_id for call_id, _ in self._open]
        named = [call_id for call_id, of in self._open if of == name]
        return (named or ids or [self._invent()])[0]

    def _invent(self) -> str:
        self._invented += 1
        return self._new_id(self._invented)


# ---- content


def write_content(parts: Sequence[Any], *, has_calls: bool) -> Any:
    """The content of a message: null beside calls, plain text where that says everything, else the parts."""
    if not parts:
        return None if has_calls else ""
    if len(parts) == 1 and parts[0].keys() == {"type", "text"} and is_text(parts[0]):
        return parts[0]["text"]
    if len(parts) == 1 and "type" not in parts[0]:
        return parts[0]  # an answer that is an object (Cloudflare)
    return list(parts)


def read_content(content: Any, path: str) -> Iterator[Block | OpaqueBlock]:
    """The blocks of a content: null, text, parts, or an object."""
    match content:
        case None:
            return
        case str():
            with reading(WIRE, path):
                yield TextBlock(content)
        case list():
            for p, part in enumerate(content):
                with reading(WIRE, f"{path}[{p}]"):
                    yield _read_part(part, f"{path}[{p}]")
        case Mapping():
            with reading(WIRE, path):
                yield TextBlock(dump_arguments(freeze(content)), {WIRE: {"object": content}})
        case _:
            raise _unfit_content(content, path)


def write_text(block: TextBlock, opening: str) -> Any:
    """A text as a content part, after the `opening` that inline reasoning makes."""
    part = {"type": "text", "text": opening + block.text}
    fields = block.metadata.get(WIRE)
    if not fields:
        return part
    if "object" in fields and dump_arguments(fields["object"]) == block.text:
        return thaw(fields["object"])
    if fields == REFUSAL_PART:
        return {"type": "refusal", "refusal": block.text}
    return {**part, **thaw(_but(fields, "object", "refusal"))}


def _read_part(part: Any, path: str) -> Block | OpaqueBlock:
    if isinstance(part, str):
        return TextBlock(part)
    part = as_object(part, WIRE, path)
    match part.get("type"):
        case "text":
            return TextBlock(as_text(part.get("text"), WIRE, f"{path}.text"), further(part, "type", "text"))
        case "refusal":
            return TextBlock(as_text(part.get("refusal"), WIRE, f"{path}.refusal"), {WIRE: REFUSAL_PART})
        case "thinking":
            return read_thinking_part(part)
        case _:
            return OpaqueBlock(WIRE, dict(part))


# ---- calls


def write_call(call: ToolCall, call_id: str, *, signed: bool, raw: bool) -> Body:
    """A call as an entry of `tool_calls`; a vendor's signature goes along when `signed` and the call is unchanged.

    Without `raw`, arguments that are no JSON are sent as none: the result of the call says what they were.
    """
    fields = call.metadata.get(WIRE, {})
    if "object" in fields:
        arguments = thaw(call.args)
    else:
        arguments = "{}" if not raw and call.unreadable is not None else write_arguments(call, WIRE)
    function = {"name": call.name, "arguments": arguments}
    entry = {"id": call_id, "type": "function", "function": function}
    if not fields:
        return entry
    function |= thaw(fields.get("function", {}))
    signature = () if signed and seal_holds(call, WIRE) else ("extra_content",)
    return {**entry, **thaw(_but(fields, "arguments", "covers", "object", "function", *signature))}


def read_call(raw: Any, path: str, calls: OpenCalls) -> ToolCall | OpaqueBlock:
    """An entry of `tool_calls`: a call of a function, or what another kind of call there is."""
    raw = as_object(raw, WIRE, path)
    if is_call(raw) and "function" not in raw:
        with reading(WIRE, path):
            return OpaqueBlock(WIRE, dict(raw))
    function = as_object(raw.get("function"), WIRE, f"{path}.function")
    name = as_text(function.get("name"), WIRE, f"{path}.function.name")
    given = function.get("arguments")
    with reading(WIRE, f"{path}.function.arguments"):
        args, kept = read_arguments(given if isinstance(given, str) else freeze(given))
    if isinstance(given, Mapping):
        kept["object"] = True
    kept |= {key: value for key, value in raw.items() if key not in ("id", "function", "index") and value is not None}
    kept |= {"function": inner} if (inner := _but(function, "name", "arguments")) else {}
    if kept.get("type") == "function":
        del kept["type"]
    with reading(WIRE, path):
        return ToolCall(calls.ask(raw.get("id"), name), name, args, {WIRE: kept} if kept else {})


def is_call(payload: Mapping[str, Any]) -> bool:
    """Whether an opaque payload stood among the calls: those have an id, and a field named as their type."""
    return isinstance(payload.get("id"), str) and isinstance(payload.get(str(payload.get("type"))), Mapping)


def is_legacy_call(value: Any) -> bool:
    """Whether a message's `function_call`, which came before `tool_calls`, is one (some gateways send an empty one)."""
    return isinstance(value, Mapping) and bool(value.get("name"))


# ---- results


def write_result(result: ToolResult, call_id: str) -> Body:
    """A result as the message it is on this wire."""
    text = mark_error(result.content, result.is_error)
    item = {"role": "tool", "tool_call_id": call_id, "content": text}
    fields = result.metadata.get(WIRE)
    if not fields:
        return item
    if "legacy" in fields:
        return {"role": "function", "name": fields["legacy"], "content": text}
    item["content"] = _result_content(text, fields)
    return {**item, **thaw(_but(fields, "content", "parts", "object"))}


def read_result(raw: Mapping[str, Any], path: str, calls: OpenCalls) -> ToolResult:
    """The result in a message of the role `tool`, or `function` as it was before."""
    content = raw.get("content")
    if not isinstance(content, str | list | Mapping | None):
        raise _unfit_content(content, f"{path}.content")
    said = dump_arguments(freeze(content)) if isinstance(content, Mapping) else text_of(content)
    text, is_error = read_error(said)
    if raw["role"] == "function":
        name = as_text(raw.get("name"), WIRE, f"{path}.name")
        return ToolResult(calls.answer(None, name), text, is_error, {WIRE: {"legacy": name}})
    kept = _but(raw, "role", "content", "tool_call_id")
    if isinstance(content, Mapping):
        kept["object"] = content
    elif isinstance(content, list) and content != [{"type": "text", "text": said}]:
        # Under `content` other wires refuse it: it says more than its text.
        kept["parts" if all(map(is_text, content)) else "content"] = content
    call_id = calls.answer(raw.get("tool_call_id"), raw.get("name"))
    return ToolResult(call_id, text, is_error, {WIRE: kept} if kept else {})


def _result_content(text: str, fields: Mapping[str, Any]) -> Any:
    """The content as it came while it says `text`; of an edited one the new text and what is no text."""
    if "object" in fields and dump_arguments(fields["object"]) == text:
        return thaw(fields["object"])
    parts = fields.get("content") or fields.get("parts") or ()
    if parts and text_of(parts) == text:
        return thaw(parts)
    others = [thaw(part) for part in parts if not is_text(part)]
    return [{"type": "text", "text": text}, *others] if others else text


# ---- tools


def write_tools(tools: Sequence[ToolSchema]) -> Body:
    """The tools as this wire nests them, under `tools` or (the legacy form) `functions`."""
    body: Body = {}
    for t, tool in enumerate(tools):
        kept = thaw(tool.get(WIRE))
        if kept is None and not ("name" in tool and "input_schema" in tool):
            raise TranslationError(
                WIRE, f"tools[{t}]", "needs a name and an input_schema; or is it another vendor's own?"
            )
        if kept is None or _canonical(kept) != _but(tool, WIRE):
            kept = {"type": "function", "function": _function(tool)}
        if kept.pop("legacy", False):
            body.setdefault("functions", []).append(kept["function"])
        else:
            body.setdefault("tools", []).append(kept)
    return body


def read_tool(raw: Any, path: str) -> ToolSchema:
    """A tool schema; what else the entry says is kept below this wire's name, and whole where it is no function."""
    with reading(WIRE, path):
        entry = thaw(freeze(as_object(raw, WIRE, path)))
    tool = _canonical(entry)
    plain = "input_schema" in tool and entry == {"type": "function", "function": _function(tool)}
    return tool if plain else {**tool, WIRE: entry}


def _canonical(entry: Mapping[str, Any]) -> ToolSchema:
    function = entry.get("function")
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        return {"name": str(entry.get("type"))}
    described = {"description": function["description"]} if isinstance(function.get("description"), str) else {}
    parameters = function.get("parameters")
    schema = parameters if isinstance(parameters, Mapping) and parameters else NO_PARAMETERS
    return {"name": function["name"], **described, "input_schema": thaw(schema)}


def _function(tool: ToolSchema) -> Body:
    described = {"description": tool["description"]} if "description" in tool else {}
    return {"name": tool["name"], **described, "parameters": thaw(tool["input_schema"])}


# ---- texts and further fields


def _unfit_content(content: Any, path: str) -> TranslationError:
    return TranslationError(WIRE, path, f"must be text or a list of parts, not {type(content).__name__}")


def is_text(part: Any) -> bool:
    """Whether a content part is text."""
    return isinstance(part, Mapping) and part.get("type") == "text" and isinstance(part.get("text"), str)


def text_of(content: Any) -> str:
    """What a content says as text."""
    if isinstance(content, str) or not content:
        return content or ""
    return "".join(part if isinstance(part, str) else part["text"] if is_text(part) else "" for part in content)


def further(raw: Mapping[str, Any], *read: str) -> dict[str, Any]:
    """The fields of `raw` that have no place of their own, as a block's or message's metadata."""
    fields = _but(raw, *read)
    return {WIRE: fields} if fields else {}


def _but(raw: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in raw.items() if key not in keys and value is not None}
