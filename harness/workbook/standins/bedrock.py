"""The stand-in for Bedrock Converse. It answers where boto3 would send, and the kind of an error is in a header."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urlsplit

from ...errors import Problem
from ...providers import bedrock
from ...providers.base import ProviderResponse
from ._vendor import Body, StandIn, Vendor, blocks_of, reasoning, signature, spoken, tokens

STOPS = {
    "tool_calls": "tool_use",
    "max_tokens": "max_tokens",
    "content_filter": "content_filtered",
    "refusal": "content_filtered",
}
ERRORS = {400: "ValidationException", 500: "InternalServerException"}


def _connect(stand_in: StandIn) -> Any:
    import boto3
    from botocore import UNSIGNED
    from botocore.config import Config
    from botocore.session import Session

    # Neither the reader's profile nor credentials have a part in this.
    session = boto3.Session(botocore_session=Session({"profile": (None, None, None, None)}), region_name="us-east-1")
    config = Config(signature_version=UNSIGNED, retries={"total_max_attempts": 1})
    client: Any = session.client("bedrock-runtime", config=config)
    client.meta.events.register("before-send", lambda request, **_: _send(stand_in, request))
    return client


def _send(stand_in: StandIn, request: Any) -> Any:
    """What botocore takes for the answer from the network."""
    from botocore.awsrequest import AWSResponse
    from botocore.compat import HTTPHeaders
    from urllib3 import HTTPResponse

    model = unquote(urlsplit(request.url).path.split("/")[-2])  # /model/amazon.nova-2-lite-v1%3A0/converse
    status, answer = stand_in.respond({"modelId": model, **json.loads(request.body)})
    headers = {"Content-Type": "application/json", "x-amzn-RequestId": f"stand-in-{len(stand_in.requests)}"}
    if status in ERRORS:
        headers["x-amzn-ErrorType"] = ERRORS[status]
    raw = HTTPResponse(BytesIO(json.dumps(answer).encode("utf-8")), preload_content=False)
    return AWSResponse(request.url, status, HTTPHeaders.from_dict(headers), raw)


def _refuse(problem: Problem) -> Body:
    return {"message": f"The request cannot be used. {problem.path}: {problem.rule}"}


def _fail(sentence: str) -> Body:
    return {"message": sentence}


def _answer(turn: ProviderResponse, body: Body, number: str) -> Body:
    content = _thoughts(turn, body.get("additionalModelRequestFields") or {})
    for message in bedrock.to_request(spoken(turn))["messages"]:
        content += message["content"] if message["role"] == "assistant" else []
    counts = {"inputTokens": tokens(body), "outputTokens": tokens(content)}
    return {
        "output": {"message": {"role": "assistant", "content": content}},
        "stopReason": STOPS.get(turn.stop_reason or "end", "end_turn"),
        "usage": {**counts, "totalTokens": sum(counts.values())},
        "metrics": {"latencyMs": 0},
    }


def _thoughts(turn: ProviderResponse, fields: Body) -> list[Body]:
    """Claude (asked by `thinking`) signs its reasoning, Nova (asked by `reasoningConfig`) does not."""
    for asked, signed in (("thinking", True), ("reasoningConfig", False)):
        if (fields.get(asked) or {}).get("type") in ("enabled", "adaptive"):
            return [_thought(text, {"signature": signature(text)} if signed else {}) for text in reasoning(turn)]
    return []


def _thought(text: str, seal: Body) -> Body:
    return {"reasoningContent": {"reasoningText": {"text": text, **seal}}}


def _broken_seals(body: Body) -> Iterator[Problem]:
    """Signatures that are not the stand-in's own for that very text."""
    for path, block in blocks_of(body["messages"]):
        inner = (block.get("reasoningContent") or {}).get("reasoningText") or {}
        if "signature" in inner and inner["signature"] != signature(inner["text"]):
            rule = "the signature does not belong to this reasoning"
            yield Problem(f"{path}.reasoningContent.reasoningText.signature", rule, "Anthropic: extended thinking")


VENDOR = Vendor(bedrock, _connect, _refuse, _fail, _answer, _broken_seals)
