"""Where states begin and end, from the recording alone: the cuts at which kinematic guesses fit best.

A state removes a fixed fraction of the distance to its target in each step, so it fits a stretch in which joints go one
way and slow down. For every stretch of a recording the error of its best guess is known in closed form; the cheapest
way to cut the whole, with a price on each state, follows by dynamic programming.

Deviation: [V12] adds states at multiples of a number of frames and leaves it to the search to shift them.
"""

from __future__ import annotations

from functools import lru_cache

import mujoco
import numpy as np

from reenact.estimate.states.kinematic import GAINS
from reenact.estimate.states.task import Task
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

SHORTEST, LONGEST = 0.1, 0.5  # [s] of a state, the prior of [V12] §5
SAMPLED = 8  # frames between those at which levers are measured
SQUARE_CM = 1e4  # cm² in a m²


@lru_cache(maxsize=8)
def cuts(task: Task, price: float) -> tuple[int, ...]:
    """Frames at which states end, the last frame among them; price: of a state [cm² of the mean over all frames]."""
    last = task.reference.frames - 1
    shortest, longest = (round(seconds * task.reference.rate) for seconds in (SHORTEST, LONGEST))
    if last < 2 * shortest:
        return (last,)
    cost = stretches(task, longest)
    total, before = np.full(last + 1, np.inf), np.zeros(last + 1, np.int64)
    total[0] = 0.0
    for end in range(shortest, last + 1):
        lengths = np.arange(shortest, min(longest, end) + 1)
        ways = total[end - lengths] + cost[end - lengths, lengths]
        best = int(np.argmin(ways))
        total[end], before[end] = ways[best] + price * last, end - lengths[best]
    ends = [last]
    while before[ends[0]] > 0:
        ends.insert(0, int(before[ends[0]]))
    return tuple(ends)


def stretches(task: Task, longest: int) -> Array:
    """Squared marker distance [cm²], summed over frames, of the best guess for the n frames after each: (K, longest+1).

    Infinite where the recording ends before. A joint's error counts by how far it moves the markers.
    """
    qpos, frames = task.reference.qpos, task.reference.frames
    group_of = np.array([0, 0, 0, *task.limbs.group_of])
    member = (group_of[:, None] == np.arange(len(task.limbs.groups))).astype(float)  # (3+A, G)
    lever = levers(task)
    cost = np.full((frames, longest + 1), np.inf)
    for begin in range(frames - 1):
        count = min(longest, frames - 1 - begin)
        later = slice(begin + 1, begin + 1 + count)
        turn = rotation.to_rotvec(rotation.multiply(rotation.conjugate(qpos[begin, 3:7]), qpos[later, 3:7]))
        away = np.concatenate([turn, qpos[later, 7:] - qpos[begin, 7:]], axis=1)  # (n, 3+A) [rad]
        squares = np.cumsum(away**2, axis=0)
        best = np.full((count, member.shape[1]), np.inf)
        for gain in GAINS:
            way = 1.0 - (1.0 - gain) ** np.arange(1, count + 1)
            fitted = np.cumsum(way[:, None] * away, axis=0) ** 2 / np.cumsum(way**2)[:, None]
            best = np.minimum(best, ((squares - fitted) * lever) @ member)
        cost[begin, 1 : count + 1] = best.sum(axis=1)
    return cost


def levers(task: Task) -> Array:
    """Mean squared distance [cm²] by which markers move for a turn of one rad: root, then hinges, (3+A,)."""
    model, reference = task.model.mj, task.reference
    data, jacobian = mujoco.MjData(model), np.zeros((3, model.nv))
    hinges = len(task.limbs.group_of)
    total, count = np.zeros(model.nv), 0
    for qpos in reference.qpos[::SAMPLED]:
        data.qpos[: len(qpos)] = qpos
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        for body, local in zip(task.model.segment_body, reference.local, strict=True):
            for point in data.xpos[body] + local @ data.xmat[body].reshape(3, 3).T:
                mujoco.mj_jac(model, data, jacobian, None, point, int(body))
                total += np.sum(jacobian**2, axis=0)
                count += 1
    return np.asarray(SQUARE_CM * total[3 : 6 + hinges] / count)
