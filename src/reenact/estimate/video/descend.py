"""Damped Gauss–Newton on a stretch of a track, within the joint limits."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.video.banded import at_limits
from reenact.estimate.video.terms import Frames, Terms
from reenact.geometry.rotation import Array
from reenact.motion.tree import Tree, move

DAMPING: Final = 0.02  # of the first step
LEAST_DAMPING: Final = 1e-4
TRIES: Final = 8  # of a step, each damped more
FARTHEST: Final = 0.5  # a hinge goes in one step [rad]
SETTLED: Final = 1e-3  # share of the cost below which a step is the last


def descend(
    terms: Terms, poses: Array, frames: Frames, *, steps: int, fixed: int = 0, last: int = 0,
    damping: float = DAMPING, only: NDArray[np.bool_] | None = None,
) -> Array:  # fmt: skip
    """Better poses (n, 7 + A) in frames (n,); the first `fixed` and the `last` ones stay, with `only` (V,) all others.

    Damping is each frame's own: one that a step makes worse, and its neighbours, go more slowly than the rest.
    """
    tree = terms.feet.tree
    poses = np.array(poses, float)
    damped = np.full(len(poses), damping)
    for _ in range(steps):
        equations = terms.equations(poses, frames, fixed)
        kept = terms.held(poses)
        costs = terms.costs(poses, frames, kept)
        cost = float(costs.sum()) + terms.feet_cost(poses, kept)
        held = at_limits(tree, poses, equations.slope)
        held[:fixed] = held[len(poses) - last :] = True
        if only is not None:
            held |= ~only
        for _ in range(TRIES):
            step = equations.step(held, damped)
            step[:, 6:] = np.clip(step[:, 6:], -FARTHEST, FARTHEST)
            trial = within_limits(tree, move(poses, step))
            trial[:fixed] = poses[:fixed]
            trial[len(poses) - last :] = poses[len(poses) - last :]
            new_costs = terms.costs(trial, frames, kept)
            new = float(new_costs.sum()) + terms.feet_cost(trial, kept)
            worse = beside(new_costs > costs)
            if new < cost:
                break
            damped = np.where(worse, 5.0, 1.5) * damped
        if new >= cost:
            break
        poses = trial
        damped = np.maximum(np.where(worse, 2.0, 0.4) * damped, LEAST_DAMPING)
        if cost - new < SETTLED * cost:
            break
    return poses


def beside(frames: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Some of the frames (n,), and those before and after them."""
    out = frames.copy()
    out[1:] |= frames[:-1]
    out[:-1] |= frames[1:]
    return out


def within_limits(tree: Tree, poses: Array) -> Array:
    """Poses (n, 7 + A) with hinges brought within their limits."""
    out = np.array(poses, float)
    out[:, 7:] = np.clip(out[:, 7:], *tree.limits)
    return out
