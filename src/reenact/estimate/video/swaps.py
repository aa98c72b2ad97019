"""Left for right: limbs that may have been taken for each other while one hid the other.

From the side a silhouette does not tell which leg is the near one. A track that took the wrong one where they crossed
costs more in the end: poses less likely, steps less smooth. So limbs are exchanged between crossings, and from each
crossing on, all frames are solved again, and what costs less is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from reenact.body.mirror import other_side
from reenact.estimate.video.greedy import greedily
from reenact.estimate.video.terms import Terms
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree

LIMBS: Final = {"foot_left": ("hip", "knee", "ankle", "toe"), "hand_left": ("shoulder", "elbow", "wrist")}
STEPS: Final = 4  # Newton steps of a trial
DAMPING: Final = 0.1
GAIN: Final = 1.0  # of the cost that makes an exchange worth it: a likelihood ratio of e


def without_swaps(terms: Terms, poses: Array) -> tuple[Array, int]:
    """Poses (T, 7 + A) that no exchange makes better, and how many exchanges led there."""
    return greedily(
        terms, poses, lambda now: _stretches(terms, now), lambda now, swap: exchanged(terms.feet.tree, now, *swap),
        steps=STEPS, damping=DAMPING, gain=GAIN,
    )  # fmt: skip


def exchanged(tree: Tree, poses: Array, limb: str, begin: int, end: int) -> Array:
    """Poses (T, 7 + A) with legs ("foot_left") or arms ("hand_left") exchanged from frame `begin` to before `end`."""
    out = np.array(poses)
    for i, name in enumerate(tree.hinges):
        if name.startswith(LIMBS[limb]) and other_side(name) in tree.hinges:
            out[begin:end, 7 + i] = poses[begin:end, 7 + tree.hinges.index(other_side(name))]
    return out


def _stretches(terms: Terms, poses: Array) -> Iterator[tuple[str, int, int]]:
    """Limbs and frames between places where they cross in the first view."""
    tree, right = terms.feet.tree, terms.views[0].projection.camera.turn[0]
    position, _ = forward(tree, poses)
    for limb in LIMBS:
        if limb not in tree.names or other_side(limb) not in tree.names:
            continue
        apart = (position[:, tree.names.index(limb)] - position[:, tree.names.index(other_side(limb))]) @ right
        crossed = [0, *(np.flatnonzero(apart[:-1] * apart[1:] <= 0) + 1).tolist(), len(poses)]
        for i, begin in enumerate(crossed[:-1]):
            yield limb, begin, crossed[i + 1]
            if 0 < i < len(crossed) - 2:
                yield limb, begin, len(poses)
