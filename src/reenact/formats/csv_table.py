"""Comma-separated tables (.csv) in and out: a line of column names beginning with `time`, then numbers."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from reenact.errors import InputError
from reenact.formats.distinct_names import rename_notes
from reenact.formats.mot import time_notes
from reenact.formats.number_rows import parse_rows
from reenact.formats.replace_file import replace_file
from reenact.formats.text_file import read_lines, shown
from reenact.motion.clip import Table


def read_csv(path: Path, **_: object) -> Table:
    """A table whose first column is the time [s]."""
    lines = read_lines(path, expected="a CSV table")
    first = next((i for i, line in enumerate(lines) if line.strip()), None)
    if first is None:
        raise InputError("the file is blank", path=path)
    labels = [label.strip() for label in _split(lines[first], path, first + 1)]
    if not labels or labels[0].lower() not in ("time", "t", "time_s", "seconds"):
        raise InputError(f"the first column is {shown(labels[0])}, expected 'time'", path=path, line=first + 1)
    values = parse_rows(
        lines[first + 1 :],
        width=len(labels),
        path=path,
        first_line=first + 2,
        separator=",",
        what="row",
        missing=True,
        needed=0,
        largest=1e30,
    )
    if len(values) == 0:
        raise InputError("the table has no rows", path=path, line=len(lines))
    columns, notes = rename_notes(labels[1:], "column")
    return Table(
        name=path.stem,
        time=values[:, 0],
        columns=columns,
        values=values[:, 1:],
        notes=(*notes, *time_notes(values[:, 0])),
    )


def _split(line: str, path: Path, number: int) -> list[str]:
    try:
        return next(csv.reader([line], strict=True))
    except csv.Error as error:
        raise InputError(f"column names: {error}", path=path, line=number) from None


def write_csv(path: Path | str, table: Table) -> None:
    """Write a table; every number round-trips. Angles stay as the table has them."""
    replace_file(path, format_csv(table))


def format_csv(table: Table) -> str:
    """The text of a CSV file."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["time", *(" ".join(column.split()) for column in table.columns)])
    for time, row in zip(table.time.tolist(), table.values.tolist(), strict=True):
        writer.writerow([repr(time), *("" if value != value else repr(value) for value in row)])
    return buffer.getvalue()
