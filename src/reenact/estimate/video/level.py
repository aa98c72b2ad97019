"""Filmed from the side: trunk and limbs lie about in planes that face the camera, as long as nothing tells otherwise.

One films a motion across the line of sight. A silhouette hardly tells a limb or a trunk that points a little towards
the camera from one that points a little away, for both look as long as one that does neither, and a track that leans
goes on leaning. So a direction along the line of sight costs something at first and, since people turn and bend, little
more later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.video.responses import Limbs, point_responses
from reenact.estimate.video.settings import Settings
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree
from reenact.observe.camera import Camera

TRUNK: Final = (("thorax", "pelvis"), ("head", "thorax"))
LIMBS: Final = (("forearm", "upper_arm"), ("hand", "forearm"), ("shank", "thigh"), ("foot", "shank"))
SIDES: Final = ("left", "right")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Level:
    """Residuals, one for each part of the trunk and the limbs: how far it points along the line of sight."""

    tree: Tree
    ends: NDArray[np.int64]  # (E, 2) segments at whose joints a part ends and begins
    lengths: Array  # (E,) [m] from the one to the other
    sight: Array  # (3,) level, of length 1
    spread: float  # of the sine of the angle to the picture
    sudden: float  # times the spread, from where on it costs little more

    def residuals(self, poses: Array) -> Array:
        """Of poses (T, 7 + A), (T, E), in spreads."""
        along = forward(self.tree, poses)[0] @ self.sight
        return np.asarray((along[:, self.ends[:, 0]] - along[:, self.ends[:, 1]]) / (self.spread * self.lengths))

    def costs(self, poses: Array) -> Array:
        """Twice the cost of each pose, (T,)."""
        square = self.residuals(poses) ** 2
        return np.asarray(self.sudden**2 * np.log1p(square / self.sudden**2).sum(axis=1))

    def equations(self, poses: Array, limbs: Limbs) -> tuple[Array, Array]:
        """Curvature (T, V, V) and slope (T, V)."""
        which, where = np.unique(self.ends, return_inverse=True)
        response = point_responses(
            self.tree.arrays, limbs.below, limbs.moved, np.ascontiguousarray(poses), which.astype(np.int64),
            np.zeros((len(which), 3)),
        )  # fmt: skip
        along = response @ self.sight  # (T, V, P)
        where = where.reshape(self.ends.shape)
        slopes = (along[:, :, where[:, 0]] - along[:, :, where[:, 1]]) / (self.spread * self.lengths)
        off = self.residuals(poses)
        weighed = slopes / (1.0 + (off / self.sudden) ** 2)[:, None, :]
        return weighed @ slopes.swapaxes(1, 2), np.asarray(np.einsum("tve,te->tv", weighed, off))


def level_of(tree: Tree, cameras: Sequence[Camera], settings: Settings) -> Level:
    """Of a body seen by some cameras; where there are several, nothing is asked, for they see depth."""
    sight = cameras[0].turn[2] * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(sight))
    pairs = [*TRUNK, *((f"{end}_{side}", f"{begin}_{side}") for side in SIDES for end, begin in LIMBS)]
    known = [pair for pair in pairs if all(name in tree.names for name in pair)]
    asked = len(cameras) == 1 and length > 0.1
    ends = np.array([[tree.names.index(name) for name in pair] for pair in known if asked], np.int64).reshape(-1, 2)
    rest = tree.rest()
    return Level(
        tree=tree,
        ends=ends,
        lengths=np.linalg.norm(rest[ends[:, 0]] - rest[ends[:, 1]], axis=1),
        sight=sight / max(length, 0.1),
        spread=settings.level,
        sudden=settings.sudden,
    )
