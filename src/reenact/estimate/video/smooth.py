"""How suddenly a person moves: second differences of poses against typical accelerations.

What is typical holds most of the time; take-offs, landings and kicks are far beyond it for a frame or two. So the cost
grows with the square of an acceleration at first and with its logarithm later: a motion is smooth but for moments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.video.settings import Settings
from reenact.geometry.rotation import Array
from reenact.motion.tree import Tree
from reenact.observe.camera import Camera


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Smooth:
    """Weights of second differences, and from where on their cost levels off."""

    weights: Array  # (V,), of the root's ways along `axes`
    axes: Array  # (3, 3) rows: level along the line of sight, level across it, up
    group: NDArray[np.int64]  # (V,) of unknowns whose changes are judged together, rising
    sudden: float  # from how much of what is typical on the cost is taken to level off

    def levelled(self, bends: Array) -> Array:
        """Twice the cost of second differences (n, V), each group's (n, G)."""
        return np.asarray(self.sudden**2 * np.log1p(self._squares(bends) / self.sudden**2))

    def stiffness(self, bends: Array) -> Array:
        """What pulls against second differences (n, V): matrices (n, V, V) whose products with them are slopes."""
        stiff = self.weights / (1.0 + self._squares(bends) / self.sudden**2)[:, self.group]  # (n, V)
        out = stiff[:, :, None] * np.eye(len(self.weights))
        out[:, :3, :3] = np.einsum("ai,na,aj->nij", self.axes, stiff[:, :3], self.axes)
        return out

    def _squares(self, bends: Array) -> Array:
        along = np.concatenate([bends[:, :3] @ self.axes.T, bends[:, 3:]], axis=1)
        starts = np.flatnonzero(np.diff(self.group, prepend=-1))
        return np.asarray(np.add.reduceat(self.weights * along**2, starts, axis=1))


def smooth_of(tree: Tree, cameras: Sequence[Camera], rate: float, settings: Settings) -> Smooth:
    """Of a body seen by some cameras; one view alone does not tell of depth, which is held steady."""
    sight = cameras[0].turn[2] * [1.0, 1.0, 0.0]
    length = float(np.linalg.norm(sight))
    level = sight / length if length > 0.1 else np.array([1.0, 0.0, 0.0])  # else it looks straight down
    up = np.array([0.0, 0.0, 1.0])
    alone = len(cameras) == 1 and length > 0.1
    typical = [settings.depth if alone else settings.root, settings.root, settings.root] + [settings.turning] * 3
    for name in tree.hinges:
        if name.endswith(("twist", "abduction", "inversion")):
            typical.append(settings.twist)
        else:
            slow = name.startswith(("neck", "wrist", "lumbar", "thoracic"))
            typical.append(settings.trunk if slow else settings.hinge)
    return Smooth(
        weights=0.5 * (rate**2 / np.array(typical)) ** 2,
        axes=np.stack([level, np.cross(up, level), up]),
        group=np.concatenate([[0, 1, 1, 2, 2, 2], np.arange(3, 3 + len(tree.hinges))]).astype(np.int64),
        sudden=settings.sudden,
    )
