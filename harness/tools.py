"""The calculator: the one tool of the running example, on a safe evaluator with bounds."""

from __future__ import annotations

import ast
import operator
from typing import Any

from .errors import HarnessError
from .providers.base import ToolSchema

MAX_LENGTH = 200  # characters of an expression
MAX_EXPONENT = 1_000
MAX_DIGITS = 1_000  # decimal digits of a result, and of every step on the way

CALC_SCHEMA: ToolSchema = {
    "name": "calc",
    "description": "Evaluate an arithmetic expression, for example 2 * (3 + 4).",
    "input_schema": {
        "type": "object",
        "properties": {"expression": {"type": "string", "description": "The expression to evaluate."}},
        "required": ["expression"],
    },
}


class CalculatorError(HarnessError):
    """An expression that the calculator refuses, and why, in words for the model."""


def calc(expression: str) -> str:
    """The value of an arithmetic expression (+ - * / // % **, parentheses, numbers) as text.

    Raises `CalculatorError` for anything else, and for what would take long: its bounds are on length, exponent and
    size, so that no accepted expression runs for more than a blink.
    """
    from simpleeval import SimpleEval

    if not isinstance(expression, str):  # a model may send anything
        raise CalculatorError(f"expression must be a string, not {type(expression).__name__}")
    if len(expression) > MAX_LENGTH:
        raise CalculatorError(f"the expression has {len(expression)} characters, more than {MAX_LENGTH}")
    evaluator = SimpleEval(operators=_operators(), functions={}, names={})
    evaluator.nodes = {node: evaluator.nodes[node] for node in (ast.Constant, ast.BinOp, ast.UnaryOp)}
    try:
        parsed = ast.parse(expression.strip(), mode="eval").body
        return str(_bounded(evaluator.eval(expression, previously_parsed=parsed)))
    except CalculatorError:
        raise
    except Exception as error:
        raise CalculatorError(f"cannot evaluate {expression!r}: {error}") from None


def _bounded(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CalculatorError(f"the result is a {type(value).__name__}, not a number")
    if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
        raise CalculatorError(f"the result has more than {MAX_DIGITS} digits")
    return value


def _power(base: Any, exponent: Any) -> int | float:
    if abs(_bounded(exponent)) > MAX_EXPONENT:
        raise CalculatorError(f"the exponent is larger than {MAX_EXPONENT}")
    if isinstance(base, int) and base.bit_length() * abs(exponent) > 4 * MAX_DIGITS:
        raise CalculatorError(f"the result has more than {MAX_DIGITS} digits")
    return _bounded(base**exponent)


def _operators() -> dict[type, Any]:
    plain: dict[type, Any] = {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
        ast.FloorDiv: operator.floordiv,
        ast.Mod: operator.mod,
    }
    checked: dict[type, Any] = {node: _checked(function) for node, function in plain.items()}
    return {**checked, ast.Pow: _power, ast.USub: operator.neg, ast.UAdd: operator.pos}


def _checked(function: Any) -> Any:
    return lambda left, right: _bounded(function(_bounded(left), _bounded(right)))
