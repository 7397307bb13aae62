"""Gemini generateContent: a transcript as `contents` made of `parts` and back, and the provider that talks to Google.

A signature stays on the part it came with; calls and results are paired by id, and by name where there is none.
Requests are written in camelCase, as the REST interface has it; camelCase and snake_case are read.
"""

from __future__ import annotations

import os
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, takewhile
from typing import Any
from uuid import uuid4

from ..errors import InvalidValue, TranslationError
from ..frozen import thaw
from ..messages import Message, Provenance, Role, ToolCall, ToolResult, Transcript
from . import _send
from ._gemini_json import WIRE, camel, plain
from ._gemini_parts import Body, Calls, Context, content_of, given, read_parts, several, write_parts
from ._gemini_tools import read_tools, write_tools
from ._handover import require_ours, require_whole, wire_ids
from ._reading import as_count, as_list, as_object, as_text, reading
from ._rules_gemini import check_request
from .base import ProviderResponse, StopReason, ToolSchema, stop_reason

__all__ = ["DEFAULT_MODEL", "WIRE", "GeminiProvider", "check_request", "from_request", "from_response", "to_request"]

DEFAULT_MODEL = "gemini-3.8-flash"  # the model of the examples in google-genai 3.6
KEY_VARIABLE = "GEMINI_API_KEY"

EFFORTS = ("minimal", "low", "medium", "high", "xhigh")
# Results once had a role of their own.
ROLES: dict[str, Role] = {"user": "user", "model": "assistant", "function": "user"}

ANSWER_KEYS = {"promptFeedback", "usageMetadata", "responseId"}  # what an answer without candidates still has

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
    "1": "end",
    "2": "max_tokens",
    **dict.fromkeys("34678", "content_filter"),
}

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
    context = Context(provider, model, wire_ids(transcript, legal=bool))
    body: Body = {"model": model} if model else {}
    if system := _system(transcript):
        body["systemInstruction"] = system
    body["contents"] = _contents(transcript, context)
    if tools:
        body["tools"] = write_tools(tools)
    if settings := given({"maxOutputTokens": max_tokens, "thinkingConfig": thinking and dict(thinking)}):
        body["generationConfig"] = settings
    return body


def _system(transcript: Transcript) -> Body:
    """The system prompt as it came while its text is the same; leading system messages are further parts of it."""
    kept = transcript.metadata.get(WIRE, {}).get("systemInstruction")
    if kept is None or _system_text(kept) != transcript.system:
        kept = {} if transcript.system is None else {"parts": [{"text": transcript.system}]}
    leading = [part for message in _leading_system(transcript) for part in write_parts(message, (), Context())]
    system: Body = thaw({**kept, "parts": [*kept.get("parts", ()), *leading]})
    return system if kept or leading else {}


def _leading_system(transcript: Transcript) -> list[Message]:
    return list(takewhile(lambda message: message.role == "system", transcript))


def _contents(transcript: Transcript, context: Context) -> list[Body]:
    """Neighbours of one role are one content, and a user's content begins with its results, as Gemini wants them."""
    contents: list[Body] = []
    calls: defaultdict[str, deque[ToolCall]] = defaultdict(deque)
    start = len(_leading_system(transcript))
    for m, message in enumerate(transcript.messages[start:], start):
        if message.role == "system":
            raise TranslationError(WIRE, f"messages[{m}]", "a system message has a place at the beginning only")
        parts = write_parts(message, _answered(message, calls, f"messages[{m}]"), context)
        if not parts and (message.blocks or context.model):
            continue
        content = {"role": "model" if message.role == "assistant" else "user", **thaw(message.metadata.get(WIRE, {}))}
        if contents and contents[-1]["role"] == content["role"]:
            contents[-1]["parts"] += parts
            contents[-1] |= content
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


# ---- their shape to ours


def from_request(body: Mapping[str, Any]) -> tuple[Transcript, list[ToolSchema]]:
    """The transcript and the tool schemas of a request body; raises `TranslationError` with the path of a fault."""
    with reading(WIRE, "body"):
        body = as_object(camel(body), WIRE, "body")
        calls = Calls(map("gemini_{}".format, count()).__next__)
        contents = several(body.get("contents"))
        transcript = Transcript([_read_content(content, f"contents[{c}]", calls) for c, content in enumerate(contents)])
        _read_system(body.get("systemInstruction"), transcript)
        return transcript, list(read_tools(several(body.get("tools"))))


