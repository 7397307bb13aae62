"""The documentation of the fictional vendor's wire: one page, with the words of a sheet filled in."""

from __future__ import annotations

import json
from typing import Any

from .sheet import Sheet

TEMPLATE = """\
**Larkspur Dialogue API** (a vendor that does not exist; sheet `{sheet.name}`)

A **request** has `engine` (send `"lark-1"`), `dialogue` (a list of turns), and where there is something to put in them
`brief` (the system prompt, a string) and `abilities` (tools). A **turn** is `{{"speaker": ..., "parts": [...]}}`.

| part | fields besides `"part"` | in a turn of |
|---|---|---|
| `say` | `text` | `{sheet.person}`, `{sheet.model}` |
| `muse` | `text`, `{sheet.seal}` | `{sheet.model}` |
| `invoke` | `ref` (the call's id), `tool`, `{sheet.arguments}` (the arguments, as {sheet.form}) | `{sheet.model}` |
| `outcome` | `ref`, `text`, `{sheet.mark}`: `{good}` or, for a failure, `{bad}` | `{sheet.tool}` |

Rules
1. `brief` is never empty and never a turn. It is left out when there is no system prompt, as is `abilities` without
   tools.
2. The speakers are `{sheet.person}`, `{sheet.model}` and `{sheet.tool}`. Two turns in a row never have the same
   speaker: what belongs to one speaker stands in one turn. A turn has at least one part; its text may be empty.
3. Outcomes stand in a turn of `{sheet.tool}`, right after the turn that invoked them, one for each `invoke` of it.
   Every outcome carries `{sheet.mark}`.
4. `{sheet.arguments}` is {form}.
5. A `muse` part goes back as it came, in its place, with its `{sheet.seal}`: the seal belongs to exactly that text,
   which may be empty. Reasoning of other vendors, and any without a seal, is left out.
6. An ability is `{{"title": ..., "about": ..., "takes": ...}}`: name, description (left out when there is none), JSON
   schema.

A **response** is `{{"reply": turn, "ended": ..., "meter": {{"read": ..., "wrote": ..., "mused": ...}}}}`. `ended` is
`"done"`, `"invoking"` or `"full"` (no room left: the answer was cut off). The meter counts tokens; `wrote` does **not**
count what was `mused`. A request that breaks a rule gets status 422 and `{{"refused": {{"where", "why", "see"}}}}`.
"""

FORMS = {
    "a JSON string": 'a string that holds a JSON object, `"{}"` when there are no arguments',
    "an object": "a JSON object, `{}` when there are no arguments",
    "a list of pairs": 'a list of `{"key": ..., "value": ...}` in order, `[]` when there are no arguments',
}


class Page(str):
    """Markdown that a notebook shows as such."""

    __slots__ = ()

    def _repr_markdown_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return str(self)


def page(sheet: Sheet, request: dict[str, Any], response: dict[str, Any]) -> Page:
    """The page under a sheet, followed by the two sample bodies, folded."""
    good, bad = json.dumps(sheet.good), json.dumps(sheet.bad)
    text = TEMPLATE.format(sheet=sheet, good=good, bad=bad, form=FORMS[sheet.form])
    return Page(text + _folded("A request", request) + _folded("The response before it", response))


def _folded(title: str, body: dict[str, Any]) -> str:
    shown = json.dumps(body, indent=2, ensure_ascii=False)
    return f"\n<details><summary>{title}</summary>\n\n```json\n{shown}\n```\n\n</details>\n"
