"""One table of `reenact bench states`, the same for the terminal, the page and the JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reenact.estimate.states.bench_summary import Summary
from reenact.measure import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table: cells for people, rows for programs, and the lines of which strips are drawn."""

    title: str
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    rows: tuple[Row, ...]
    drawn: tuple[Summary, ...] = ()
    plots: tuple[str, ...] = ()  # names of pictures of the whole table


def filled(cells: tuple[str, ...], columns: tuple[str, ...], why: str) -> tuple[str, ...]:
    """A line of cells as long as the columns; what is missing is left empty, the reason stands last."""
    return (*cells, *[""] * (len(columns) - len(cells) - 1), why)


def refusals(summary: Summary, name: str) -> Iterator[Row]:
    """A row that says why a line was not run, where that is so."""
    if summary.refused is not None:
        word = "skipped" if summary.refused.skipped else "refused"
        yield Row(name=name, value=word, unit=summary.refused.reason, holds=None if summary.refused.skipped else False)


def audit_row(summary: Summary, name: str) -> Row:
    """Whether all takes of a line are honest."""
    faults = sorted({fault for record in summary.records for fault in record.faults})
    unit = "; ".join(["all takes honest", *faults])
    return Row(name=f"{name}.audit", value=summary.honest, unit=unit, goal="true", holds=summary.honest)


def spread(summary: Summary, figure: str, unit: str) -> str:
    """A unit with how many seeds the value is the median of, and their range."""
    values = summary.values(figure)
    if len(values) < 2:
        return f"{unit}, one seed"
    return f"{unit}, median of {len(values)} seeds, {min(values):.1f}–{max(values):.1f}"
