"""One table of a bench, the same for the terminal, the page and the JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from reenact.estimate.bench.page import table_lines
from reenact.estimate.bench.run import Record
from reenact.measure import Row


class Line(Protocol):
    """A line of a bench."""

    @property
    def part(self) -> str:
        """The part of the bench that it stands in."""
        ...

    @property
    def name(self) -> str:
        """Its name there."""
        ...

    @property
    def key(self) -> str:
        """Both."""
        ...


class Drawn(Protocol):
    """A line of which a strip of poses is drawn."""

    @property
    def line(self) -> Line:
        """The line."""
        ...

    @property
    def shown(self) -> Record | None:
        """The run to be looked at."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table: cells for people, rows for programs, and the lines of which strips are drawn."""

    title: str
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    rows: tuple[Row, ...]
    drawn: tuple[Drawn, ...] = ()
    plots: tuple[str, ...] = ()  # names of pictures of the whole table


def filled(cells: tuple[str, ...], columns: tuple[str, ...], why: str) -> tuple[str, ...]:
    """A line of cells as long as the columns; what is missing is left empty, the reason stands last."""
    return (*cells, *[""] * (len(columns) - len(cells) - 1), why)


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
