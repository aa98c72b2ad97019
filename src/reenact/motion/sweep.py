"""Poses of all frames by following the motion: forward, backward and from anchors, the best of them limb by limb."""

from __future__ import annotations

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.aims import Aims
from reenact.motion.branches import choose_branches
from reenact.motion.ik import HUBER, solve
from reenact.motion.tree import Indices, Tree

FOLLOW_SIGMA = 0.5  # [rad] from one frame to the next at no more cost than a point 1 cm off


def sweep(tree: Tree, aims: Aims, anchors: Indices, poses: Array, *, huber: float = HUBER) -> Array:
    """Poses (T, 7 + A) of all frames, from the poses (K, 7 + A) at the frames `anchors` (K,), sorted.

    One pass runs from the first anchor to both ends of the clip, one from the last, and one from each anchor to the next.
    """
    first, last = int(anchors[0]), int(anchors[-1])
    candidates = [
        _both_ways(tree, aims, first, poses[0], huber),
        _both_ways(tree, aims, last, poses[-1], huber),
        _from_anchors(tree, aims, anchors, poses, huber),
    ]
    mixed = choose_branches(tree, aims, candidates)
    better, _ = solve(tree, aims, mixed, iterations=8, tolerance=1e-3, huber=huber)
    return better


def _follow(tree: Tree, aims: Aims, start: Array, huber: float) -> Array:
    held = np.repeat(start[None], aims.frames, axis=0)
    poses, _ = solve(tree, aims, held, warm=True, follow_sigma=FOLLOW_SIGMA, iterations=12, tolerance=3e-3, huber=huber)
    return poses


def _both_ways(tree: Tree, aims: Aims, frame: int, start: Array, huber: float) -> Array:
    after = _follow(tree, aims.at(slice(frame, None)), start, huber)
    if frame == 0:
        return after
    before = _follow(tree, aims.at(np.arange(frame, -1, -1)), start, huber)
    return np.concatenate([before[:0:-1], after])


def _from_anchors(tree: Tree, aims: Aims, anchors: Indices, poses: Array, huber: float) -> Array:
    """Each anchor's pose followed half-way to its neighbours."""
    out = np.empty((aims.frames, poses.shape[1]))
    middles = (anchors[1:] + anchors[:-1] + 1) // 2
    begins = np.concatenate([[0], middles])
    ends = np.concatenate([middles, [aims.frames]])
    for anchor, start, begin, end in zip(anchors, poses, begins, ends, strict=True):
        part = aims.at(slice(int(begin), int(end)))
        out[begin:end] = _both_ways(tree, part, int(anchor - begin), start, huber)
    return out
