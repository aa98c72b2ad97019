"""Left and right in landmarks of many frames: where a detector took one for the other, and how to mend it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array
from reenact.motion.tree import difference, move
from reenact.observe.camera_solve import SOLES
from reenact.observe.walk_equations import Walk, doubted
from reenact.observe.walk_seen import SeenWalk

BETTER: Final = 0.4  # share of the cost as it is below which the exchanged landmarks are believed
LEAST: Final = 10.0  # cost from which on a limb's landmarks are doubted at all
WORSE: Final = 4.0  # times the usual cost from which on they are
LEGS: Final = ("hip", "knee", "ankle", "heel", "toe_tip")
ARMS: Final = ("shoulder", "elbow", "wrist")


def exchanges(walk: Walk, shared: Array, poses: Array) -> list[tuple[int, str]]:
    """Frames and limbs ("legs", "arms") in which left and right fit much better exchanged.

    A frame that fits badly is held against the pose between the frames around it that fit: its own has given way.
    """
    found = []
    for limb, kinds in (("legs", LEGS), ("arms", ARMS)):
        here, other = _limb(walk.points.names, kinds)
        own = np.array([_cost(_off(walk, i, walk.seen(shared, pose), here, here)) for i, pose in enumerate(poses)])
        strange = own > max(LEAST, WORSE * float(np.median(own)))
        for i in np.flatnonzero(strange):
            at = walk.seen(shared, _between_frames(walk.time, poses, ~strange, int(i)))
            as_is, exchanged = (_cost(_off(walk, int(i), at, here, taken)) for taken in (here, other))
            if exchanged < BETTER * as_is:
                found.append((int(i), limb))
    return found


def _between_frames(time: Array, poses: Array, good: NDArray[np.bool_], i: int) -> Array:
    """The pose at frame i as the good frames around it have it; its own where there is none."""
    before, after = np.flatnonzero(good[:i]), i + 1 + np.flatnonzero(good[i + 1 :])
    ends = [*before[-1:], *after[:1]]
    if not ends:
        return np.asarray(poses[i])
    first, last = poses[ends[0]], poses[ends[-1]]
    share = 0.0 if len(ends) == 1 else (time[i] - time[ends[0]]) / (time[ends[1]] - time[ends[0]])
    return move(first, share * difference(first, last))


def _off(walk: Walk, i: int, at: Array, here: NDArray[np.int64], taken: NDArray[np.int64]) -> Array:
    """Distances of points seen `at` from the landmarks that are taken for them, in spreads, where both are seen."""
    off = (at[here] - walk.pixels[i, taken]) / np.maximum(walk.spread[i, here], walk.spread[i, taken])[:, None]
    both = np.isfinite(walk.pixels[i, here]) & np.isfinite(off)
    return np.asarray(off[both.all(axis=1)])


def _limb(names: tuple[str, ...], kinds: tuple[str, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Places in the row of points of both sides' landmarks, and of the same on the other side."""
    pairs = [(f"{kind}_{a}", f"{kind}_{b}") for kind in kinds for a, b in (("left", "right"), ("right", "left"))]
    there = [(names.index(a), names.index(b)) for a, b in pairs if a in names and b in names]
    flat = np.array(there, np.int64).reshape(-1, 2)
    return flat[:, 0], flat[:, 1]


def _cost(off: Array) -> float:
    return float(doubted(np.linalg.norm(off, axis=1)).sum())


def with_exchanged(seen: SeenWalk, limbs: list[tuple[int, str]]) -> SeenWalk:
    """The same with left and right of some frames' limbs exchanged, and of what of them rests on the ground."""
    pixels, spread, space = (each.copy() for each in (seen.pixels, seen.spread, seen.space))
    planted = seen.planted.copy()
    for i, limb in limbs:
        here, other = _limb(seen.names, LEGS if limb == "legs" else ARMS)
        for each in (pixels, spread, space):
            each[i, here] = each[i, other]
        if limb == "legs":
            sole, opposite = _limb(SOLES, LEGS)
            planted[i, sole] = planted[i, opposite]
    return replace(seen, pixels=pixels, spread=spread, space=space, planted=planted)
