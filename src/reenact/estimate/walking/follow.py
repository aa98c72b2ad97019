"""A walk follows the recording to its end and then goes on: what of its cycle falls into the recording is fitted to it.

A cycle does all steps alike and no recorded step is like another, so a walk that enters its cycle at the last strike of
a recording is off by twice as much from there on (docs/notes/walking.md). So each state of the cycle that is gone
through until the recording ends gets a copy of its own, which leads on to the next and in the end into the cycle. The
copies and the states before them are then improved by the Newton steps by which chains are (`response.py`), and a step
is taken only where the walk keeps walking after it. The cycle stays as it is, with all that it has learned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.control.machine.machine import Machine, MachineState
from reenact.control.machine.performance import performance_of
from reenact.control.machine.text import as_written
from reenact.estimate.states.response import Descent
from reenact.estimate.states.settings import Settings
from reenact.estimate.walking.rehearse import moments
from reenact.estimate.walking.walk import LEAST_LEAD, Walk
from reenact.physics.simulate import simulate
from reenact.physics.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Some rounds of improving."""

    last: int | None  # states before the cycle that are open, from the last on; None: all
    rounds: int
    spread: float  # of the first samples


PARTS: Final = (
    _Part(last=4, rounds=6, spread=0.15),
    _Part(last=None, rounds=3, spread=0.1),
    _Part(last=4, rounds=5, spread=0.1),
    _Part(last=None, rounds=3, spread=0.1),
)


def unrolled(walk: Walk) -> Walk:
    """The walk with copies of the states of its cycle that it goes through until the recording ends; the same motion.

    A state that begins with the recording's last few frames gets none, and nothing is done to a walk that falls before.
    """
    task, states, last = walk.task, walk.machine.states, walk.task.reference.frames - 1
    start = replace(State.from_row(task.start, task.model), memory=None)
    trace = simulate(task.model, walk.machine, start, steps=last, record_senses=True, fall=walk.fall)
    if trace.status != "ok":
        return walk
    ran = performance_of(walk.machine, trace)["state"].astype(int)
    begins = [int(k) for k in (0, *(np.flatnonzero(np.diff(ran)) + 1))]
    gone = [states[ran[k]] for k in begins if ran[k] >= walk.first and last - k >= LEAST_LEAD]
    if not gone:
        return walk
    names = [f"start {walk.first + i + 1}" for i in range(len(gone))]
    lead = list(states[: walk.first])
    if lead:
        lead[-1] = _leading(lead[-1], gone[0].name, names[0])
    copies = [replace(state, name=name) for state, name in zip(gone, names, strict=True)]
    for i, (after, name) in enumerate(zip(gone[1:], names[1:], strict=True)):
        copies[i] = _leading(copies[i], after.name, name)
    return walk.led_into_by(replace(walk.machine, states=(*lead, *copies, *states[walk.first :])))


def _leading(state: MachineState, old: str, new: str) -> MachineState:
    """A state that leads to another than it did."""
    early = state.early
    return replace(
        state,
        then=new if state.then == old else state.then,
        early=(early[0], new) if early is not None and early[1] == old else early,
    )


def followed(
    walk: Walk, settings: Settings, number: int, rng: np.random.Generator, *, seconds: float, since: int = 0
) -> Walk:
    """A part of fitting a walk, `unrolled`, to the recording; seconds: that it is to stay up from time 0 on [s].

    since: the first state that may change.
    """
    part, last = PARTS[number], walk.task.reference.frames - 1
    states = range(since if part.last is None else max(since, walk.first - part.last), walk.first)
    if not states:
        return walk

    def goes_on(machine: Machine) -> bool:
        return stays_up(replace(walk, machine=as_written(machine)), seconds)

    descent = Descent(walk.task, settings, walk.machine, last, states, rng, spread=part.spread, keeps=goes_on)
    descent.run(part.rounds)
    return replace(walk, machine=descent.machine)


def stays_up(walk: Walk, seconds: float) -> bool:
    """Whether a walk stays up from time 0 on for so many seconds."""
    steps = round(seconds / walk.task.model.timestep)
    return moments(walk.machine, walk.task.model, walk.start, [steps], fall=walk.fall) is not None
