"""Algorithm 3 of [V12]: a chain of states that grows with the window of the reference it explains."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reenact.control.machine.machine import Balance, Machine, MachineState
from reenact.estimate.states.kinematic import guess
from reenact.estimate.states.newton import descend
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.space import space_of
from reenact.estimate.states.task import Task
from reenact.estimate.states.window import Tried, Window, entered
from reenact.geometry.rotation import Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """A chain that explains the frames up to `last`."""

    machine: Machine
    last: int
    cost: float  # [cm²]
    joints: float  # [cm]


def grow_once(
    task: Task, settings: Settings, before: Stage | None, ends: list[int], number: int, rng: np.random.Generator
) -> Stage:
    """The chain for window `number`, from the one for the window before it: improved, or with a state more."""
    last = ends[number]
    if before is None:
        options = [first_machine(task, settings, last)]
    else:
        options = [before.machine, extended(task, before.machine, before.last, last)]
    tried = [
        improved(task, settings, option, last, rng, states=count)
        for option in options
        for count in settings.reopened
        if count <= len(option.states)
    ]
    return min(tried, key=lambda stage: stage.cost)


def first_machine(task: Task, settings: Settings, last: int) -> Machine:
    """One state for the frames up to `last`."""
    return Machine(
        axes=tuple(axis.name for axis in task.model.body.axes),
        groups=task.limbs.groups,
        states=(new_state(task, 0, last, task.reference.qpos[0], "1"),),
        share=settings.share,
        timestep=task.model.timestep,
    )


def window_ends(last: int, growth: int) -> list[int]:
    """Last frames of the windows; a short remainder joins the last."""
    ends = list(range(growth, last + 1, growth)) or [last]
    if last - ends[-1] > growth // 3:
        ends.append(last)
    else:
        ends[-1] = last
    return ends


def improved(
    task: Task,
    settings: Settings,
    machine: Machine,
    last: int,
    rng: np.random.Generator,
    *,
    states: int | None = None,
    rounds: int | None = None,
) -> Stage:
    """The machine with its last `states` states, or all, improved on the frames up to `last`."""
    first = 0 if states is None else len(machine.states) - states
    window = window_from(task, machine, first, last)
    space = space_of(machine, task.limbs, task.model.body, tuple(range(first, len(machine.states))))

    def trial(vectors: Array) -> tuple[Array, Tried]:
        params, charge = space.params(vectors)
        tried = window.try_out(machine, params)
        return tried.cost + settings.prior * charge, tried

    found = descend(trial, space.size, rng, rounds=rounds or settings.rounds, samples=settings.samples)
    params, _ = space.params(found.vector[None])
    tried = window.try_out(machine, params)
    rows = params[0].reshape(len(machine.states), -1)
    return Stage(machine=machine.with_rows(rows), last=last, cost=found.cost, joints=float(tried.joints[0]))


def window_from(task: Task, machine: Machine, first: int, last: int) -> Window:
    """The window up to `last` that begins where the machine enters state `first`: nothing before is run again."""
    whole = Window(
        model=task.model, limbs=task.limbs, reference=task.reference, start=task.start, begin=0, last=last,
        threads=task.threads,
    )  # fmt: skip
    if first == 0:
        return whole
    rows = machine.rows().reshape(1, -1)
    final = whole.try_out(machine, rows).final[0]
    begin = int(entered(final, task.model, machine)[first])
    if begin == 0 or not np.isfinite(final).all():
        return whole
    start = whole.try_out(machine, rows, steps=begin).final[0]
    return replace(whole, start=start, begin=begin)


def extended(task: Task, machine: Machine, joint: int, last: int) -> Machine:
    """The machine with a state more, which takes over at frame `joint`."""
    rows = machine.rows().reshape(1, -1)
    whole = window_from(task, machine, 0, joint)
    final = whole.try_out(machine, rows, steps=joint).final[0]
    pose = final[1 : 1 + task.reference.qpos.shape[1]]
    began = int(entered(final, task.model, machine)[-1]) if len(machine.states) > 1 else 0
    name = str(len(machine.states) + 1)
    if not np.isfinite(pose).all():
        pose = task.reference.qpos[joint]
    seconds = max(task.model.timestep * (joint - began), 0.1)
    states = list(machine.states)
    states[-1] = replace(states[-1], then=name, seconds=seconds)
    return replace(machine, states=(*states, new_state(task, joint, last, pose, name)))


def new_state(task: Task, begin: int, end: int, pose: Array, name: str) -> MachineState:
    """A state for the frames from `begin` to `end`, from the kinematic guess."""
    gains, root, angles, _ = guess(task.reference.qpos[begin + 1 : end + 1], pose, task.limbs)
    return MachineState(
        name=name,
        seconds=task.model.timestep * (end - begin),
        pose=angles,
        root=task.from_heading(root),
        gains=gains,
        balance=Balance(),
    )
