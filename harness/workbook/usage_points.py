"""Points for the token plot: the bundled figures and this session's own responses, filtered, summed up in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from ..messages import Message, Provenance, Transcript, Usage
from ..providers.base import ProviderResponse
from .kinds import Kind
from .usage_data import Row, median_shares, rows

SESSION = "this session: "
NOT_SAID = "not said"
STRIPE = 64  # tokens: what OpenAI's and Azure's counts mostly are multiples of
EFFORTS = ("low", "medium", "high")


@dataclass(frozen=True)
class Filter:
    """Which responses are shown: of these vendors, and of this model and effort (None: of any)."""

    vendors: tuple[str, ...]
    model: str | None = None
    effort: str | None = None

    def lets(self, row: Row) -> bool:
        """Whether a row is shown; this session's runs always are."""
        if is_own(row):
            return True
        of_model = self.model in (None, row.model)
        return row.vendor in self.vendors and of_model and self.effort in (None, row.effort or NOT_SAID)


def own_rows(response: ProviderResponse | Message | Transcript, kind: Kind | None = None) -> Iterator[Row]:
    """The rows of this session's responses; messages without usage (a person's, a tool's) have none.

    `kind` is the word for where the answers came from; without one, the provider's name decides.
    """
    if isinstance(response, Transcript):
        for message in response:
            yield from own_rows(message, kind)
    elif isinstance(response, ProviderResponse):
        yield from own_rows(Message.from_assistant_response(response), kind)
    elif response.usage is not None:
        by = response.provenance or Provenance()
        yield _own(response.usage, by, kind or kind_of_name(by.provider or "mock"))


def is_own(row: Row) -> bool:
    """Whether a row is this session's."""
    return row.source.startswith(SESSION)


def kind_of_row(row: Row) -> str:
    """The word for where a row's answer came from; the bundled ones were recorded by others."""
    return row.source.removeprefix(SESSION) if is_own(row) else "recorded"


def kind_of_name(name: str) -> Kind:
    """The word that the name of a provider says, as it stands in a message's provenance."""
    if name.endswith(" recording"):
        return "recorded"
    if name.endswith(" stand-in"):
        return "stand-in"
    if name == "mock":
        return "scripted"
    return "local model" if name in ("local", "local model") else "live"


def vendors() -> tuple[str, ...]:
    """The vendors of the bundled figures, those with most responses first."""
    counts: dict[str, int] = {}
    for row in rows():
        counts[row.vendor] = counts.get(row.vendor, 0) + 1
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


def as_records(shown: Iterable[Row]) -> list[dict[str, Any]]:
    """The rows as dicts for a table, with the share of reasoning and the word for each."""
    return [{**asdict(row), "share": row.share, "kind": kind_of_row(row)} for row in shown]


def summary(shown: Sequence[Row]) -> list[str]:
    """What is shown, in sentences."""
    bundled = [row for row in shown if not is_own(row)]
    own = [row for row in shown if is_own(row)]
    without = sum(row.reasoning_tokens == 0 for row in bundled)
    head = f"{len(bundled)} of {len(rows()):,} recorded responses are shown; {without} of them did no reasoning."
    shares = [
        f"{name}: median {share:.0%} of the output was reasoning ({count} response{'s' * (count != 1)})."
        for name, (share, count) in sorted(median_shares(bundled, at_least=1).items())
    ]
    return [head, *shares, *own_lines(own)]


def own_lines(own: Sequence[Row]) -> list[str]:
    """This session's runs, one sentence each."""
    lines = []
    for number, row in enumerate(own, 1):
        counts = f"{row.output_tokens} tokens out, {row.reasoning_tokens} of them reasoning"
        lines.append(f"Your response {number} ({kind_of_row(row)}, {row.vendor}): {counts}{_why_none(row)}.")
    return lines


def limits() -> list[str]:
    """What the data cannot show, counted from the data."""
    all_rows = rows()
    anthropic = sum(row.vendor == "anthropic" for row in all_rows)
    known = sum(bool(row.effort) for row in all_rows)
    counted = [row.reasoning_tokens for row in all_rows if row.vendor in ("openai", "azure") and row.reasoning_tokens]
    stripes = sum(count % STRIPE == 0 for count in counted)
    return [
        f"{anthropic} of {len(all_rows):,} responses are Anthropic's: too few to compare it with anybody.",
        f"The effort is known for {known}. {_by_effort(all_rows)}",
        f"{stripes} of {len(counted)} counts of OpenAI and Azure above 0 are multiples of {STRIPE}: hence the stripes.",
        "They come from the tests of public projects: other questions, models and settings for each vendor.",
        "The embedded model does not reason: its responses lie in the strip marked 0.",
    ]


def _by_effort(all_rows: Iterable[Row]) -> str:
    groups = {effort: _spent(all_rows, effort) for effort in EFFORTS}
    medians = ", ".join(f"{effort} {median(spent):.0f} ({len(spent)} responses)" for effort, spent in groups.items())
    return f"OpenAI's median reasoning does not rise with it: {medians}."


def _spent(all_rows: Iterable[Row], effort: str) -> list[int]:
    return [row.reasoning_tokens for row in all_rows if row.vendor == "openai" and row.effort == effort]


def _why_none(row: Row) -> str:
    local = kind_of_row(row) == "local model" or row.model.startswith("qwen2.5-coder-0.5b")
    return ", because this model does not reason" if local and not row.reasoning_tokens else ""


def _own(usage: Usage, by: Provenance, kind: Kind) -> Row:
    return Row(
        wire=by.wire or "",
        vendor=by.provider or "mock",
        model=by.model or "",
        effort="",
        budget_tokens=None,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        reasoning_tokens=usage.reasoning_tokens,
        answer_chars=None,
        tool_calls=None,
        stop=by.stop_reason or "",
        source=SESSION + kind,
    )
