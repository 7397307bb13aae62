"""The rules of the fictional vendor's page, checked one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...errors import Problem
from .sheet import Sheet

REQUEST_FIELDS = {"engine", "brief", "dialogue", "abilities"}


def problems(body: Any, sheet: Sheet) -> Iterator[Problem]:
    """Every broken rule: its path, the rule, and its number on the page."""
    if not isinstance(body, dict):
        yield _problem("request", "is an object", 0)
        return
    for name in body.keys() - REQUEST_FIELDS:
        yield _problem(name, f"is no field of a request: there are {', '.join(sorted(REQUEST_FIELDS))}", 0)
    if body.get("engine") != "lark-1":
        yield _problem("engine", 'is "lark-1"', 0)
    if "brief" in body and not (isinstance(body["brief"], str) and body["brief"]):
        yield _problem("brief", "is a string that is not empty, or left out", 1)
    yield from _abilities(body)
    yield from _dialogue(body.get("dialogue"), sheet)


def _abilities(body: dict[str, Any]) -> Iterator[Problem]:
    abilities = body.get("abilities", [])
    if "abilities" in body and not (isinstance(abilities, list) and abilities):
        yield _problem("abilities", "is a list that is not empty, or left out", 1)
        return
    for index, ability in enumerate(abilities):
        path = f"abilities[{index}]"
        if not isinstance(ability, dict) or not {"title", "takes"} <= ability.keys() <= {"title", "about", "takes"}:
            yield _problem(path, "has title and takes, perhaps about, and nothing else", 6)
        elif not isinstance(ability["takes"], dict) or not isinstance(ability.get("about", ""), str):
            yield _problem(path, "has a JSON schema in takes, and a string in about", 6)


def _dialogue(dialogue: Any, sheet: Sheet) -> Iterator[Problem]:
    if not isinstance(dialogue, list):
        yield _problem("dialogue", "is a list of turns", 2)
        return
    before: str | None = None
    due: list[str] = []
    for index, turn in enumerate(dialogue):
        path = f"dialogue[{index}]"
        if not isinstance(turn, dict) or turn.keys() != {"speaker", "parts"} or not isinstance(turn["parts"], list):
            yield _problem(path, "is an object of speaker and parts", 2)
            return
        speaker, parts = turn["speaker"], turn["parts"]
        if speaker not in (sheet.person, sheet.model, sheet.tool):
            yield _problem(f"{path}.speaker", f"is {sheet.person}, {sheet.model} or {sheet.tool}", 2)
        elif speaker == before:
            yield _problem(f"{path}.speaker", "is not the speaker of the turn before: join the two turns", 2)
        if not parts:
            yield _problem(f"{path}.parts", "has at least one part", 2)
        for p, part in enumerate(parts):
            yield from _part(part, f"{path}.parts[{p}]", speaker, sheet)
        refs = [part.get("ref") for part in parts if isinstance(part, dict)]
        if speaker == sheet.tool and sorted(map(str, refs)) != sorted(map(str, due)):
            yield _problem(path, "has one outcome for each invoke of the turn before", 3)
        elif speaker != sheet.tool and due:
            yield _problem(path, f"comes after the {sheet.tool} turn with the outcomes of the turn before", 3)
        due = [str(part.get("ref")) for part in parts if isinstance(part, dict) and part.get("part") == "invoke"]
        before = speaker


def _part(part: Any, path: str, speaker: str, sheet: Sheet) -> Iterator[Problem]:
    from .larkspur import seal_of

    fields = {
        "say": ({"text"}, {sheet.person, sheet.model}),
        "muse": ({"text", sheet.seal}, {sheet.model}),
        "invoke": ({"ref", "tool", sheet.arguments}, {sheet.model}),
        "outcome": ({"ref", "text", sheet.mark}, {sheet.tool}),
    }
    kind = part.get("part") if isinstance(part, dict) else None
    if kind not in fields:
        yield _problem(path, f"is one of the parts {', '.join(fields)}", 2)
        return
    names, speakers = fields[kind]
    if part.keys() != names | {"part"}:
        yield _problem(path, f"has the fields part, {', '.join(sorted(names))}", 2)
        return
    if speaker not in speakers:
        yield _problem(path, f"stands in a turn of {' or '.join(sorted(speakers))}, not of {speaker!r}", 2)
    for name in names - {sheet.mark, sheet.arguments}:
        if not isinstance(part[name], str):
            yield _problem(f"{path}.{name}", "is a string", 2)
    if kind == "muse" and part[sheet.seal] != seal_of(str(part["text"])):
        yield _problem(f"{path}.{sheet.seal}", "is the seal that came with exactly this text", 5)
    if kind == "outcome" and not any(_same(part[sheet.mark], value) for value in (sheet.good, sheet.bad)):
        yield _problem(f"{path}.{sheet.mark}", f"is {sheet.good!r} or {sheet.bad!r}", 3)
    if kind == "invoke":
        try:
            sheet.read_arguments(part[sheet.arguments])
        except ValueError as error:
            yield _problem(f"{path}.{sheet.arguments}", str(error) if "is " in str(error) else f"is {sheet.form}", 4)


def _same(one: Any, other: Any) -> bool:
    """Equal, and not merely as True equals 1."""
    return type(one) is type(other) and one == other


def _problem(path: str, rule: str, number: int) -> Problem:
    return Problem(path, rule, f"Larkspur, rule {number}" if number else "Larkspur, requests")
