"""Feet flat on the ground, seen in the targets: they tell how the ankle and the ball lie over the sole.

A skeleton says nothing of soles. But while ankle and ball both rest, the sole is level: so the ball's height below the
ankle at rest, and the foot's orientation, can be read off.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.aims import Aims
from reenact.motion.tree import Tree

RESTING: Final = 0.15  # slower than this, a joint rests [m/s]
STEEPEST: Final = 0.6  # greatest drop from ankle to ball, as a share of their distance, that can be a flat foot
LIFTED: Final = 0.03  # an ankle this much higher than usual stands on tiptoe [m]


def flat_frames(aims: Aims, side: str, rate: float) -> NDArray[np.int64]:
    """Frames in which a foot is flat on the ground; empty where ankle and ball were not measured."""
    sites = (f"ankle_{side}", f"toe_{side}")
    if f"heel_marker_{side}" in aims.sites:
        sites = (f"heel_marker_{side}", f"toe_marker_{side}")
    if not set(sites) <= set(aims.sites) or aims.frames < 3:
        return np.empty(0, np.int64)
    ankle, ball = (aims.target[:, aims.sites.index(site)] for site in sites)
    resting = (_speed(ankle, rate) < RESTING) & (_speed(ball, rate) < RESTING)
    drop, length = ankle[:, 2] - ball[:, 2], np.linalg.norm(ankle - ball, axis=-1)
    likely = resting & (drop > -0.4 * length) & (drop < STEEPEST * length)
    if not likely.any():
        return np.empty(0, np.int64)
    usual = np.median(drop[likely])
    return np.flatnonzero(likely & (np.abs(drop - usual) < LIFTED))


def rest_ball(tree: Tree, aims: Aims, rate: float) -> Array | None:
    """Where the left foot's ball lies from its ankle when the foot is level (3,) [m], None when no foot was seen flat.

    Forward and down are measured; sideways is the tree's.
    """
    drops, lengths = [], []
    for side in ("left", "right"):
        frames = flat_frames(aims, side, rate)
        if len(frames) < max(3, 0.05 * rate) or f"toe_{side}" not in aims.sites:
            continue
        line = (
            aims.target[frames, aims.sites.index(f"toe_{side}")]
            - aims.target[frames, aims.sites.index(f"ankle_{side}")]
        )
        drops.append(np.median(line[:, 2]))
        lengths.append(np.median(np.linalg.norm(line, axis=-1)))
    ball = tree.segment_at("toe_left")
    if not drops or ball < 0:
        return None
    down, length, across = float(np.mean(drops)), float(np.mean(lengths)), float(tree.offset[ball, 1])
    return np.array([np.sqrt(max(length**2 - down**2 - across**2, 0.0)), across, down])


def level_frames(tree: Tree, aims: Aims, side: str, frames: NDArray[np.int64]) -> Array:
    """Frames (K, 3, 3) of a foot that is level and points from its ankle to its ball."""
    line = aims.target[frames, aims.sites.index(f"toe_{side}")] - aims.target[frames, aims.sites.index(f"ankle_{side}")]
    offset = tree.offset[tree.segment_at(f"toe_{side}")]
    heading = np.arctan2(line[:, 1], line[:, 0]) - np.arctan2(offset[1], offset[0])
    c, s, o, i = np.cos(heading), np.sin(heading), np.zeros(len(frames)), np.ones(len(frames))
    return np.stack([np.stack([c, -s, o], -1), np.stack([s, c, o], -1), np.stack([o, o, i], -1)], axis=-2)


def level_markers(tree: Tree, aims: Aims, frames: NDArray[np.int64], fitted: Array, rate: float) -> Aims:
    """Aims whose markers on the feet are turned about the ankle so that soles are level where feet are flat.

    `fitted` (K, S, 3, 3) are segment frames at the clip's `frames` (K,).
    """
    ups = []
    for side, mirror in (("left", 1.0), ("right", -1.0)):
        flat = np.isin(frames, flat_frames(aims, side, rate))
        ups.append(fitted[flat, tree.segment_at(f"ankle_{side}"), 2] * (1.0, mirror, 1.0))  # the world's up in the foot
    up = np.concatenate(ups)
    if len(up) < 3:
        return aims
    local = aims.local.copy()
    for side, mirror in (("left", 1.0), ("right", -1.0)):
        turn = rotation.between(np.median(up, axis=0) * (1.0, mirror, 1.0), rotation.AXES["z"])
        own = aims.segment == tree.segment_at(f"ankle_{side}")
        local[own] = rotation.rotate(turn, local[own])
    return aims.with_local(local)


def _speed(position: Array, rate: float) -> Array:
    """Speed (T,) of a point (T, 3) by central differences."""
    return np.asarray(np.linalg.norm(np.gradient(position, axis=0), axis=-1) * rate)
