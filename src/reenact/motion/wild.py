"""Points that were seen somewhere impossible, and frames in which nothing was seen."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.aims import Aims
from reenact.motion.ik import solve
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree, difference, move

WILD: Final = 0.25  # farther than this from the fitted body, a point is a mistake [m] …
RARE: Final = 0.1  # … if it happens in no more than this share of its frames


def without_wild(tree: Tree, aims: Aims, poses: Array) -> tuple[Aims, Array, int]:
    """Aims with wild points unseen, poses (T, 7 + A) solved again where that mattered, and how many there were.

    A point that is often far off is not wild but mapped wrongly, or the body cannot reach it: it stays.
    """
    position, frame = forward(tree, poses)
    points = position[:, aims.segment] + np.einsum("tnij,nj->tni", frame[:, aims.segment], aims.local)
    seen = np.isfinite(aims.target).all(axis=-1)
    far = seen & (np.linalg.norm(points - np.nan_to_num(aims.target), axis=-1) > WILD)
    wild = far & (far.sum(axis=0) <= RARE * seen.sum(axis=0))
    if wild.any():
        target = np.where(wild[..., None], np.nan, aims.target)
        aims = replace(aims, target=target)
        frames = np.flatnonzero(wild.any(axis=1))
        poses = poses.copy()
        poses[frames], _ = solve(tree, aims.at(frames), poses[frames], iterations=20, tolerance=1e-3, settle=1e-3)
    return aims, _bridge(poses, (seen & ~wild).any(axis=1)), int(wild.sum())


def _bridge(poses: Array, seen: Array) -> Array:
    """Poses with frames in which nothing was seen led evenly from the last seen one to the next."""
    known = np.flatnonzero(seen)
    if len(known) == len(poses) or len(known) == 0:
        return poses
    poses = poses.copy()
    poses[: known[0]], poses[known[-1] + 1 :] = poses[known[0]], poses[known[-1]]
    for a, b in pairwise(known):
        if b > a + 1:
            share = np.arange(1, b - a)[:, None] / (b - a)
            poses[a + 1 : b] = move(
                np.repeat(poses[a : a + 1], b - a - 1, axis=0), share * difference(poses[a], poses[b])
            )
    return poses
