"""Gemini's parts: one block as a part and back.

A part is an object with one content (`text`, `functionCall`, ...) and fields beside it, such as `thoughtSignature`.
`metadata["gemini"]` keeps those fields, and under `functionCall` or `functionResponse` what these say beyond our block.
A result is `{"output": content}`, a failed one `{"error": content}`, as the docstring of `FunctionResponse` in
google-genai has it; any other object is read as JSON text and goes back as it came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from ..errors import TranslationError
from ..frozen import thaw
from ..messages import Block, Message, OpaqueBlock, ReasoningBlock, TextBlock, ToolCall, ToolResult, seal_holds
from ._gemini_json import WIRE
from ._handover import crosses
from ._reading import as_list, as_object, as_text, reading
from ._rules_gemini import CONTENT, STAND_IN, wants_signature
from ._strings import dump_arguments

SIGNATURE = "thoughtSignature"
OUR_KEYS = ("covers", "functionCall", "functionResponse", "content")  # in metadata, but no field of a part

Body = dict[str, Any]  # {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}


@dataclass(frozen=True)
class Context:
    """What the translation of one message depends on besides the message."""

    provider: str | None = None
    model: str | None = None
    ids: Mapping[str, str] = field(default_factory=dict)


# ---- our shape to theirs


def write_parts(message: Message, answered: Sequence[ToolCall], context: Context) -> list[Body]:
    """The parts of one message, in order; `answered` are the calls that its results belong to."""
    ours = crosses(message, provider=context.provider, model=context.model)
    calls = iter(answered)
    parts: list[Body] = []
    for block in message.blocks:
        match block:
            case TextBlock():
                parts.append({"text": block.text, **_fields(block, ours)})
            case ToolCall():
                parts.append({"functionCall": _write_call(block, context), **_fields(block, ours)})
            case ToolResult():
                result = _write_result(block, next(calls), context)
                parts.append({"functionResponse": result, **_fields(block, ours)})
            case ReasoningBlock():
                if ours and WIRE in block.metadata:
                    parts.append({"text": block.text, "thought": True, **_fields(block, ours)})
            case OpaqueBlock():
                parts.append({key: thaw(inner) for key, inner in block.payload.items() if ours or key != SIGNATURE})
            case _:
                assert_never(block)
    if wants_signature(context.model):
        _sign_first_call(parts)
    return parts


def _fields(block: Block, ours: bool) -> Body:
    """What a part has beside its content; a signature goes only to whom made it, only while it holds, never empty."""
    kept = block.metadata.get(WIRE)
    if not kept:
        return {}
    fields: Body = {key: thaw(value) for key, value in kept.items() if key not in OUR_KEYS}
    if not (fields.get(SIGNATURE) and ours and seal_holds(block, WIRE)):
        fields.pop(SIGNATURE, None)
    return fields


def _sign_first_call(parts: Sequence[Body]) -> None:
    first = next((part for part in parts if "functionCall" in part), None)
    if first is not None:
        first.setdefault(SIGNATURE, STAND_IN)


def _write_call(call: ToolCall, context: Context) -> Body:
    kept = call.metadata.get(WIRE, {}).get("functionCall", {})
    return given({**_named(call, context), "args": thaw(call.args), **thaw(kept)})


def _write_result(result: ToolResult, call: ToolCall, context: Context) -> Body:
    fields = result.metadata.get(WIRE, {})
    kept = dict(fields.get("functionResponse", {}))
    if "response" in kept and _read_answer(kept["response"] or {}) != (result.content, result.is_error):
        del kept["response"]
    answer = {"response": _write_answer(result.content, result.is_error), "parts": thaw(fields.get("content"))}
    return given({**_named(call, context), **answer, **thaw(kept)})


def _named(call: ToolCall, context: Context) -> Body:
    """What a call and its result are known by; a call that came without an id has none in its result either."""
    kept = call.metadata.get(WIRE, {}).get("functionCall", {})
    return {"id": kept.get("id", context.ids.get(call.id, call.id)), "name": call.name}


def _write_answer(content: str, is_error: bool) -> Body:
    return {"error": content} if is_error else {"output": content}


# ---- their shape to ours


def read_parts(content: Mapping[str, Any], path: str, calls: Calls) -> tuple[Block | OpaqueBlock, ...]:
    """The blocks of a content that `content_of` gave."""
    return tuple(_read_part(part, f"{path}.parts[{p}]", calls) for p, part in enumerate(content["parts"]))


def _read_part(part: Body, path: str, calls: Calls) -> Block | OpaqueBlock:
    held = [key for key in CONTENT if key in part]
    if len(held) > 1:
        raise TranslationError(WIRE, path, f"holds {' and '.join(held)}, of which a part holds one")
    fields = {key: value for key, value in part.items() if key not in held}
    with reading(WIRE, path):
        match held:
            case ["text"] if part.get("thought") is True:
                return ReasoningBlock(part["text"], _metadata(fields))
            case ["text"]:
                return TextBlock(part["text"], _metadata(fields))
            case ["functionCall"]:
                return _read_call(part["functionCall"], fields, calls, f"{path}.functionCall")
            case ["functionResponse"]:
                return _read_result(part["functionResponse"], fields, calls, f"{path}.functionResponse")
            case _:
                return OpaqueBlock(WIRE, part)


def _read_call(value: Any, fields: Body, calls: Calls, path: str) -> ToolCall:
    call = given(as_object(value, WIRE, path))
    name = as_text(call.get("name"), WIRE, f"{path}.name")
    args = dict(as_object(call.get("args", {}), WIRE, f"{path}.args"))
    kept = {key: inner for key, inner in call.items() if key not in ("id", "name", "args")}
    if not call.get("id"):
        kept["id"] = call.get("id")
    call_id = as_text(call.get("id") or calls.new_id(), WIRE, f"{path}.id")
    return calls.ask(ToolCall(call_id, name, args, _metadata(fields, functionCall=kept)))


def _read_result(value: Any, fields: Body, calls: Calls, path: str) -> ToolResult:
    result = given(as_object(value, WIRE, path))
    call = calls.answer(result.get("id"), as_text(result.get("name", ""), WIRE, f"{path}.name"))
    content, is_error = _read_answer(as_object(result.get("response", {}), WIRE, f"{path}.response"))
    media = as_list(result.pop("parts", None), WIRE, f"{path}.parts")
    usual = {**_named(call, Context()), "response": _write_answer(content, is_error)}
    kept = {key: result.get(key) for key in {**usual, **result} if result.get(key) != usual.get(key)}
    return ToolResult(call.id, content, is_error, _metadata(fields, functionResponse=kept, content=media))


def _read_answer(response: Mapping[str, Any]) -> tuple[str, bool]:
    """A result's text and whether it is an error: one string under a known key is the text, else the whole as JSON."""
    match list(response.items()):
        case []:
            return "", False
        case [("output" | "result" | "error" as key, str(content))]:
            return content, key == "error"
        case _:
            return dump_arguments(dict(response)), bool(response.get("error"))


