"""Chat Completions: a transcript as a list of role-tagged messages and back, and the provider that speaks it.

What is special: a call hangs on its assistant message and its arguments are a string; each result is a message of its
own, directly after the calls; reasoning has no agreed field, so each dialect's goes back in the field it came in.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, assert_never
from uuid import uuid4

from ..errors import Problem, ProviderError, TranslationError
from ..frozen import freeze, thaw
from ..messages import (
    Block,
    Message,
    OpaqueBlock,
    Provenance,
    ReasoningBlock,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
    seal_holds,
)
from . import _send
from ._chat_reasoning import TEXT_FIELDS, WIRE, read_reasoning, read_thinking_part, split_thinking, write_reasoning
from ._dialects import ANY, DIALECTS, Dialect
from ._handover import crosses, require_ours, require_whole, wire_ids
from ._reading import as_count, as_list, as_object, as_text, plain, reading
from ._strings import dump_arguments, mark_error, read_arguments, read_error, write_arguments
from .base import ProviderResponse, StopReason, ToolSchema, stop_reason

STOP_REASONS: dict[str, StopReason] = {
    "stop": "end",
    "eos": "end",
    "": "end",
    "tool_calls": "tool_calls",
    "tool_call": "tool_calls",
    "function_call": "tool_calls",
    "length": "max_tokens",
    "model_length": "max_tokens",
    "content_filter": "content_filter",
    "sensitive": "content_filter",
}
NO_PARAMETERS = {"type": "object", "properties": {}}

Body = dict[str, Any]  # {"model": "gpt-...", "messages": [{"role": "user", "content": "hi"}]}


@dataclass(frozen=True)
class _Context:
    """What the translation of one message depends on besides the message."""

    provider: str | None
    model: str | None
    dialect: Dialect
    ids: Mapping[str, str]


# ---- our shape to theirs


def to_request(
    transcript: Transcript,
    tools: Sequence[ToolSchema] = (),
    *,
    model: str | None = None,
    provider: str | None = None,
    dialect: Dialect = ANY,
) -> Body:
    """The conversation part of a request body: messages and tools (and the model, when given).

    `provider` and `dialect` say who it goes to, and what is its own. Raises `TranslationError` for what this wire
    cannot say.
    """
    require_whole(transcript, WIRE)
    require_ours(transcript, WIRE)
    _require_places(transcript)
    renamed = wire_ids(transcript, lambda id_: bool(dialect.ids.fullmatch(id_)), dialect.new_id.format)
    context = _Context(provider, model, dialect, renamed)
    silent = _silent_turns(transcript.messages, dialect)
    items = _system_items(transcript)
    for m, message in enumerate(transcript):
        items += _message_items(message, context, m not in silent)
    return {**({"model": model} if model else {}), "messages": _in_order(items), **_tools_to_wire(tools)}


def _require_places(transcript: Transcript) -> None:
    for m, message in enumerate(transcript):
        for b, block in enumerate(message.blocks):
            if type(block) is ToolCall and message.role != "assistant":
                raise TranslationError(WIRE, f"messages[{m}].blocks[{b}]", "a call stands in an assistant message only")


def _silent_turns(messages: Sequence[Message], dialect: Dialect) -> set[int]:
    """The messages that go back without their reasoning, by the dialect's rule."""
    silent: set[int] = set()
    turn: set[int] = set()
    if dialect.reasoning == "always":
        return silent
    for m, message in enumerate(messages):
        if message.role == "assistant":
            turn.add(m)
            if dialect.reasoning == "tool_turns" and any(type(block) is ToolCall for block in message.blocks):
                turn.add(-1)  # a tool was called: this turn keeps its reasoning
        elif any(type(block) is TextBlock for block in message.blocks):
            silent |= set() if -1 in turn else turn
            turn = set()
    return silent if -1 in turn else silent | turn


def _system_items(transcript: Transcript) -> list[Body]:
    if transcript.system is None:
        return []
    kept = transcript.metadata.get(WIRE, {}).get("system")
    if kept and _system_text(kept) == transcript.system:
        return list(thaw(kept))
    return [{"role": "system", "content": transcript.system}]


