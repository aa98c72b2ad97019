"""All tables of `reenact bench states`, and the page that they stand in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from reenact.estimate.bench import page as pages
from reenact.estimate.bench.sheet import Sheet
from reenact.estimate.states.bench import sheet_search as searches
from reenact.estimate.states.bench import sheet_walk as walks
from reenact.estimate.states.bench.lines import BATCH, QUICK
from reenact.estimate.states.bench.summary import Summary

BENCH: Final = "states"


def sheets_of(summaries: Sequence[Summary]) -> list[Sheet]:
    """The tables of what was run, in order."""
    own: Callable[[str], list[Summary]] = lambda part: [one for one in summaries if one.line.part == part]  # noqa: E731
    sheets: list[Sheet] = []
    if lines := own("figure6"):
        sheets.append(searches.figure6(lines, own(f"figure6{BATCH}"), "[V12] Figure 6 again"))
    if lines := own(QUICK):
        title = "[V12] Figure 6 on bundled samples, with a small budget"
        sheets.append(searches.figure6(lines, own(f"{QUICK}{BATCH}"), title))
    if lines := own("time"):
        sheets.append(searches.timed(lines))
    if lines := own("walking"):
        sheets.append(walks.walking(lines))
    if lines := own("push"):
        sheets.append(walks.pushes(lines))
    sheets += walks.people(own("people"))
    if lines := own("worlds"):
        sheets.append(walks.worlds(lines))
    if lines := own("held"):
        sheets.append(searches.held(lines))
    return [*sheets, *searches.methods(own("methods"))]


def filled_in(page: str, tables: str) -> str:
    """A page with the tables between its two marks; an empty page gets them."""
    return pages.filled_in(page, tables, BENCH)
