"""The velocity that a simulation begins with, where it was seen and not measured: found together with the first states.

[V12] §4 searches the first pose and velocity with the rest. Here a track gives both, and of the frames that the
velocity is read from none is exact: a centimetre from one to the next is 30 cm a second, which the joints do not make
good for a long while. So before a chain grows, the first velocity and the numbers of its first two states are fitted to
the first frames together, by Newton steps from samples; the velocity is kept.

Deviation: the first pose stays the track's.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np

from reenact.estimate.states.incremental import ends_of, extended, first_machine
from reenact.estimate.states.newton import descend
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.space import space_of
from reenact.estimate.states.task import Task
from reenact.estimate.states.window import Tried, snapshots
from reenact.geometry.rotation import Array

STATES: Final = 2  # whose frames are looked at
ROUNDS, SAMPLES, SPREAD = 12, 96, 0.5
WAY, TURN, HINGE = 0.15, 0.5, 1.0  # [m/s] and [rad/s] by which the root and hinges may well be off
PULL: Final = 0.05  # [cm²] of a number that is off by so much
_SEED: Final = 30  # in the seeds of random numbers


def launched(task: Task, settings: Settings) -> Task:
    """The task with a first velocity from which its first frames can be followed."""
    ends = ends_of(task, settings)[:STATES]
    machine = first_machine(task, settings, ends[0])
    for before, end in pairwise(ends):
        machine = extended(task, machine, before, end)
    window = snapshots(task, machine, ends[-1]).window(0)
    space = space_of(machine, task.limbs, task.model.body, tuple(range(len(ends))), poses=task.poses)
    scale = np.array([*[WAY] * 3, *[TURN] * 3, *[HINGE] * len(machine.axes)])
    size, at = len(scale), 1 + task.model.mj.nq

    def starts(vectors: Array) -> Array:
        rows = np.repeat(task.start[None], len(vectors), axis=0)
        rows[:, at : at + size] += vectors[:, :size] * scale
        return rows

    def trial(vectors: Array) -> tuple[Array, Tried]:
        params, charge = space.params(vectors[:, size:])
        tried = window.try_out(machine, params, starts=starts(vectors))
        return tried.cost + settings.prior * charge + PULL * (vectors**2).sum(axis=1), tried

    rng = np.random.default_rng([settings.seed, _SEED])
    found = descend(trial, size + space.size, rng, rounds=ROUNDS, samples=SAMPLES, spread=SPREAD, prior=PULL)
    return replace(task, start=starts(found.vector[None])[0])
