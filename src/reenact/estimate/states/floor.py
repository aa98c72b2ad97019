"""The kinematic floor: how near to a recording states of given lengths come if physics were no obstacle.

Every state is the kinematic guess of its own stretch, begun where the guess before it ended, and the root goes where
the recording's does. Beside a result it tells how much of the error is the price of having few states. It is no strict
bound: balance feedback and contacts move joints too, and the guess is the best for each group of joints by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reenact.control.against import joint_centres
from reenact.control.machine.limbs import Limbs
from reenact.estimate.states.kinematic import guess
from reenact.estimate.states.task import Task
from reenact.geometry import rotation
from reenact.geometry.rotation import Array


def kinematic_floor(task: Task, begins: Sequence[int]) -> float:
    """Mean distance of joint centres [cm] over all frames; begins: the frames at which states begin, the first 0."""
    reference = task.reference.qpos
    path = reference.copy()
    for begin, end in zip(begins, [*begins[1:], len(reference) - 1], strict=True):
        if end > begin:
            path[begin + 1 : end + 1] = _approach(reference[begin + 1 : end + 1], path[begin], task.limbs)
    names = np.array(task.model.body.segment_names)
    off = joint_centres(task.model, path, names) - joint_centres(task.model, reference, names)
    return 100.0 * float(np.linalg.norm(off, axis=-1).mean())


def begins_of(state: NDArray[np.int32], last: int) -> list[int]:
    """Frames at which a machine that was in `state` (N,) at each step entered one, up to frame `last`."""
    changes = np.flatnonzero(np.diff(state[:last])) + 1
    return [0, *(int(step) for step in changes)]


def _approach(poses: Array, start: Array, limbs: Limbs) -> Array:
    """The poses (n, 7+A) of a state's kinematic guess for the recorded ones; the root's place is the recorded one."""
    gains, root, angles, _ = guess(poses, start, limbs)
    steps = np.arange(1, len(poses) + 1)
    way = 1.0 - (1.0 - gains[:, None]) ** steps  # (G, n)
    path = poses.copy()
    path[:, 7:] = start[7:] + way[list(limbs.group_of)].T * (angles - start[7:])
    turn = rotation.to_rotvec(rotation.multiply(rotation.conjugate(start[3:7]), root))
    path[:, 3:7] = rotation.multiply(start[3:7], rotation.from_rotvec(way[0][:, None] * turn))
    return path
