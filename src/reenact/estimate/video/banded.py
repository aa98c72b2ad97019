"""Normal equations of a trajectory: each frame is coupled with the two after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

from reenact.geometry.rotation import Array
from reenact.motion.tree import Tree


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Equations:
    """Curvature and slope of a cost of T frames with V unknowns each."""

    own: Array  # (T, V, V)
    next: Array  # (T, V, V): rows of frame t, columns of frame t + 1
    after: Array  # (T, V, V): rows of frame t, columns of frame t + 2
    slope: Array  # (T, V)
    scale: Array  # (T, V) what a step is damped in proportion to, see `step`

    def step(self, held: NDArray[np.bool_], damping: Array) -> Array:
        """The Newton step (T, V), damped by `damping` (T,) times `scale`; unknowns `held` (T, V) stay.

        The scale is the curvature of what each frame shows by itself. That of smoothness and physics is far larger, and
        damping in proportion to it would hold back slow changes of the whole track, which neither of them minds.
        """
        free = ~held
        each = np.arange(free.shape[1])
        own = self.own * free[:, :, None] * free[:, None, :]
        own[:, each, each] += damping[:, None] * (self.scale + 1.0) + held
        slope = np.where(free, self.slope, 0.0).ravel()
        return np.asarray(solveh_banded(self._band(own, free), -slope, lower=True).reshape(free.shape))

    def answers(self, held: NDArray[np.bool_], damping: Array, columns: Array) -> Array:
        """What the curvature, damped by (V,), makes of columns (T·V, M); unknowns `held` (T, V) stay."""
        free = ~held
        each = np.arange(free.shape[1])
        own = self.own * free[:, :, None] * free[:, None, :]
        own[:, each, each] += damping + held
        return np.asarray(solveh_banded(self._band(own, free), columns, lower=True))

    def _band(self, own: Array, free: NDArray[np.bool_]) -> Array:
        """The lower band of the whole matrix, with frames' own blocks (T, V, V); only unknowns `free` couple."""
        frames, size = free.shape
        near = self.next[:-1] * free[:-1, :, None] * free[1:, None, :]
        far = self.after[:-2] * free[:-2, :, None] * free[2:, None, :]
        columns = np.zeros((frames, size, 4 * size))  # a row: an unknown with its own and the next two frames
        columns[:, :, :size] = own
        columns[:-1, :, size : 2 * size] = near
        columns[:-2, :, 2 * size : 3 * size] = far
        deep = 3 * size
        across, down, along = columns.strides
        room = np.concatenate([columns.ravel(), np.zeros(deep)])  # the last unknowns reach beyond
        return as_strided(room, (frames, size, deep), (across, down + along, along)).reshape(-1, deep).T


def at_limits(tree: Tree, poses: Array, slope: Array) -> NDArray[np.bool_]:
    """Unknowns (T, V) that the slope pushes against a hinge's limit."""
    low, high = tree.limits
    held = np.zeros(slope.shape, np.bool_)
    held[:, 6:] = ((poses[:, 7:] <= low) & (slope[:, 6:] > 0)) | ((poses[:, 7:] >= high) & (slope[:, 6:] < 0))
    return held
