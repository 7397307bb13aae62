"""The stand-in for Gemini generateContent. The model stands in the address, and signatures on the parts."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

from ...errors import Problem
from ...providers import gemini
from ...providers._rules_gemini import STAND_IN
from ...providers.base import ProviderResponse
from ._vendor import Body, StandIn, Vendor, reasoning, signature, spoken, tokens

STOPS = {"max_tokens": "MAX_TOKENS", "content_filter": "SAFETY", "refusal": "SAFETY"}


def _connect(stand_in: StandIn) -> Any:
    import httpx2
    from google import genai

    transport = stand_in.transport(httpx2, _model)
    options = genai.types.HttpOptions(client_args={"transport": transport})
    return genai.Client(api_key="stand-in", vertexai=False, http_options=options)


def _model(path: str) -> Body:
    """The model in "/v1beta/models/gemini-3.8-flash:generateContent"."""
    return {"model": path.rpartition("/")[2].partition(":")[0]}


def _refuse(problem: Problem) -> Body:
    message = f"GenerateContentRequest.{problem.path}: {problem.rule}"
    return {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}


def _fail(sentence: str) -> Body:
    return {"error": {"code": 500, "message": sentence, "status": "INTERNAL"}}


def _answer(turn: ProviderResponse, body: Body, number: str) -> Body:
    config = (body.get("generationConfig") or {}).get("thinkingConfig") or {}
    thoughts = [] if config.get("thinkingBudget") == 0 else reasoning(turn)
    shown = [{"text": text, "thought": True} for text in thoughts if config.get("includeThoughts")]
    parts = _signed(_parts(turn))
    counts = {"candidatesTokenCount": tokens(parts), "thoughtsTokenCount": tokens(thoughts)}
    counts["promptTokenCount"] = tokens(body)
    return {
        "candidates": [
            {
                "content": {"role": "model", "parts": [*shown, *parts]},
                "finishReason": STOPS.get(turn.stop_reason or "end", "STOP"),
                "index": 0,
            }
        ],
        "usageMetadata": {**counts, "totalTokenCount": sum(counts.values())},
        "modelVersion": body["model"],
        "responseId": f"stand_in_{number}",
    }


def _parts(turn: ProviderResponse) -> list[Body]:
    contents = gemini.to_request(spoken(turn))["contents"]
    return [part for content in contents if content["role"] == "model" for part in content["parts"]]


def _signed(parts: list[Body]) -> list[Body]:
    """With a signature on the first call, as the service has it."""
    first = next((part for part in parts if "functionCall" in part), None)
    if first is not None:
        first["thoughtSignature"] = base64.b64encode(signature(json.dumps(first)).encode("ascii")).decode("ascii")
    return parts


def _broken_seals(body: Body) -> Iterator[Problem]:
    """Signatures that are neither the stand-in's own nor the one that the guide names for foreign calls."""
    for c, content in enumerate(body["contents"]):
        for p, part in enumerate(content["parts"]):
            seal = part.get("thoughtSignature")
            if seal not in (None, STAND_IN) and not _is_ours(seal):
                rule = "the thought signature is not one that this model gave"
                yield Problem(f"contents[{c}].parts[{p}].thoughtSignature", rule, "Gemini: guide to thought signatures")


def _is_ours(seal: str) -> bool:
    try:
        return base64.b64decode(seal).startswith(b"stand-in-")
    except ValueError:
        return False


VENDOR = Vendor(gemini, _connect, _refuse, _fail, _answer, _broken_seals)