def _message_items(message: Message, context: _Context, keep_reasoning: bool) -> list[Body]:
    """A message on this wire: one item for each result, and one for what is said, thought and called."""
    ours = crosses(message, provider=context.provider, model=context.model)
    item: Body = {"role": message.role}
    parts: list[Body] = []
    calls: list[Body] = []
    results: list[Body] = []
    opening = ""
    for block in message.blocks:
        match block:
            case TextBlock():
                _add_text(block, opening, item, parts)
                opening = ""
            case ReasoningBlock():
                if ours and keep_reasoning:
                    opening += write_reasoning(block, item, parts)
            case ToolCall():
                calls.append(_call_to_wire(block, context, ours))
            case ToolResult():
                results.append(_result_to_wire(block, context))
            case OpaqueBlock(_, payload):
                (calls if _is_call(payload) else parts).append(thaw(payload))
            case _:
                assert_never(block)
    if opening:
        parts.append({"type": "text", "text": opening})
    if message.blocks and not (parts or calls or len(item) > 1):
        return results
    return [*results, _assembled(item, parts, calls, _message_fields(message, context, ours))]


def _assembled(item: Body, parts: list[Body], calls: list[Body], fields: Body) -> Body:
    legacy = [call for call in calls if call.get("legacy")]
    if legacy:
        item["function_call"] = legacy[0]["function"]
    elif calls:
        item["tool_calls"] = calls
    return {**fields, "content": _joined(parts, bool(calls)), **item}


def _joined(parts: list[Body], has_calls: bool) -> Any:
    if not parts:
        return None if has_calls else ""
    if len(parts) == 1 and "type" not in parts[0]:
        return parts[0]  # an answer that is an object, as Cloudflare gives it
    if len(parts) == 1 and parts[0].keys() == {"type", "text"} and parts[0]["type"] == "text":
        return parts[0]["text"]
    return parts


def _message_fields(message: Message, context: _Context, ours: bool) -> Body:
    wanted = context.dialect.message_fields
    fields = message.metadata.get(WIRE, {}) if ours else {}
    return {key: thaw(value) for key, value in fields.items() if wanted is None or key in wanted}


def _add_text(block: TextBlock, opening: str, item: Body, parts: list[Body]) -> None:
    fields = block.metadata.get(WIRE, {})
    if fields.get("field") == "refusal":
        item["refusal"] = block.text
    elif fields.get("type") == "refusal":
        parts.append({"type": "refusal", "refusal": block.text})
    elif "object" in fields and dump_arguments(fields["object"]) == block.text:
        parts.append(thaw(fields["object"]))
    else:
        further = {key: thaw(value) for key, value in fields.items() if key not in ("field", "type", "object", "text")}
        parts.append({"type": "text", "text": opening + block.text, **further})


def _call_to_wire(call: ToolCall, context: _Context, ours: bool) -> Body:
    fields = call.metadata.get(WIRE, {})
    further = {key: thaw(value) for key, value in fields.items() if key not in ("arguments", "covers", "object")}
    if not (ours and seal_holds(call, WIRE)):
        further.pop("extra_content", None)
    arguments = thaw(call.args) if fields.get("object") else write_arguments(call, WIRE)
    function = {**further.get("function", {}), "name": call.name, "arguments": arguments}
    return {"type": "function", **further, "id": context.ids.get(call.id, call.id), "function": function}


def _result_to_wire(result: ToolResult, context: _Context) -> Body:
    fields = result.metadata.get(WIRE, {})
    text = mark_error(result.content, result.is_error)
    if name := fields.get("function"):
        return {"role": "function", "name": name, "content": text}
    further = {key: thaw(value) for key, value in fields.items() if key not in ("content", "parts")}
    content = _result_content(text, fields.get("content") or fields.get("parts") or ())
    call_id = context.ids.get(result.call_id, result.call_id)
    return {**further, "role": "tool", "tool_call_id": call_id, "content": content}


def _result_content(text: str, parts: Sequence[Any]) -> Any:
    """The parts of a result while they say `text`; of an edited one the new text and what is no text."""
    if parts and _text_of(parts) == text:
        return thaw(parts)
    others = [thaw(part) for part in parts if not _is_text(part)]
    return [{"type": "text", "text": text}, *others] if others else text


def _in_order(items: Iterable[Body]) -> list[Body]:
    """The one place where order is mended: results directly follow the calls, and whatever stood between comes after.

    Calls of one turn that came as several messages become one, as their results may only follow all of them.
    """
    ordered: list[Body] = []
    waiting: list[Body] = []
    unanswered: set[str] = set()
    for item in items:
        if item["role"] == "tool":
            ordered.append(item)
            unanswered.discard(item["tool_call_id"])
        elif item["role"] == "assistant" and unanswered and not waiting and ordered[-1]["role"] == "assistant":
            ordered[-1] = _merged(ordered[-1], item)
            unanswered |= {call["id"] for call in item.get("tool_calls", ())}
        elif item["role"] == "assistant" or not unanswered:
            ordered += [*waiting, item]
            waiting = []
            unanswered = {call["id"] for call in item.get("tool_calls", ())}
        else:
            waiting.append(item)
        if not unanswered:
            ordered += waiting
            waiting = []
    return ordered + waiting


