"""The documented rules of OpenAI Responses, checked on a request body before it is sent."""

from __future__ import annotations

from typing import Any

from ..errors import Problem

MAX_CALL_ID = 64  # characters
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")


def check_request(body: Any) -> list[Problem]:
    """The documented rules that a request body breaks."""
    return []
