"""The documented rules of Chat Completions."""

from __future__ import annotations

from typing import Any

from ..errors import Problem


def check_request(body: Any) -> list[Problem]:
    """The documented rules that a request body breaks."""
    return []
