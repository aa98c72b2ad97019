"""How unlikely a pose is for an activity, as residuals with their derivatives.

Deviation: [V12] has its coefficients equally likely within ∓4σ and nothing beside its components. Here the components
are normally distributed and the rest of the pose is too, with the variance that the components leave (probabilistic
PCA): what a silhouette does not show stays likely, and what it does show may leave the model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.tree import move
from reenact.priors.model import PoseModel
from reenact.priors.root import up_of

BESIDE: Final = 3.0  # how much more may lie beside the components than in training: people differ
FREE: Final = 0.7  # [rad] spread of hinges and tilt where no activity is known
_STEP = 1e-5  # [rad]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Likely:
    """Residuals r = L (x − b) of encoded poses x; ½|r|² is the negative logarithm of the density."""

    model: PoseModel
    root: Array  # L (D, D)

    def residuals(self, poses: Array) -> Array:
        """Of poses (T, 7 + A), (T, D)."""
        return np.asarray((self.model.encode(poses) - self.model.offset) @ self.root.T)

    def slopes(self, poses: Array) -> Array:
        """Derivatives (T, D, 6 + A) of the residuals by tangents."""
        frames, hinges = len(poses), poses.shape[1] - 7
        slope = np.zeros((frames, len(self.model.offset), 6 + hinges))
        each = np.arange(hinges)
        if self.model.encoding == "plain":
            here = self.model.encode(poses)
            for i in range(3, 6):
                step = np.zeros((frames, 6 + hinges))
                step[:, i] = _STEP
                slope[:, :, i] = (self.model.encode(move(poses, step)) - here) / _STEP
            slope[:, 2 + each, :] = 0.0
            slope[:, 2 + each, 6 + each] = 1.0
        else:
            for i in range(3):
                slope[:, :3, 3 + i] = np.cross(up_of(poses[:, 3:7]), np.eye(3)[i])
            slope[:, 3 + 2 * each, 6 + each] = np.cos(poses[:, 7:])
            slope[:, 4 + 2 * each, 6 + each] = -np.sin(poses[:, 7:])
        return np.stack([self.root @ one for one in slope])


def likely(model: PoseModel, weight: float = 1.0) -> Likely:
    """The residuals of a model, their squares times a weight."""
    size = len(model.offset)
    if model.encoding == "plain":
        return Likely(model=model, root=np.sqrt(weight) / FREE * np.eye(size))
    left = np.sum(model.sigma**2) * (1.0 / model.variance - 1.0)
    beside = BESIDE * max(left, 1e-4 * float(model.sigma[-1] ** 2)) / max(size - model.size, 1)
    within = model.basis @ np.diag(1.0 / model.sigma**2 - 1.0 / beside) @ model.basis.T
    precision = within + np.eye(size) / beside
    return Likely(model=model, root=np.sqrt(weight) * np.linalg.cholesky(precision).T * model.weights)
