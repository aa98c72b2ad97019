"""A walk that goes on: states of one stride, from the recording alone, the last leading back to the first.

Each step is cut into a few states of equal length. Within a step time leads on; the last state waits for the swinging
foot to come down, and where it does so early, as after a push, the next step begins at once. Both steps are alike: each
is the mean of itself and the other's mirror image.
"""

from __future__ import annotations

import itertools

import numpy as np

from reenact.control.machine import layout as at
from reenact.control.machine.machine import Balance, MachineState
from reenact.control.machine.mirror import mirrored_rows
from reenact.estimate.states.gait import Strike
from reenact.estimate.states.kinematic import guess
from reenact.estimate.states.task import Task
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

EACH = 3  # states of a step
FEEDBACK = Balance(place=0.5, velocity=0.2, blend=1.0, aside=(0.8, 0.25))  # to begin with


def states_of_stride(
    task: Task, stride: tuple[Strike, Strike, Strike], *, each: int = EACH
) -> tuple[list[MachineState], list[int]]:
    """The kinematic guess from three strikes, a foot, the other, the first again; and where each state begins [frame].

    They are named a1, a2, … of the first step and b1, b2, … of the second.
    """
    states: list[MachineState] = []
    begins: list[int] = []
    for number, (first, second) in enumerate(itertools.pairwise(stride)):
        cuts = np.linspace(first.frame, second.frame, each + 1).round().astype(int)
        landing = task.limbs.parts[task.limbs.legs[second.leg].part]
        following = f"{'ab'[1 - number]}1"
        for i, (begin, end) in enumerate(itertools.pairwise(cuts)):
            last = i == each - 1
            gains, root, pose, _ = guess(
                task.reference.qpos[begin + 1 : end + 1], task.reference.qpos[begin], task.limbs
            )
            states.append(
                MachineState(
                    name=f"{'ab'[number]}{i + 1}",
                    seconds=float((end - begin) * task.model.timestep),
                    until=landing if last else "time",
                    then=following if last else f"{'ab'[number]}{i + 2}",
                    early=None if last else (landing, following),
                    pose=pose,
                    root=task.from_heading(root),
                    gains=gains,
                    balance=_nominal(task, int(begin), int(end), first.leg),
                )
            )
            begins.append(int(begin))
    return states, begins


def even(rows: Array, task: Task, way: float) -> Array:
    """Rows (M, W) of a stride with both its steps alike; way: where it goes [rad], from the heading at the start."""
    half, groups, body = len(rows) // 2, len(task.limbs.groups), task.model.body
    mean = 0.5 * (rows[:half] + mirrored_rows(rows[half:], body, groups, way=way))
    root = slice(at.root_at(groups), at.pose_at(groups))
    mean[:, root] = rotation.normalize(mean[:, root])
    return np.concatenate([mean, mirrored_rows(mean, body, groups, way=way)])


def _nominal(task: Task, begin: int, end: int, leg: int) -> Balance:
    """Feedback around what the recording does in these frames while a leg stands."""
    reference = task.reference
    foot = reference.origins[begin:end, task.limbs.legs[leg].foot]
    turn = task.heading_turn
    place = rotation.rotate(turn, (reference.com[begin:end] - foot).mean(axis=0))
    velocity = rotation.rotate(turn, reference.com_velocity[begin:end].mean(axis=0))
    return Balance(
        place=FEEDBACK.place,
        velocity=FEEDBACK.velocity,
        blend=FEEDBACK.blend,
        aside=FEEDBACK.aside,
        nominal_place=(float(place[0]), float(place[1])),
        nominal_velocity=(float(velocity[0]), float(velocity[1])),
    )
