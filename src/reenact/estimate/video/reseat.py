"""Limbs put elsewhere: an arm or a leg may have gone another way while it was hidden.

A limb before or behind the trunk or the other limb is not seen. When it comes out where the track does not expect it,
the track explains it by another limb, or not at all, and goes on so; no descent leads back. So over a stretch of frames
a limb is taken off and put where the other side's limb is, or where one of the masks would have it, the frames beside
are led there, all are descended, and what costs less is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reenact.body.mirror import other_side
from reenact.estimate.video.descend import descend, within_limits
from reenact.estimate.video.terms import Terms
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree

LIMBS: Final = {
    "foot_left": ("hip_left", "knee_left", "ankle_left", "toe_left"),
    "foot_right": ("hip_right", "knee_right", "ankle_right", "toe_right"),
    "hand_left": ("shoulder_left", "elbow_left", "wrist_left"),
    "hand_right": ("shoulder_right", "elbow_right", "wrist_right"),
}
NARROW: Final = ("twist", "abduction", "inversion", "deviation")  # motions that stay nearer to neutral
STIFF: Final = ("wrist", "toe")  # joints that do
SAMPLES: Final = 150  # places of a limb that are tried in one frame
SEATS: Final = 1  # of them that are followed up
APART: Final = 0.1  # [m] of the limb's end between two of them
RAMP: Final = 4  # frames in which a limb is led to its new place
FIXED: Final = 2  # frames at both ends of a window that stay
FIRST_STEPS: Final = 2  # Newton steps of all trials, damped by DAMPING
TRIALS: Final = 4  # of them, at most
MORE_STEPS: Final = 4  # of the best trial
DAMPING: Final = 0.05
GAIN: Final = 1.0  # of the cost that makes a change worth it: a likelihood ratio of e

Indices = NDArray[np.int64]


class Stretch(NamedTuple):
    """Frames in which a limb is elsewhere."""

    begin: int
    end: int  # after the last


def elsewhere(
    terms: Terms, poses: Array, at: int, stretches: Sequence[Stretch], more: int = MORE_STEPS
) -> tuple[Array, float] | None:
    """Poses (n, 7 + A) with a limb elsewhere over one of the stretches, and how much less they cost; None if no less.

    at: frame of the mask that a limb is put into.
    """
    first = max(0, min(each.begin for each in stretches) - RAMP - FIXED)
    past = min(len(poses), max(each.end for each in stretches) + RAMP + FIXED)
    frames, part = np.arange(first, past), poses[first:past]
    fixed, last = FIXED if first > 0 else 0, FIXED if past < len(poses) else 0
    now, trials = terms.cost(part, frames), []
    for angles, hinges in _places(terms, poses, first, past, at):
        for begin, end in stretches:
            away = np.maximum(np.maximum(begin - frames, frames - (end - 1)), 0)
            weight = np.clip(1.0 - away / RAMP, 0.0, 1.0)
            trial = part.copy()
            trial[:, 7 + hinges] += weight[:, None] * (angles - trial[:, 7 + hinges])
            trials.append((terms.cost(trial, frames), trial))
    trials.sort(key=lambda pair: pair[0])
    least, best = np.inf, part
    for _, trial in trials[:TRIALS]:
        found = descend(terms, trial, frames, steps=FIRST_STEPS, fixed=fixed, last=last, damping=DAMPING)
        cost = terms.cost(found, frames)
        if cost < least:
            least, best = cost, found
    best = descend(terms, best, frames, steps=more, fixed=fixed, last=last, damping=DAMPING)
    least = terms.cost(best, frames)
    if least > now - GAIN:
        return None
    out = poses.copy()
    out[first:past] = best
    return out, now - least


def _places(terms: Terms, poses: Array, first: int, past: int, at: int) -> Iterator[tuple[Array, Indices]]:
    """Angles (n or 1, H) of a limb's hinges (H,) from frame `first` to before `past`."""
    tree = terms.feet.tree
    for limb in LIMBS:
        hinges = _hinges(tree, limb)
        if len(hinges) and limb in tree.names and other_side(limb) in tree.names:
            yield poses[first:past, 7 + _hinges(tree, other_side(limb))], hinges
            for pose in _seats(terms, poses[at], limb, hinges, at):
                yield pose[None, 7 + hinges], hinges


def _seats(terms: Terms, pose: Array, limb: str, hinges: Indices, at: int) -> list[Array]:
    """A few poses (7 + A,) with the limb where the mask of frame `at` would have it."""
    tree, rng = terms.feet.tree, np.random.default_rng([at, *hinges])
    names, (low, high) = [tree.hinges[h] for h in hinges], (each[hinges] for each in tree.limits)
    anywhere = low + rng.random((SAMPLES, len(hinges))) * (high - low)
    near = np.clip(0.3 * (high - low) * rng.standard_normal(anywhere.shape), low, high)
    narrow = np.array([name.endswith(NARROW) or name.startswith(STIFF) for name in names])
    guesses = np.repeat(pose[None], SAMPLES, axis=0)
    guesses[:, 7 + hinges] = np.where(narrow, near, anywhere)
    costs = terms.next_costs(guesses[:0], guesses, at)
    ends = forward(tree, guesses)[0][:, tree.names.index(limb)]
    kept: list[int] = []
    for i in np.argsort(costs, kind="stable").tolist():
        if len(kept) < SEATS and all(np.linalg.norm(ends[i] - ends[k]) > APART for k in kept):
            kept.append(i)
    only = np.zeros(tree.dofs, np.bool_)
    only[6 + hinges] = True
    one = np.array([at])
    return [descend(terms, within_limits(tree, guesses[i : i + 1]), one, steps=3, only=only)[0] for i in kept]


def _hinges(tree: Tree, limb: str) -> Indices:
    return np.array([i for i, name in enumerate(tree.hinges) if name.startswith(LIMBS[limb])], np.int64)
