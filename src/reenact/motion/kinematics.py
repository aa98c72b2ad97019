"""Forward kinematics of a hinge tree, compiled; agrees with MuJoCo's of the same body to rounding."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.compiled import compiled
from reenact.motion.tree import Tree, TreeArrays


class Placed(NamedTuple):
    """Where the segments are in the world, for one pose."""

    position: Array  # (S, 3) joint centres [m]
    frame: Array  # (S, 3, 3)
    hinge: Array  # (A, 3) directions


@compiled
def new_placed(tree: TreeArrays) -> Placed:
    """Room for one pose."""
    count = len(tree.parent)
    return Placed(np.empty((count, 3)), np.empty((count, 3, 3)), np.empty((len(tree.axis), 3)))


@compiled
def place(tree: TreeArrays, pose: Array, out: Placed) -> None:
    """Fill `out` for one pose (7 + A,)."""
    position, frame, hinge = out.position, out.frame, out.hinge
    w, x, y, z = pose[3], pose[4], pose[5], pose[6]
    n = 1.0 / np.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = w * n, x * n, y * n, z * n
    frame[0, 0, 0] = 1 - 2 * (y * y + z * z)
    frame[0, 0, 1] = 2 * (x * y - w * z)
    frame[0, 0, 2] = 2 * (x * z + w * y)
    frame[0, 1, 0] = 2 * (x * y + w * z)
    frame[0, 1, 1] = 1 - 2 * (x * x + z * z)
    frame[0, 1, 2] = 2 * (y * z - w * x)
    frame[0, 2, 0] = 2 * (x * z - w * y)
    frame[0, 2, 1] = 2 * (y * z + w * x)
    frame[0, 2, 2] = 1 - 2 * (x * x + y * y)
    for i in range(3):
        position[0, i] = pose[i]
    for s in range(1, len(tree.parent)):
        p = tree.parent[s]
        for i in range(3):
            position[s, i] = position[p, i]
            for j in range(3):
                frame[s, i, j] = frame[p, i, j]
                position[s, i] += frame[p, i, j] * tree.offset[s, j]
        for a in range(tree.first_axis[s], tree.first_axis[s + 1]):
            ax, ay, az = tree.axis[a, 0], tree.axis[a, 1], tree.axis[a, 2]
            c, e = np.cos(pose[7 + a]), np.sin(pose[7 + a])
            d = 1.0 - c
            for i in range(3):
                u, v, t = frame[s, i, 0], frame[s, i, 1], frame[s, i, 2]
                hinge[a, i] = u * ax + v * ay + t * az
                frame[s, i, 0] = u * (c + d * ax * ax) + v * (d * ax * ay + e * az) + t * (d * ax * az - e * ay)
                frame[s, i, 1] = u * (d * ax * ay - e * az) + v * (c + d * ay * ay) + t * (d * ay * az + e * ax)
                frame[s, i, 2] = u * (d * ax * az + e * ay) + v * (d * ay * az - e * ax) + t * (c + d * az * az)


@compiled
def place_many(tree: TreeArrays, poses: Array, position: Array, frame: Array) -> None:
    """`place` over poses (T, 7 + A) into (T, S, 3) and (T, S, 3, 3)."""
    hinge = np.empty((len(tree.axis), 3))
    for t in range(len(poses)):
        place(tree, poses[t], Placed(position[t], frame[t], hinge))


def forward(tree: Tree, poses: Array) -> tuple[Array, Array]:
    """Joint centres (T, S, 3) [m] and segment frames (T, S, 3, 3) in the world of poses (T, 7 + A)."""
    count = (len(poses), len(tree.names))
    position, frame = np.empty((*count, 3)), np.empty((*count, 3, 3))
    place_many(tree.arrays, np.ascontiguousarray(poses), position, frame)
    return position, frame
