"""C3D (.c3d) in: the marker positions of a biomechanics recording.

Our own reader of the point data: the native library ezc3d, which reads more of the format, crashed or hung on about one
in forty damaged files. It serves in the tests as the judge of this one.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.formats.axes import Up, vectors_to_z_up
from reenact.formats.c3d_parameters import BLOCK, C3dHeader, decode_floats, decode_integers, parse_header
from reenact.formats.distinct_names import rename_notes
from reenact.formats.guess_markers import guess_marker_up
from reenact.formats.number_rows import LARGEST
from reenact.formats.text_file import read_bytes, shown
from reenact.formats.trc import UNITS
from reenact.geometry.rotation import Array
from reenact.motion.clip import MarkerClip

_POINT_WORDS: Final = 4  # x, y, z, residual


def read_c3d(path: Path, *, units: float | None = None, up: Up | None = None) -> MarkerClip:
    """Markers in metres and z up, NaN where a marker was not seen; analog channels are left aside."""
    data = read_bytes(path)
    header = parse_header(data, path)
    if header.points == 0:
        raise InputError("the file holds no points (analog channels only?)", path=path)
    frames, notes = _frame_count(header, len(data), path)
    position = _positions(data, header, frames, path)
    names, name_notes = rename_notes(_labels(header), "marker")
    if units is None:
        units, units_why = _unit(header, position)
    else:
        units_why = "given"
    position = position * units
    up_why = "given"
    if up is None:
        custom: Up = "y" if header.text("POINT", "Y_SCREEN").upper().endswith("Y") else "z"
        up, up_why = guess_marker_up(names, position, custom=custom)
    return MarkerClip(
        name=path.stem,
        rate=_rate(header, path),
        names=names,
        position=vectors_to_z_up(position, up),
        source=MappingProxyType(
            {
                "format": "c3d",
                "file": path.name,
                "units": repr(units),
                "units_why": units_why,
                "up": up,
                "up_why": up_why,
                "first_frame": str(header.first_frame),
            }
        ),
        notes=(*name_notes, *notes),
    )


def _bytes_per_frame(header: C3dHeader) -> int:
    return (_POINT_WORDS * header.points + header.analog_per_frame) * (4 if header.scale < 0 else 2)


def _data_start(header: C3dHeader) -> int:
    block = header.data_block or int(header.number("POINT", "DATA_START") or 0)
    return (block - 1) * BLOCK


def _frame_count(header: C3dHeader, size: int, path: Path) -> tuple[int, tuple[str, ...]]:
    """Number of frames by the parameters or the header, whichever the file can hold."""
    start = _data_start(header)
    if not BLOCK <= start < size:
        raise InputError(f"point data should begin at byte {start} of {size}", path=path)
    held = (size - start) // _bytes_per_frame(header)
    said = header.last_frame - header.first_frame + 1
    claims = [claim for claim in (_long_count(header), _point_frames(header), said) if claim is not None and claim > 0]
    if not claims:
        raise InputError("the file claims no frames", path=path)
    fitting = [claim for claim in claims if claim <= held]
    if not fitting:
        raise InputError(f"claims {min(claims)} frames, but holds {held}: cut off?", path=path)
    notes = (
        ()
        if fitting[0] == claims[0]
        else (f"claims of {claims[0]} and {fitting[0]} frames: the file holds the latter",)
    )
    return fitting[0], notes


def _long_count(header: C3dHeader) -> int | None:
    """Frames by TRIAL:ACTUAL_START_FIELD and ACTUAL_END_FIELD, pairs of 16-bit words."""
    ends = []
    for name in ("ACTUAL_START_FIELD", "ACTUAL_END_FIELD"):
        value = header.parameters.get(("TRIAL", name), ())
        words = [item for item in value if not isinstance(item, str) and np.isfinite(item)]
        if len(value) != 2 or len(words) != 2:
            return None
        ends.append(int(words[0]) % 65536 + 65536 * (int(words[1]) % 65536))
    return ends[1] - ends[0] + 1


def _point_frames(header: C3dHeader) -> int | None:
    value = header.number("POINT", "FRAMES")
    if value is None or not np.isfinite(value):
        return None
    return int(value) % 65536 if value < 0 else int(value)


def _positions(data: bytes, header: C3dHeader, frames: int, path: Path) -> Array:
    """Positions (T, M, 3) in file units and axes."""
    start, size = _data_start(header), _bytes_per_frame(header)
    rows = np.frombuffer(data, np.uint8, frames * size, start).reshape(frames, size)
    width = _POINT_WORDS * header.points * (4 if header.scale < 0 else 2)
    raw = np.ascontiguousarray(rows[:, :width]).reshape(-1)
    with np.errstate(all="ignore"):
        decode = decode_floats if header.scale < 0 else decode_integers
        words = decode(raw, header.processor).reshape(frames, header.points, _POINT_WORDS)
    position, residual = words[..., :3], words[..., 3]
    if header.scale >= 0:
        if not np.isfinite(header.scale):
            raise InputError("the scale of the points is not a number", path=path)
        position = position * header.scale
    unseen = (residual < 0) | np.all(position == 0.0, axis=-1) | np.isnan(position).any(axis=-1)
    seen = np.where(unseen[..., None], 0.0, position)
    if not (np.abs(seen) <= LARGEST).all():
        frame = int(np.argwhere(~(np.abs(seen) <= LARGEST))[0][0])
        raise InputError(f"frame {frame + 1} holds a coordinate beyond ±{LARGEST:g}", path=path)
    if unseen.all():
        raise InputError("no marker is seen in any frame", path=path)
    return np.where(unseen[..., None], np.nan, position)


def _labels(header: C3dHeader) -> list[str]:
    """Names of the points; LABELS2, LABELS3 … go on where one parameter is too small."""
    labels: list[str] = []
    for name in ("LABELS", *(f"LABELS{i}" for i in range(2, 300))):
        value = header.parameters.get(("POINT", name))
        if value is None:
            break
        labels += [" ".join(item.split()) for item in value if isinstance(item, str)]
    labels = labels[: header.points]
    return [label or f"point_{i + 1}" for i, label in enumerate(labels)] + [
        f"point_{i + 1}" for i in range(len(labels), header.points)
    ]


def _unit(header: C3dHeader, position: Array) -> tuple[float, str]:
    text = header.text("POINT", "UNITS")
    if text.lower() in UNITS:
        return UNITS[text.lower()], f"by the file: {text}"
    extent = float(np.nanmax(position) - np.nanmin(position))
    name, unit = ("millimetre", 0.001) if extent > 50 else ("metre", 1.0)
    return unit, f"guessed: {name}, as the file says {shown(text)} and spans {extent:.4g}"


def _rate(header: C3dHeader, path: Path) -> float:
    for rate in (header.number("POINT", "RATE"), header.rate):
        if rate is not None and np.isfinite(rate) and 0.1 <= rate <= 100_000:
            return float(rate)
    raise InputError(f"the frame rate is {header.rate:g}, expected 0.1 to 100000", path=path)
