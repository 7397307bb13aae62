"""OpenAI Responses: a transcript as a flat list of items and back, and the provider that talks to OpenAI.

A request holds `input`, a list of items: messages, `reasoning`, `function_call`, `function_call_output`, and the items
of OpenAI's own tools. One of our messages is several items; neighbouring items of the model are one of our messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, assert_never

from ..errors import InvalidValue, TranslationError
from ..frozen import thaw
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
from ..metadata import fingerprint
from . import _send
from ._handover import crosses, require_ours, require_whole, wire_ids
from ._reading import as_count, as_list, as_object, as_text, plain, reading
from ._rules_openai import EFFORTS, MAX_ID, check_request
from ._strings import ERROR_MARK, mark_error, read_arguments, read_error, write_arguments
from .base import ProviderResponse, StopReason, ToolSchema, stop_reason

__all__ = ["DEFAULT_MODEL", "WIRE", "OpenAIProvider", "check_request", "from_request", "from_response", "to_request"]

WIRE = "openai.responses"
DEFAULT_MODEL = "gpt-6-sol"

STOP_REASONS: dict[str, StopReason] = {
    "completed": "end",
    "max_output_tokens": "max_tokens",
    "content_filter": "content_filter",
}
PARTS = frozenset(("input_text", "output_text", "text", "refusal", "input_image", "input_file", "input_audio"))
# Parts that are text, and the key it stands under.
TEXT_PARTS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}

_OWN = ("type", "role", "content")  # what a block or message says itself

Body = dict[str, Any]  # {"input": [{"role": "user", "content": "hi"}], "instructions": "Be brief."}


# ---- our shape to theirs


@dataclass(frozen=True)
class _Context:
    """What the translation of one message depends on besides the message."""

    provider: str | None
    model: str | None
    stateless: bool
    ids: Mapping[str, str]


def to_request(
    transcript: Transcript,
    tools: Sequence[ToolSchema] = (),
    *,
    model: str | None = None,
    provider: str | None = None,
    stateless: bool = False,
    reasoning_effort: str | None = None,
    max_output_tokens: int | None = None,
) -> Body:
    """The conversation as a request body: `instructions`, `input` and `tools`; an option that is given is added.

    `stateless` asks OpenAI to keep nothing and to hand out its reasoning encrypted; reasoning that came without
    encrypted content is left out then, as OpenAI could not look it up. Raises `TranslationError` for what this wire
    cannot say.
    """
    require_whole(transcript, WIRE)
    require_ours(transcript, WIRE)
    context = _Context(provider, model, stateless, wire_ids(transcript, lambda id_: 0 < len(id_) <= MAX_ID))
    body: Body = {"model": model} if model else {}
    if transcript.system:
        body["instructions"] = transcript.system
    body["input"] = [item for message in transcript for item in _message_items(message, context)]
    if tools:
        body["tools"] = [_tool_to_wire(tool, f"tools[{i}]") for i, tool in enumerate(tools)]
    if stateless:
        body |= {"store": False, "include": ["reasoning.encrypted_content"]}
    if reasoning_effort is not None:
        body["reasoning"] = {"effort": reasoning_effort}
    if max_output_tokens is not None:
        body["max_output_tokens"] = max_output_tokens
    return body


def _message_items(message: Message, context: _Context) -> list[Body]:
    """The items of one message, in order: each run of text is a message item, any other block an item of its own."""
    ours = crosses(message, provider=context.provider, model=context.model)
    with_ids = ours
    items: list[Body] = []
    for block in _without_last_reasoning(message.blocks):
        match block:
            case TextBlock():
                _add_part(items, message, _text_part(message, block), _fields(block.metadata, with_ids))
            case ToolCall():
                items.append(_call_item(block, context) | _fields(block.metadata, with_ids))
            case ToolResult():
                items.append(_result_item(block, context) | _fields(block.metadata, with_ids))
            case ReasoningBlock():
                reasoning = _reasoning_items(block, context) if ours else []
                with_ids = bool(reasoning)  # OpenAI refuses an item whose reasoning it knows of and does not find
                items += reasoning
            case OpaqueBlock(_, payload) if payload.get("type") in PARTS:
                _add_part(items, message, thaw(payload), {})
            case OpaqueBlock(_, payload):
                items.append(thaw(payload))
            case _:
                assert_never(block)
    return [_plain_content(item) for item in items]


def _without_last_reasoning(blocks: tuple[Block | OpaqueBlock, ...]) -> tuple[Block | OpaqueBlock, ...]:
    """The blocks without reasoning at the end: OpenAI wants an item after each reasoning item."""
    end = len(blocks)
    while end and type(blocks[end - 1]) is ReasoningBlock:
        end -= 1
    return blocks[:end]


def _add_part(items: list[Body], message: Message, part: Body, fields: Body) -> None:
    """Put a part into the message item before it, or into a new one: each text of the model is an item of its own."""
    joins = bool(items) and isinstance(items[-1].get("content"), list) and items[-1].get("role") and "type" in part
    if message.role == "assistant":
        joins = joins and fields.pop("joins", part["type"] not in TEXT_PARTS)
    else:
        fields = _fields(message.metadata, True)
    if joins:
        items[-1]["content"].append(part)
        return
    fields.pop("joins", None)
    items.append({"role": message.role, "content": [part], **fields})


def _text_part(message: Message, block: TextBlock) -> Body:
    kept = block.metadata.get(WIRE, {})
    part = thaw(kept.get("part", {})) if seal_holds(block, WIRE) else {}
    kind = part.pop("type", "output_text" if message.role == "assistant" else "input_text")
    return {"type": kind, TEXT_PARTS[kind]: block.text, **part}


def _plain_content(item: Body) -> Body:
    """A message item as OpenAI's types want it: with an id the full form, without one a string where that says all."""
    if "role" not in item or not isinstance(item.get("content"), list):
        return item
    parts = item["content"]
    if item["role"] == "assistant" and "id" in item:
        for part in parts:
            if part["type"] == "output_text":
                part.setdefault("annotations", [])
        return {"type": "message", "status": "completed", **item}
    if len(parts) == 1 and set(parts[0]) == {"type", "text"}:
        return {**item, "content": parts[0]["text"]}
    return item


