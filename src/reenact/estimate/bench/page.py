"""Tables as a page of the documentation holds them, between two marks, so that a bench can write them anew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median

from reenact.errors import InputError


def marks(bench: str) -> tuple[str, str]:
    """The lines between which a bench's tables stand."""
    return f"<!-- bench {bench}: begin -->", f"<!-- bench {bench}: end -->"


def filled_in(page: str, tables: str, bench: str) -> str:
    """A page with the tables between its two marks; an empty page gets them."""
    begin, end = marks(bench)
    before, mark, rest = (page or f"{begin}\n{end}\n").partition(begin)
    _, closing, after = rest.partition(end)
    if not (mark and closing):
        raise InputError(f"the page has no place for tables: no lines '{begin}' and '{end}'")
    return f"{before}{begin}\n\n{tables}\n{end}{after}"


def table_lines(columns: Sequence[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """A table in Markdown."""
    return [_line(columns), _line(["---"] * len(columns)), *map(_line, rows)]


def median_of(values: Iterable[float | None]) -> float | None:
    """The median of those that are known; None where none is."""
    known = [value for value in values if value is not None]
    return float(median(known)) if known else None


def shown(value: float | None) -> str:
    """To one digit; empty where it is not known."""
    return "" if value is None else f"{value:.1f}"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
