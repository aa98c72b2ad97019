"""Points of a body that can be seen: its joints, landmarks, ears and nose; where they are in a pose, how they move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import Placed, new_placed, place
from reenact.motion.tree import Tree, tree_of

# Tragion and tip of the nose in half axes of the head's ellipsoid (ahead, left, up): 131 and 150 mm below the vertex,
# the tip 220 mm from the back of a head of 197 mm (medians of the ANSUR survey of 1988, rounded).
HEAD_SHARES: Final = {
    "ear_left": np.array([0.0, 1.0, -0.15]),
    "ear_right": np.array([0.0, -1.0, -0.15]),
    "nose": np.array([1.24, 0.0, -0.32]),
}


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

    def turns(self, pose: Array) -> Array:
        """How the points' segments are turned in a pose (7 + A,): matrices (K, 3, 3) from segment to world."""
        return np.asarray(self._placed(pose).frame[self.segment])

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
    """Every point's segment and place in its frame (3,) [m]: joints in the body's order, landmarks, ears and nose."""
    joints = {s.joint: (s.name, np.zeros(3)) for s in body.segments if s.parent is not None}
    return joints | body.landmarks | _on_head(body)


def _on_head(body: Body) -> dict[str, tuple[str, Array]]:
    """Ears and nose of a body whose head is an ellipsoid."""
    for segment in body.segments:
        for shape in segment.shapes:
            if shape.name == "head" and shape.kind == "ellipsoid":
                return {
                    name: (segment.name, shape.position + rotation.rotate(shape.orientation, share * shape.size))
                    for name, share in HEAD_SHARES.items()
                }
    return {}
