"""The network's landmarks as points of our bodies: which is which, how far each may lie beside it, which rest.

BlazePose's landmarks follow the annotators' eye: its hips lie near the greater trochanter, beside and above the joint's
centre, its shoulders on the shoulder's contour. Nothing exact is known of them, so each has a spread, and where a walk
is solved an offset (`walk_equations`). Fingers, eyes and mouth are left out: no joint of ours is near.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.observe.camera_solve import SOLES
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.landmarks import NAMES
from reenact.observe.network.region import Floats

# Landmark without its side -> point of our bodies, and spread of single frames about it [m].
MARKS: Final = MappingProxyType(
    {
        "nose": ("nose", 0.03),
        "ear": ("ear", 0.03),
        "shoulder": ("shoulder", 0.03),
        "elbow": ("elbow", 0.03),
        "wrist": ("wrist", 0.03),
        "hip": ("hip", 0.03),
        "knee": ("knee", 0.025),
        "ankle": ("ankle", 0.025),
        "heel": ("heel", 0.03),
        "toe": ("toe_tip", 0.03),
    }
)
CLEAR: Final = 0.5  # visibility from which on a landmark counts
RESTS: Final = 0.35  # [m/s] across the picture below which a point of a foot rests on the ground
OVER: Final = 0.1  # [s] before and after, over which its speed is taken


def _rows() -> tuple[tuple[str, ...], NDArray[np.int64], Floats]:
    names, index, spread = [], [], []
    for i, landmark in enumerate(NAMES):
        kind, _, side = landmark.rpartition("_")
        kind = kind or landmark
        if kind in MARKS and (side in ("left", "right") or kind == landmark):
            point, metres = MARKS[kind]
            names.append(point if kind == landmark else f"{point}_{side}")
            index.append(i)
            spread.append(metres)
    return tuple(names), np.array(index, np.int64), np.array(spread)


POINTS, INDEX, SPREAD = _rows()  # (K) names on our bodies, places in the network's row, spreads [m]


def pixels_a_metre(keypoints: Keypoints) -> Floats:
    """How many pixels of the video a metre at the person's depth is, (T,): the picture against the points in space."""
    flat = keypoints.points - keypoints.points.mean(axis=1, keepdims=True)
    deep = keypoints.world[..., :2] - keypoints.world[..., :2].mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.sqrt((flat**2).sum(axis=(1, 2)) / (deep**2).sum(axis=(1, 2))))


def seen_marks(keypoints: Keypoints) -> tuple[Floats, Floats]:
    """Pixels (T, K, 2) of POINTS, NaN where hidden or beyond the picture, and their spreads (T, K) [px]."""
    pixels = keypoints.points[:, INDEX].copy()
    clear = keypoints.visibility[:, INDEX]
    width, height = keypoints.video_size
    with np.errstate(invalid="ignore"):
        inside = (pixels >= 0.0).all(axis=2) & (pixels[..., 0] <= width) & (pixels[..., 1] <= height)
    pixels[~(inside & (clear >= CLEAR))] = np.nan
    spread = np.nan_to_num(pixels_a_metre(keypoints), nan=1.0)[:, None] * SPREAD / np.clip(clear, CLEAR, 1.0)
    return pixels, spread


def resting(keypoints: Keypoints) -> NDArray[np.bool_]:
    """Which of SOLES hardly move across the picture, (T, 4); the camera must stand still."""
    out = np.zeros((keypoints.frames, len(SOLES)), bool)
    scale = pixels_a_metre(keypoints)
    for k, sole in enumerate(SOLES):
        kind, side = sole.rsplit("_", 1)
        mark = next(landmark for landmark, (point, _) in MARKS.items() if point == kind)
        track = keypoints.of(f"{mark}_{side}")
        clear = keypoints.visibility[:, NAMES.index(f"{mark}_{side}")] >= CLEAR
        for i, time in enumerate(keypoints.time):
            near = (np.abs(keypoints.time - time) <= OVER) & keypoints.seen & clear
            if clear[i] and near.sum() >= 3 and np.ptp(keypoints.time[near]) > OVER:
                line = np.polyfit(keypoints.time[near] - time, track[near], 1)
                out[i, k] = np.hypot(*line[0]) < RESTS * scale[i]
    return out
