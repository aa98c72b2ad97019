"""A walk follows the recording to its end and then goes on: what of its cycle falls into the recording is fitted to it.

A cycle does all steps alike and no recorded step is like another, so a walk that enters its cycle at the last strike of
a recording is off by twice as much from there on (docs/notes/walking.md). So each state of the cycle that is gone
through until the recording ends gets a copy of its own, which leads on to the next and in the end into the cycle. The
copies and the states before them are then improved by the Newton steps by which chains are (`response.py`), and a step
is taken only where the walk keeps walking after it. The cycle stays as it is, with all that it has learned.

A walk that was pushed enters its cycle at the first strike: all steps of the recording are then copies of states that
answer to pushes, and go on doing so while they are fitted; a step that would cost it any of the grounds, or make it
take fewer disturbed starts, is not taken (`choose.py`). A chain before the cycle answers to nothing, and what is not as
it was in the recording upsets it (docs/notes/pushes.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine.machine import Machine, MachineState
from reenact.control.machine.performance import performance_of
from reenact.control.machine.text import as_written
from reenact.estimate.states.response import Descent
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.walking.rehearse import moments
from reenact.estimate.walking.walk import LEAST_LEAD, Walk, enters_early
from reenact.physics.simulate import simulate
from reenact.physics.state import State


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Some rounds of improving."""

    last: int | None = None  # states that are open, up to the one in which the window ends; None: all
    rounds: int
    spread: float  # of the first samples
    until: int | None = None  # frame at which the window ends; None: with the recording


_CLOSER: Final = (
    _Part(last=4, rounds=6, spread=0.15),
    _Part(rounds=3, spread=0.1),
    _Part(last=4, rounds=5, spread=0.1),
    _Part(rounds=3, spread=0.1),
)


def parts_of(task: Task, *, early: bool) -> tuple[_Part, ...]:
    """How a walk is fitted to a recording; early: one that is entered at the first strike, far from it at first.

    That one is fitted step by step, as chains are grown.
    """
    if not early:
        return _CLOSER
    ends = [*(strike.frame for strike in task.strikes[1:] if strike.frame < task.reference.frames), None]
    grown = [
        part
        for end in ends
        for part in (_Part(rounds=4, spread=0.15, until=end), _Part(last=4, rounds=4, spread=0.1, until=end))
    ]
    return (*grown, _Part(rounds=6, spread=0.1))


def unrolled(walk: Walk) -> Walk:
    """The walk with copies of the states of its cycle that it goes through until the recording ends; the same motion.

    A state that begins with the recording's last few frames gets none, and nothing is done to a walk that falls before.
    """
    states, last = walk.machine.states, walk.task.reference.frames - 1
    ran = _states_run(walk)
    if len(ran) < last:
        return walk
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


def _states_run(walk: Walk) -> NDArray[np.int64]:
    """The state at each step of the recording's time, or until the walk falls."""
    task = walk.task
    start = replace(State.from_row(task.start, task.model), memory=None)
    steps = task.reference.frames - 1
    trace = simulate(task.model, walk.machine, start, steps=steps, record_senses=True, fall=walk.fall)
    return performance_of(walk.machine, trace)["state"].astype(np.int64)


def _leading(state: MachineState, old: str, new: str) -> MachineState:
    """A state that leads to another than it did."""
    early = state.early
    return replace(
        state,
        then=new if state.then == old else state.then,
        early=(early[0], new) if early is not None and early[1] == old else early,
    )


def followed(
    walk: Walk, settings: Settings, number: int, rng: np.random.Generator, *, keeps: Callable[[Walk], bool],
    since: int = 0,
) -> Walk:  # fmt: skip
    """A part of fitting a walk, `unrolled`, to the recording.

    keeps: whether a walk, as it is written, may be kept; since: the first state that may change.
    """
    task = walk.task
    part = parts_of(task, early=enters_early(task, settings))[number]
    last = task.reference.frames - 1 if part.until is None else min(part.until, task.reference.frames - 1)
    ran = _states_run(walk)[:last]
    end = walk.first if part.until is None else int(ran[ran < walk.first].max(initial=-1)) + 1
    states = range(since if part.last is None else max(since, end - part.last), end)
    if not states:
        return walk

    def may_be_kept(machine: Machine) -> bool:
        return keeps(replace(walk, machine=as_written(machine)))

    descent = Descent(task, settings, walk.machine, last, states, rng, spread=part.spread, keeps=may_be_kept)
    descent.run(part.rounds)
    return replace(walk, machine=descent.machine)


def stays_up(walk: Walk, seconds: float) -> bool:
    """Whether a walk stays up from time 0 on for so many seconds."""
    steps = round(seconds / walk.task.model.timestep)
    return moments(walk.machine, walk.task.model, walk.start, [steps], fall=walk.fall) is not None
