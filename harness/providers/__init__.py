"""The registry: one line for each provider. Modules and SDKs are loaded when they are first used."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from ..errors import HarnessError
from .base import Provider


@dataclass(frozen=True)
class Entry:
    """Where a provider lives: its class in `module`, its wire, the variable of its key (None: needs none)."""

    label: str
    module: str
    class_name: str
    wire: str
    key_variable: str | None
    extra: str | None = None

    def load(self) -> ModuleType:
        """The adapter's module, with its four pure functions."""
        return import_module(f"{__name__}.{self.module}")


PROVIDERS: dict[str, Entry] = {
    "anthropic": Entry(
        "Anthropic Messages", "anthropic", "AnthropicProvider", "anthropic.messages", "ANTHROPIC_API_KEY"
    ),
    "openai": Entry("OpenAI Responses", "openai", "OpenAIProvider", "openai.responses", "OPENAI_API_KEY"),
    "openai_chat": Entry(
        "OpenAI Chat Completions",
        "openai_chat",
        "OpenAIChatCompletionsProvider",
        "openai.chat",
        "OPENAI_API_KEY",
    ),
    "gemini": Entry("Gemini", "gemini", "GeminiProvider", "gemini", "GEMINI_API_KEY", extra="gemini"),
    "bedrock": Entry(
        "Bedrock Converse", "bedrock", "BedrockProvider", "bedrock.converse", "AWS_BEARER_TOKEN_BEDROCK", "bedrock"
    ),
    "cohere": Entry("Cohere v2", "cohere", "CohereProvider", "cohere.v2", "CO_API_KEY", "cohere"),
    "groq": Entry("Groq", "openai_chat", "GroqProvider", "openai.chat", "GROQ_API_KEY"),
    "together": Entry("Together AI", "openai_chat", "TogetherProvider", "openai.chat", "TOGETHER_API_KEY"),
    "deepseek": Entry("DeepSeek", "openai_chat", "DeepSeekProvider", "openai.chat", "DEEPSEEK_API_KEY"),
    "xai": Entry("xAI", "openai_chat", "XAIProvider", "openai.chat", "XAI_API_KEY"),
    "mistral": Entry("Mistral", "openai_chat", "MistralProvider", "openai.chat", "MISTRAL_API_KEY"),
    "openrouter": Entry("OpenRouter", "openai_chat", "OpenRouterProvider", "openai.chat", "OPENROUTER_API_KEY"),
    "cerebras": Entry("Cerebras", "openai_chat", "CerebrasProvider", "openai.chat", "CEREBRAS_API_KEY"),
    "zai": Entry("Z.ai", "openai_chat", "ZAIProvider", "openai.chat", "ZAI_API_KEY"),
    "local": Entry("Local server", "local", "LocalProvider", "openai.chat", None),
}


def make_provider(name: str, **options: Any) -> Provider:
    """The provider registered as `name`; `options` are its constructor's. An unknown name is a `HarnessError`."""
    if name not in PROVIDERS:
        raise HarnessError(f"there is no provider {name!r}; there are: {', '.join(sorted(PROVIDERS))}")
    entry = PROVIDERS[name]
    provider: Provider = getattr(entry.load(), entry.class_name)(**options)
    return provider


def adapters() -> dict[str, ModuleType]:
    """Each wire's adapter module, in the order of the registry; modules that serve a known wire come once."""
    found: dict[str, ModuleType] = {}
    for entry in PROVIDERS.values():
        if entry.wire not in found:
            found[entry.wire] = entry.load()
    return found