def _merged(first: Body, second: Body) -> Body:
    parts = [part for item in (first, second) for part in _parts(item["content"])]
    calls = [*first["tool_calls"], *second.get("tool_calls", ())]
    return {**second, **first, "content": _joined(parts, True), "tool_calls": calls}


def _parts(content: Any) -> list[Any]:
    if not content:
        return []
    return list(content) if isinstance(content, list) else [{"type": "text", "text": content}]


def _tools_to_wire(tools: Sequence[ToolSchema]) -> Body:
    body: Body = {}
    for t, tool in enumerate(tools):
        if "input_schema" not in tool:
            if "type" not in tool or "name" in tool:
                raise TranslationError(WIRE, f"tools[{t}]", "has no input_schema and is no tool of this wire")
            body.setdefault("tools", []).append(thaw(tool))
            continue
        fields = tool.get("metadata", {}).get(WIRE, {})
        function = {"name": tool["name"], "description": tool.get("description"), "parameters": tool["input_schema"]}
        function = {**function, **fields.get("function", {})}
        function = {key: thaw(value) for key, value in function.items() if value is not None}
        if fields.get("legacy"):
            body.setdefault("functions", []).append(function)
        else:
            further = thaw(fields.get("tool", {"type": "function"}))
            body.setdefault("tools", []).append({**further, "function": function})
    return body


# ---- their shape to ours


def from_request(body: Any) -> tuple[Transcript, list[ToolSchema]]:
    """The transcript and the tool schemas of a request body; raises `TranslationError` with a path."""
    body = as_object(body, WIRE, "body")
    raw = as_list(body.get("messages"), WIRE, "messages")
    raw = [as_object(message, WIRE, f"messages[{m}]") for m, message in enumerate(raw)]
    leading = _leading_system(raw)
    calls = _OpenCalls()
    messages = []
    for m, message in enumerate(raw[len(leading) :], len(leading)):
        with reading(WIRE, f"messages[{m}]"):
            messages.append(_message_from_wire(message, f"messages[{m}]", calls))
    system = _system_text(leading) if leading else None
    plain = not leading or leading == [{"role": "system", "content": system}]
    with reading(WIRE, "messages"):
        transcript = Transcript(messages, system, {} if plain else {WIRE: {"system": leading}})
    return transcript, _tools_from_wire(body)


class _OpenCalls:
    """The calls that wait for their results, so that a result without an id finds the nearest."""

    def __init__(self) -> None:
        self._open: list[tuple[str, str]] = []
        self._invented = 0

    def new_id(self) -> str:
        self._invented += 1
        return f"call_without_id_{self._invented}"

    def ask(self, call_id: str, name: str) -> None:
        self._open.append((call_id, name))

    def answer(self, call_id: Any, name: Any = None) -> str:
        """The id of the call that a result answers: its own, else that of the first open call (of that name)."""
        if not isinstance(call_id, str) or not call_id:
            named = [id_ for id_, of in self._open if name is None or of == name]
            named = named or [id_ for id_, _ in self._open]
            return self._close(named[0] if named else self.new_id())
        return self._close(call_id)

    def _close(self, call_id: str) -> str:
        for place, (id_, _) in enumerate(self._open):
            if id_ == call_id:
                del self._open[place]
                break
        return call_id


def _leading_system(messages: Sequence[Mapping[str, Any]]) -> list[Body]:
    leading = []
    for message in messages:
        if message.get("role") not in ("system", "developer") or _text_of(message.get("content")) is None:
            break
        given = {key: value for key, value in message.items() if value is not None}
        leading.append({**given, "role": "system"})
    return leading


def _system_text(messages: Iterable[Mapping[str, Any]]) -> str:
    return "\n\n".join(_text_of(message.get("content")) or "" for message in messages)