def _call_item(call: ToolCall, context: _Context) -> Body:
    call_id = context.ids.get(call.id, call.id)
    return {"type": "function_call", "call_id": call_id, "name": call.name, "arguments": write_arguments(call, WIRE)}


def _result_item(result: ToolResult, context: _Context) -> Body:
    call_id = context.ids.get(result.call_id, result.call_id)
    return {"type": "function_call_output", "call_id": call_id, "output": _output(result)}


def _output(result: ToolResult) -> str | list[Body]:
    kept = result.metadata.get(WIRE, {})
    parts = thaw(kept.get("content") or kept.get("texts"))
    if not parts or _text_of(parts) != result.content:
        return mark_error(result.content, result.is_error)
    return [{"type": "input_text", "text": ERROR_MARK}, *parts] if result.is_error else parts


def _reasoning_items(block: ReasoningBlock, context: _Context) -> list[Body]:
    """The items that a block came from, or none when its text was changed or OpenAI could not read them."""
    items = block.metadata.get(WIRE, {}).get("items") or []
    if not seal_holds(block, WIRE) or (context.stateless and not all(item.get("encrypted_content") for item in items)):
        return []
    return [{"type": "reasoning", "summary": [], **thaw(item)} for item in items]


def _fields(metadata: Mapping[str, Any], with_ids: bool) -> Body:
    """What an item has besides its content."""
    fields: Body = thaw(metadata.get(WIRE, {}).get("item", {}))
    if not with_ids and fields.pop("id", None) is not None:
        fields.pop("status", None)
    return fields


