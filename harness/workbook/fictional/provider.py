"""The reader's adapter as a provider: its two translators around the fictional vendor's stand-in."""

from __future__ import annotations

from typing import Any

from ...agent import run
from ...errors import HarnessError, ProviderError
from ...messages import Transcript
from ...providers.base import Provider, ProviderResponse, ToolSchema
from ...tools import CALC_SCHEMA, calc
from ..predict import Prediction
from .larkspur import Larkspur, vendor
from .sheet import DEFAULT_SHEET


class _Spoken:
    """`complete` is: the adapter's `to_request`, the stand-in, the adapter's `from_response`."""

    name = "larkspur stand-in"
    answer_kind = "stand-in"

    def __init__(self, adapter: Any, stand_in: Larkspur) -> None:
        self._adapter = adapter
        self._stand_in = stand_in

    def complete(self, transcript: Transcript, tools: list[ToolSchema]) -> ProviderResponse:
        status, answer = self._stand_in.respond(self._adapter.to_request(transcript, tools))
        if status != 200:
            refused = answer["refused"]
            raise ProviderError(status, f"{refused['where']}: {refused['why']}", f"See {refused['see']}.")
        response: ProviderResponse = self._adapter.from_response(answer)
        return response


def provider(adapter: Any) -> Provider:
    """A provider of the reader's adapter (anything with `to_request` and `from_response`) over the stand-in."""
    return _Spoken(adapter, vendor(getattr(adapter, "SHEET", DEFAULT_SHEET)))


def ask(adapter: Any, question: str) -> Prediction:
    """What the loop answers with the reader's adapter and the calculator; what goes wrong is said in one sentence."""
    if adapter.to_request(Transcript(), []) is None:
        return Prediction("not attempted: `to_request` gives nothing yet")
    try:
        return Prediction(f"stand-in: {run(provider(adapter), {'calc': calc}, [CALC_SCHEMA], question)}")
    except HarnessError as error:
        return Prediction(f"not yet: {error}")
    except Exception as error:
        return Prediction(f"not yet: your adapter raised {type(error).__name__}: {error}")
