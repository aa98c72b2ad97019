"""Left and right along a video: where the network takes them for each other from one frame to the next.

Seen from afar, with the face hidden, the network may take somebody's front for their back for a while. The landmarks
then change places at once. Where a frame's landmarks lie much nearer to those of the other side in the frames before
(the median of several: single frames may be nonsense), the sides are exchanged; the sides that hold for most of the
time are taken for right. Legs and the rest are looked at apart from each other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.landmarks import NAMES
from reenact.observe.network.region import Floats

GAP: Final = 0.15  # [s] for which frames before are compared with
MOST: Final = 8  # of them
NEARER: Final = 0.5  # share of the distance with one choice of sides below which the other one is believed
LEAST: Final = 0.04  # of the person's height by which landmarks must have moved at once
LEGS: Final = ("hip", "knee", "ankle", "heel", "toe")
UPPER: Final = ("ear", "shoulder", "elbow", "wrist")
HEAD_AND_ARMS: Final = (*UPPER, "eye_inner", "eye", "eye_outer", "mouth", "pinky", "index", "thumb")


def steady_sides(keypoints: Keypoints) -> tuple[Keypoints, NDArray[np.bool_]]:
    """The same landmarks with the sides they have most of the time, and the frames (T,) that were changed."""
    order = np.tile(np.arange(len(NAMES)), (keypoints.frames, 1))
    for kinds, all_kinds in ((LEGS, LEGS), (UPPER, HEAD_AND_ARMS)):
        wrong = exchanged(keypoints, kinds)
        for left, right in _pairs(all_kinds):
            order[wrong, left], order[wrong, right] = right, left
    changed = (order != np.arange(len(NAMES))).any(axis=1)
    if not changed.any():
        return keypoints, changed
    rows = np.arange(keypoints.frames)[:, None]
    mended = {key: getattr(keypoints, key)[rows, order] for key in ("points", "visibility", "presence", "world")}
    return replace(keypoints, **mended), changed


def exchanged(keypoints: Keypoints, kinds: tuple[str, ...]) -> NDArray[np.bool_]:
    """Frames (T,) in which the sides of these landmarks are not those of most frames."""
    pairs = np.array(_pairs(kinds))
    here, other = pairs.ravel(), pairs[:, ::-1].ravel()
    points, out, state = keypoints.points.copy(), np.zeros(keypoints.frames, bool), False
    frames = np.flatnonzero(keypoints.seen)
    for k, i in enumerate(frames):
        near = [j for j in frames[max(0, k - MOST) : k] if keypoints.time[i] - keypoints.time[j] <= GAP]
        if near:
            same = float(np.median([_apart(points[i, here], points[j, here]) for j in near]))
            across = float(np.median([_apart(points[i, other], points[j, here]) for j in near]))
            clear = max(same, across) > LEAST * float(np.ptp(points[i], axis=0).max())
            if clear and min(same, across) < NEARER * max(same, across):
                state = across < same
        if state:
            points[i, here] = points[i, other]
        out[i] = state
    most = bool(out[frames].mean() > 0.5) if len(frames) else False
    return np.asarray(out ^ (keypoints.seen & most))


def _apart(first: Floats, second: Floats) -> float:
    """Mean distance of points (K, 2) [px]."""
    return float(np.linalg.norm(first - second, axis=1).mean())


def _pairs(kinds: tuple[str, ...]) -> list[tuple[int, int]]:
    """Places of left and right of these kinds of landmarks in the network's row."""
    return [(NAMES.index(f"{kind}_left"), NAMES.index(f"{kind}_right")) for kind in kinds]