def _message_from_wire(raw: Mapping[str, Any], path: str, calls: _OpenCalls) -> Message:
    match raw.get("role"):
        case "assistant":
            return Message("assistant", _assistant_blocks(raw, path, calls), metadata=_assistant_fields(raw))
        case "tool":
            return Message("user", (_result_from_wire(raw, path, calls),))
        case "function":
            name = as_text(raw.get("name"), WIRE, f"{path}.name")
            content, is_error = read_error(as_text(raw.get("content") or "", WIRE, f"{path}.content"))
            result = ToolResult(calls.answer(None, name), content, is_error, {WIRE: {"function": name}})
            return Message("user", (result,))
        case "user" | "system" | "developer" as role:
            blocks = tuple(_content_blocks(raw.get("content"), f"{path}.content"))
            fields = _without(raw, "role", "content")
            return Message("user" if role == "user" else "system", blocks or (TextBlock(""),), metadata=fields)
        case role:
            raise TranslationError(WIRE, f"{path}.role", f"is {role!r}, which is no role of this wire")


def _assistant_blocks(raw: Mapping[str, Any], path: str, calls: _OpenCalls) -> tuple[Block | OpaqueBlock, ...]:
    blocks: list[Block | OpaqueBlock] = list(read_reasoning(raw))
    content = raw.get("content")
    if isinstance(content, str):
        thinking, content = split_thinking(content)
        blocks += thinking
    blocks += [block for block in _content_blocks(content, f"{path}.content") if block != TextBlock("")]
    if isinstance(refusal := raw.get("refusal"), str) and refusal:
        blocks.append(TextBlock(refusal, {WIRE: {"field": "refusal"}}))
    for c, call in enumerate(as_list(raw.get("tool_calls"), WIRE, f"{path}.tool_calls")):
        blocks.append(_call_from_wire(call, f"{path}.tool_calls[{c}]", calls))
    if _is_legacy_call(raw.get("function_call")):
        legacy = {"function": raw["function_call"], "legacy": True}
        blocks.append(_call_from_wire(legacy, f"{path}.function_call", calls))
    return tuple(blocks)


def _assistant_fields(raw: Mapping[str, Any]) -> dict[str, Any]:
    read = {"role", "content", "tool_calls"}
    read |= {key for key in (*TEXT_FIELDS, "refusal") if isinstance(raw.get(key), str)}
    read |= {key for key in ("reasoning_details",) if isinstance(raw.get(key), list)}
    read |= {key for key in ("annotations", "citations") if raw.get(key) == []}
    read |= {"function_call"} if _is_legacy_call(raw.get("function_call")) else set()
    return _without(raw, *read)


def _content_blocks(content: Any, path: str) -> Iterator[Block | OpaqueBlock]:
    match content:
        case None:
            return
        case str():
            with reading(WIRE, path):
                yield TextBlock(content)
        case Mapping():
            with reading(WIRE, path):
                yield TextBlock(dump_arguments(freeze(content)), {WIRE: {"object": content}})
        case list():
            for p, part in enumerate(content):
                with reading(WIRE, f"{path}[{p}]"):
                    yield _part_from_wire(part, f"{path}[{p}]")
        case _:
            raise TranslationError(WIRE, path, f"is a {type(content).__name__}, not text or a list of parts")


def _part_from_wire(part: Any, path: str) -> Block | OpaqueBlock:
    if isinstance(part, str):
        return TextBlock(part)
    part = as_object(part, WIRE, path)
    match part.get("type"):
        case "text":
            return TextBlock(as_text(part.get("text"), WIRE, f"{path}.text"), _without(part, "type", "text"))
        case "refusal":
            text = as_text(part.get("refusal"), WIRE, f"{path}.refusal")
            return TextBlock(text, {WIRE: {"type": "refusal"}})
        case "thinking":
            return read_thinking_part(part)
        case _:
            return OpaqueBlock(WIRE, dict(part))


def _call_from_wire(raw: Any, path: str, calls: _OpenCalls) -> ToolCall | OpaqueBlock:
    raw = as_object(raw, WIRE, path)
    if _is_call(raw) and "function" not in raw:
        return OpaqueBlock(WIRE, dict(raw))
    function = as_object(raw.get("function"), WIRE, f"{path}.function")
    name = as_text(function.get("name"), WIRE, f"{path}.function.name")
    given = raw.get("id")
    call_id = given if isinstance(given, str) and given else calls.new_id()
    calls.ask(call_id, name)
    with reading(WIRE, f"{path}.function.arguments"):
        args, kept = read_arguments(freeze(function.get("arguments")))
    kept |= {"object": True} if isinstance(function.get("arguments"), Mapping) else {}
    if further := {key: value for key, value in function.items() if key not in ("name", "arguments")}:
        kept["function"] = further
    kept |= {key: value for key, value in raw.items() if key not in ("id", "function", "index") and value is not None}
    if kept.get("type") == "function":
        del kept["type"]
    with reading(WIRE, path):
        return ToolCall(call_id, name, args, {WIRE: kept} if kept else {})


