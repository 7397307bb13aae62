"""Gemini generateContent: a transcript as `contents` made of `parts` and back, and the provider that talks to Google.

A signature stays on the part it came with; calls and results are paired by id, and by name where there is none.
Requests are written in camelCase, as the REST interface has it; camelCase and snake_case are read.
"""

from __future__ import annotations

import os
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, takewhile
from typing import Any, assert_never
from uuid import uuid4

from ..errors import InvalidValue, TranslationError
from ..frozen import thaw
from ..messages import (
    Block,
    Message,
    OpaqueBlock,
    Provenance,
    ReasoningBlock,
    Role,
    TextBlock,
    ToolCall,
    ToolResult,
    Transcript,
    seal_holds,
)
from . import _send
from ._gemini_tools import WIRE, read_tools, write_tools
from ._google_json import camel, plain
from ._handover import crosses, require_ours, require_whole, wire_ids
from ._reading import as_count, as_list, as_object, as_text, reading
from ._rules_gemini import CONTENT, STAND_IN, check_request, wants_signature
from ._strings import dump_arguments
from .base import ProviderResponse, StopReason, ToolSchema, stop_reason

__all__ = ["DEFAULT_MODEL", "WIRE", "GeminiProvider", "check_request", "from_request", "from_response", "to_request"]

DEFAULT_MODEL = "gemini-3.8-flash"  # the model of the examples in google-genai 3.6
KEY_VARIABLE = "GEMINI_API_KEY"

EFFORTS = ("minimal", "low", "medium", "high", "xhigh")
# Results once had a role of their own.
ROLES: dict[str, Role] = {"user": "user", "model": "assistant", "function": "user"}
# What we keep in the metadata of a block that is no field of its part.
OUR_KEYS = ("covers", "functionCall", "functionResponse", "content")

FILTERED = (
    "SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII MODEL_ARMOR ESCALATION "
    "IMAGE_SAFETY IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION"
)
STOP_REASONS: dict[str, StopReason] = {
    "": "end",
    "STOP": "end",
    "MAX_TOKENS": "max_tokens",
    "CONTINUATION": "max_tokens",
    **dict.fromkeys(FILTERED.split(), "content_filter"),
    # Some servers give the enum's number; from 6 on the numbers of Google's two APIs differ, in kinds of filter.
    **{"1": "end", "2": "max_tokens"},
    **dict.fromkeys("34678", "content_filter"),
}

Body = dict[str, Any]  # {"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}


@dataclass(frozen=True)
class _Context:
    """What the translation of one message depends on besides the message."""

    provider: str | None = None
    model: str | None = None
    ids: Mapping[str, str] = field(default_factory=dict)


# ---- our shape to theirs


def to_request(
    transcript: Transcript,
    tools: Sequence[ToolSchema] = (),
    *,
    model: str | None = None,
    provider: str | None = None,
    max_tokens: int | None = None,
    thinking: Mapping[str, Any] | None = None,
) -> Body:
    """The conversation as a request body: `systemInstruction`, `contents`, `tools`; an option that is given is added.

    `thinking` is the `thinkingConfig` of this wire. Given a `model`, the body is for sending to it: contents without
    parts, which Gemini may answer with but refuses, are left out, and calls that it did not make get a stand-in
    signature where it wants one. Raises `TranslationError` for what this wire cannot say.
    """
    require_whole(transcript, WIRE)
    require_ours(transcript, WIRE)
    context = _Context(provider, model, wire_ids(transcript, legal=bool))
    body: Body = {"model": model} if model else {}
    if system := _system(transcript):
        body["systemInstruction"] = system
    body["contents"] = _contents(transcript, context)
    if tools:
        body["tools"] = write_tools(tools)
    if settings := _given({"maxOutputTokens": max_tokens, "thinkingConfig": thinking and dict(thinking)}):
        body["generationConfig"] = settings
    return body


