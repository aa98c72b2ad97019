"""Damped Gauss–Newton on a stretch of a track, within the joint limits."""

from __future__ import annotations

from typing import Final

import numpy as np

from reenact.estimate.video.banded import at_limits
from reenact.estimate.video.terms import Frames, Terms
from reenact.geometry.rotation import Array
from reenact.motion.tree import Tree, move

DAMPING: Final = 0.02  # of the first step
LEAST_DAMPING: Final = 1e-4
TRIES: Final = 4  # of a step, each damped more
FARTHEST: Final = 0.5  # a hinge goes in one step [rad]
SETTLED: Final = 1e-3  # share of the cost below which a step is the last


def descend(
    terms: Terms, poses: Array, frames: Frames, *, steps: int, fixed: int = 0, damping: float = DAMPING
) -> Array:
    """Better poses (n, 7 + A) in frames (n,); the first `fixed` stay."""
    tree = terms.feet.tree
    poses = np.array(poses, float)
    for _ in range(steps):
        equations = terms.equations(poses, frames, fixed)
        kept = terms.held(poses)
        cost = terms.cost(poses, frames, kept)
        held = at_limits(tree, poses, equations.slope)
        held[:fixed] = True
        new = cost
        for _ in range(TRIES):
            step = equations.step(held, damping)
            step[:, 6:] = np.clip(step[:, 6:], -FARTHEST, FARTHEST)
            trial = within_limits(tree, move(poses, step))
            trial[:fixed] = poses[:fixed]
            new = terms.cost(trial, frames, kept)
            if new < cost:
                break
            damping *= 5.0
        if new >= cost:
            break
        poses, damping = trial, max(0.4 * damping, LEAST_DAMPING)
        if cost - new < SETTLED * cost:
            break
    return poses


def within_limits(tree: Tree, poses: Array) -> Array:
    """Poses (n, 7 + A) with hinges brought within their limits."""
    out = np.array(poses, float)
    out[:, 7:] = np.clip(out[:, 7:], *tree.limits)
    return out