def _tool_to_wire(tool: ToolSchema, path: str) -> Body:
    extra = thaw(tool.get(WIRE, {}))
    if "input_schema" not in tool:
        if not extra:
            raise TranslationError(WIRE, path, f"needs an input_schema, or is another vendor's own tool: {list(tool)}")
        return dict(extra)
    function = {
        "name": tool.get("name"),
        "description": tool.get("description") or "",
        "parameters": thaw(tool["input_schema"]),
    }
    if "function" in extra:
        return {"type": "function", **extra, "function": {**function, **extra["function"]}}
    return {"type": "function", **function, "strict": False, **extra}


# ---- their shape to ours


def from_request(body: Mapping[str, Any]) -> tuple[Transcript, list[ToolSchema]]:
    """The transcript and the tool schemas of a request body; raises `TranslationError` with the path of a fault."""
    body = as_object(body, WIRE, "body")
    items = body.get("input")
    items = [{"role": "user", "content": items}] if isinstance(items, str) else as_list(items, WIRE, "input")
    system = as_text(body.get("instructions") or "", WIRE, "instructions")
    with reading(WIRE, "body"):
        transcript = Transcript(_read_messages(items), system or None)
    tools = as_list(body.get("tools"), WIRE, "tools")
    return transcript, [_tool_from_wire(tool, f"tools[{i}]") for i, tool in enumerate(tools)]


def from_response(body: Any) -> ProviderResponse:
    """The whole assistant turn of a response: a mapping, or the SDK's own object."""
    body = plain(body, WIRE)
    open_calls: list[str] = []
    blocks = [
        block
        for i, item in enumerate(as_list(body.get("output"), WIRE, "output"))
        for block in _read_output(item, f"output[{i}]", open_calls)
    ]
    stop = _stop(body, blocks)
    with reading(WIRE, "body"):
        return ProviderResponse(
            blocks=tuple(blocks),
            stop_reason=stop,
            model=body.get("model"),
            id=body.get("id"),
            provenance=Provenance(wire=WIRE, response_id=body.get("id"), stop_reason=stop),
            **_usage(body.get("usage")),
        )


def _usage(usage: Any) -> dict[str, Any]:
    def count(group: Any, key: str) -> int:
        return as_count(group.get(key)) if isinstance(group, Mapping) else 0

    details = usage if isinstance(usage, Mapping) else {}
    return {
        "input_tokens": count(usage, "input_tokens"),
        "output_tokens": count(usage, "output_tokens"),
        "reasoning_tokens": count(details.get("output_tokens_details"), "reasoning_tokens"),
        "cached_tokens": count(details.get("input_tokens_details"), "cached_tokens"),
    }


def _stop(body: Mapping[str, Any], blocks: Sequence[Block | OpaqueBlock]) -> StopReason:
    details = body.get("incomplete_details")
    reason = details.get("reason") if isinstance(details, Mapping) else None
    refused = any(
        type(block) is TextBlock and block.metadata.get(WIRE, {}).get("part", {}).get("type") == "refusal"
        for block in blocks
    )
    if refused and reason != "max_output_tokens":
        return "refusal"
    vendor = reason or body.get("status")
    return stop_reason(str(vendor), STOP_REASONS, has_calls=any(type(block) is ToolCall for block in blocks))


def _read_messages(items: Sequence[Any]) -> list[Message]:
    """Messages of the model's and the tools' neighbouring items; each message item of another role is its own."""
    open_calls: list[str] = []
    entries = []
    for i, item in enumerate(items):
        path = f"input[{i}]"
        item = as_object(item, WIRE, path)
        role = _role(item)
        alone = role == "system" or ("role" in item and role == "user")
        entries.append((role, i if alone else -1, item, path))
    messages = []
    for (role, _), group in groupby(entries, key=lambda entry: entry[:2]):
        run = list(group)
        blocks = [block for _, _, item, path in run for block in _read_item(item, path, open_calls)]
        fields = {} if role == "assistant" or "role" not in run[0][2] else _read_fields(run[0][2])
        if run[0][2].get("role") == "developer" and _kind(run[0][2]) == "message":
            fields["role"] = "developer"
        messages.append(Message(role, tuple(blocks), metadata={WIRE: {"item": fields}} if fields else {}))
    return messages