def _system(transcript: Transcript) -> Body:
    """The system prompt as it came while its text is the same; leading system messages are further parts of it."""
    kept = transcript.metadata.get(WIRE, {}).get("systemInstruction")
    if kept is None or _system_text(kept) != transcript.system:
        kept = {} if transcript.system is None else {"parts": [{"text": transcript.system}]}
    leading = [part for message in _leading_system(transcript) for part in _message_parts(message, (), _Context())]
    system: Body = thaw({**kept, "parts": [*kept.get("parts", ()), *leading]})
    return system if kept or leading else {}


def _leading_system(transcript: Transcript) -> list[Message]:
    return list(takewhile(lambda message: message.role == "system", transcript))


def _contents(transcript: Transcript, context: _Context) -> list[Body]:
    """Neighbours of one role are one content, and a user's content begins with its results, as Gemini wants them."""
    contents: list[Body] = []
    calls: defaultdict[str, deque[ToolCall]] = defaultdict(deque)
    start = len(_leading_system(transcript))
    for m, message in enumerate(transcript.messages[start:], start):
        if message.role == "system":
            raise TranslationError(WIRE, f"messages[{m}]", "a system message has a place at the beginning only")
        parts = _message_parts(message, _answered(message, calls, f"messages[{m}]"), context)
        if not parts and (message.blocks or context.model):
            continue
        content = {"role": "model" if message.role == "assistant" else "user", **thaw(message.metadata.get(WIRE, {}))}
        if contents and contents[-1]["role"] == content["role"]:
            contents[-1]["parts"] += parts
        else:
            contents.append({**content, "parts": parts})
    for content in contents:
        if content["role"] != "model":
            content["parts"].sort(key=lambda part: "functionResponse" not in part)
    return [*_opening(contents), *contents]


def _opening(contents: Sequence[Body]) -> list[Body]:
    """An empty turn of the user where a conversation begins with calls, which Gemini refuses."""
    first = contents[0] if contents else {"role": "user", "parts": []}
    begins_with_calls = first["role"] == "model" and any("functionCall" in part for part in first["parts"])
    return [{"role": "user", "parts": [{"text": ""}]}] if begins_with_calls else []


def _answered(message: Message, calls: defaultdict[str, deque[ToolCall]], path: str) -> list[ToolCall]:
    """The calls that a message's results answer, in order; its own calls are added to the open ones in `calls`."""
    answered = []
    for b, block in enumerate(message.blocks):
        if type(block) is ToolCall:
            calls[block.id].append(block)
        elif type(block) is ToolResult:
            if not calls[block.call_id]:
                raise TranslationError(WIRE, f"{path}.blocks[{b}]", "answers a call whose name is not known")
            answered.append(calls[block.call_id].popleft())
    return answered


def _message_parts(message: Message, answered: Sequence[ToolCall], context: _Context) -> list[Body]:
    """The parts of one message, in order; `answered` are the calls that its results belong to."""
    ours = crosses(message, provider=context.provider, model=context.model)
    calls = iter(answered)
    parts: list[Body] = []
    for block in message.blocks:
        match block:
            case TextBlock():
                parts.append({"text": block.text, **_fields(block, ours)})
            case ToolCall():
                parts.append({"functionCall": _call_to_wire(block, context), **_fields(block, ours)})
            case ToolResult():
                answer = _result_to_wire(block, next(calls), context)
                parts.append({"functionResponse": answer, **_fields(block, ours)})
            case ReasoningBlock():
                if ours and WIRE in block.metadata:
                    parts.append({"text": block.text, "thought": True, **_fields(block, ours)})
            case OpaqueBlock():
                parts.append(thaw(block.payload))
            case _:
                assert_never(block)
    if wants_signature(context.model):
        _sign_first_call(parts)
    return parts


