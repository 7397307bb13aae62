"""How a request leaves: the key is looked for first, and whatever the vendor's SDK raises becomes a `ProviderError`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from ..errors import HarnessError, MissingCredentials, ProviderError

HINTS = {
    400: "The request breaks a rule of this wire: check_request(body) of the adapter names it.",
    401: "Check the key.",
    403: "The key is not allowed to do this.",
    404: "Check the model's name and the address.",
    413: "The request is too large: send less.",
    429: "Too many requests or no credit: wait a little, or check your account.",
}
SECRET = re.compile(r"\b(?:sk|key|gsk|xai|AIza|pk|ghp|hf)[-_*][\w*.-]{6,}|\bAIza[\w-]{10,}|\bA(?:KIA|SIA|BSK)\w{8,}")


def require_key(provider: str, variable: str) -> None:
    """Raise `MissingCredentials` when the environment has no key, before any SDK is loaded."""
    if not os.environ.get(variable):
        raise MissingCredentials(provider, variable)


def load_sdk(module: str, extra: str) -> Any:
    """A vendor's SDK, imported when it is first needed; a `HarnessError` says how to install a missing one."""
    try:
        return import_module(module)
    except ImportError as error:
        raise HarnessError(
            f"{error}: install the vendor's SDK with: pip install 'harness-workbook[{extra}]'"
        ) from error


def create(method: Callable[..., Any], body: Mapping[str, Any]) -> Any:
    """The SDK's answer to `method(**body)`; raises `ProviderError` for what the SDK raises."""
    try:
        return method(**body)
    except Exception as error:
        raise as_provider_error(error) from error


def as_provider_error(error: Exception) -> ProviderError:
    """An SDK's exception in our words: its status, the vendor's message without anything like a key, a hint."""
    status = _status(error)
    message = SECRET.sub("(key)", _vendor_message(error))
    if status is None:
        hint = "Check the network and the address, or take PROVIDER=local or PROVIDER=mock."
    else:
        hint = HINTS.get(status, "The vendor has trouble: try again later." if status >= 500 else "")
    return ProviderError(status, message, hint)


def _status(error: Exception) -> int | None:
    """The HTTP status, from where this SDK keeps it; None when there was no answer."""
    response = getattr(error, "response", None)
    if isinstance(response, Mapping):  # botocore
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    else:
        status = getattr(error, "status_code", getattr(error, "code", None))  # google-genai has a code
    return status if isinstance(status, int) else None


def _vendor_message(error: Exception) -> str:
    body = getattr(error, "body", getattr(error, "details", None))  # google-genai has details
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if isinstance(inner, Mapping) and isinstance(inner.get("message"), str):
            return str(inner["message"])
    return str(error) or type(error).__name__
