"""Points of a body that a person can click: its joints and landmarks, where they are in a pose and how they move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import Placed, new_placed, place
from reenact.motion.tree import Tree, tree_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BodyPoints:
    """Named points fixed to segments of a body."""

    tree: Tree
    names: tuple[str, ...]
    segment: NDArray[np.int64]  # (K,)
    local: Array  # (K, 3) in the segment's frame [m]
    moves: NDArray[np.bool_]  # (K, A) whether a hinge moves a point
    owner: NDArray[np.int64]  # (A,) segment at whose joint a hinge lies

    def at(self, pose: Array) -> Array:
        """Where the points are in a pose (7 + A,): (K, 3) [m]."""
        return self._at(self._placed(pose))

    def moving(self, pose: Array) -> tuple[Array, Array]:
        """Where the points are (K, 3) [m], and how they move with the pose's tangent, (K, 3, 6 + A)."""
        placed = self._placed(pose)
        points = self._at(placed)
        slope = np.zeros((len(points), 3, self.tree.dofs))
        slope[:, :, :3] = np.eye(3)
        axes = placed.frame[0].T  # the root's own axes in the world
        slope[:, :, 3:6] = np.cross(axes[None], (points - placed.position[0])[:, None]).swapaxes(1, 2)
        arms = points[:, None] - placed.position[self.owner]
        turned = np.cross(placed.hinge[None], arms) * self.moves[:, :, None]
        slope[:, :, 6:] = turned.swapaxes(1, 2)
        return points, slope

    def _placed(self, pose: Array) -> Placed:
        placed = new_placed(self.tree.arrays)
        place(self.tree.arrays, np.asarray(pose, float), placed)
        return placed

    def _at(self, placed: Placed) -> Array:
        turned = np.einsum("kij,kj->ki", placed.frame[self.segment], self.local)
        return np.asarray(placed.position[self.segment] + turned)


def points_of(body: Body, names: Iterable[str]) -> BodyPoints:
    """The points of these names: joints ("knee_left") and landmarks ("heel_left")."""
    tree = tree_of(body)
    known = named_points(body)
    wanted = tuple(names)
    for name in wanted:
        if name not in known:
            raise InputError(f"body '{body.name}' has no point '{name}'; there are: {', '.join(known)}")
    segment = np.array([tree.names.index(known[name][0]) for name in wanted], np.int64)
    first = tree.arrays.first_axis
    owner = np.repeat(np.arange(len(tree.names)), np.diff(first)).astype(np.int64)
    moves = np.zeros((len(wanted), len(tree.hinges)), np.bool_)
    for k, s in enumerate(segment):
        chain = tree.arrays.chain[s]
        moves[k, chain[chain >= 6] - 6] = True
    local = np.array([known[name][1] for name in wanted]).reshape(-1, 3)
    return BodyPoints(tree=tree, names=wanted, segment=segment, local=local, moves=moves, owner=owner)


def named_points(body: Body) -> dict[str, tuple[str, Array]]:
    """Every point's segment and place in its frame (3,) [m]: joints in the body's order, then landmarks."""
    joints = {s.joint: (s.name, np.zeros(3)) for s in body.segments if s.parent is not None}
    return joints | body.landmarks