def _metadata(fields: Body, **further: Any) -> Body:
    kept = {**fields, **{key: value for key, value in further.items() if value}}
    return {WIRE: kept} if kept else {}


class Calls:
    """The calls of the newest turn that wait for results: found by id or, where ids are missing, by name.

    `new_id` makes the id of a call that came without one.
    """

    def __init__(self, new_id: Callable[[], str]) -> None:
        self.new_id = new_id
        self._open: list[ToolCall] = []
        self._role = ""

    def hear(self, role: str) -> None:
        """Who speaks next: once the model does so again, what is still open can no longer be answered."""
        if role == "model" != self._role:
            self._open.clear()
        self._role = role

    def ask(self, call: ToolCall) -> ToolCall:
        """Remember a call, and give it back."""
        self._open.append(call)
        return call

    def answer(self, call_id: str | None, name: str) -> ToolCall:
        """The call that a result answers; a made-up one when there is none, for `Transcript.check` to find."""
        place = self._find(call_id, name)
        return ToolCall(call_id or self.new_id(), name, {}) if place is None else self._open.pop(place)

    def _find(self, call_id: str | None, name: str) -> int | None:
        for place, call in enumerate(self._open):
            if call.id == call_id:
                return place
        for place, call in enumerate(self._open):
            if call.name == name and (not call_id or _came_without_id(call)):
                return place
        return 0 if self._open and not call_id else None


def _came_without_id(call: ToolCall) -> bool:
    return "id" in call.metadata.get(WIRE, {}).get("functionCall", {})


# ---- contents


def content_of(value: Any, path: str) -> Body:
    """A content with a list of parts; a string stands for a text, and a single part for a list of one."""
    content = {"parts": value} if isinstance(value, str) else as_object(value, WIRE, path)
    parts = [_part(part, f"{path}.parts[{p}]") for p, part in enumerate(several(content.get("parts")))]
    return {**given(content), "parts": parts}


def _part(value: Any, path: str) -> Body:
    part = {"text": value} if isinstance(value, str) else given(as_object(value, WIRE, path))
    if part.get("type") == "text":  # no key of this wire, but some clients send it
        del part["type"]
    return part


def several(value: Any) -> list[Any]:
    """A list as it is, nothing as an empty one, anything else as a list of one."""
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def given(fields: Mapping[str, Any]) -> Body:
    """The fields that are not null."""
    return {key: value for key, value in fields.items() if value is not None}
