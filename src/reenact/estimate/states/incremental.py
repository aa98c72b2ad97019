"""Algorithm 3 of [V12]: a chain of states that grows with the window of the reference it explains.

Deviations: states end where the recording suggests it (`cut.py`); a few chains are carried on instead of the best one
alone; a window is weighed with some frames beyond its end, since what moves the wrong way there costs only later; and
the search is by Newton steps (`response.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reenact.control.machine.machine import Balance, Machine, MachineState
from reenact.estimate.states.cut import cuts
from reenact.estimate.states.kinematic import guess
from reenact.estimate.states.response import Descent
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.states.window import Window, entered, snapshots
from reenact.geometry.rotation import Array

SPREAD = 0.3  # of the first samples


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """A chain that explains the frames up to `last`."""

    machine: Machine
    last: int
    cost: float  # [cm²], of some frames beyond `last` too while the chain grows
    joints: float  # [cm] up to `last`


def ends_of(task: Task, settings: Settings) -> tuple[int, ...]:
    """Last frames of the windows, one for each state that may be added."""
    last = task.reference.frames - 1
    return tuple(window_ends(last, settings.growth)) if settings.growth else cuts(task, settings.price)


def window_ends(last: int, growth: int) -> list[int]:
    """Last frames of windows that all grow by as much; a short remainder joins the last."""
    ends = list(range(growth, last + 1, growth)) or [last]
    if last - ends[-1] > growth // 3:
        ends.append(last)
    else:
        ends[-1] = last
    return ends


def with_a_state(
    task: Task, settings: Settings, before: Stage | None, ends: tuple[int, ...], number: int, rng: np.random.Generator
) -> list[Stage]:
    """Chains for window `number` with a state more than the one before: the new state improved, then the last few."""
    end = ends[number]
    machine = first_machine(task, settings, end) if before is None else extended(task, before.machine, before.last, end)
    found: list[Stage] = []
    for count in settings.reopened:
        if not found or count <= len(machine.states):
            found.append(improved(task, settings, machine, end, rng, states=count, look=settings.look))
            machine = found[0].machine
    return found


def as_it_was(
    task: Task, settings: Settings, before: Stage, ends: tuple[int, ...], number: int, rng: np.random.Generator
) -> Stage:
    """The chain for window `number` without a new state: the last ones go on for longer."""
    count = min(max(settings.reopened), len(before.machine.states))
    return improved(task, settings, before.machine, ends[number], rng, states=count, look=settings.look)


def kept(tried: tuple[Stage, ...], settings: Settings) -> tuple[Stage, ...]:
    """The best chains, best first."""
    return tuple(sorted(tried, key=lambda stage: stage.cost)[: settings.beam])


def improved(
    task: Task,
    settings: Settings,
    machine: Machine,
    last: int,
    rng: np.random.Generator,
    *,
    states: int | range | None = None,
    rounds: int | None = None,
    look: int = 0,
    spread: float = SPREAD,
) -> Stage:
    """The machine with its last so many `states`, those of a range, or all, improved up to `last` and `look` more."""
    count = len(machine.states)
    if not isinstance(states, range):
        states = range(0 if states is None else max(0, count - states), count)
    beyond = min(last + look, task.reference.frames - 1)
    descent = Descent(task, settings, machine, beyond, states, rng, spread=spread)
    descent.run(settings.rounds if rounds is None else rounds)
    joints = snapshots(task, descent.machine, last).joints
    return Stage(machine=descent.machine, last=last, cost=descent.cost, joints=joints)


def first_machine(task: Task, settings: Settings, last: int) -> Machine:
    """One state for the frames up to `last`."""
    return Machine(
        axes=tuple(axis.name for axis in task.model.body.axes),
        groups=task.limbs.groups,
        states=(new_state(task, 0, last, task.reference.qpos[0], "1"),),
        share=settings.share,
        timestep=task.model.timestep,
    )


def window_from(task: Task, machine: Machine, first: int, last: int) -> Window:
    """The window up to `last` that begins where the machine enters state `first`."""
    return snapshots(task, machine, last).window(first)


def extended(task: Task, machine: Machine, joint: int, last: int) -> Machine:
    """The machine with a state more, which takes over at frame `joint`."""
    rows = machine.rows().reshape(1, -1)
    whole = snapshots(task, machine, joint).window(0)
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
    """A state for the frames from `begin` to `end`: the kinematic guess, its pose brought into the model if any."""
    gains, root, angles, _ = guess(task.reference.qpos[begin + 1 : end + 1], pose, task.limbs)
    root = task.from_heading(root)
    if task.poses is not None:
        root, angles = task.poses.brought(root, angles)
    return MachineState(
        name=name,
        seconds=task.model.timestep * (end - begin),
        pose=angles,
        root=root,
        gains=gains,
        balance=Balance(),
    )
