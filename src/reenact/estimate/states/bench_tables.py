"""All tables of `reenact bench states`, and the page that they stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from reenact.estimate.bench import page as pages
from reenact.estimate.bench.page import table_lines
from reenact.estimate.states import bench_sheet_search as searches
from reenact.estimate.states import bench_sheet_walk as walks
from reenact.estimate.states.bench_lines import BATCH, QUICK
from reenact.estimate.states.bench_sheet import Sheet
from reenact.estimate.states.bench_summary import Summary
from reenact.measure import Row

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


def rows_of(sheets: Sequence[Sheet]) -> Iterator[Row]:
    """Figures with stable names."""
    for sheet in sheets:
        yield from sheet.rows


def markdown_of(sheets: Sequence[Sheet], strips: Mapping[str, str] | None = None) -> str:
    """All tables; strips: pictures by a line's key or a plot's name, as paths that the page can use."""
    blocks, known = [], strips or {}
    for sheet in sheets:
        lines = [f"### {sheet.title}", "", *table_lines(sheet.columns, sheet.cells)]
        for plot in sheet.plots:
            lines += ["", f"![{sheet.title}]({known[plot]})"] if plot in known else []
        for one in sheet.drawn:
            path, shown = known.get(one.line.key), one.shown
            if path is not None and shown is not None:
                seed = f", seed {shown.seed}" + ("" if shown.success else ", no success")
                lines += ["", f"{one.line.name}{seed}:", "", f"![{one.line.name}]({path})"]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def filled_in(page: str, tables: str) -> str:
    """A page with the tables between its two marks; an empty page gets them."""
    return pages.filled_in(page, tables, BENCH)
