"""Frames of a video that tell most about its camera, with the network's landmarks in them."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.landmarks import NAMES
from reenact.observe.network.marks import CLEAR, INDEX, POINTS, resting, seen_marks
from reenact.observe.walk_seen import SeenWalk

MOST: Final = 32  # frames
APART: Final = 0.1  # [s] between frames, at least
FEWEST: Final = 12  # landmarks that a frame must show
GAP: Final = 0.4  # [s] unseen after which it may be somebody else
STRAY: Final = (0.3, 3.5)  # heights, and heights a second, by which the same person may have moved
SUPPORT: Final = 0.25  # [s] before and after a frame within which a foot rests, where the person stands or walks


def well_seen(keypoints: Keypoints) -> NDArray[np.bool_]:
    """Frames in which enough of the person is seen, (T,)."""
    marks = np.isfinite(seen_marks(keypoints)[0]).all(axis=2).sum(axis=1)
    return np.asarray(keypoints.seen & (marks >= FEWEST))


def longest_run(keypoints: Keypoints, frames: NDArray[np.int64]) -> NDArray[np.int64]:
    """The longest run of frames with one and the same person: without gaps, and without leaps to elsewhere."""
    hips = keypoints.points[:, [NAMES.index(f"hip_{side}") for side in ("left", "right")]].mean(axis=1)
    tall = np.ptp(keypoints.points[:, INDEX], axis=1).max(axis=1)
    breaks = []
    for k, (i, j) in enumerate(pairwise(frames)):
        wait = keypoints.time[j] - keypoints.time[i]
        moved = np.hypot(*(hips[j] - hips[i])) / min(tall[i], tall[j])
        if wait > GAP or moved > STRAY[0] + STRAY[1] * wait:
            breaks.append(k + 1)
    return max(np.split(frames, breaks), key=len)


def chosen_frames(keypoints: Keypoints, most: int = MOST) -> NDArray[np.int64]:
    """Frames spread over the whole time in which the person is seen well, the clearest near each place."""
    good = np.flatnonzero(well_seen(keypoints))
    if not len(good):
        raise InputError(
            f"the network sees {FEWEST} or more joints of the person in no frame of {keypoints.name}: the whole person "
            "must be in the picture"
        )
    good = longest_run(keypoints, good)
    time = keypoints.time[good]
    clear = np.clip(keypoints.visibility[good][:, INDEX], CLEAR, 1.0).mean(axis=1) * keypoints.score[good]
    count = int(np.clip(np.floor((time[-1] - time[0]) / APART) + 1, 1, most))
    places = np.linspace(time[0], time[-1], count)
    reach = 0.25 * (time[-1] - time[0]) / max(1, count - 1)
    picked = set()
    for place in places:
        near = np.flatnonzero(np.abs(time - place) <= reach)
        if len(near):
            picked.add(int(good[near[np.argmax(clear[near])]]))
    return np.array(sorted(picked), np.int64)


def seen_walk(keypoints: Keypoints, frames: NDArray[np.int64]) -> SeenWalk:
    """The landmarks of some frames as points of our bodies."""
    pixels, spread = seen_marks(keypoints)
    rest = resting(keypoints)
    return SeenWalk(
        time=keypoints.time[frames],
        names=POINTS,
        pixels=pixels[frames],
        spread=spread[frames],
        space=keypoints.world[frames][:, INDEX],
        planted=rest[frames],
        standing=standing(keypoints, rest)[frames],
    )


def standing(keypoints: Keypoints, rest: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether the person is upright with a foot at rest about then, (T,); not so in flight, upside down or lying."""
    head, hips, feet = (
        keypoints.points[:, [NAMES.index(f"{kind}_{side}") for side in ("left", "right")], 1].mean(axis=1)
        for kind in ("shoulder", "hip", "ankle")
    )
    with np.errstate(invalid="ignore"):
        upright = (head < hips) & (hips < feet)
    held = keypoints.time[rest.any(axis=1)]
    near = np.array([bool((np.abs(held - time) <= SUPPORT).any()) for time in keypoints.time])
    return np.asarray(upright & near)
