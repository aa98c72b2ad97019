"""Forward kinematics and normal equations of a hinge tree, compiled.

Agrees with MuJoCo's kinematics of the same body to rounding. Points are fixed on segments; their weighted squared
distance to targets is what the solver lowers.
"""

from __future__ import annotations

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.compiled import compiled
from reenact.motion.tree import Indices, Tree


@compiled
def place(
    parent: Indices,
    offset: Array,
    first_axis: Indices,
    axis: Array,
    pose: Array,
    position: Array,
    frame: Array,
    hinge: Array,
) -> None:
    """Fill joint centres (S, 3), frames (S, 3, 3) and hinge directions (A, 3) in the world for one pose."""
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
    for s in range(1, len(parent)):
        p = parent[s]
        for i in range(3):
            position[s, i] = position[p, i]
            for j in range(3):
                frame[s, i, j] = frame[p, i, j]
                position[s, i] += frame[p, i, j] * offset[s, j]
        for a in range(first_axis[s], first_axis[s + 1]):
            ax, ay, az = axis[a, 0], axis[a, 1], axis[a, 2]
            c, e = np.cos(pose[7 + a]), np.sin(pose[7 + a])
            d = 1.0 - c
            for i in range(3):
                u, v, t = frame[s, i, 0], frame[s, i, 1], frame[s, i, 2]
                hinge[a, i] = u * ax + v * ay + t * az
                frame[s, i, 0] = u * (c + d * ax * ax) + v * (d * ax * ay + e * az) + t * (d * ax * az - e * ay)
                frame[s, i, 1] = u * (d * ax * ay - e * az) + v * (c + d * ay * ay) + t * (d * ay * az + e * ax)
                frame[s, i, 2] = u * (d * ax * az + e * ay) + v * (d * ay * az - e * ax) + t * (c + d * az * az)


@compiled
def point_jacobian(
    s: int, chain: Indices, first_axis: Indices, parent: Indices, position: Array, frame: Array, hinge: Array, at: Array, out: Array
) -> int:
    """Columns (3, 6 + chain) of ∂(point at world `at` on segment s)/∂tangent into `out`; returns how many."""
    for j in range(3):
        for i in range(3):
            out[i, j] = 1.0 if i == j else 0.0
        ax, ay, az = frame[0, 0, j], frame[0, 1, j], frame[0, 2, j]
        rx, ry, rz = at[0] - position[0, 0], at[1] - position[0, 1], at[2] - position[0, 2]
        out[0, 3 + j] = ay * rz - az * ry
        out[1, 3 + j] = az * rx - ax * rz
        out[2, 3 + j] = ax * ry - ay * rx
    count = 6
    while count - 6 < chain.shape[1] and chain[s, count - 6] >= 0:
        count += 1
    k = count - 1
    b = s
    while b > 0:  # hinges of a segment turn about its joint centre; walk from the point to the root
        rx, ry, rz = at[0] - position[b, 0], at[1] - position[b, 1], at[2] - position[b, 2]
        for a in range(first_axis[b + 1] - 1, first_axis[b] - 1, -1):
            ax, ay, az = hinge[a, 0], hinge[a, 1], hinge[a, 2]
            out[0, k] = ay * rz - az * ry
            out[1, k] = az * rx - ax * rz
            out[2, k] = ax * ry - ay * rx
            k -= 1
        b = parent[b]
    return count


@compiled
def squared_distance(
    parent: Indices,
    offset: Array,
    first_axis: Indices,
    axis: Array,
    pose: Array,
    segment: Indices,
    local: Array,
    target: Array,
    weight: Array,
    huber: float,
    position: Array,
    frame: Array,
    hinge: Array,
) -> float:
    """Half the weighted sum of squared distances of points to targets, beyond `huber` [m] growing linearly."""
    place(parent, offset, first_axis, axis, pose, position, frame, hinge)
    cost = 0.0
    for n in range(len(segment)):
        if weight[n] <= 0.0:
            continue
        s = segment[n]
        square = 0.0
        for i in range(3):
            r = position[s, i] - target[n, i]
            for j in range(3):
                r += frame[s, i, j] * local[n, j]
            square += r * r
        if square > huber * huber:
            cost += weight[n] * huber * (np.sqrt(square) - 0.5 * huber)
        else:
            cost += 0.5 * weight[n] * square
    return cost


@compiled
def normal_equations(
    parent: Indices,
    offset: Array,
    first_axis: Indices,
    axis: Array,
    chain: Indices,
    pose: Array,
    segment: Indices,
    local: Array,
    target: Array,
    weight: Array,
    huber: float,
    position: Array,
    frame: Array,
    hinge: Array,
    column: Array,
    hessian: Array,
    gradient: Array,
) -> float:
    """Gauss–Newton matrix (V, V; lower half) and gradient (V,) of `squared_distance`, added into the last two."""
    place(parent, offset, first_axis, axis, pose, position, frame, hinge)
    at = np.empty(3)
    residual = np.empty(3)
    cost = 0.0
    for n in range(len(segment)):
        if weight[n] <= 0.0:
            continue
        s = segment[n]
        square = 0.0
        for i in range(3):
            at[i] = position[s, i]
            for j in range(3):
                at[i] += frame[s, i, j] * local[n, j]
            residual[i] = at[i] - target[n, i]
            square += residual[i] * residual[i]
        w = weight[n]
        if square > huber * huber:
            distance = np.sqrt(square)
            cost += w * huber * (distance - 0.5 * huber)
            w *= huber / distance
        else:
            cost += 0.5 * w * square
        count = point_jacobian(s, chain, first_axis, parent, position, frame, hinge, at, column)
        for a in range(count):
            ia = a if a < 6 else chain[s, a - 6]
            c0, c1, c2 = w * column[0, a], w * column[1, a], w * column[2, a]
            gradient[ia] += c0 * residual[0] + c1 * residual[1] + c2 * residual[2]
            for b in range(a + 1):
                ib = b if b < 6 else chain[s, b - 6]
                hessian[ia, ib] += c0 * column[0, b] + c1 * column[1, b] + c2 * column[2, b]
    return cost


@compiled
def place_many(
    parent: Indices, offset: Array, first_axis: Indices, axis: Array, poses: Array, position: Array, frame: Array
) -> None:
    """`place` over poses (T, 7 + A) into (T, S, 3) and (T, S, 3, 3)."""
    hinge = np.empty((len(axis), 3))
    for t in range(len(poses)):
        place(parent, offset, first_axis, axis, poses[t], position[t], frame[t], hinge)


def forward(tree: Tree, poses: Array) -> tuple[Array, Array]:
    """Joint centres (T, S, 3) [m] and segment frames (T, S, 3, 3) in the world of poses (T, 7 + A)."""
    count = (len(poses), len(tree.names))
    position, frame = np.empty((*count, 3)), np.empty((*count, 3, 3))
    place_many(tree.parent, tree.offset, tree.first_axis, tree.axis, np.ascontiguousarray(poses), position, frame)
    return position, frame
