"""Inverse kinematics: the pose of each frame that meets its aims within the joint limits.

Damped least squares (Levenberg–Marquardt) with an active set for the limits; each frame may start from the one before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.aims import AimArrays, Aims
from reenact.motion.compiled import compiled
from reenact.motion.kinematics import new_placed
from reenact.motion.misfit import equations, misfit
from reenact.motion.tree import Tree, TreeArrays

HUBER: Final = 0.15  # beyond this distance a target counts as doubtful and pulls with constant force [m]
# Spread of the hinges about zero [rad]: decides where the aims do not, and settles what is constant in a person (toes
# turned out, a bent forearm) as size rather than as an angle. By the end of the hinge's name.
NEUTRAL_SIGMAS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "inversion": 0.15,
        "deviation": 0.4,
        "wrist_flexion": 0.6,
        "toe_flexion": 0.5,
        "hip_twist": 0.6,
    }
)
NEUTRAL_SIGMA: Final = 1.5  # of the other hinges [rad]


def neutral_stiffness(tree: Tree) -> Array:
    """Stiffness (A,) [1/rad²] that pulls each hinge to zero."""
    return _neutral_stiffness(tree.hinges)


@cache
def _neutral_stiffness(hinges: tuple[str, ...]) -> Array:
    sigmas = []
    for name in hinges:
        bare = name.replace("_left", "").replace("_right", "")
        sigmas.append(next((s for end, s in NEUTRAL_SIGMAS.items() if bare.endswith(end)), NEUTRAL_SIGMA))
    return 1.0 / np.array(sigmas) ** 2


@compiled
def factor(matrix: Array) -> bool:
    """Cholesky factor in the lower half of a square matrix, in place; False when it is not positive definite."""
    size = len(matrix)
    column = np.empty(size)
    for j in range(size):
        if matrix[j, j] <= 0.0:
            return False
        d = np.sqrt(matrix[j, j])
        matrix[j, j] = d
        for i in range(j + 1, size):
            matrix[i, j] /= d
            column[i] = matrix[i, j]
        for i in range(j + 1, size):  # row by row, which runs in vector instructions without reordering sums
            f = column[i]
            if f != 0.0:
                for k in range(j + 1, i + 1):
                    matrix[i, k] -= f * column[k]
    return True


@compiled
def substitute(matrix: Array, vector: Array) -> None:
    """Solve L Lᵀ x = vector in place, L from `factor`."""
    size = len(vector)
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
def displace(tree: TreeArrays, pose: Array, step: Array, out: Array) -> None:
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
    for a in range(len(tree.lower)):
        out[7 + a] = min(max(pose[7 + a] + step[6 + a], tree.lower[a]), tree.upper[a])


@compiled
def hold(tree: TreeArrays, pose: Array, gradient: Array, hessian: Array, step: Array) -> None:
    """Take hinges that are pushed against their limits out of the equations: they stay there."""
    for a in range(len(tree.lower)):
        i = 6 + a
        low = pose[7 + a] <= tree.lower[a] and gradient[i] > 0.0
        high = pose[7 + a] >= tree.upper[a] and gradient[i] < 0.0
        if low or high:
            for k in range(i):
                hessian[i, k] = 0.0
            for k in range(i + 1, len(hessian)):
                hessian[k, i] = 0.0
            hessian[i, i] = 1.0
            step[i] = 0.0


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
    tree: TreeArrays,
    aims: AimArrays,
    t: int,
    huber: float,
    reference: Array,
    stiffness: Array,
    iterations: int,
    tolerance: float,
    settle: float,
    pose: Array,
) -> float:
    """Improve one pose in place until steps are below `tolerance` [rad, m] or gain less than `settle` of the cost."""
    size = 6 + len(tree.axis)
    placed = new_placed(tree)
    hessian, work = np.empty((size, size)), np.empty((size, size))
    gradient, step, trial = np.empty(size), np.empty(size), np.empty(len(pose))
    damping, cost, new = 1e-4, 0.0, 0.0
    for _ in range(iterations):
        hessian[:] = 0.0
        gradient[:] = 0.0
        cost = equations(tree, aims, t, pose, huber, placed, hessian, gradient) + pull(pose, reference, stiffness)
        for a in range(len(tree.axis)):
            hessian[6 + a, 6 + a] += stiffness[a]
            gradient[6 + a] += stiffness[a] * (pose[7 + a] - reference[a])
        better = False
        for _ in range(8):
            for i in range(size):  # by hand: numba compiles the assignment of whole arrays ten times as long
                for k in range(i + 1):
                    work[i, k] = hessian[i, k]
                work[i, i] += damping * (hessian[i, i] + 1.0)
                step[i] = -gradient[i]
            hold(tree, pose, gradient, work, step)
            if factor(work):
                substitute(work, step)
                displace(tree, pose, step, trial)
                new = misfit(tree, aims, t, trial, huber, placed) + pull(trial, reference, stiffness)
                if new <= cost:
                    better = True
                    damping = max(damping * 0.2, 1e-9)
                    break
            damping = min(damping * 10.0, 1e6)
        if not better:
            return cost
        for i in range(len(pose)):
            pose[i] = trial[i]
        largest = 0.0
        for i in range(size):
            largest = max(largest, abs(step[i]))
        if largest < tolerance or cost - new < settle * cost:
            return new
        cost = new
    return cost


@compiled
def solve_frames(
    tree: TreeArrays,
    aims: AimArrays,
    huber: float,
    neutral: Array,
    to_neutral: Array,
    follow_stiffness: float,
    iterations: int,
    tolerance: float,
    settle: float,
    warm: bool,
    poses: Array,
    costs: Array,
) -> None:
    """`solve_frame` over frames in place; with `warm` each starts from, and is held to, the one before."""
    reference, stiffness = np.empty(len(tree.axis)), np.empty(len(tree.axis))
    for t in range(len(poses)):
        follow = warm and t > 0
        if follow:
            for i in range(poses.shape[1]):
                poses[t, i] = poses[t - 1, i]
            if t > 1:  # start where the last step leads, which saves an iteration
                for i in range(3):
                    poses[t, i] += poses[t - 1, i] - poses[t - 2, i]
        for a in range(len(tree.axis)):
            k = follow_stiffness if follow else 0.0
            stiffness[a] = to_neutral[a] + k
            before = poses[t - 1, 7 + a] if follow else 0.0
            reference[a] = (to_neutral[a] * neutral[a] + k * before) / stiffness[a]
        costs[t] = solve_frame(tree, aims, t, huber, reference, stiffness, iterations, tolerance, settle, poses[t])


def solve(
    tree: Tree,
    aims: Aims,
    start: Array,
    *,
    warm: bool = False,
    follow_sigma: float = np.inf,
    iterations: int = 30,
    tolerance: float = 1e-5,
    settle: float = 0.0,
    huber: float = HUBER,
    relax: float = 1.0,
) -> tuple[Array, Array]:
    """Poses (T, 7 + A) near `start` that meet the aims, and the cost of each frame (T,).

    `start` is (T, 7 + A), of which only the first frame counts when `warm`. `follow_sigma` [rad] is how far a hinge is
    let to stray from the frame before at no more cost than a point 1 cm off. A frame is done when its steps are below
    `tolerance` [rad, m] or lower the cost by less than a share `settle`. `relax` multiplies the pull to neutral.
    """
    poses = np.array(start, float)
    poses[:, 7:] = np.clip(poses[:, 7:], *tree.limits)
    costs = np.empty(len(poses))
    solve_frames(
        tree.arrays, aims.arrays(), float(huber), tree.neutral()[7:], relax * neutral_stiffness(tree),
        1.0 / follow_sigma**2, iterations, tolerance, settle, warm, poses, costs,
    )  # fmt: skip
    return poses, costs