def _fields(block: Block, ours: bool) -> Body:
    """What a part has beside its content; a signature goes to whom made it only, and only while it holds."""
    fields: Body = {key: thaw(value) for key, value in block.metadata.get(WIRE, {}).items() if key not in OUR_KEYS}
    if "thoughtSignature" in fields and not (ours and seal_holds(block, WIRE)):
        del fields["thoughtSignature"]
    return fields


def _sign_first_call(parts: Sequence[Body]) -> None:
    first = next((part for part in parts if "functionCall" in part), None)
    if first is not None:
        first.setdefault("thoughtSignature", STAND_IN)


def _call_to_wire(call: ToolCall, context: _Context) -> Body:
    kept = call.metadata.get(WIRE, {}).get("functionCall", {})
    return _given({**_named(call, context), "args": thaw(call.args), **thaw(kept)})


def _result_to_wire(result: ToolResult, call: ToolCall, context: _Context) -> Body:
    fields = result.metadata.get(WIRE, {})
    kept = thaw(fields.get("functionResponse", {}))
    if "response" in kept and _read_answer(kept["response"]) != (result.content, result.is_error):
        del kept["response"]
    answer = {"response": _answer(result.content, result.is_error), "parts": thaw(fields.get("content"))}
    return _given({**_named(call, context), **answer, **kept})


def _named(call: ToolCall, context: _Context) -> Body:
    """What a call and its result are known by; a call that came without an id has none in its result either."""
    kept = call.metadata.get(WIRE, {}).get("functionCall", {})
    return {"id": kept.get("id", context.ids.get(call.id, call.id)), "name": call.name}


def _answer(content: str, is_error: bool) -> Body:
    """A result as this wire tells it: the keys are those of the docstring of `FunctionResponse` in google-genai."""
    return {"error": content} if is_error else {"output": content}


# ---- their shape to ours


def from_request(body: Mapping[str, Any]) -> tuple[Transcript, list[ToolSchema]]:
    """The transcript and the tool schemas of a request body; raises `TranslationError` with the path of a fault."""
    with reading(WIRE, "body"):
        body = as_object(camel(body), WIRE, "body")
        calls = _Calls(map("gemini_{}".format, count()).__next__)
        contents = _several(body.get("contents"))
        transcript = Transcript([_read_content(content, f"contents[{c}]", calls) for c, content in enumerate(contents)])
        _read_system(body.get("systemInstruction"), transcript)
        return transcript, list(read_tools(_several(body.get("tools"))))


def from_response(body: Any) -> ProviderResponse:
    """The whole assistant turn of a response: a mapping, or the SDK's own object."""
    with reading(WIRE, "body"):
        body = as_object(camel(plain(body)), WIRE, "body")
        candidate, reason = _candidate(body)
        content = _content(candidate.get("content") or {}, "candidates[0].content")
        blocks = _read_parts(content, "candidates[0].content", _Calls(lambda: f"gemini_{uuid4().hex}"))
        stop = stop_reason(reason, STOP_REASONS, has_calls=any(type(block) is ToolCall for block in blocks))
        return ProviderResponse(
            blocks=blocks,
            stop_reason=stop,
            model=body.get("modelVersion"),
            id=body.get("responseId"),
            provenance=Provenance(wire=WIRE, response_id=body.get("responseId"), stop_reason=stop),
            **_usage(as_object(body.get("usageMetadata") or {}, WIRE, "usageMetadata")),
        )


