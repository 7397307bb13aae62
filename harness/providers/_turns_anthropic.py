"""What Anthropic asks of the turns of a conversation, and how messages become such turns: all mending stands here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..errors import TranslationError
from ._models_anthropic import lookup

THINKING = ("thinking", "redacted_thinking")
# Who may say what; any other block stands with any role.
SPEAKERS = {
    "tool_use": "assistant",
    "thinking": "assistant",
    "redacted_thinking": "assistant",
    "tool_result": "user",
    "image": "user",
}


class Turn(NamedTuple):
    """What one speaker says until another does: `fields` beside the content, `start` the place of its first message."""

    role: str
    content: list[dict[str, Any]]
    fields: dict[str, Any]
    start: int


def mended(said: Iterable[Turn]) -> list[Turn]:
    """The turns as Anthropic takes them.

    Neighbours of one role are one turn, with results first, and the ids of its calls differ. Left out is what it
    refuses: reasoning at the end of a turn, a turn of blank text alone, white space at the end of a last answer.
    """
    turns = _merged(said)
    for turn in turns:
        _tell_apart(turn.content)
        if turn.role == "user":
            turn.content.sort(key=lambda block: block.get("type") != "tool_result")
        else:
            _trim_end(turn.content, white=turn is turns[-1] and turn.role == "assistant")
    return _merged(turn for turn in turns if not _is_blank(turn))


def is_plain_system(turn: Turn) -> bool:
    """Whether a turn can stand in the request's `system`, which holds text only."""
    return turn.role == "system" and not turn.fields and all(_kind(block) == "text" for block in turn.content)


def require_places(turns: Sequence[Turn], model: str | None, wire: str) -> None:
    """Raise a `TranslationError` for what stands where Anthropic, or this model, does not take it."""
    roles = ["", *(turn.role for turn in turns), "assistant"]
    for before, turn, after in zip(roles, turns, roles[2:], strict=False):
        if turn.role == "system" and not lookup(model).late_system:
            problem = f"{model} takes no system message in mid conversation"
        elif turn.role == "system" and (before != "user" or after != "assistant"):
            problem = "a system message stands after a user turn, and before an assistant turn or last"
        elif foreign := [kind for kind in map(_kind, turn.content) if SPEAKERS.get(kind, turn.role) != turn.role]:
            problem = f"a block of the type {foreign[0]} has no place in a message of the role {turn.role}"
        else:
            continue
        raise TranslationError(wire, f"messages[{turn.start}]", problem)


def _kind(block: dict[str, Any]) -> str:
    return str(block.get("type"))


def _merged(said: Iterable[Turn]) -> list[Turn]:
    turns: list[Turn] = []
    for turn in said:
        if turns and turns[-1].role == turn.role:
            turns[-1].content.extend(turn.content)
            turns[-1].fields.update(turn.fields)
        elif turn.content or turn.fields:
            turns.append(Turn(turn.role, [*turn.content], turn.fields, turn.start))
    return turns


def _tell_apart(content: list[dict[str, Any]]) -> None:
    """Rename the second of two calls of one id, and the second of their results in the same way."""
    seen: set[str] = set()
    for place, block in enumerate(content):
        key = {"tool_use": "id", "tool_result": "tool_use_id"}.get(_kind(block), "")
        given = block.get(key)
        if not isinstance(given, str):
            continue
        name, count = given, 1
        while name in seen:
            count += 1
            name = f"{given}_{count}"
        seen.add(name)
        if name != given:
            content[place] = {**block, key: name}


def _trim_end(content: list[dict[str, Any]], *, white: bool) -> None:
    while content:
        last = content[-1]
        if white and isinstance(last.get("text"), str):
            content[-1] = last = {**last, "text": last["text"].rstrip()}
        if _kind(last) not in THINKING and last.get("text") != "":
            return
        content.pop()


def _is_blank(turn: Turn) -> bool:
    blank = (_kind(block) == "text" and not str(block.get("text")).strip() for block in turn.content)
    return not turn.fields and all(blank)
