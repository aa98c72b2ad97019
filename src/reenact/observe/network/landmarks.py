"""What the network says of one person: its tensors become points in the picture, points in space and a mask.

The 33 landmarks are those of BlazePose; two more points tell where to look in the next frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.observe.network.region import Floats, Region, around

INPUT: Final = 256  # [px] of the network's square picture
HEAT: Final = 64  # cells along a side of the heat maps
WINDOW: Final = 7  # cells along a side of the part of a heat map that refines a landmark
CLEAR: Final = 0.5  # greatest heat in it from which on it does
_OUT: Final = 39  # points in the tensors: 33 landmarks, two of the next region, four unused
NAMES: Final = (
    "nose",
    *("eye_inner_left", "eye_left", "eye_outer_left", "eye_inner_right", "eye_right", "eye_outer_right"),
    *("ear_left", "ear_right", "mouth_left", "mouth_right"),
    *("shoulder_left", "shoulder_right", "elbow_left", "elbow_right", "wrist_left", "wrist_right"),
    *("pinky_left", "pinky_right", "index_left", "index_right", "thumb_left", "thumb_right"),
    *("hip_left", "hip_right", "knee_left", "knee_right", "ankle_left", "ankle_right"),
    *("heel_left", "heel_right", "toe_left", "toe_right"),
)  # the person's own left and right


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Landmarks:
    """One person in one picture."""

    points: Floats  # (33, 2) in the picture [px]
    visibility: Floats  # (33,) chance 0 … 1 that nothing hides the point
    presence: Floats  # (33,) chance 0 … 1 that the point lies within the picture
    world: Floats  # (33, 3) [m] from the middle of the hips; x right, y down, z away from the camera
    chance: NDArray[np.float32]  # (256, 256) of the region, 0 … 1: this is the person
    score: float  # chance 0 … 1 that somebody is there
    ahead: Region | None  # where to look in the next frame; None where the two points coincide


def landmarks_of(tensors: Sequence[NDArray[np.float32]], region: Region) -> Landmarks:
    """Read the network's five tensors: points (195), score (1), mask (256²), heat maps (64² × 39), space (117)."""
    flat, flag, mask, heat, space = tensors
    if (flat.size, mask.size, heat.size, space.size) != (_OUT * 5, INPUT**2, HEAT**2 * _OUT, _OUT * 3):
        raise InputError(f"tensors of {[each.size for each in tensors]} values are not the network's")
    values = flat.reshape(_OUT, 5).astype(np.float64)
    shares = refined(values[:, :2] / INPUT, heat.reshape(HEAT, HEAT, _OUT))
    points = region.to_picture(shares)
    world = space.reshape(_OUT, 3)[: len(NAMES)].astype(np.float64)
    world[:, :2] = world[:, :2] @ region.turn().T
    middle, end = points[33], points[34]
    apart = np.hypot(*(end - middle))
    return Landmarks(
        points=points[: len(NAMES)],
        visibility=_chance(values[: len(NAMES), 3]),
        presence=_chance(values[: len(NAMES), 4]),
        world=world,
        chance=_chance(mask.reshape(INPUT, INPUT)).astype(np.float32),
        score=float(flag.ravel()[0]),
        ahead=around(middle, end) if np.isfinite(apart) and apart >= 1.0 else None,
    )


def refined(shares: Floats, heat: NDArray[np.float32]) -> Floats:
    """Landmarks (39, 2), shares of the region, moved to the centre of the heat around them where that is clear.

    As MediaPipe's RefineLandmarksFromHeatmap with a kernel of 7; a heat map is (64, 64, 39) logits.
    """
    out = shares.copy()
    reach = WINDOW // 2
    for i, (x, y) in enumerate(shares):
        column, row = int(np.floor(x * HEAT)), int(np.floor(y * HEAT))
        if not (0 <= column < HEAT and 0 <= row < HEAT):
            continue
        top, left = max(0, row - reach), max(0, column - reach)
        part = _chance(heat[top : row + reach + 1, left : column + reach + 1, i].astype(np.float64))
        if part.max() < CLEAR:
            continue
        rows, columns = np.arange(part.shape[0]) + top, np.arange(part.shape[1]) + left
        out[i] = (part.sum(axis=0) @ columns, part.sum(axis=1) @ rows) / part.sum() / HEAT
    return out


def _chance(logits: NDArray[np.float32] | Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(logits.astype(np.float64), -60.0, 60.0))))