def _kind(item: Mapping[str, Any]) -> str:
    return item.get("type") or ("message" if "role" in item else "")


def _role(item: Mapping[str, Any]) -> Any:
    kind = str(_kind(item))
    role = item.get("role")
    if role in ("system", "developer"):
        return "system"
    if role == "user" or kind == "mcp_approval_response":
        return "user"
    return "user" if kind.endswith("_output") and item.get("execution") != "server" else "assistant"


def _read_output(item: Any, path: str, open_calls: list[str]) -> Iterator[Block | OpaqueBlock]:
    item = as_object(item, WIRE, path)
    if item.get("role") not in (None, "assistant"):
        with reading(WIRE, path):
            yield OpaqueBlock(WIRE, dict(item))  # a compacted conversation repeats what the user said
    else:
        yield from _read_item(item, path, open_calls)


def _read_item(item: Mapping[str, Any], path: str, open_calls: list[str]) -> list[Block | OpaqueBlock]:
    with reading(WIRE, path):
        match _kind(item):
            case "message":
                return _read_message(item, path)
            case "function_call":
                return [_read_call(item, path, open_calls)]
            case "function_call_output":
                return [_read_result(item, path, open_calls)]
            case "reasoning":
                return [_read_reasoning(item, path)]
            case _:
                return [OpaqueBlock(WIRE, dict(item))]


def _read_message(item: Mapping[str, Any], path: str) -> list[Block | OpaqueBlock]:
    content = item.get("content")
    own = "output_text" if item.get("role") == "assistant" else "input_text"
    parts = [{"type": own, "text": content}] if isinstance(content, str) else as_list(content, WIRE, f"{path}.content")
    parts = [as_object(part, WIRE, f"{path}.content[{p}]") for p, part in enumerate(parts)]
    if item.get("role") not in ("user", "assistant", "system", "developer") or any(
        part.get("type") not in PARTS for part in parts
    ):
        return [OpaqueBlock(WIRE, dict(item))]
    blocks: list[Block | OpaqueBlock] = []
    for p, part in enumerate(parts):
        if part["type"] not in TEXT_PARTS:
            blocks.append(OpaqueBlock(WIRE, dict(part)))
            continue
        fields = ({"joins": True} if p else _read_fields(item)) if item["role"] == "assistant" else {}
        blocks.append(_read_text(part, own, fields, f"{path}.content[{p}]"))
    return blocks


def _read_text(part: Mapping[str, Any], own: str, fields: Body, path: str) -> TextBlock:
    key = TEXT_PARTS[part["type"]]
    text = as_text(part.get(key), WIRE, f"{path}.{key}")
    extra = {k: v for k, v in part.items() if k not in ("type", key) and v is not None and v != []}
    if part["type"] not in (own, "text"):
        extra["type"] = part["type"]
    kept: Body = {"item": fields} if fields else {}
    if extra:
        kept |= {"part": extra, "covers": fingerprint(text)}
    return TextBlock(text, {WIRE: kept} if kept else {})


def _read_call(item: Mapping[str, Any], path: str, open_calls: list[str]) -> ToolCall:
    call_id = item.get("call_id") or item.get("id") or f"call_{path}"
    args, kept = read_arguments(item.get("arguments"))
    if fields := _read_fields(item, "call_id", "name", "arguments"):
        kept["item"] = fields
    open_calls.append(as_text(call_id, WIRE, f"{path}.call_id"))
    return ToolCall(call_id, as_text(item.get("name"), WIRE, f"{path}.name"), args, {WIRE: kept} if kept else {})


