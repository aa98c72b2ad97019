"""Where a pose may have gone by the next frame: many guesses, the cheapest of which a descent starts from.

A mask tells a descent the way over a cell or two. Someone who spins does ten times that from one frame to the next, so
guesses go on as before, slow down, speed up, turn farther, and scatter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.video.descend import within_limits
from reenact.estimate.video.terms import Terms
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import difference, move

PACES: Final = (1.0, 0.8, 0.4, 0.0, 1.2)  # of the last step that a pose goes on with
TURNS: Final = (-0.5, -0.25, -0.12, 0.12, 0.25, 0.5)  # [rad] about the vertical and the camera's axes beside that
ALIKE: Final = 0.025  # [m] mean distance of joints below which two guesses are one
# Which of poses (k, 7 + A) may follow poses (n, 7 + A): (k,).
Only = Callable[[Array, Array], NDArray[np.bool_]]
SCATTERED: Final = 40  # guesses at random
SCATTER: Final = (0.0, 0.12, 0.15)  # [m], [rad], [rad] of root, its turning and hinges


def likeliest_next(
    terms: Terms, poses: Array, way: float, count: int, only: Only | None = None
) -> list[tuple[float, Array]]:
    """Up to `count` poses (7 + A,) that may follow poses (n, 7 + A) and differ, with their costs, the likeliest first.

    The mask went `way` [m] across the picture. only: which of the guesses may be taken, all where none may.
    """
    right = terms.views[0].projection.camera.turn[0]
    steps = _steps(poses, terms.views[0].projection.camera.turn[[0, 2]])
    steps[:, :3] += (way - steps[:, :3] @ right)[:, None] * right
    guesses = within_limits(terms.feet.tree, move(np.repeat(poses[-1:], len(steps), axis=0), steps))
    if only is not None and (may := only(poses, guesses)).any():
        guesses = guesses[may]
    costs = terms.next_costs(poses[-2:], guesses, len(poses))
    places = forward(terms.feet.tree, guesses)[0]
    kept: list[int] = []
    for i in np.argsort(costs, kind="stable").tolist():
        if all(np.linalg.norm(places[i] - places[k], axis=-1).mean() > ALIKE for k in kept):
            kept.append(i)
        if len(kept) == count:
            break
    return [(float(costs[i]), guesses[i]) for i in kept]


def _steps(poses: Array, view: Array) -> Array:
    """Steps (k, V) that may follow; view (2, 3): across the picture and along the line of sight."""
    size = poses.shape[1] - 1
    last = difference(poses[-2:-1], poses[-1:])[0] if len(poses) > 1 else np.zeros(size)
    paces = np.outer(PACES, last)
    paces[:, :3] = last[:3]
    own = rotation.conjugate(poses[-1, 3:7])
    axes = [rotation.rotate(own, axis) for axis in ([0.0, 0.0, 1.0], *view)]
    turned = np.repeat(paces[:1], len(axes) * len(TURNS), axis=0)
    turned[:, 3:6] += np.concatenate([np.outer(TURNS, axis) for axis in axes])
    spread = np.concatenate([np.full(3, SCATTER[0]), np.full(3, SCATTER[1]), np.full(size - 6, SCATTER[2])])
    rng = np.random.default_rng(len(poses))
    scattered = paces[1] + spread * rng.standard_normal((SCATTERED, size))
    return np.concatenate([paces, turned, scattered])
