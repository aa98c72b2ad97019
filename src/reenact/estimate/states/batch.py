"""Algorithm 2 of [V12]: the numbers of a given structure found at once, by covariance matrix adaptation.

The structure is given: as many states as the recording is cut into, one after the other on time. Nothing else is known
but the pose at the start: every state asks for it, at α = 0.1 and for 0.25 s. Unless said otherwise it simulates about
as many steps as the incremental search would.

Deviation: the start is the recording's, pose and velocity, as everywhere here; [V12] search for these too.
"""

from __future__ import annotations

import math

import numpy as np

from reenact.control.machine.machine import Machine, MachineState
from reenact.estimate.states.effort import steps_of, within
from reenact.estimate.states.evolve import evolve
from reenact.estimate.states.incremental import Stage, ends_of
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.space import space_of
from reenact.estimate.states.task import Task
from reenact.estimate.states.window import Tried, snapshots
from reenact.geometry.rotation import Array

GAIN, SECONDS = 0.1, 0.25
SPREAD = 1.0


def batch(task: Task, settings: Settings) -> Stage:
    """The best machine that was found."""
    machine = plain_chain(task, settings)
    last = task.reference.frames - 1
    window = snapshots(task, machine, last).window(0)
    space = space_of(machine, task.limbs, task.model.body, tuple(range(len(machine.states))))

    def trial(vectors: Array) -> tuple[Array, Tried]:
        params, charge = space.params(vectors)
        tried = window.try_out(machine, params)
        return tried.cost + settings.prior * charge, tried

    population = 4 + int(3.0 * math.log(space.size))  # as CMA chooses it by the number of unknowns
    rng = np.random.default_rng([settings.seed, len(machine.states)])
    rounds = settings.batch_rounds or max(1, round(steps_of(task, within(task, settings)) / (population * last)))
    found = evolve(trial, space.size, rng, rounds=rounds, population=population, spread=SPREAD)
    params, _ = space.params(found.vector[None])
    best = machine.with_rows(params[0].reshape(len(machine.states), -1))
    return Stage(machine=best, last=last, cost=found.cost, joints=snapshots(task, best, last).joints)


def plain_chain(task: Task, settings: Settings) -> Machine:
    """The structure before anything is known of its numbers."""
    count = len(ends_of(task, settings))
    pose = task.reference.qpos[0]
    states = tuple(
        MachineState(
            name=str(i + 1),
            seconds=SECONDS,
            then=str(i + 2) if i + 1 < count else None,
            pose=pose[7:].copy(),
            root=task.from_heading(pose[3:7]),
            gains=np.full(len(task.limbs.groups), GAIN),
        )
        for i in range(count)
    )
    return Machine(
        axes=tuple(axis.name for axis in task.model.body.axes),
        groups=task.limbs.groups,
        states=states,
        share=settings.share,
        timestep=task.model.timestep,
    )