def _is_call(entry: Mapping[str, Any]) -> bool:
    """Whether an opaque payload stood among the calls: those have an id, and a field named as their type."""
    return isinstance(entry.get("id"), str) and isinstance(entry.get(str(entry.get("type"))), Mapping)


def _is_legacy_call(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value.get("name"))


def _result_from_wire(raw: Mapping[str, Any], path: str, calls: _OpenCalls) -> ToolResult:
    content = raw.get("content")
    kept: dict[str, Any] = {key: value for key, value in raw.items() if key not in ("role", "content", "tool_call_id")}
    if isinstance(content, list) and content != [{"type": "text", "text": _text_of(content)}]:
        kept["parts" if all(map(_is_text, content)) else "content"] = content
    elif not isinstance(content, str | list | None):
        raise TranslationError(WIRE, f"{path}.content", f"is a {type(content).__name__}, not text or a list of parts")
    text, is_error = read_error(_text_of([part for part in _parts(content) if _is_text(part)]) or "")
    call_id = calls.answer(raw.get("tool_call_id"), raw.get("name"))
    kept = {key: value for key, value in kept.items() if value is not None}
    return ToolResult(call_id, text, is_error, {WIRE: kept} if kept else {})


def _is_text(part: Any) -> bool:
    return isinstance(part, Mapping) and part.get("type") == "text" and isinstance(part.get("text"), str)


def _text_of(content: Any) -> str | None:
    """The text of a content that is nothing but text, else None."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list) or not all(map(_is_text, content)):
        return None
    return "".join(part["text"] for part in content)


def _tools_from_wire(body: Mapping[str, Any]) -> list[ToolSchema]:
    tools = []
    for t, tool in enumerate(as_list(body.get("tools"), WIRE, "tools")):
        with reading(WIRE, f"tools[{t}]"):
            tool = freeze(as_object(tool, WIRE, f"tools[{t}]"))
        tools.append(_tool_from_wire(tool))
    for f, function in enumerate(as_list(body.get("functions"), WIRE, "functions")):
        function = as_object(function, WIRE, f"functions[{f}]")
        as_text(function.get("name"), WIRE, f"functions[{f}].name")
        tools.append(_tool_from_wire({"type": "function", "function": function}, {"legacy": True}))
    return tools


def _tool_from_wire(tool: Mapping[str, Any], kept: dict[str, Any] | None = None) -> ToolSchema:
    function = tool.get("function")
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        return dict(thaw(tool))
    kept = dict(kept or {})
    schema = {key: function[key] for key in ("name", "description") if function.get(key) is not None}
    schema["input_schema"] = function.get("parameters") or NO_PARAMETERS
    further = {key: value for key, value in function.items() if key not in ("name", "description", "parameters")}
    if not function.get("parameters"):
        further["parameters"] = function.get("parameters")
    if further:
        kept["function"] = further
    wrapper = {key: value for key, value in tool.items() if key != "function"}
    if wrapper != {"type": "function"}:
        kept["tool"] = wrapper
    return dict(thaw({**schema, "metadata": {WIRE: kept}} if kept else schema))


def from_response(body: Any) -> ProviderResponse:
    """The whole assistant turn of a response: a mapping, or the SDK's own object."""
    body = plain(body, WIRE)
    choices = as_list(body.get("choices"), WIRE, "choices")
    choice = as_object(choices[0] if choices else None, WIRE, "choices[0]")
    raw = as_object(choice.get("message"), WIRE, "choices[0].message")
    with reading(WIRE, "choices[0].message"):
        blocks = _assistant_blocks(raw, "choices[0].message", _FreshIds())
        fields = freeze(_assistant_fields(raw))
    stop = _stop_of(choice, blocks)
    return ProviderResponse(
        text="" if raw.get("content") == "" and not blocks else None,
        blocks=blocks,
        stop_reason=stop,
        **_usage(body.get("usage")),
        model=_text_or_none(body.get("model")),
        id=_text_or_none(body.get("id")),
        provenance=Provenance(wire=WIRE, response_id=_text_or_none(body.get("id")), stop_reason=stop),
        metadata=fields,
    )


class _FreshIds(_OpenCalls):
    """Ids for the calls of one response that have none: such as no other turn has."""

    def new_id(self) -> str:
        return f"call_{uuid4().hex[:24]}"


