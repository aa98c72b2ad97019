"""Two tracks of the same masks made into one: between places where they meet, each may be the better one.

One search finds the arms, another one the landing. Where both have nearly the same pose they can be joined; between two
such places the poses of the one that costs less there are taken, and all frames are solved again.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from reenact.estimate.video.descend import descend
from reenact.estimate.video.terms import Terms
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward

MEET: Final = 0.06  # [m] mean distance of joints below which two tracks can be joined
STEPS: Final = 4  # Newton steps of a trial
TRIALS: Final = 3  # at most
GAIN: Final = 1.0  # of the cost that makes a change worth it: a likelihood ratio of e


def spliced(terms: Terms, one: Array, other: Array) -> Array:
    """The cheaper of two tracks (T, 7 + A), with parts of the other one where that costs less."""
    frames = np.arange(len(one))
    kept, rest = sorted((one, other), key=lambda poses: terms.cost(poses, frames))
    least = terms.cost(kept, frames)
    gains = _by_frame(terms, kept) - _by_frame(terms, rest)
    parts = [(float(gains[a:b].sum()), a, b) for a, b in _parts(terms, kept, rest)]
    for gain, begin, end in sorted(parts, reverse=True)[:TRIALS]:
        if gain < GAIN:
            break
        trial = kept.copy()
        trial[begin:end] = rest[begin:end]
        trial = descend(terms, trial, frames, steps=STEPS)
        cost = terms.cost(trial, frames)
        if cost < least - GAIN:
            kept, least = trial, cost
    return kept


def _by_frame(terms: Terms, poses: Array) -> Array:
    return terms.costs(poses, np.arange(len(poses)), terms.held(poses))


def _parts(terms: Terms, one: Array, other: Array) -> list[tuple[int, int]]:
    """Frames between two places where the tracks meet, or an end, in which they part."""
    tree = terms.feet.tree
    apart = np.linalg.norm(forward(tree, one)[0] - forward(tree, other)[0], axis=-1).mean(axis=1)
    away = np.concatenate([[False], apart > MEET, [False]])
    begins, ends = np.flatnonzero(away[1:] & ~away[:-1]), np.flatnonzero(away[:-1] & ~away[1:])
    return [(int(a), int(b)) for a, b in zip(begins, ends, strict=True)]
