"""All frames at once: poses that meet the aims and move smoothly, within the joint limits.

Gauss–Newton on Σ misfit + Σ |second difference|²/σ² over a whole stretch; the equations are banded (a frame reaches two
frames back), so the work grows with length only. Where the aims do not decide an angle, smoothness does.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy.linalg import LinAlgError, solveh_banded

from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.motion.aims import AimArrays, Aims
from reenact.motion.compiled import compiled
from reenact.motion.ik import HUBER, displace, neutral_stiffness
from reenact.motion.kinematics import new_placed
from reenact.motion.misfit import equations, misfit
from reenact.motion.tree import Tree, TreeArrays

HINGE_ACCELERATION: Final = 400.0  # typical of fast human joints [rad/s²]; slower ones are smoothed more
ROOT_ACCELERATION: Final = 40.0  # [m/s²]
ROOT_TURNING: Final = 200.0  # [rad/s²]
STRETCH: Final = 600  # frames solved together, which bounds memory at about 25 kB each
OVERLAP: Final = 60  # frames beyond a stretch that are solved with it and then solved again


@compiled
def turn_between(a: Array, b: Array, out: Array) -> None:
    """Rotation vector (3,) from quaternion pose a to b in a's frame, into `out`."""
    w = a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]
    x = a[3] * b[4] - a[4] * b[3] - a[5] * b[6] + a[6] * b[5]
    y = a[3] * b[5] + a[4] * b[6] - a[5] * b[3] - a[6] * b[4]
    z = a[3] * b[6] - a[4] * b[5] + a[5] * b[4] - a[6] * b[3]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    sine = np.sqrt(x * x + y * y + z * z)
    k = 2.0 if sine < 1e-9 else 2.0 * np.arctan2(sine, w) / sine
    out[0], out[1], out[2] = k * x, k * y, k * z


@compiled
def bends(poses: Array, t: int, out: Array) -> None:
    """Second difference (V,) of the poses about frame t, into `out`."""
    before, after = np.empty(3), np.empty(3)
    turn_between(poses[t - 1], poses[t], before)
    turn_between(poses[t], poses[t + 1], after)
    for i in range(3):
        out[i] = poses[t - 1, i] - 2.0 * poses[t, i] + poses[t + 1, i]
        out[3 + i] = after[i] - before[i]
    for i in range(6, len(out)):
        out[i] = poses[t - 1, 1 + i] - 2.0 * poses[t, 1 + i] + poses[t + 1, 1 + i]


@compiled
def total(
    tree: TreeArrays, aims: AimArrays, poses: Array, neutral: Array, stiffness: Array, smooth: Array, huber: float
) -> float:
    """The whole cost of a stretch."""
    placed = new_placed(tree)
    bend = np.empty(len(smooth))
    cost = 0.0
    for t in range(len(poses)):
        cost += misfit(tree, aims, t, poses[t], huber, placed)
        for a in range(len(neutral)):
            cost += 0.5 * stiffness[a] * (poses[t, 7 + a] - neutral[a]) ** 2
        if 0 < t < len(poses) - 1:
            bends(poses, t, bend)
            for i in range(len(smooth)):
                cost += 0.5 * smooth[i] * bend[i] * bend[i]
    return cost


