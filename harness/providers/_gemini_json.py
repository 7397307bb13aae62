"""Google's JSON: keys in camelCase or snake_case, bytes in base64; here all is plain JSON with camelCase keys."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any

WIRE = "gemini"

# What stands below these keys is the user's or the model's own, so that its keys stay as they are.
OWN_DATA = {"args", "response", "parameters", "parametersJsonSchema", "responseJsonSchema", "partMetadata"}
SNAKE = re.compile(r"_([a-z])")


def camel_key(key: str) -> str:
    """`inline_data` as `inlineData`."""
    return SNAKE.sub(lambda match: match[1].upper(), key) if "_" in key else key


def camel(value: Any) -> Any:
    """A copy of a JSON value with camelCase keys; raises `RecursionError` when it is nested too deeply."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        named = {camel_key(key) if isinstance(key, str) else key: inner for key, inner in value.items()}
        return {key: inner if key in OWN_DATA else camel(inner) for key, inner in named.items()}
    return [camel(inner) for inner in value] if isinstance(value, list | tuple) else value


def plain(value: Any) -> Any:
    """The JSON that an object of the SDK stands for, as the server sent it; whatever else stays as it is."""
    if not hasattr(value, "model_dump"):
        return value
    sent = getattr(getattr(value, "sdk_http_response", None), "body", None)
    try:
        return json.loads(sent) if sent else _encoded(value.model_dump(by_alias=True, exclude_none=True))
    except ValueError:
        return sent


def _encoded(value: Any) -> Any:
    match value:
        case dict():
            return {key: _encoded(inner) for key, inner in value.items()}
        case list():
            return [_encoded(inner) for inner in value]
        case bytes():
            return base64.b64encode(value).decode()
        case Enum():
            return value.value
        case _:
            return value