def _stop_of(choice: Mapping[str, Any], blocks: Iterable[Block | OpaqueBlock]) -> StopReason:
    if any(type(block) is TextBlock and "refusal" in block.metadata.get(WIRE, {}).values() for block in blocks):
        return "refusal"
    reason = choice.get("finish_reason")
    has_calls = any(type(block) is ToolCall for block in blocks)
    return stop_reason(reason if isinstance(reason, str) else "none", STOP_REASONS, has_calls=has_calls)


def _usage(usage: Any) -> dict[str, Any]:
    """Tokens in our one meaning; xAI counts reasoning beside the completion, which its total gives away."""
    prompt, completion = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    reasoning = _count(usage, "completion_tokens_details", "reasoning_tokens")
    beside = reasoning and _count(usage, "total_tokens") == prompt + completion + reasoning
    cached = (("prompt_tokens_details", "cached_tokens"), ("cached_tokens",), ("num_cached_tokens",))
    return {
        "input_tokens": prompt,
        "output_tokens": completion + reasoning if beside else completion,
        "reasoning_tokens": reasoning,
        "cached_tokens": max(_count(usage, *path) for path in (*cached, ("prompt_cache_hit_tokens",))),
    }


def _count(usage: Any, *path: str) -> int:
    for key in path:
        usage = usage.get(key) if isinstance(usage, Mapping) else None
    return as_count(usage)


def _without(raw: Mapping[str, Any], *read: str) -> dict[str, Any]:
    """The fields of `raw` that have no place of their own, as metadata of this wire."""
    further = {key: value for key, value in raw.items() if key not in read and value is not None}
    return {WIRE: further} if further else {}


def _text_or_none(value: Any) -> str | None:
    return value if isinstance(value, str) else None


# ---- the provider


class OpenAIChatCompletionsProvider:
    """Chat Completions through OpenAI's SDK; `client` may be any object with its `chat.completions.create`.

    `max_tokens` limits the answer; `reasoning_effort` is sent when given.
    """

    dialect: ClassVar[Dialect] = DIALECTS["openai"]

    def __init__(
        self,
        model: str | None = None,
        client: Any = None,
        *,
        base_url: str | None = None,
        max_tokens: int | None = None,
        reasoning_effort: str | None = None,
    ) -> None:
        self.model = model or self.dialect.model
        self.base_url = base_url or self.dialect.base_url
        self.max_tokens = max_tokens
        self.reasoning_effort = reasoning_effort
        self._client = client

    @property
    def name(self) -> str:
        """Who answers, as it stands in a message's provenance."""
        return self.dialect.name

    def request(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> Body:
        """The body that `complete` sends."""
        body = to_request(transcript, tools, model=self.model, provider=self.name, dialect=self.dialect)
        options = {self.dialect.limit: self.max_tokens, "reasoning_effort": self.reasoning_effort}
        return {**body, **{key: value for key, value in options.items() if value is not None}}

    def complete(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> ProviderResponse:
        """The next assistant turn; raises `ProviderError` also for an error that hides in a good status."""
        raw = plain(_send.create(self._ready().chat.completions.create, self.request(transcript, tools)), WIRE)
        _raise_hidden(raw)
        response = from_response(raw)
        made_by = replace(response.provenance or Provenance(WIRE), provider=self.name, model=self.model)
        return replace(response, provenance=made_by)

    def _ready(self) -> Any:
        if self._client is None:
            variable = self.dialect.key_variable or ""
            _send.require_key(self.dialect.label, variable)
            from openai import OpenAI

            self._client = OpenAI(base_url=self.base_url, api_key=os.environ[variable])
        return self._client


def _raise_hidden(body: Any) -> None:
    choices = body.get("choices") if isinstance(body, Mapping) else None
    found = [body, *(choices if isinstance(choices, list) else ())]
    for error in (spot.get("error") for spot in found if isinstance(spot, Mapping)):
        if error:
            raise ProviderError(None, str(error.get("message") if isinstance(error, Mapping) else error), "Try again.")


class GroqProvider(OpenAIChatCompletionsProvider):
    """Chat Completions as Groq speaks it."""

    dialect = DIALECTS["groq"]


class TogetherProvider(OpenAIChatCompletionsProvider):
    """Chat Completions as Together AI speaks it."""

    dialect = DIALECTS["together"]


def check_request(body: Any) -> list[Problem]:
    """The documented rules that a request body breaks."""
    return []
