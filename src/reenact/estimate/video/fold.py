"""Turns taken for their mirror images: someone seen from the side may turn towards the camera next, or away from it.

Who is seen right from the side looks like the own mirror image in depth, so from there on a silhouette does not tell
which of two motions it shows: the one, or its mirror image. Someone who spins seems to turn back half way. Where a
track comes by such a place, what follows is mirrored in depth, solved again, and what costs less is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from reenact.estimate.video.greedy import greedily
from reenact.estimate.video.terms import Terms
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

SIDE: Final = 0.35  # sine of an angle within which one is seen from the side
TURNED: Final = 0.5  # sine of an angle from which on one has turned away from there
STEPS: Final = 6  # Newton steps of a trial
DAMPING: Final = 0.1
GAIN: Final = 1.0  # of the cost that makes a change worth it: a likelihood ratio of e


def places(terms: Terms, poses: Array) -> list[int]:
    """Frames in which poses (T, 7 + A) are seen from the side, rising; one of each stretch, if a turn follows it."""
    off = _from_the_side(terms, poses)
    like = np.concatenate([[False], off < SIDE, [False]])
    begins, ends = np.flatnonzero(like[1:] & ~like[:-1]), np.flatnonzero(like[:-1] & ~like[1:])
    then = [*begins.tolist(), len(poses)][1:]
    runs = zip(begins.tolist(), ends.tolist(), then, strict=True)
    return [int(a + off[a:b].argmin()) for a, b, c in runs if off[a:c].max() > TURNED]


def _from_the_side(terms: Terms, poses: Array) -> Array:
    """Sine of the angle between the line of sight and what is left of the body's root, (T,)."""
    left = rotation.to_matrix(poses[:, 3:7])[:, :, 1]
    return np.asarray(np.linalg.norm(left @ terms.views[0].projection.camera.turn[:2].T, axis=1))


def folded(terms: Terms, poses: Array, begin: int, end: int) -> Array:
    """Poses (T, 7 + A) mirrored in depth from frame `begin` to before `end`."""
    out = np.array(poses)
    out[begin:end] = terms.image(poses[begin:end])
    return out


def without_folds(terms: Terms, poses: Array) -> tuple[Array, int]:
    """Poses (T, 7 + A) that no mirror image of a part makes better, and how many parts were mirrored."""
    return greedily(
        terms, poses, lambda now: parts(places(terms, now), len(now)), lambda now, part: folded(terms, now, *part),
        steps=STEPS, damping=DAMPING, gain=GAIN,
    )  # fmt: skip


def parts(at: Sequence[int], count: int) -> list[tuple[int, int]]:
    """From each place to the end of so many frames, and to the next place."""
    out = []
    for i, place in enumerate(at):
        ends = [count, *at[i + 1 : i + 2]]
        out += [(place + 1, end) for end in ends if place + 1 < end]
    return out
