"""What Claude models take: how each thinks, which efforts it knows, whether it hears a system message later on.

As of 2026-11, from the vendor's pages on thinking, effort and mid-conversation system messages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import InvalidValue

EFFORTS = ("low", "medium", "high", "xhigh", "max")
DEFAULT_BUDGET = 2000  # tokens
LEAST_BUDGET = 1024  # tokens; Anthropic: extended thinking docs
# The SDK refuses a call that is not streamed and may take over 10 minutes, at 128,000 tokens an hour.
MOST_TOKENS = 128_000 * 10 // 60


@dataclass(frozen=True)
class Model:
    """One row: thinks `adaptive`ly or within a `budget`; how thinking is turned `off` (None: left out is off)."""

    adaptive: bool = True
    budget: bool = False
    off: str | None = None
    efforts: tuple[str, ...] = EFFORTS
    efforts_off: tuple[str, ...] = EFFORTS
    late_system: bool = True


# A name is looked up by its longest beginning here. Fable, Mythos and Opus 5.5 always think.
MODELS = {
    "fable": Model(),
    "mythos": Model(),
    "opus-5-5": Model(),
    "opus-5": Model(off="disabled", efforts_off=EFFORTS[:3]),
    "sonnet-5-5": Model(off="between_tools", efforts_off=EFFORTS[:3]),
    "sonnet-5": Model(off="disabled", late_system=False),
    "haiku-5-5": Model(off="disabled", efforts_off=EFFORTS[:3]),
    "opus-4-8": Model(),
    "opus-4-7": Model(late_system=False),
    "opus-4-6": Model(budget=True, efforts=("low", "medium", "high", "max"), late_system=False),
    "sonnet-4-6": Model(budget=True, efforts=("low", "medium", "high", "max"), late_system=False),
    "opus-4-5": Model(adaptive=False, budget=True, efforts=EFFORTS[:3], late_system=False),
    "opus-4": Model(adaptive=False, budget=True, efforts=(), late_system=False),
    "sonnet-4": Model(adaptive=False, budget=True, efforts=(), late_system=False),
    "haiku-4": Model(adaptive=False, budget=True, efforts=(), late_system=False),
    "3-": Model(adaptive=False, budget=True, efforts=(), late_system=False),
}
UNKNOWN = Model(budget=True)  # nothing is refused to a model that is not in the table


def lookup(model: str | None) -> Model:
    """The row of a model by its name on any platform, as in `us.anthropic.claude-opus-4-6-v1`."""
    _, _, name = (model or "").partition("claude-")
    rows = [begin for begin in MODELS if name.startswith(begin)]
    return MODELS[max(rows, key=len)] if rows else UNKNOWN


def settings(
    model: str, *, enable_thinking: bool, thinking_budget_tokens: int | None, effort: str | None, max_tokens: int
) -> dict[str, Any]:
    """The settings of a request body; raises `InvalidValue` for a pair that Anthropic would refuse."""
    row = lookup(model)
    if not 1 <= max_tokens <= MOST_TOKENS:
        raise InvalidValue("max_tokens", f"must be from 1 to {MOST_TOKENS}: longer answers have to be streamed")
    thinking: dict[str, Any] | None
    if enable_thinking:
        thinking = _thinking(model, row, thinking_budget_tokens, max_tokens)
    else:
        thinking = {"type": row.off} if row.off else None
    efforts = row.efforts if enable_thinking else tuple(e for e in row.efforts if e in row.efforts_off)
    if effort is not None and effort not in efforts:
        known = ", ".join(efforts) or "none"
        raise InvalidValue("effort", f"{effort!r} is none that {model} takes here; it takes: {known}")
    body: dict[str, Any] = {"max_tokens": max_tokens}
    if thinking:
        body["thinking"] = thinking
    if effort is not None:
        body["output_config"] = {"effort": effort}
    return body


def _thinking(model: str, row: Model, budget: int | None, max_tokens: int) -> dict[str, Any]:
    if budget is None and row.adaptive:
        return {"type": "adaptive"}
    if not row.budget:
        raise InvalidValue("thinking_budget_tokens", f"{model} takes none: leave it out, and give an effort instead")
    budget = DEFAULT_BUDGET if budget is None else budget
    if budget < LEAST_BUDGET:
        raise InvalidValue("thinking_budget_tokens", f"must be at least {LEAST_BUDGET}, not {budget}")
    if budget >= max_tokens:
        raise InvalidValue("max_tokens", f"{max_tokens} must be larger than the thinking budget of {budget}")
    return {"type": "enabled", "budget_tokens": budget}
