"""Standing at a recording's end is fitted as the recording is: [V12] Eq. 11 with a pose that the body can stand in.

To follow the recording in a world where the body carries a load or the ground gives way says nothing of what comes
after its end, and its last pose may not be one to stand in there. So the recording is made longer by one that is: the
pose nearest to its last in which body and load are over the feet (`rest.py`), reached gently and then kept. The states
from the landing on are improved on that, for a little first and then for longer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from reenact.estimate.states.hold import NAME, after_flight
from reenact.estimate.states.incremental import Stage, improved
from reenact.estimate.states.reference import reference_of_poses
from reenact.estimate.states.refine import perform
from reenact.estimate.states.rest import rest_of
from reenact.estimate.states.search import weighed
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

SECONDS: Final = (0.3, 0.8)  # by which the recording is longer, part by part
BLEND: Final = 0.4  # [s] in which the pose to stand in is reached
ROUNDS, SAMPLES, SPREAD = 6, 128, 0.15
OPEN: Final = 3  # states at least that are improved


def to_stand(task: Task, stage: Stage) -> bool:
    """Whether a machine has a state to stand in at its end, and the world is one to stand in."""
    return stage.machine.states[-1].name == NAME and rest_of(task) is not None


def practised(task: Task, settings: Settings, stage: Stage, part: int, rng: np.random.Generator) -> Stage:
    """The machine with its states from the landing on improved up to some time after the recording's end."""
    machine, longer = stage.machine, lengthened(task, SECONDS[part])
    landed = after_flight(task, perform(task, machine, stage.last))
    states = range(max(0, min(landed, len(machine.states) - OPEN)), len(machine.states))
    settings = replace(settings, samples=SAMPLES)
    last = longer.reference.frames - 1
    better = improved(longer, settings, machine, last, rng, states=states, rounds=ROUNDS, spread=SPREAD)
    return weighed(task, settings, better.machine, stage.last)


def lengthened(task: Task, seconds: float) -> Task:
    """The task with so much of standing after the recording's end."""
    rest = rest_of(task)
    assert rest is not None
    own, steps = task.reference.qpos, round(seconds / task.model.timestep)
    share = np.clip(np.arange(1, steps + 1) * task.model.timestep / BLEND, 0.0, 1.0)
    poses = _between(own[-1], rest.qpos, share * share * (3.0 - 2.0 * share))
    if (glide := task.reference.glide) is not None:
        time = np.arange(len(own) - 1, len(own) + steps) * task.model.timestep
        poses[:, :3] += glide.gone(time[1:]) - glide.gone(time[0])
    return replace(task, reference=reference_of_poses(np.concatenate([own, poses]), task.model))


def _between(first: Array, last: Array, share: Array) -> Array:
    """Poses (n, 7 + A) at shares (n,) of the way from one (7 + A,) to another."""
    poses = first + share[:, None] * (last - first)
    turn = rotation.to_rotvec(rotation.multiply(rotation.conjugate(first[3:7]), last[3:7]))
    poses[:, 3:7] = rotation.multiply(first[3:7], rotation.from_rotvec(share[:, None] * turn))
    return np.asarray(poses)
