"""Kinect v2 skeleton streams (.csv) in: a time stamp, then x, y, z [m] and tracking state of 25 joints on each line.

Camera axes: y up, z away from the sensor, x to its left. Time stamps are ticks of 100 ns, milliseconds or seconds.
"""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.formats.axes import Up, vectors_to_z_up
from reenact.formats.number_rows import parse_rows
from reenact.formats.text_file import read_lines
from reenact.geometry.rotation import Array
from reenact.motion.clip import MarkerClip

JOINTS: Final = (  # order of JointType in the Kinect for Windows SDK 2.0
    *("SpineBase", "SpineMid", "Neck", "Head"),
    *("ShoulderLeft", "ElbowLeft", "WristLeft", "HandLeft"),
    *("ShoulderRight", "ElbowRight", "WristRight", "HandRight"),
    *("HipLeft", "KneeLeft", "AnkleLeft", "FootLeft"),
    *("HipRight", "KneeRight", "AnkleRight", "FootRight"),
    *("SpineShoulder", "HandTipLeft", "ThumbLeft", "HandTipRight", "ThumbRight"),
)
WIDTH: Final = 1 + 4 * len(JOINTS)
_TICKS: Final = {"100 ns": 1e-7, "millisecond": 1e-3, "second": 1.0}
_USUAL_STEP: Final = 1 / 30  # s
_LONGEST_GAP: Final = 3.5  # usual steps; longer ones are left unseen


def looks_like_kinect(first_line: str) -> bool:
    """Whether a line holds the numbers of one frame."""
    fields = first_line.rstrip().rstrip(",").split(",")
    if len(fields) != WIDTH:
        return False
    try:
        [float(field) for field in fields]
    except ValueError:
        return False
    return True


def read_kinect(path: Path, *, units: float | None = None, up: Up | None = None) -> MarkerClip:
    """Joint positions at even times; joints that were not tracked are NaN, inferred ones are kept and counted."""
    lines = [line.rstrip().rstrip(",") for line in read_lines(path, expected="a Kinect stream")]
    table = parse_rows(lines, width=WIDTH, path=path, first_line=1, separator=",", largest=1e20)
    if len(table) == 0:
        raise InputError("the file has no frames", path=path)
    joints = table[:, 1:].reshape(len(table), len(JOINTS), 4)
    if np.abs(joints[..., :3]).max() > 1e6:
        raise InputError("joint positions beyond a million metres", path=path)
    state = joints[..., 3]
    position = np.where((state == 0)[..., None], np.nan, joints[..., :3]) * (1.0 if units is None else units)
    rate, position, notes = _at_even_times(table[:, 0], position, path)
    inferred = float(np.mean(state == 1))
    if inferred > 0:
        notes = (*notes, f"{100 * inferred:.1f} % of the joint positions are inferred, not tracked")
    axis: Up = "y" if up is None else up
    return MarkerClip(
        name=path.stem,
        rate=rate,
        names=JOINTS,
        position=vectors_to_z_up(position, axis),
        source=MappingProxyType(
            {
                "format": "kinect",
                "file": path.name,
                "units": repr(1.0 if units is None else units),
                "units_why": "metres by the format" if units is None else "given",
                "up": axis,
                "up_why": "by the format" if up is None else "given",
                "resampled": f"{len(table)} uneven time stamps to {len(position)} frames at {rate:g} Hz",
            }
        ),
        notes=notes,
    )


def _at_even_times(stamps: Array, position: Array, path: Path) -> tuple[float, Array, tuple[str, ...]]:
    """Rate [Hz] and positions interpolated to even times."""
    steps = np.diff(stamps)
    if len(steps) == 0:
        return 1.0 / _USUAL_STEP, position, ()
    if not (steps > 0).all():
        row = int(np.argmax(steps <= 0)) + 2
        raise InputError(f"time does not increase at frame {row}", path=path, line=row)
    usual = float(np.median(steps))
    tick = min(_TICKS.values(), key=lambda t: abs(np.log(usual * t / _USUAL_STEP)))
    time = (stamps - stamps[0]) * tick
    step = usual * tick
    if not 1e-4 <= step <= 10 or time[-1] > 100 * step * len(time):
        raise InputError(f"frames are {step:.3g} s apart over {time[-1]:.3g} s, expected about 1/30 s", path=path)
    step = _USUAL_STEP if abs(step / _USUAL_STEP - 1.0) < 0.05 else step
    even = np.arange(int(np.floor(time[-1] / step + 1e-9)) + 1) * step
    after = np.clip(np.searchsorted(time, even, side="right"), 1, len(time) - 1)
    span = time[after] - time[after - 1]
    part = ((even - time[after - 1]) / span)[:, None, None]
    result = position[after - 1] + part * (position[after] - position[after - 1])
    result[span > _LONGEST_GAP * step] = np.nan
    lost = int(np.sum(span > _LONGEST_GAP * step))
    return 1.0 / step, result, (f"{lost} frames lie in gaps of the stream",) if lost else ()
