"""Normal equations of a trajectory: each frame is coupled with the two after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

from reenact.geometry.rotation import Array
from reenact.motion.tree import Tree

_PLACE = 3  # root translations, whose smoothness couples them with each other


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Equations:
    """Curvature and slope of a cost of T frames with V unknowns each."""

    own: Array  # (T, V, V)
    next: Array  # (T, V, V): rows of frame t, columns of frame t + 1
    after: Array  # (T, V, V): rows of frame t, columns of frame t + 2; only root translations couple with others
    slope: Array  # (T, V)

    def step(self, held: NDArray[np.bool_], damping: float) -> Array:
        """The damped Newton step (T, V); unknowns `held` (T, V) stay."""
        frames, size = self.slope.shape
        free = ~held
        own = self.own * free[:, :, None] * free[:, None, :]
        each = np.arange(size)
        own[:, each, each] += damping * (own[:, each, each] + 1.0) + held
        near = self.next[:-1] * free[:-1, :, None] * free[1:, None, :]
        far = self.after[:-2] * free[:-2, :, None] * free[2:, None, :]
        columns = np.zeros((frames, size, 3 * size + _PLACE))  # a row: an unknown with its own and the next two frames
        columns[:, :, :size] = own
        columns[:-1, :, size : 2 * size] = near
        columns[:-2, :, 2 * size : 3 * size] = far
        deep = 2 * size + _PLACE
        across, down, along = columns.strides
        room = np.concatenate([columns.ravel(), np.zeros(deep)])  # the last unknowns reach beyond
        band = as_strided(room, (frames, size, deep), (across, down + along, along)).reshape(-1, deep).T
        slope = np.where(free, self.slope, 0.0).ravel()
        return np.asarray(solveh_banded(band, -slope, lower=True).reshape(frames, size))


def at_limits(tree: Tree, poses: Array, slope: Array) -> NDArray[np.bool_]:
    """Unknowns (T, V) that the slope pushes against a hinge's limit."""
    low, high = tree.limits
    held = np.zeros(slope.shape, np.bool_)
    held[:, 6:] = ((poses[:, 7:] <= low) & (slope[:, 6:] > 0)) | ((poses[:, 7:] >= high) & (slope[:, 6:] < 0))
    return held
