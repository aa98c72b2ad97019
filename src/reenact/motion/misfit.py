"""How far a pose is from its aims, and the Gauss–Newton equations that lower it; compiled.

Misfit = ½ Σ w |point − target|² + ½ Σ w |frame − target frame|² (Frobenius); a point farther than `huber` from its
target counts linearly, so that a swapped or lost marker does not bend the body.
"""

from __future__ import annotations

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.aims import AimArrays
from reenact.motion.compiled import compiled
from reenact.motion.kinematics import Placed, place
from reenact.motion.tree import TreeArrays


@compiled
def columns(tree: TreeArrays, placed: Placed, s: int, at: Array, linear: Array, angular: Array) -> int:
    """Jacobians (3, C) of a point of segment s at world `at`, and of the segment's turning; returns how many columns.

    Column k belongs to the tangent index chain[s, k].
    """
    position, frame, hinge = placed.position, placed.frame, placed.hinge
    for j in range(3):
        for i in range(3):
            linear[i, j] = 1.0 if i == j else 0.0
            angular[i, j] = 0.0
            angular[i, 3 + j] = frame[0, i, j]
    count = 6
    while count < tree.chain.shape[1] and tree.chain[s, count] >= 0:
        count += 1
    k = count - 1
    b = s
    while b > 0:  # a segment's hinges turn about its joint centre; walk from the point to the root
        for a in range(tree.first_axis[b + 1] - 1, tree.first_axis[b] - 1, -1):
            for i in range(3):
                angular[i, k] = hinge[a, i]
            cross(angular, k, at, position, b, linear)
            k -= 1
        b = tree.parent[b]
    for j in range(3, 6):
        cross(angular, j, at, position, 0, linear)
    return count


@compiled
def cross(axes: Array, k: int, at: Array, position: Array, b: int, out: Array) -> None:
    """Column k of `out` = column k of `axes` × (at − position[b])."""
    rx, ry, rz = at[0] - position[b, 0], at[1] - position[b, 1], at[2] - position[b, 2]
    ax, ay, az = axes[0, k], axes[1, k], axes[2, k]
    out[0, k] = ay * rz - az * ry
    out[1, k] = az * rx - ax * rz
    out[2, k] = ax * ry - ay * rx


@compiled
def misfit(tree: TreeArrays, aims: AimArrays, t: int, pose: Array, huber: float, placed: Placed) -> float:
    """Misfit of one pose in frame t; `placed` is filled on the way."""
    place(tree, pose, placed)
    cost = 0.0
    for n in range(len(aims.segment)):
        w = aims.weight[t, n]
        if w <= 0.0:
            continue
        s = aims.segment[n]
        square = 0.0
        for i in range(3):
            r = placed.position[s, i] - aims.target[t, n, i]
            for j in range(3):
                r += placed.frame[s, i, j] * aims.local[n, j]
            square += r * r
        cost += w * huber * (np.sqrt(square) - 0.5 * huber) if square > huber * huber else 0.5 * w * square
    for q in range(len(aims.turn_segment)):
        s = aims.turn_segment[q]
        trace = 0.0
        for i in range(3):
            for j in range(3):
                trace += placed.frame[s, i, j] * aims.turn_target[t, q, i, j]
        cost += aims.turn_weight[t, q] * (3.0 - trace)
    return cost


@compiled
def equations(
    tree: TreeArrays,
    aims: AimArrays,
    t: int,
    pose: Array,
    huber: float,
    placed: Placed,
    hessian: Array,
    gradient: Array,
) -> float:
    """Add the Gauss–Newton matrix (V, V; lower half) and gradient (V,) of `misfit` into the last two."""
    place(tree, pose, placed)
    linear, angular = np.empty((3, tree.chain.shape[1])), np.empty((3, tree.chain.shape[1]))
    at, residual = np.empty(3), np.empty(3)
    cost = 0.0
    for n in range(len(aims.segment)):
        w = aims.weight[t, n]
        if w <= 0.0:
            continue
        s = aims.segment[n]
        square = 0.0
        for i in range(3):
            at[i] = placed.position[s, i]
            for j in range(3):
                at[i] += placed.frame[s, i, j] * aims.local[n, j]
            residual[i] = at[i] - aims.target[t, n, i]
            square += residual[i] * residual[i]
        if square > huber * huber:
            distance = np.sqrt(square)
            cost += w * huber * (distance - 0.5 * huber)
            w *= huber / distance
        else:
            cost += 0.5 * w * square
        count = columns(tree, placed, s, at, linear, angular)
        accumulate(tree.chain[s], count, linear, residual, w, w, hessian, gradient)
    for q in range(len(aims.turn_segment)):
        s = aims.turn_segment[q]
        w = aims.turn_weight[t, q]
        cost += w * 3.0
        residual[:] = 0.0
        for k in range(3):  # gradient of ½ Σ |v_k − t_k|² with respect to turning: −Σ v_k × t_k
            v0, v1, v2 = placed.frame[s, 0, k], placed.frame[s, 1, k], placed.frame[s, 2, k]
            t0, t1, t2 = aims.turn_target[t, q, 0, k], aims.turn_target[t, q, 1, k], aims.turn_target[t, q, 2, k]
            cost -= w * (v0 * t0 + v1 * t1 + v2 * t2)
            residual[0] -= v1 * t2 - v2 * t1
            residual[1] -= v2 * t0 - v0 * t2
            residual[2] -= v0 * t1 - v1 * t0
        count = columns(tree, placed, s, placed.position[s], linear, angular)
        accumulate(tree.chain[s], count, angular, residual, 2.0 * w, w, hessian, gradient)
    return cost


@compiled
def accumulate(
    chain: Array,
    count: int,
    jacobian: Array,
    residual: Array,
    weight: float,
    pull: float,
    hessian: Array,
    gradient: Array,
) -> None:
    """hessian += weight JᵀJ and gradient += pull Jᵀr, scattered to the tangent indices of `chain`."""
    for a in range(count):
        i = chain[a]
        c0, c1, c2 = jacobian[0, a], jacobian[1, a], jacobian[2, a]
        gradient[i] += pull * (c0 * residual[0] + c1 * residual[1] + c2 * residual[2])
        c0, c1, c2 = weight * c0, weight * c1, weight * c2
        for b in range(a + 1):
            hessian[i, chain[b]] += c0 * jacobian[0, b] + c1 * jacobian[1, b] + c2 * jacobian[2, b]
