"""Track Row Column (.trc) in and out: marker positions as OpenSim, Vicon Nexus and Motion Analysis exchange them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, cast

import numpy as np

from reenact.errors import InputError
from reenact.formats.axes import Up, check_overrides, vectors_from_z_up, vectors_to_z_up
from reenact.formats.distinct_names import rename_notes
from reenact.formats.guess_markers import guess_marker_up
from reenact.formats.number_rows import parse_count, parse_number, parse_rows
from reenact.formats.replace_file import replace_file
from reenact.formats.text_file import read_lines, shown
from reenact.geometry.rotation import Array
from reenact.motion.clip import MarkerClip

UNITS: Final[dict[str, float]] = {
    "m": 1.0,
    "meters": 1.0,
    "metres": 1.0,
    "cm": 0.01,
    "mm": 0.001,
    "in": 0.0254,
    "inch": 0.0254,
    "inches": 0.0254,
}
_FIELDS: Final = ("DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units")


def read_trc(path: Path, *, units: float | None = None, up: Up | None = None) -> MarkerClip:
    """Markers in metres and z up."""
    lines = read_lines(path, expected="a TRC file")
    if not lines[0].startswith("PathFileType"):
        raise InputError(f"got {shown(lines[0])}, expected PathFileType: not a TRC file", path=path, line=1)
    header = _parse_header(lines, path)
    names, name_notes = rename_notes(_marker_names(lines, path), "marker")
    table = _parse_table(lines, len(names), path)
    position = np.array(table[:, 2:].reshape(len(table), len(names), 3))
    position, notes = _hide_unseen(position)
    if units is None:
        units, units_why = _unit(header["Units"], path)
    else:
        units_why = "given"
    rate, time_notes = _rate(table[:, 1], parse_number(header["DataRate"], what="DataRate", path=path, line=3), path)
    position = position * units
    up_why = "given"
    if up is None:
        up, up_why = guess_marker_up(names, position, custom="y")
    claimed = parse_count(header["NumFrames"], what="NumFrames", path=path, line=3)
    if claimed != len(table):
        notes = (*notes, f"the header says {claimed} frames, the file has {len(table)}")
    return MarkerClip(
        name=path.stem,
        rate=rate,
        names=names,
        position=vectors_to_z_up(position, up),
        start=float(table[0, 1]),
        source=MappingProxyType(
            {
                "format": "trc",
                "file": path.name,
                "units": repr(units),
                "units_why": units_why,
                "up": up,
                "up_why": up_why,
            }
        ),
        notes=(*name_notes, *notes, *time_notes),
    )


def _parse_header(lines: Sequence[str], path: Path) -> dict[str, str]:
    """Names of line 2 with the values of line 3."""
    if len(lines) < 5:
        raise InputError(f"the file ends after {len(lines)} lines, expected a header of five: cut off?", path=path)
    header = dict(zip(lines[1].split(), lines[2].split(), strict=False))
    missing = [name for name in _FIELDS if name not in header]
    if missing:
        raise InputError(f"no value for {missing[0]} in the header", path=path, line=3)
    return header


def _marker_names(lines: Sequence[str], path: Path) -> list[str]:
    fields = [field.strip() for field in (lines[3].split("\t") if "\t" in lines[3] else lines[3].split())]
    if len(fields) < 3 or not fields[0].lower().startswith("frame") or fields[1].lower() != "time":
        raise InputError(f"got {shown(lines[3])}, expected 'Frame#', 'Time' and marker names", path=path, line=4)
    names = [field for field in fields[2:] if field]
    if not names:
        raise InputError("no marker names", path=path, line=4)
    return names


def _parse_table(lines: Sequence[str], markers: int, path: Path) -> Array:
    """Frame number, time and coordinates (T, 2 + 3·M); NaN where a field is empty."""
    first = 5  # index of the first line after "X1 Y1 Z1 …"
    width = 2 + 3 * markers
    tabs = any("\t" in line for line in lines[first : first + 3])
    rows = [line.rstrip("\n") for line in lines[first:]]
    if tabs:
        # Files end their rows with no, one or several tabs.
        rows = [_cut_tabs(row, width) for row in rows]
    table = parse_rows(
        rows, width=width, path=path, first_line=first + 1, separator="\t" if tabs else None, missing=True, needed=1
    )
    if len(table) == 0:
        raise InputError("the file has no frames", path=path, line=len(lines))
    return table


def _cut_tabs(row: str, width: int) -> str:
    if not row.strip():
        return ""
    extra = row.count("\t") + 1 - width
    while extra > 0 and row.endswith("\t"):
        row, extra = row[:-1], extra - 1
    return row


def _hide_unseen(position: Array) -> tuple[Array, tuple[str, ...]]:
    """Markers at exactly (0, 0, 0) were not seen; a marker that lacks one coordinate lacks all."""
    zero = np.all(position == 0.0, axis=-1)
    unseen = zero | np.isnan(position).any(axis=-1)
    notes = (f"{int(zero.sum())} marker positions are exactly zero: taken as not seen",) if zero.any() else ()
    return np.where(unseen[..., None], np.nan, position), notes


def _unit(text: str, path: Path) -> tuple[float, str]:
    if text.lower() not in UNITS:
        raise InputError(f"unknown unit {shown(text)}; there are: {', '.join(UNITS)}", path=path, line=3)
    return UNITS[text.lower()], f"by the file: {text}"


def _rate(time: Array, said: float, path: Path) -> tuple[float, tuple[str, ...]]:
    """Frames per second: as the header says where the times agree, else by the times."""
    steps = np.diff(time)
    if len(steps) == 0:
        return said, ()
    mean = float(steps.mean())
    if not 1e-5 <= mean <= 10:
        raise InputError(f"times go from {time[0]:g} to {time[-1]:g} s in {len(time)} frames", path=path)
    notes = []
    if np.abs(steps - mean).max() > 0.1 * mean:
        notes.append(f"frames are {steps.min():.4g} to {steps.max():.4g} s apart: the mean is used")
    if abs(mean * said - 1.0) < 0.01:
        return said, tuple(notes)
    return 1.0 / mean, (*notes, f"the header says {said:g} Hz, the times give {1.0 / mean:.5g} Hz")


def write_trc(path: Path | str, clip: MarkerClip, *, units: float | None = None, up: Up | None = None) -> None:
    """Write markers with six decimals; unit [m] and up axis are those of `clip.source`, or metres and y up."""
    replace_file(path, format_trc(clip, Path(path).name, units=units, up=up))


def format_trc(clip: MarkerClip, name: str, *, units: float | None = None, up: Up | None = None) -> str:
    """The text of a TRC file."""
    check_overrides(units, up)
    unit = float(clip.source.get("units", 1.0)) if units is None else units
    label = next((key for key, value in UNITS.items() if value == unit), None)
    if label is None:
        raise InputError(f"TRC has no name for a unit of {unit:g} m; there are: m, cm, mm, in")
    axis = cast(Up, clip.source.get("up", "y")) if up is None else up
    values = np.round(vectors_from_z_up(clip.position, axis) / unit, 6) + 0.0
    rate = f"{clip.rate:.17g}"
    markers = len(clip.names)
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{name}",
        "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames",
        f"{rate}\t{rate}\t{clip.frames}\t{markers}\t{label}\t{rate}\t1\t{clip.frames}",
        "Frame#\tTime\t" + "\t\t\t".join(" ".join(marker.split()) for marker in clip.names) + "\t\t",
        "\t\t" + "\t".join(f"X{i}\tY{i}\tZ{i}" for i in range(1, markers + 1)),
        "",
    ]
    for frame, (time, row) in enumerate(zip(clip.time, values.reshape(clip.frames, -1).tolist(), strict=True), start=1):
        fields = "\t".join("" if value != value else f"{value:.6f}" for value in row)
        lines.append(f"{frame}\t{clip.start + time:.6f}\t{fields}")
    return "\n".join(lines) + "\n"
