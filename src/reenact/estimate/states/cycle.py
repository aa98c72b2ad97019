"""A walk that goes on: states of one stride, from the recording alone, the last leading back to the first.

Each step is cut into a few states of equal length. Within a step time leads on; the last state waits for the swinging
foot to come down, and where it does so early, as after a push, the next step begins at once.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from reenact.control.machine.machine import Balance, Machine, MachineState
from reenact.control.machine.mirror import mirrored_rows
from reenact.estimate.states.gait import Strike
from reenact.estimate.states.kinematic import guess
from reenact.estimate.states.task import Task
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

EACH = 3  # states of a step
FEEDBACK = Balance(place=0.5, velocity=0.2, blend=1.0, aside=(0.5, 0.2))  # to begin with


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cycle:
    """A machine that goes round a stride, and the frame of the reference at which each of its states begins."""

    machine: Machine
    begins: tuple[int, ...]


def cycle_of(task: Task, stride: tuple[Strike, Strike, Strike], *, share: float = 0.5, each: int = EACH) -> Cycle:
    """The kinematic guess of a cycle from three strikes: a foot, the other, the first again."""
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
    machine = Machine(
        axes=tuple(axis.name for axis in task.model.body.axes),
        groups=task.limbs.groups,
        states=tuple(states),
        share=share,
    )
    return Cycle(machine=machine, begins=tuple(begins))


def even(task: Task, cycle: Cycle) -> Cycle:
    """The cycle with both its steps alike: each the mean of itself and the other's mirror image."""
    rows = cycle.machine.rows()
    half, groups = len(rows) // 2, len(cycle.machine.groups)
    image = mirrored_rows(rows[half:], task.model.body, groups)
    mean = 0.5 * (rows[:half] + image)
    return Cycle(machine=both_sides(task, cycle.machine, mean), begins=cycle.begins)


def both_sides(task: Task, machine: Machine, rows: Array) -> Machine:
    """The machine whose first step has these rows (M/2, W), and whose second step is their mirror image."""
    image = mirrored_rows(rows, task.model.body, len(machine.groups))
    return machine.with_rows(np.concatenate([rows, image]))


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
