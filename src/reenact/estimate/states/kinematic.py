"""A first guess of a state without simulation: the target and gain whose approach looks most like the recording.

A joint that removes the fraction α of its distance to a target in each step goes q₀ + (1 − (1 − α)^k)(q_d − q₀). For
each α of a grid the target is a least-squares solution; the best pair per group of joints is the guess, and what
remains is the kinematic floor: how well states of such a length can do if the physics were no obstacle.
"""

from __future__ import annotations

import numpy as np

from reenact.control.machine.limbs import Limbs
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

GAINS = np.array([0.02, 0.03, 0.045, 0.06, 0.08, 0.1, 0.13, 0.16, 0.2])
REACH = 0.6  # [rad] that a target may lie beyond the pose it is for
RIDGE = 1e-3  # price of lying beyond


def approach(start: Array, poses: Array) -> tuple[float, Array, float]:
    """Gain, target (J,) [rad] and squared error [rad²] of the approach from `start` (J,) that fits poses (n, J)."""
    best: tuple[float, Array, float] | None = None
    for gain in GAINS:
        way = 1.0 - (1.0 - gain) ** np.arange(1, len(poses) + 1)
        target = start + (way @ (poses - start)) / (way @ way)
        beyond = target - poses[-1]
        target = poses[-1] + np.clip(beyond, -REACH, REACH)
        error = float(np.sum((start + way[:, None] * (target - start) - poses) ** 2))
        price = error + RIDGE * float(np.sum(beyond**2))
        if best is None or price < best[2]:
            best = float(gain), target, price
    assert best is not None
    return best


def guess(qpos: Array, start: Array, limbs: Limbs) -> tuple[Array, Array, Array, float]:
    """Gains (G,), root orientation (4,), angles (A,) and error [rad²] of a state for poses (n, 7+A) from `start`."""
    group_of = np.array(limbs.group_of)
    gains, angles, error = np.zeros(len(limbs.groups)), start[7:].copy(), 0.0
    for group in range(1, len(limbs.groups)):
        axes = np.flatnonzero(group_of == group)
        gains[group], angles[axes], off = approach(start[7:][axes], qpos[:, 7:][:, axes])
        error += off
    turns = rotation.to_rotvec(rotation.multiply(rotation.conjugate(start[3:7]), qpos[:, 3:7]))
    gains[0], turn, off = approach(np.zeros(3), turns)
    root = rotation.multiply(start[3:7], rotation.from_rotvec(turn))
    return gains, root / np.linalg.norm(root), angles, error + off
