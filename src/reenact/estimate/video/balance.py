"""Who stands does not lean: seen from one side, the centre of mass is over what bears the body.

A silhouette hardly tells a body that leans towards the camera from one that is upright, and a track that once leans
goes on leaning. But a body that is borne by its feet or hands has its centre of mass near the line above them, except
along the way it goes, which is across the picture where one films from the side. So only the line of sight counts here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.estimate.video.responses import Limbs, point_responses
from reenact.estimate.video.settings import Settings
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree, tree_of
from reenact.observe.camera import Camera

BEARING = ("heel_left", "toe_tip_left", "heel_right", "toe_tip_right", "fingertip_left", "fingertip_right")
_TINY = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Balance:
    """Residuals, one a frame: how far the centre of mass is from above what bears it, along the line of sight."""

    tree: Tree
    segments: NDArray[np.int64]  # (S + F,) segments of the points: centres of mass, then what may bear
    points: Array  # (S + F, 3) in the segments' frames [m]
    shares: Array  # (S,) of the mass
    sight: Array  # (3,) level, of length 1; zero where nothing is asked
    ground: float  # height [m]
    settings: Settings

    def residuals(self, poses: Array, bearing: Array) -> Array:
        """Of poses (T, 7 + A), (T,), with what bears them (T, F)."""
        return np.asarray(np.einsum("tp,tp->t", self._parts(bearing), self._places(poses) @ self.sight))

    def slopes(self, poses: Array, bearing: Array, limbs: Limbs) -> Array:
        """Derivatives (T, V) of the residuals."""
        response = point_responses(
            self.tree.arrays, limbs.below, limbs.moved, np.ascontiguousarray(poses), self.segments, self.points
        )
        return np.asarray(np.einsum("tp,tvp->tv", self._parts(bearing), response @ self.sight))

    def bearing(self, poses: Array) -> Array:
        """How far down each point is that may bear the body, (T, F), 0 … 1."""
        height = self._places(poses)[:, len(self.shares) :, 2] - self.ground
        return np.exp(-((np.maximum(height, 0.0) / self.settings.hover) ** 2))

    def _places(self, poses: Array) -> Array:
        """The points in the world, (T, S + F, 3) [m]."""
        position, frame = forward(self.tree, poses)
        return np.asarray(position[:, self.segments] + np.einsum("tfij,fj->tfi", frame[:, self.segments], self.points))

    def _parts(self, bearing: Array) -> Array:
        """Each point's part in the residuals, (T, S + F)."""
        total = bearing.sum(axis=1, keepdims=True)
        weight = np.minimum(total, 1.0) / self.settings.balance
        under = -weight * bearing / np.maximum(total, _TINY)
        return np.concatenate([weight * self.shares, under], axis=1)


def balance_of(body: Body, cameras: list[Camera], settings: Settings) -> Balance:
    """Of a body seen by some cameras; where there are several, nothing is asked, for they see depth."""
    tree = tree_of(body)
    marks = [body.landmarks[name] for name in BEARING if name in body.landmarks]
    sight = cameras[0].turn[2] * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(sight))
    asked = len(cameras) == 1 and length > 0.1 and marks
    masses = np.array([s.mass for s in body.segments])
    return Balance(
        tree=tree,
        segments=np.array([*range(len(masses)), *(tree.names.index(segment) for segment, _ in marks)], np.int64),
        points=np.array([*(s.com for s in body.segments), *(point for _, point in marks)], float),
        shares=masses / masses.sum(),
        sight=sight / length if asked else np.zeros(3),
        ground=cameras[0].ground,
        settings=settings,
    )
