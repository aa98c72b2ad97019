"""Inverse kinematics: the pose of each frame that brings points on the body to their targets within the joint limits.

Damped least squares (Levenberg–Marquardt) with an active set for the limits, each frame started from the one before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.compiled import compiled
from reenact.motion.kinematics import normal_equations, squared_distance
from reenact.motion.tree import Indices, Tree

SIGMA: Final = 0.01  # a point's typical distance to its target [m]; weights are relative to 1/SIGMA²
HUBER: Final = 0.15  # beyond this distance a target counts as doubtful and pulls with constant force [m]
NEUTRAL_SIGMA: Final = 1.5  # spread of the hinges about zero where nothing else decides them [rad]


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Points fixed on segments, and where they should be in each frame."""

    segment: Indices  # (N,)
    local: Array  # (N, 3) in the segment's frame [m]
    weight: Array  # (N,) relative, 1 for a joint centre
    target: Array  # (T, N, 3) world [m], NaN where unseen

    def at(self, frames: Indices) -> Points:
        """The same points in some of the frames."""
        return Points(segment=self.segment, local=self.local, weight=self.weight, target=self.target[frames])

    def weights(self) -> Array:
        """Weight of each point in each frame (T, N) [1/m²]: zero where unseen."""
        seen = np.isfinite(self.target).all(axis=-1)
        return np.where(seen, self.weight / SIGMA**2, 0.0)

    def targets(self) -> Array:
        """Targets (T, N, 3) with zeros in place of NaN."""
        return np.nan_to_num(self.target, nan=0.0)


@compiled
def factor(matrix: Array, size: int) -> bool:
    """Cholesky factor in the lower half of `matrix`, in place; False when it is not positive definite."""
    for j in range(size):
        d = matrix[j, j]
        for k in range(j):
            d -= matrix[j, k] * matrix[j, k]
        if d <= 0.0:
            return False
        d = np.sqrt(d)
        matrix[j, j] = d
        inverse = 1.0 / d
        for i in range(j + 1, size):
            s = matrix[i, j]
            for k in range(j):
                s -= matrix[i, k] * matrix[j, k]
            matrix[i, j] = s * inverse
    return True


@compiled
def substitute(matrix: Array, vector: Array, size: int) -> None:
    """Solve L Lᵀ x = vector in place with the factor of `factor`."""
    for i in range(size):
        s = vector[i]
        for k in range(i):
            s -= matrix[i, k] * vector[k]
        vector[i] = s / matrix[i, i]
    for i in range(size - 1, -1, -1):
        s = vector[i]
        for k in range(i + 1, size):
            s -= matrix[k, i] * vector[k]
        vector[i] = s / matrix[i, i]


@compiled
def displace(pose: Array, step: Array, lower: Array, upper: Array, out: Array) -> None:
    """`out` = pose moved by a tangent, hinges kept within their limits."""
    for i in range(3):
        out[i] = pose[i] + step[i]
    angle = np.sqrt(step[3] ** 2 + step[4] ** 2 + step[5] ** 2)
    k = 0.5 if angle < 1e-9 else np.sin(0.5 * angle) / angle
    bw, bx, by, bz = np.cos(0.5 * angle), k * step[3], k * step[4], k * step[5]
    aw, ax, ay, az = pose[3], pose[4], pose[5], pose[6]
    out[3] = aw * bw - ax * bx - ay * by - az * bz
    out[4] = aw * bx + ax * bw + ay * bz - az * by
    out[5] = aw * by - ax * bz + ay * bw + az * bx
    out[6] = aw * bz + ax * by - ay * bx + az * bw
    n = 1.0 / np.sqrt(out[3] ** 2 + out[4] ** 2 + out[5] ** 2 + out[6] ** 2)
    for i in range(3, 7):
        out[i] *= n
    for a in range(len(lower)):
        out[7 + a] = min(max(pose[7 + a] + step[6 + a], lower[a]), upper[a])


@compiled
def pull(pose: Array, reference: Array, stiffness: Array) -> float:
    """Cost of hinges away from a reference: ½ Σ stiffness (q − reference)²."""
    cost = 0.0
    for a in range(len(stiffness)):
        d = pose[7 + a] - reference[a]
        cost += 0.5 * stiffness[a] * d * d
    return cost


