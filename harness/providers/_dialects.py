"""The dialects of Chat Completions: one row for each vendor that speaks it, with what is its own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

# Which turns go back with their reasoning: all, those in which a tool was called, or none.
ReasoningRule = Literal["always", "tool_turns", "never"]


@dataclass(frozen=True)
class Dialect:
    """One vendor's Chat Completions: where it is, the variable of its key, and where it differs.

    `message_fields` are the further fields of an answer that its requests accept (None: any); `ids` is what its call
    ids must match, `new_id` how one is made that does; `limit` is its name for the longest answer, in tokens. One that
    has `raw_arguments` takes back what a model wrote as arguments even when it is no JSON; others read the history.
    """

    name: str
    label: str
    base_url: str | None
    key_variable: str | None
    model: str
    reasoning: ReasoningRule = "always"
    message_fields: tuple[str, ...] | None = ("name",)
    ids: re.Pattern[str] = re.compile(r".+", re.DOTALL)
    new_id: str = "call_{}"
    limit: str = "max_tokens"
    raw_arguments: bool = False

    def is_legal(self, call_id: str) -> bool:
        """Whether this vendor takes a call id as it is."""
        return self.ids.fullmatch(call_id) is not None


# Any server, without rules of its own: what the pure functions assume when they are not told.
ANY = Dialect("any", "Chat Completions", None, None, "", message_fields=None, raw_arguments=True)

# Models as of November 2026; OpenAI's is checked against its SDK's list of deprecations.
DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "openai",
            "OpenAI Chat Completions",
            None,
            "OPENAI_API_KEY",
            "gpt-6-sol",
            message_fields=("name", "audio"),
            ids=re.compile(r".{1,40}", re.DOTALL),
            limit="max_completion_tokens",
            raw_arguments=True,
        ),
        Dialect("groq", "Groq", "https://api.groq.com/openai/v1", "GROQ_API_KEY", "openai/gpt-oss-120b"),
        Dialect("together", "Together AI", "https://api.together.xyz/v1", "TOGETHER_API_KEY", "openai/gpt-oss-120b"),
        Dialect("deepseek", "DeepSeek", "https://api.deepseek.com", "DEEPSEEK_API_KEY", "deepseek-flash", "tool_turns"),
        Dialect("xai", "xAI", "https://api.x.ai/v1", "XAI_API_KEY", "grok-4.6"),
        Dialect(
            "mistral",
            "Mistral",
            "https://api.mistral.ai/v1",
            "MISTRAL_API_KEY",
            "mistral-medium-latest",
            message_fields=("prefix",),
            ids=re.compile(r"[a-zA-Z0-9]{9}"),
            new_id="call{:05d}",
        ),
        Dialect(
            "openrouter",
            "OpenRouter",
            "https://openrouter.ai/api/v1",
            "OPENROUTER_API_KEY",
            "openai/gpt-oss-120b",
            message_fields=("name", "annotations", "cache_control"),
        ),
        Dialect("cerebras", "Cerebras", "https://api.cerebras.ai/v1", "CEREBRAS_API_KEY", "gpt-oss-120b"),
        Dialect("zai", "Z.ai", "https://api.z.ai/api/paas/v4", "ZAI_API_KEY", "glm-5"),
    )
}
