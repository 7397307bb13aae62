"""A question to answer before the next cell runs; a wrong guess is never marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Prediction(str):
    """A sentence that shows itself without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def predict(question: str, options: Sequence[str]) -> Callable[..., Prediction]:
    """A function that takes a guess, one of `options`, and says it back; without a guess it asks for one.

    >>> predict("How many messages?", ["two", "four"])(guess=None)
    How many messages? (two / four): no guess yet
    """

    def asked(guess: str | None = None) -> Prediction:
        choices = " / ".join(options)
        if guess is None:
            return Prediction(f"{question} ({choices}): no guess yet")
        if guess not in options:
            return Prediction(f"{question} Pick one of: {choices}")
        return Prediction(f"{question} You guess: {guess}. The next cell shows it.")

    return asked
