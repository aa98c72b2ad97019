"""Length unit and up axis of a skeleton file that does not say: guessed from the person in it, applied, recorded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from reenact.formats.axes import Up, quaternions_to_z_up, vectors_to_z_up
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.clip import Skeleton, SkeletonClip
from reenact.motion.stature import standing_height, upright_direction

ADULT: Final = 1.7  # m
CMU_UNIT: Final = 0.0254 / 0.45  # m; the CMU database scales inches by 0.45
UNITS: Final[dict[str, float]] = {
    "metre": 1.0,
    "centimetre": 0.01,
    "millimetre": 0.001,
    "inch": 0.0254,
    "CMU unit": CMU_UNIT,
}
_RARE: Final[dict[str, float]] = {"inch": 0.4, "CMU unit": 0.4}  # log-ratio by which a rarer unit must fit better
_FRAMES_LOOKED_AT: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """How the numbers of a file turn into metres and z up, and why."""

    units: float  # metres per unit of length in the file
    up: Up
    units_why: str
    up_why: str

    def as_source(self) -> Mapping[str, str]:
        """For the `source` of a clip."""
        return {"units": repr(self.units), "units_why": self.units_why, "up": self.up, "up_why": self.up_why}


def guess_convention(
    clip: SkeletonClip,
    *,
    units: float | None = None,
    up: Up | None = None,
    likely_units: Mapping[str, float] = UNITS,
) -> Convention:
    """Unit and up axis of a clip whose numbers are still those of its file; what the caller gives is taken as it is."""
    step = max(1, clip.frames // _FRAMES_LOOKED_AT)
    sample = replace(clip, translation=clip.translation[::step], rotation=clip.rotation[::step]).world()[0]
    units_why = up_why = "given"
    if units is None:
        units, units_why = _guess_units(standing_height(clip.skeleton, sample), sample, likely_units)
    if up is None:
        rest = upright_direction(clip.skeleton, rest_positions(clip.skeleton)[None])
        up, up_why = _guess_up(upright_direction(clip.skeleton, sample), rest)
    return Convention(units=units, up=up, units_why=units_why, up_why=up_why)


def in_metres_and_z_up(clip: SkeletonClip, convention: Convention, *, source: Mapping[str, str]) -> SkeletonClip:
    """The same motion in metres and z up; `source` and the convention join the clip's own source."""
    offsets = vectors_to_z_up(clip.skeleton.offsets * convention.units, convention.up)
    return replace(
        clip,
        skeleton=replace(clip.skeleton, offsets=offsets),
        translation=vectors_to_z_up(clip.translation * convention.units, convention.up),
        rotation=rotation.unroll(quaternions_to_z_up(clip.rotation, convention.up)),
        source=MappingProxyType({**source, **convention.as_source(), **clip.source}),
    )


def rest_positions(skeleton: Skeleton) -> Array:
    """Joint positions (J, 3) of the pose without rotations."""
    position = np.array(skeleton.offsets, float)
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            position[joint] += position[parent]
    return position


def _guess_units(height: float | None, position: Array, likely: Mapping[str, float]) -> tuple[float, str]:
    from_legs = height is not None and height > 0
    if height is None or height <= 0:
        height = float(np.median(position.max(axis=1) - position.min(axis=1), axis=0).max())
    if height <= 0:
        return likely.get("centimetre", next(iter(likely.values()))), "guessed: all joints lie in one point"

    def misfit(name: str) -> float:
        assert height is not None
        return abs(math.log(height * likely[name] / ADULT)) + _RARE.get(name, 0.0)

    name = min(likely, key=misfit)
    basis = "leg and trunk lengths" if from_legs else "the greatest extent of the pose"
    return likely[name], f"guessed: {name}, as {basis} then give a stature of {height * likely[name]:.2f} m"


def _guess_up(moving: Array | None, rest: Array | None) -> tuple[Up, str]:
    """y unless both the motion and the pose without rotations speak for z more than for y."""
    if moving is None or rest is None:
        return "y", "assumed: the names tell nothing of feet"
    score = np.asarray(moving) + np.asarray(rest)
    if score[2] > score[1] + 0.3:
        return "z", "guessed: the head is above the feet along z"
    return "y", "guessed: the head is above the feet along y" if score[1] > 0.3 else "assumed: no pose stands upright"
