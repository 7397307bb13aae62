"""A vendor that does not exist, so that its adapter is nobody's import away. Everything it says is simulated.

>>> vendor = larkspur.vendor()          # or larkspur.vendor("my-sheet"): another sheet, other words on the wire
>>> vendor.page                         # the documentation: one page, shown as Markdown
>>> vendor.request(), vendor.response() # two sample bodies
>>> vendor.check_request(body)          # the rules of the page that a body breaks: a list of `Problem`
>>> vendor.respond(body)                # the stand-in: (200, response) or (422, {"refused": {where, why, see}})

With the reader's own adapter, written in three steps in the one cell of exercise 3.8-adapter (`to_request`,
`from_request`, `from_response`, and `SHEET`, the sheet's name):

>>> from harness.workbook.exercises import answer, check
>>> check("3.8-adapter")                # the conformance table in three steps, with points; the first failing body
>>> adapter = answer("3.8-adapter")     # what the cell defines (the stub's names before it was run); `adapter.lines`
>>> ask(adapter, "What is 17 * 23, minus 100?")  # the loop over the stand-in, in one line; "not attempted" for the stub
"""

from __future__ import annotations

from . import larkspur
from .provider import ask, provider

__all__ = ["ask", "larkspur", "provider"]
