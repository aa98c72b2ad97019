"""OpenSim motion and storage tables (.mot, .sto) in and out: named columns over time, units as the file has them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from reenact.errors import InputError
from reenact.formats.distinct_names import rename_notes
from reenact.formats.number_rows import parse_rows
from reenact.formats.replace_file import replace_file
from reenact.formats.text_file import read_lines, shown
from reenact.geometry.rotation import Array
from reenact.motion.clip import Table

_ROW_WORDS = ("nrows", "datarows")
_COLUMN_WORDS = ("ncolumns", "datacolumns")


def read_mot(path: Path, **_: object) -> Table:
    """A table; the axes of its columns are those of the file (y up in OpenSim), its angles as `in_degrees` says."""
    lines = read_lines(path, expected="a MOT or STO table")
    header, end = _parse_header(lines, path)
    labels_at = next((i for i in range(end, len(lines)) if lines[i].strip()), None)
    if labels_at is None:
        raise InputError("the file ends before the column names: cut off?", path=path, line=len(lines))
    tabs = "\t" in lines[labels_at]
    labels = [
        label.strip() for label in (lines[labels_at].rstrip("\t ").split("\t") if tabs else lines[labels_at].split())
    ]
    if not labels or labels[0].lower() != "time":
        raise InputError(f"the first column is {shown(labels[0])}, expected 'time'", path=path, line=labels_at + 1)
    rows = [line.rstrip("\t ") for line in lines[labels_at + 1 :]]
    values = parse_rows(
        rows, width=len(labels), path=path, first_line=labels_at + 2, what="row", missing=True, needed=0, largest=1e30
    )
    if len(values) == 0:
        raise InputError("the table has no rows", path=path, line=len(lines))
    columns, notes = rename_notes(labels[1:], "column")
    return Table(
        name=path.stem,
        time=values[:, 0],
        columns=columns,
        values=values[:, 1:],
        in_degrees=header.get("indegrees", "no").lower() == "yes",
        notes=(*notes, *_claims(header, values.shape), *time_notes(values[:, 0])),
    )


def _parse_header(lines: Sequence[str], path: Path) -> tuple[dict[str, str], int]:
    """Entries "name=value" and "name value" up to "endheader", names in small letters; index of the line after it."""
    header: dict[str, str] = {}
    for index, line in enumerate(lines):
        words = line.replace("=", " ").split()
        if not words:
            continue
        if words[0].lower() == "endheader":
            return header, index + 1
        if len(words) == 2:
            header[words[0].lower()] = words[1]
    raise InputError("no line 'endheader': not a MOT or STO table, or cut off", path=path, line=len(lines))


def time_notes(time: Array) -> tuple[str, ...]:
    """What is odd about the times of a table [s]."""
    steps = np.diff(time)
    if len(steps) == 0:
        return ()
    if (steps <= 0).any():
        row = int(np.argmax(steps <= 0)) + 2
        return (f"time does not increase at row {row}",)
    usual = float(np.median(steps))
    if np.abs(steps - usual).max() > 0.1 * usual:
        return (f"rows are {steps.min():.4g} to {steps.max():.4g} s apart",)
    return ()


def _claims(header: dict[str, str], shape: tuple[int, ...]) -> tuple[str, ...]:
    """Where the header counts otherwise than the table."""
    notes = []
    for words, got, what in ((_ROW_WORDS, shape[0], "rows"), (_COLUMN_WORDS, shape[1], "columns")):
        said = next((header[word] for word in words if word in header), None)
        if said is not None and said != str(got):
            notes.append(f"the header says {said[:20]} {what}, the file has {got}")
    return tuple(notes)


def write_mot(path: Path | str, table: Table) -> None:
    """Write a table as OpenSim reads it; every number round-trips."""
    replace_file(path, format_mot(table))


def format_mot(table: Table) -> str:
    """The text of a MOT file."""
    lines = [
        " ".join(table.name.split()) or "table",
        "version=1",
        f"nRows={table.frames}",
        f"nColumns={len(table.columns) + 1}",
        f"inDegrees={'yes' if table.in_degrees else 'no'}",
        "endheader",
        "\t".join(["time", *(" ".join(column.split()) for column in table.columns)]),
    ]
    for time, row in zip(table.time.tolist(), table.values.tolist(), strict=True):
        lines.append("\t".join(map(repr, [time, *row])))
    return "\n".join(lines) + "\n"
