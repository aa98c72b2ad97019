"""A motion written by hand: a few poses at times, joint angles by name, everything between them interpolated.

Where the body is follows from its contacts (`support.py`): a written motion says how the body is bent and turned, and
the ground says where that takes it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter1d

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.contacts import find_contacts
from reenact.motion.fit_report import FitReport
from reenact.motion.kinematics import forward
from reenact.motion.motion import Motion
from reenact.motion.support import Flight, carried
from reenact.motion.tree import tree_of

TURNS: Final = ("yaw", "pitch", "roll", "spin")  # about z, y, x of the body as it lies, then about its own long axis
ROUND: Final = 0.025  # corners at the keys are rounded over about this time [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What is said of one moment."""

    time: float  # [s]
    values: Mapping[str, float]  # [rad] by hinge name, by hinge name without its side (both sides), or one of TURNS


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyframes:
    """A motion in keys. A value that a key leaves out goes smoothly from the key before to the key after."""

    name: str
    keys: tuple[Key, ...]
    flights: tuple[Flight, ...] = ()
    rate: float = 60.0  # frames per second

    def __post_init__(self) -> None:
        """Refuse keys that make no motion."""
        times = [key.time for key in self.keys]
        if len(times) < 2 or times[0] != 0.0 or any(b <= a for a, b in pairwise(times)):
            raise InputError(f"'{self.name}': keys at {times} s, expected two or more, rising from 0")
        if not np.isfinite([value for key in self.keys for value in key.values.values()]).all():
            raise InputError(f"'{self.name}': keys hold values that are not finite")


def pose_keyframes(keyframes: Keyframes, body: Body) -> Motion:
    """The motion that keyframes describe, on a body that has the hinges they name."""
    time = np.arange(round(keyframes.keys[-1].time * keyframes.rate) + 1) / keyframes.rate
    poses = np.zeros((len(time), 7 + len(body.axes)))
    poses[:, 3:7] = _orientation({turn: _curve(keyframes, (turn,), time) for turn in TURNS})
    known: set[str] = set(TURNS)
    for a, axis in enumerate(body.axes):
        both = axis.name.replace("_left", "").replace("_right", "")
        known |= {axis.name, both}
        poses[:, 7 + a] = np.clip(_curve(keyframes, (axis.name, both), time), *axis.range)
    unknown = sorted({name for key in keyframes.keys for name in key.values} - known)
    if unknown:
        raise InputError(
            f"'{keyframes.name}' names {', '.join(unknown)}, which body '{body.name}' has not; "
            f"it has: {', '.join(sorted(known))}"
        )
    poses = carried(body, poses, keyframes.rate, keyframes.flights)
    return motion_on(body, poses, keyframes.rate, keyframes.name, notes=("written by hand, not recorded",))


def motion_on(body: Body, poses: Array, rate: float, name: str, *, notes: tuple[str, ...] = ()) -> Motion:
    """Poses (T, 7 + A) that no recording stands behind as a motion: its joints are the body's own."""
    tree = tree_of(body)
    return Motion(
        name=name,
        rate=rate,
        body=body,
        qpos=poses,
        joint_names=body.segment_names,
        joints=forward(tree, poses)[0],
        lift=np.zeros(len(poses)),
        contacts=find_contacts(body, tree, poses, rate),
        report=FitReport(
            measured="joint centres", error_cm=0.0, median_error_cm=0.0, greatest_error_cm=0.0, stature=body.stature,
            mass=body.mass, scaled=False, frames=len(poses), notes=notes,
        ),
    )  # fmt: skip


def _curve(keyframes: Keyframes, names: tuple[str, ...], time: Array) -> Array:
    """One value (T,) [rad] through the keys that give it under any of the names, the first name first; else zero."""
    given = []
    for key in keyframes.keys:
        found = [key.values[name] for name in names if name in key.values]
        given += [(key.time, value) for value in found[:1]]
    if not given:
        return np.zeros(len(time))
    times, values = np.array(given).T
    if len(times) == 1:
        return np.full(len(time), values[0])
    curve = PchipInterpolator(times, values)(np.clip(time, times[0], times[-1]))
    return np.asarray(gaussian_filter1d(curve, ROUND * keyframes.rate, mode="nearest"))


def _orientation(turns: Mapping[str, Array]) -> Array:
    """Root quaternions (T, 4): yaw, then pitch (positive face down), then roll, then spin about the long axis."""
    axes = ("z", "y", "x", "z")
    out = rotation.from_axis_angle(rotation.AXES[axes[0]], turns[TURNS[0]])
    for turn, axis in zip(TURNS[1:], axes[1:], strict=True):
        out = rotation.multiply(out, rotation.from_axis_angle(rotation.AXES[axis], turns[turn]))
    return rotation.unroll(out)