def _candidate(body: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """The first candidate and why it ended; a prompt that was blocked has none."""
    feedback = body.get("promptFeedback")
    if not body.get("candidates") and isinstance(feedback, dict) and feedback.get("blockReason"):
        return {}, "SAFETY"
    candidates = as_list(body.get("candidates"), WIRE, "candidates")
    candidate = as_object(candidates[0] if candidates else None, WIRE, "candidates[0]")
    return candidate, str(candidate.get("finishReason") or "")


def _usage(usage: Mapping[str, Any]) -> dict[str, Any]:
    """Google counts thoughts beside the answer, and what its own tools put into the prompt beside the prompt."""

    def count(key: str) -> int:
        return as_count(usage.get(key))

    return {
        "input_tokens": count("promptTokenCount") + count("toolUsePromptTokenCount"),
        "output_tokens": count("candidatesTokenCount") + count("thoughtsTokenCount"),
        "reasoning_tokens": count("thoughtsTokenCount"),
        "cached_tokens": count("cachedContentTokenCount"),
    }


def _read_system(given: Any, transcript: Transcript) -> None:
    if given is None:
        return
    content = _content(given, "systemInstruction")
    transcript.system = _system_text(content)
    if content != {"parts": [{"text": transcript.system}]}:
        transcript.metadata = {WIRE: {"systemInstruction": content}}


def _system_text(content: Mapping[str, Any]) -> str | None:
    texts = [part["text"] for part in content["parts"] if isinstance(part.get("text"), str)]
    return "\n\n".join(texts) if texts else None


def _read_content(given: Any, path: str, calls: _Calls) -> Message:
    content = _content(given, path)
    role = as_text(content.get("role") or "user", WIRE, f"{path}.role")
    if role not in ROLES:
        raise TranslationError(WIRE, f"{path}.role", f"must be user or model, not {role!r}")
    calls.hear(role)
    blocks = _read_parts(content, path, calls)
    fields = {key: value for key, value in content.items() if key not in ("role", "parts")}
    if role == "function":
        fields["role"] = role
    return Message(ROLES[role], blocks, metadata={WIRE: fields} if fields else {})


def _content(given: Any, path: str) -> Body:
    """A content with a list of parts; a string stands for a text, and a single part for a list of one."""
    content = {"parts": given} if isinstance(given, str) else as_object(given, WIRE, path)
    parts = [_part(part, f"{path}.parts[{p}]") for p, part in enumerate(_several(content.get("parts")))]
    return {**_given(content), "parts": parts}


def _part(given: Any, path: str) -> Body:
    part = {"text": given} if isinstance(given, str) else _given(as_object(given, WIRE, path))
    if part.get("type") == "text":  # not a key of this wire, but some clients send it
        del part["type"]
    return part


def _read_parts(content: Body, path: str, calls: _Calls) -> tuple[Block | OpaqueBlock, ...]:
    return tuple(_read_part(part, f"{path}.parts[{p}]", calls) for p, part in enumerate(content["parts"]))


def _read_part(part: Body, path: str, calls: _Calls) -> Block | OpaqueBlock:
    held = [key for key in CONTENT if key in part]
    if len(held) > 1:
        raise TranslationError(WIRE, path, f"a part holds one of {' and '.join(held)}")
    fields = {key: value for key, value in part.items() if key not in held}
    with reading(WIRE, path):
        match held:
            case ["text"] if part.get("thought") is True:
                return ReasoningBlock(part["text"], {WIRE: fields})
            case ["text"]:
                return TextBlock(part["text"], {WIRE: fields} if fields else {})
            case ["functionCall"]:
                return _read_call(part["functionCall"], fields, calls, f"{path}.functionCall")
            case ["functionResponse"]:
                return _read_result(part["functionResponse"], fields, calls, f"{path}.functionResponse")
            case _:
                return OpaqueBlock(WIRE, part)


def _read_call(given: Any, fields: Body, calls: _Calls, path: str) -> ToolCall:
    given = _given(as_object(given, WIRE, path))
    kept = {key: value for key, value in given.items() if key not in ("id", "name", "args")}
    if not given.get("id"):
        kept["id"] = given.get("id")
    fields = {**fields, "functionCall": kept} if kept else fields
    name, args = (
        as_text(given.get("name"), WIRE, f"{path}.name"),
        as_object(given.get("args", {}), WIRE, f"{path}.args"),
    )
    call_id = as_text(given.get("id") or calls.new_id(), WIRE, f"{path}.id")
    return calls.ask(ToolCall(call_id, name, dict(args), {WIRE: fields} if fields else {}))


def _read_result(given: Any, fields: Body, calls: _Calls, path: str) -> ToolResult:
    given = _given(as_object(given, WIRE, path))
    call = calls.answer(given.get("id"), as_text(given.get("name", ""), WIRE, f"{path}.name"))
    content, is_error = _read_answer(as_object(given.get("response", {}), WIRE, f"{path}.response"))
    usual = {**_named(call, _Context()), "response": _answer(content, is_error)}
    kept = {key: given.get(key) for key in {**usual, **given} if given.get(key) != usual.get(key)}
    if kept.get("parts"):
        fields = {**fields, "content": kept.pop("parts")}
    fields = {**fields, "functionResponse": kept} if kept else fields
    return ToolResult(call.id, content, is_error, {WIRE: fields} if fields else {})


def _read_answer(response: Mapping[str, Any]) -> tuple[str, bool]:
    """A result's text and whether it is an error: one string under a known key is the text, else the whole as JSON."""
    match list(response.items()):
        case []:
            return "", False
        case [("output" | "result" | "error" as key, str(content))]:
            return content, key == "error"
        case _:
            return dump_arguments(dict(response)), bool(response.get("error"))


class _Calls:
    """The calls of the newest turn that wait for results: found by id or, where ids are missing, by name."""

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


def _several(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [] if value is None else [value]


def _given(fields: Mapping[str, Any]) -> Body:
    return {key: value for key, value in fields.items() if value is not None}


# ---- the provider


class GeminiProvider:
    """Google's models through google-genai; `client` may be any object with its `models.generate_content`.

    `enable_thinking` asks for the thoughts to be shown. How much the model thinks: `reasoning_effort` for models from
    Gemini 3 on, before them `thinking_budget_tokens` (0 is off, -1 leaves it to the model).
    """

    name = "gemini"

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        client: Any = None,
        enable_thinking: bool = False,
        thinking_budget_tokens: int | None = None,
        reasoning_effort: str | None = None,
        max_tokens: int | None = None,
    ) -> None:
        if reasoning_effort is not None and thinking_budget_tokens is not None:
            raise InvalidValue("reasoning_effort", "cannot be given together with thinking_budget_tokens")
        if reasoning_effort not in (None, *EFFORTS):
            raise InvalidValue("reasoning_effort", f"must be one of {', '.join(EFFORTS)}, not {reasoning_effort!r}")
        self.model = model
        self.max_tokens = max_tokens
        self.thinking = _given(
            {
                "includeThoughts": enable_thinking or None,
                "thinkingBudget": thinking_budget_tokens,
                "thinkingLevel": reasoning_effort and reasoning_effort.upper(),
            }
        )
        self._client = client

    def request(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> Body:
        """The body that `complete` sends; the model stands in its address too."""
        return to_request(
            transcript,
            tools,
            model=self.model,
            provider=self.name,
            max_tokens=self.max_tokens,
            thinking=self.thinking or None,
        )

    def complete(self, transcript: Transcript, tools: Sequence[ToolSchema] = ()) -> ProviderResponse:
        """The next assistant turn."""
        body = self.request(transcript, tools)
        config = {**body.pop("generationConfig", {}), **body}
        arguments = {"model": config.pop("model"), "contents": config.pop("contents"), "config": config}
        response = from_response(_send.create(self._ready().models.generate_content, arguments))
        made_by = replace(response.provenance or Provenance(WIRE), provider=self.name, model=self.model)
        return replace(response, provenance=made_by)

    def _ready(self) -> Any:
        if self._client is None:
            _send.require_key("Gemini", KEY_VARIABLE)
            from google.genai import Client

            self._client = Client(api_key=os.environ[KEY_VARIABLE])
        return self._client