def from_response(body: Any) -> ProviderResponse:
    """The whole assistant turn of a response: a mapping, or the SDK's own object."""
    with reading(WIRE, "body"):
        body = as_object(camel(plain(body)), WIRE, "body")
        candidate, reason = _candidate(body)
        content = content_of(candidate.get("content") or {}, "candidates[0].content")
        blocks = read_parts(content, "candidates[0].content", Calls(lambda: f"gemini_{uuid4().hex}"))
        stop = stop_reason(reason, STOP_REASONS, has_calls=any(type(block) is ToolCall for block in blocks))
        fields = _fields(content)
        return ProviderResponse(
            blocks=blocks,
            metadata={WIRE: fields} if fields else {},
            stop_reason=stop,
            model=body.get("modelVersion"),
            id=body.get("responseId"),
            provenance=Provenance(wire=WIRE, response_id=body.get("responseId"), stop_reason=stop),
            **_usage(as_object(body.get("usageMetadata") or {}, WIRE, "usageMetadata")),
        )


def _candidate(body: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """The first candidate and why it ended; a prompt that was blocked has none."""
    candidates = as_list(body.get("candidates"), WIRE, "candidates")
    if candidates:
        candidate = as_object(candidates[0], WIRE, "candidates[0]")
        return candidate, str(candidate.get("finishReason") or "")
    if not ANSWER_KEYS & set(body):
        raise TranslationError(WIRE, "candidates", f"are missing: {body.get('error') or list(body)}")
    feedback = as_object(body.get("promptFeedback") or {}, WIRE, "promptFeedback")
    return {}, "SAFETY" if feedback.get("blockReason") else "OTHER"


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


def _read_system(value: Any, transcript: Transcript) -> None:
    if value is None:
        return
    content = content_of(value, "systemInstruction")
    transcript.system = _system_text(content)
    if content != {"parts": [{"text": transcript.system}]}:
        transcript.metadata = {WIRE: {"systemInstruction": content}}


def _system_text(content: Mapping[str, Any]) -> str | None:
    texts = [part["text"] for part in content["parts"] if isinstance(part.get("text"), str)]
    return "\n\n".join(texts) if texts else None


def _read_content(value: Any, path: str, calls: Calls) -> Message:
    content = content_of(value, path)
    role = as_text(content.get("role") or "user", WIRE, f"{path}.role")
    if role not in ROLES:
        raise TranslationError(WIRE, f"{path}.role", f"must be user or model, not {role!r}")
    calls.hear(role)
    blocks = read_parts(content, path, calls)
    fields = {**_fields(content), **({"role": role} if role == "function" else {})}
    return Message(ROLES[role], blocks, metadata={WIRE: fields} if fields else {})


def _fields(content: Body) -> Body:
    """What a content has beside its role and parts."""
    return {key: value for key, value in content.items() if key not in ("role", "parts")}


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
        self.thinking = given(
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
        response = from_response(_send.create(self._ready().models.generate_content, _as_it_is(body)))
        made_by = replace(response.provenance or Provenance(WIRE), provider=self.name, model=self.model)
        return replace(response, provenance=made_by)

    def _ready(self) -> Any:
        if self._client is None:
            _send.require_key("Gemini", KEY_VARIABLE)
            self._client = _send.load_sdk("google.genai", "gemini").Client(api_key=os.environ[KEY_VARIABLE])
        return self._client


def _as_it_is(body: Body) -> Body:
    """The SDK's arguments that send a body as it is and hand over the answer as it came.

    Its own types would drop what they do not know, and write signatures anew in the other alphabet of base64.
    """
    extra = {key: value for key, value in body.items() if key != "model"}
    config = {"http_options": {"extra_body": extra}, "should_return_http_response": True}
    return {"model": body["model"], "contents": "", "config": config}  # contents are required; extra_body has them