@compiled
def solve_frame(
    parent: Indices,
    offset: Array,
    first_axis: Indices,
    axis: Array,
    chain: Indices,
    lower: Array,
    upper: Array,
    segment: Indices,
    local: Array,
    target: Array,
    weight: Array,
    huber: float,
    reference: Array,
    stiffness: Array,
    iterations: int,
    tolerance: float,
    pose: Array,
) -> tuple[float, int]:
    """Improve one pose in place; returns its cost and the iterations used."""
    size = 6 + len(axis)
    position, frame = np.empty((len(parent), 3)), np.empty((len(parent), 3, 3))
    hinge, column = np.empty((len(axis), 3)), np.empty((3, size))
    hessian, work = np.empty((size, size)), np.empty((size, size))
    gradient, step = np.empty(size), np.empty(size)
    trial = np.empty(len(pose))
    damping = 1e-3
    cost = 0.0
    for iteration in range(iterations):
        hessian[:] = 0.0
        gradient[:] = 0.0
        cost = normal_equations(
            parent, offset, first_axis, axis, chain, pose, segment, local, target, weight, huber,
            position, frame, hinge, column, hessian, gradient,
        )  # fmt: skip
        cost += pull(pose, reference, stiffness)
        for a in range(len(axis)):
            hessian[6 + a, 6 + a] += stiffness[a]
            gradient[6 + a] += stiffness[a] * (pose[7 + a] - reference[a])
        better = False
        for _ in range(8):
            work[:] = hessian
            for i in range(size):
                work[i, i] += damping * (hessian[i, i] + 1.0)
                step[i] = -gradient[i]
            for a in range(len(axis)):  # a hinge that is pushed against its limit stays there
                i = 6 + a
                if (pose[7 + a] <= lower[a] and gradient[i] > 0.0) or (pose[7 + a] >= upper[a] and gradient[i] < 0.0):
                    for k in range(i):
                        work[i, k] = 0.0
                    for k in range(i + 1, size):
                        work[k, i] = 0.0
                    work[i, i] = 1.0
                    step[i] = 0.0
            if factor(work, size):
                substitute(work, step, size)
                displace(pose, step, lower, upper, trial)
                new = squared_distance(
                    parent, offset, first_axis, axis, trial, segment, local, target, weight, huber, position, frame, hinge
                ) + pull(trial, reference, stiffness)
                if new <= cost:
                    better = True
                    damping = max(damping * 0.2, 1e-9)
                    break
            damping = min(damping * 8.0, 1e6)
        if not better:
            return cost, iteration
        pose[:] = trial
        gain = cost - new
        cost = new
        largest = 0.0
        for i in range(size):
            largest = max(largest, abs(step[i]))
        if largest < tolerance or gain < 1e-9 * cost:
            return cost, iteration + 1
    return cost, iterations


@compiled
def solve_sequence(
    parent: Indices,
    offset: Array,
    first_axis: Indices,
    axis: Array,
    chain: Indices,
    lower: Array,
    upper: Array,
    segment: Indices,
    local: Array,
    target: Array,
    weight: Array,
    huber: float,
    neutral: Array,
    neutral_stiffness: float,
    follow_stiffness: float,
    iterations: int,
    tolerance: float,
    warm: bool,
    poses: Array,
    costs: Array,
) -> int:
    """`solve_frame` over frames in place; with `warm` each starts from, and is held to, the one before."""
    total = 0
    reference = np.empty(len(axis))
    stiffness = np.empty(len(axis))
    for t in range(len(poses)):
        if warm and t > 0:
            poses[t] = poses[t - 1]
            if t > 1:  # start where the last step leads, which saves an iteration
                for i in range(3):
                    poses[t, i] += poses[t - 1, i] - poses[t - 2, i]
                for a in range(len(axis)):
                    q = 2.0 * poses[t - 1, 7 + a] - poses[t - 2, 7 + a]
                    poses[t, 7 + a] = min(max(q, lower[a]), upper[a])
        for a in range(len(axis)):
            k = follow_stiffness if warm and t > 0 else 0.0
            stiffness[a] = neutral_stiffness + k
            before = poses[t - 1, 7 + a] if warm and t > 0 else 0.0
            reference[a] = (neutral_stiffness * neutral[a] + k * before) / stiffness[a]
        costs[t], used = solve_frame(
            parent, offset, first_axis, axis, chain, lower, upper, segment, local, target[t], weight[t], huber,
            reference, stiffness, iterations, tolerance, poses[t],
        )  # fmt: skip
        total += used
    return total


def solve(
    tree: Tree,
    points: Points,
    start: Array,
    *,
    warm: bool = False,
    follow_sigma: float = np.inf,
    iterations: int = 30,
    tolerance: float = 1e-5,
    huber: float = HUBER,
    neutral_sigma: float = NEUTRAL_SIGMA,
) -> tuple[Array, Array]:
    """Poses (T, 7 + A) near `start` that bring the points to their targets, and the cost of each frame (T,).

    `start` is (T, 7 + A), of which only the first frame counts when `warm`. `follow_sigma` [rad] holds each hinge to
    the frame before.
    """
    poses = np.array(start, float)
    poses[:, 7:] = np.clip(poses[:, 7:], tree.lower, tree.upper)
    costs = np.empty(len(poses))
    solve_sequence(
        tree.parent, tree.offset, tree.first_axis, tree.axis, tree.chain, tree.lower, tree.upper,
        points.segment, points.local, points.targets(), points.weights(), huber,
        tree.neutral()[7:], 1.0 / neutral_sigma**2, 1.0 / follow_sigma**2, iterations, tolerance, warm, poses, costs,
    )  # fmt: skip
    return poses, costs