def _read_result(item: Mapping[str, Any], path: str, open_calls: list[str]) -> ToolResult:
    call_id = as_text(item.get("call_id") or next(iter(open_calls), None), WIRE, f"{path}.call_id")
    if call_id in open_calls:
        open_calls.remove(call_id)
    kept: Body = {"item": fields} if (fields := _read_fields(item, "call_id", "output")) else {}
    output = item.get("output")
    if isinstance(output, str) or output is None:
        content, is_error = read_error(output or "")
        return ToolResult(call_id, content, is_error, {WIRE: kept} if kept else {})
    parts = as_list(output, WIRE, f"{path}.output")
    parts = [as_object(part, WIRE, f"{path}.output[{p}]") for p, part in enumerate(parts)]
    is_error = bool(parts) and parts[0] == {"type": "input_text", "text": ERROR_MARK}
    parts = list(parts[is_error:])
    plain_text = all(part.get("type") == "input_text" for part in parts)
    kept["texts" if plain_text else "content"] = parts
    return ToolResult(call_id, _text_of(parts), is_error, {WIRE: kept})


def _text_of(parts: Any) -> str:
    return "\n".join(part["text"] for part in parts if isinstance(part.get("text"), str))


def _read_reasoning(item: Mapping[str, Any], path: str) -> ReasoningBlock:
    """One reasoning item is one block: its text is the summary, or the raw reasoning where a server gives that."""
    parts: list[Mapping[str, Any]] = []
    for key in ("summary", "content"):
        found = as_list(item.get(key), WIRE, f"{path}.{key}")
        parts = parts or [as_object(part, WIRE, f"{path}.{key}[{p}]") for p, part in enumerate(found)]
    kept = {key: value for key, value in item.items() if key != "type" and value is not None}
    return ReasoningBlock(_text_of(parts), {WIRE: {"items": [kept]}})


def _read_fields(item: Mapping[str, Any], *known: str) -> Body:
    """What an item has besides its content; a null, and the status that every finished item has, say nothing."""
    return {
        key: value
        for key, value in item.items()
        if value is not None and key not in (*_OWN, *known) and (key, value) != ("status", "completed")
    }


def _tool_from_wire(tool: Any, path: str) -> ToolSchema:
    tool = as_object(tool, WIRE, path)
    if tool.get("type") != "function":
        return {"name": str(tool.get("name") or tool.get("type")), WIRE: thaw(dict(tool))}
    nested = isinstance(tool.get("function"), Mapping)
    function = tool["function"] if nested else tool
    extra = {k: thaw(v) for k, v in function.items() if k not in ("type", "name", "description", "parameters")}
    if function.get("parameters") is None:
        extra["parameters"] = None
    if nested:
        extra = {"function": extra, **{k: thaw(v) for k, v in tool.items() if k not in ("type", "function")}}
    elif extra.get("strict") is False:
        del extra["strict"]
    schema: ToolSchema = {
        "name": as_text(function.get("name"), WIRE, f"{path}.name"),
        "description": function.get("description") or "",
        "input_schema": thaw(function.get("parameters")) or {},
    }
    return {**schema, WIRE: extra} if extra else schema


# ---- the provider


class OpenAIProvider:
    """OpenAI's models through its SDK, always stateless; `client` may be any object with its `responses.create`."""

    name = "openai"

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        client: Any = None,
        reasoning_effort: str | None = None,
        max_output_tokens: int | None = None,
    ) -> None:
        if reasoning_effort not in (None, *EFFORTS):
            raise InvalidValue("reasoning_effort", f"must be one of {', '.join(EFFORTS)}, not {reasoning_effort!r}")
        self.model = model
        self.reasoning_effort = reasoning_effort
        self.max_output_tokens = max_output_tokens
        self._client = client

    def request(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> Body:
        """The body that `complete` sends."""
        return to_request(
            transcript,
            tools,
            model=self.model,
            provider=self.name,
            stateless=True,
            reasoning_effort=self.reasoning_effort,
            max_output_tokens=self.max_output_tokens,
        )

    def complete(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> ProviderResponse:
        """The next assistant turn."""
        body = self.request(transcript, tools)
        response = from_response(_send.create(self._ready().responses.create, body))
        made_by = replace(response.provenance or Provenance(WIRE), provider=self.name, model=self.model)
        return replace(response, provenance=made_by)

    def _ready(self) -> Any:
        if self._client is None:
            _send.require_key("OpenAI", "OPENAI_API_KEY")
            from openai import OpenAI

            self._client = OpenAI()
        return self._client
