"""A body's kinematics as plain arrays: what the solver's inner loops read.

Poses are `qpos` (7 + A,): root position, root quaternion wxyz, then the hinges. A small change of pose is a tangent
(6 + A,): root translation in the world, root rotation in the root's own frame, then the hinges, as in MuJoCo.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

Indices = NDArray[np.int64]


class TreeArrays(NamedTuple):
    """What compiled code reads of a tree of S segments and A hinges."""

    parent: Indices  # (S,), −1 at the root
    offset: Array  # (S, 3) joint centre in the parent's frame [m]; zero at the root
    first_axis: Indices  # (S + 1,): segment s turns by hinges first_axis[s] … first_axis[s + 1] − 1
    axis: Array  # (A, 3) unit vectors in the segment's frame
    chain: Indices  # (S, C) tangent indices that move each segment, the root's six first, −1 after the last
    lower: Array  # (A,) [rad]
    upper: Array  # (A,) [rad]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """Segments and hinges of a body; everything in the rest pose's axes."""

    names: tuple[str, ...]  # segments
    joints: tuple[str, ...]  # joint to the parent, of each segment
    hinges: tuple[str, ...]  # axes, e.g. "hip_left_flexion"
    arrays: TreeArrays

    @property
    def parent(self) -> Indices:
        """Index of each segment's parent (S,), −1 at the root."""
        return self.arrays.parent

    @property
    def offset(self) -> Array:
        """Joint centres (S, 3) in the parents' frames [m]."""
        return self.arrays.offset

    @property
    def limits(self) -> tuple[Array, Array]:
        """Least and greatest angle of each hinge, (A,) and (A,) [rad]."""
        return self.arrays.lower, self.arrays.upper

    @property
    def dofs(self) -> int:
        """Size of a tangent, 6 + A."""
        return 6 + len(self.arrays.axis)

    def with_offset(self, offset: Array) -> Tree:
        """The same tree with other joint centres (S, 3) [m]."""
        return replace(self, arrays=self.arrays._replace(offset=np.ascontiguousarray(offset, dtype=float)))

    def segment_at(self, joint: str) -> int:
        """Index of the segment that hangs on a joint, −1 when the body has no such joint."""
        return self.joints.index(joint) if joint in self.joints else -1

    def rest(self) -> Array:
        """Joint centres (S, 3) in the rest pose with the root at the origin [m]."""
        position = np.zeros_like(self.offset)
        for s in range(1, len(self.names)):
            position[s] = position[self.parent[s]] + self.offset[s]
        return position

    def neutral(self) -> Array:
        """Pose (7 + A,) with each hinge at zero, or at the limit nearest to it."""
        pose = np.zeros(1 + self.dofs)
        pose[3] = 1.0
        pose[7:] = np.clip(0.0, *self.limits)
        return pose


def tree_of(body: Body) -> Tree:
    """The kinematic arrays of a body."""
    names = body.segment_names
    index = {name: i for i, name in enumerate(names)}
    parent = [-1 if s.parent is None else index[s.parent] for s in body.segments]
    first = np.concatenate([[0], np.cumsum([len(s.axes) for s in body.segments])]).astype(np.int64)
    chains: list[list[int]] = []
    for s in range(len(names)):
        above = chains[parent[s]] if s else list(range(6))
        chains.append(above + [6 + a for a in range(first[s], first[s + 1])])
    width = max(len(c) for c in chains)
    arrays = TreeArrays(
        parent=np.array(parent, dtype=np.int64),
        offset=np.array([np.zeros(3) if s.parent is None else s.offset for s in body.segments]),
        first_axis=first,
        axis=np.array([a.direction for a in body.axes]).reshape(-1, 3),
        chain=np.array([c + [-1] * (width - len(c)) for c in chains], dtype=np.int64).reshape(len(names), width),
        lower=np.array([a.range[0] for a in body.axes]),
        upper=np.array([a.range[1] for a in body.axes]),
    )
    hinges = tuple(a.name for a in body.axes)
    return Tree(names=names, joints=tuple(s.joint for s in body.segments), hinges=hinges, arrays=arrays)


def move(pose: Array, tangent: Array) -> Array:
    """Poses (*batch, 7 + A) displaced by tangents (*batch, 6 + A)."""
    turned = rotation.multiply(pose[..., 3:7], rotation.from_rotvec(tangent[..., 3:6]))
    return np.concatenate(
        [pose[..., :3] + tangent[..., :3], rotation.normalize(turned), pose[..., 7:] + tangent[..., 6:]], axis=-1
    )


def difference(a: Array, b: Array) -> Array:
    """Tangents (*batch, 6 + A) that move poses a into poses b."""
    turn = rotation.to_rotvec(rotation.multiply(rotation.conjugate(a[..., 3:7]), b[..., 3:7]))
    return np.concatenate([b[..., :3] - a[..., :3], turn, b[..., 7:] - a[..., 7:]], axis=-1)
