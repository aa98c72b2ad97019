"""How unlikely a pose is for an activity, as residuals with their derivatives.

Deviation: [V12] has its coefficients equally likely within ∓4σ and nothing beside its components. Here the components
are normally distributed and the rest of the pose is too, with the variance that the components leave (probabilistic
PCA): what a silhouette does not show stays likely, and what it does show may leave the model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.tree import move
from reenact.priors.model import PoseModel

BESIDE: Final = 3.0  # how much more may lie beside the components than in training: people differ
FREE: Final = 0.7  # [rad] greatest spread of hinges and tilt where no activity is known; less where a joint's is
NEWS: Final = 0.15  # share of a frame that the frames before it do not tell, when models compete
_STEP = 1e-5  # [rad]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Likely:
    """Residuals r = L (x − b) of encoded poses x; ½|r|² is the negative logarithm of the density."""

    model: PoseModel
    root: Array  # L (D, D)
    usual: float = (
        0.0  # what a pose of the activity costs by the measure of others, to be taken off when models compete
    )

    def residuals(self, poses: Array) -> Array:
        """Of poses (T, 7 + A), (T, D)."""
        return np.asarray((self._encoded(poses) - self.model.offset) @ self.root.T)

    def _encoded(self, poses: Array) -> Array:
        """As the model encodes them, without its checks."""
        if self.model.encoding == "plain":
            return self.model.encode(poses)
        out = np.empty((len(poses), len(self.model.offset)))
        out[:, :3] = _up(poses[:, 3:7])
        out[:, 3::2], out[:, 4::2] = np.sin(poses[:, 7:]), np.cos(poses[:, 7:])
        return out

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
            x, y, z = _up(poses[:, 3:7]).T
            slope[:, 1, 3], slope[:, 2, 3] = z, -y  # up × each axis
            slope[:, 0, 4], slope[:, 2, 4] = -z, x
            slope[:, 0, 5], slope[:, 1, 5] = y, -x
            slope[:, 3 + 2 * each, 6 + each] = np.cos(poses[:, 7:])
            slope[:, 4 + 2 * each, 6 + each] = -np.sin(poses[:, 7:])
        return np.asarray(self.root @ slope)


def _up(turn: Array) -> Array:
    """The world's up seen from roots of orientation (n, 4), (n, 3)."""
    w, x, y, z = turn.T
    return np.stack([2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)], axis=1)


def likely(model: PoseModel, weight: float = 1.0) -> Likely:
    """The residuals of a model, their squares times a weight."""
    size = len(model.offset)
    if model.encoding == "plain":
        return _with_usual(Likely(model=model, root=np.sqrt(weight) * np.diag(1.0 / np.minimum(model.sigma, FREE))))
    left = np.sum(model.sigma**2) * (1.0 / model.variance - 1.0)
    beside = BESIDE * max(left, 1e-4 * float(model.sigma[-1] ** 2)) / max(size - model.size, 1)
    within = model.basis @ np.diag(1.0 / model.sigma**2 - 1.0 / beside) @ model.basis.T
    precision = within + np.eye(size) / beside
    return _with_usual(Likely(model=model, root=np.sqrt(weight) * np.linalg.cholesky(precision).T * model.weights))


def _with_usual(found: Likely) -> Likely:
    """With the logarithm of the density's height about the model's mean pose, as far as frames are news."""
    angles, tilt = found.model.pose(np.zeros(found.model.size))
    slope = found.slopes(np.concatenate([np.zeros(3), tilt, angles])[None])[0, :, 3:]
    _, *others = np.linalg.eigvalsh(slope.T @ slope)  # which way one faces is free
    return replace(found, usual=NEWS * 0.5 * float(np.sum(np.log(np.maximum(others, 1e-9)))))
