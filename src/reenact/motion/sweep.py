"""Poses of all frames by following the motion: forward, backward and from anchors, the best of them limb by limb."""

from __future__ import annotations

from typing import Final

import numpy as np

from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.aims import Aims
from reenact.motion.branches import choose_branches
from reenact.motion.ik import HUBER, solve
from reenact.motion.tree import Indices, Tree

FOLLOW_SIGMA: Final = 0.5  # [rad] from one frame to the next at no more cost than a point 1 cm off
BLOCK: Final = 4000  # frames judged together, which bounds memory


def sweep(
    tree: Tree, aims: Aims, anchors: Indices, poses: Array, *, huber: float = HUBER, progress: Progress | None = None
) -> Array:
    """Poses (T, 7 + A) of all frames, from the poses (K, 7 + A) at the frames `anchors` (K,), sorted.

    Of each block of frames one pass runs from its first anchor to both ends, one from its last, and one from each
    anchor to the next.
    """
    blocks: list[Array] = []
    for begin in range(0, aims.frames, BLOCK):
        end = min(begin + BLOCK, aims.frames)
        inside = np.flatnonzero((anchors >= begin) & (anchors < end))
        if len(inside):
            own, starts = anchors[inside] - begin, poses[inside]
        else:  # no anchor here: go on from where the last block ended
            own, starts = np.array([0]), (blocks[-1][-1:] if blocks else poses[:1])
        blocks.append(_sweep_block(tree, aims.at(slice(begin, end)), own, starts, huber))
        if progress is not None:
            progress(end / aims.frames, "solving poses")
    return np.concatenate(blocks)


def _sweep_block(tree: Tree, aims: Aims, anchors: Indices, poses: Array, huber: float) -> Array:
    first, last = int(anchors[0]), int(anchors[-1])
    candidates = [
        follow_both_ways(tree, aims, first, poses[0], huber),
        follow_both_ways(tree, aims, last, poses[-1], huber),
        _from_anchors(tree, aims, anchors, poses, huber),
    ]
    mixed = choose_branches(tree, aims, candidates)
    better, _ = solve(tree, aims, mixed, iterations=8, tolerance=1e-3, settle=1e-3, huber=huber)
    return better


def _follow(tree: Tree, aims: Aims, start: Array, huber: float) -> Array:
    held = np.repeat(start[None], aims.frames, axis=0)
    poses, _ = solve(
        tree, aims, held, warm=True, follow_sigma=FOLLOW_SIGMA, iterations=12, tolerance=3e-3, settle=3e-3, huber=huber
    )
    return poses


def follow_both_ways(tree: Tree, aims: Aims, frame: int, start: Array, huber: float = HUBER) -> Array:
    """Poses (T, 7 + A) by following the motion from one frame's pose to both ends."""
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
        out[begin:end] = follow_both_ways(tree, part, int(anchor - begin), start, huber)
    return out