@compiled
def assemble(
    tree: TreeArrays,
    aims: AimArrays,
    poses: Array,
    neutral: Array,
    stiffness: Array,
    smooth: Array,
    huber: float,
    fixed: int,
    band: Array,
    gradient: Array,
) -> None:
    """Banded matrix (2V + 1, T·V; lower form) and gradient (T·V,); the first `fixed` frames stay where they are."""
    size = len(smooth)
    placed = new_placed(tree)
    hessian = np.empty((size, size))
    bend = np.empty(size)
    band[:] = 0.0
    gradient[:] = 0.0
    for t in range(len(poses)):
        hessian[:] = 0.0
        equations(tree, aims, t, poses[t], huber, placed, hessian, gradient[t * size : (t + 1) * size])
        for i in range(size):
            for k in range(i + 1):
                band[i - k, t * size + k] += hessian[i, k]
            band[0, t * size + i] += 1e-6
        for a in range(len(neutral)):
            band[0, t * size + 6 + a] += stiffness[a]
            gradient[t * size + 6 + a] += stiffness[a] * (poses[t, 7 + a] - neutral[a])
        if 0 < t < len(poses) - 1:
            bends(poses, t, bend)
            for i in range(size):
                j = t * size + i
                gradient[j - size] += smooth[i] * bend[i]
                gradient[j] -= 2.0 * smooth[i] * bend[i]
                gradient[j + size] += smooth[i] * bend[i]
                band[0, j - size] += smooth[i]
                band[0, j] += 4.0 * smooth[i]
                band[0, j + size] += smooth[i]
                band[size, j - size] -= 2.0 * smooth[i]
                band[size, j] -= 2.0 * smooth[i]
                band[2 * size, j - size] += smooth[i]
    for t in range(len(poses)):
        for i in range(size):
            j = t * size + i
            stuck = t < fixed
            if i >= 6:
                q = poses[t, 1 + i]
                stuck = stuck or (q <= tree.lower[i - 6] and gradient[j] > 0.0)
                stuck = stuck or (q >= tree.upper[i - 6] and gradient[j] < 0.0)
            if stuck:
                for k in range(1, min(2 * size, j) + 1):
                    band[k, j - k] = 0.0
                for k in range(1, 2 * size + 1):
                    band[k, j] = 0.0
                band[0, j] = 1.0
                gradient[j] = 0.0


@compiled
def displace_all(tree: TreeArrays, poses: Array, step: Array, scale: float, out: Array) -> None:
    """`displace` over frames: poses moved by scale · step (T·V,)."""
    size = 6 + len(tree.axis)
    for t in range(len(poses)):
        displace(tree, poses[t], scale * step[t * size : (t + 1) * size], out[t])


def smooth_poses(
    tree: Tree,
    aims: Aims,
    start: Array,
    rate: float,
    *,
    iterations: int = 3,
    huber: float = HUBER,
    smoothness: float = 1.0,
    relax: float = 1.0,
    progress: Progress | None = None,
) -> Array:
    """Poses (T, 7 + A) near `start` that lower misfit and acceleration together.

    `smoothness` multiplies the weight of acceleration (1 suits recorded motion at any rate), `relax` the pull to
    neutral.
    """
    poses = np.array(start, float)
    frames = len(poses)
    if frames < 3:
        return poses
    first = 0
    while first < frames:
        last = min(first + STRETCH, frames)
        begin, end = max(first - 2, 0), min(last + OVERLAP, frames)
        part = aims.at(slice(begin, end)).arrays()
        better = _descend(tree, part, poses[begin:end], rate, first - begin, iterations, huber, smoothness, relax)
        poses[first:end] = better[first - begin :]
        first = last
        if progress is not None:
            progress(last / frames, "smoothing")
    return poses


def _descend(
    tree: Tree,
    aims: AimArrays,
    start: Array,
    rate: float,
    fixed: int,
    iterations: int,
    huber: float,
    smoothness: float,
    relax: float,
) -> Array:
    """Gauss–Newton with step halving on one stretch."""
    poses = np.array(start)
    arrays, neutral, stiffness = tree.arrays, tree.neutral()[7:], relax * neutral_stiffness(tree)
    size, count = tree.dofs, len(poses) * tree.dofs
    typical = np.concatenate(
        [np.full(3, ROOT_ACCELERATION), np.full(3, ROOT_TURNING), np.full(size - 6, HINGE_ACCELERATION)]
    )
    smooth = smoothness * (rate**2 / typical) ** 2
    band = np.empty((2 * size + 1, count), order="F")  # as LAPACK wants it, so that nothing is copied
    gradient, trial = np.empty(count), np.empty_like(poses)
    cost = total(arrays, aims, poses, neutral, stiffness, smooth, huber)
    for _ in range(iterations):
        assemble(arrays, aims, poses, neutral, stiffness, smooth, huber, fixed, band, gradient)
        try:
            step = solveh_banded(band, -gradient, lower=True, overwrite_ab=True, check_finite=False)
        except LinAlgError:
            break
        scale, improved = 1.0, False
        for _ in range(6):
            displace_all(arrays, poses, step, scale, trial)
            new = total(arrays, aims, trial, neutral, stiffness, smooth, huber)
            if new < cost:
                improved = True
                break
            scale *= 0.5
        if not improved:
            break
        gain = (cost - new) / cost
        poses[:], cost = trial, new
        if gain < 1e-4:
            break
    return poses
