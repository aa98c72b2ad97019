"""Ways to stand for a body that comes down otherwise than it did: on something soft, with a load, after a push.

The states after a flight follow the recording's landing, moment by moment. A body that lands at another time, or is
thrown up again and lands once more, is no longer where they think it is; to stand is what it can do at any time. So the
states from the take-off on get ways out to the one that stands. Where all is as it was no foot takes them.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine.machine import TIME, Machine, MachineState
from reenact.estimate.states.refine import perform
from reenact.estimate.states.task import Task
from reenact.estimate.states.ways_out import SCUFF, way_out

FLIGHT: Final = 0.1  # [s] off the ground: a shorter one is a hop, of which the landing says little


def landing_otherwise(task: Task, machine: Machine, last: int, stand: str) -> Machine | None:
    """The machine with ways out to its state `stand`, which takes over at frame `last`; None where it does not fly."""
    seen = perform(task, machine, last, flicker=0.0)
    down = np.stack([seen.bearing[:, leg.part] for leg in task.limbs.legs], axis=1)
    off = _take_off(down, round(FLIGHT / task.model.timestep))
    if off is None:
        return None
    begins = [*(int(step) for step in seen.entered[:-1]), last]
    states = [
        own if own.until != TIME or end <= off else _with_way_out(task, own, begin, end, down, stand)
        for own, (begin, end) in zip(machine.states[:-1], itertools.pairwise(begins), strict=True)
    ]
    return replace(machine, states=(*states, machine.states[-1]))


def _take_off(down: NDArray[np.bool_], least: int) -> int | None:
    """The frame at which neither foot bears for the first time for at least so many frames."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], ~down.any(axis=1), [False]]).astype(int)))
    flights = [int(first) for first, last in edges.reshape(-1, 2) if last - first >= least]
    return flights[0] if flights else None


def _with_way_out(
    task: Task, own: MachineState, begin: int, end: int, down: NDArray[np.bool_], stand: str
) -> MachineState:
    """A state that is left for `stand` by a foot that comes down early or late; as it is where no foot tells it."""
    limbs, timestep = task.limbs, task.model.timestep
    way = way_out(begin, end, down, round(SCUFF / timestep))
    if way is None:
        return own
    after, due = way.seconds(timestep)
    return replace(own, early=(limbs.parts[limbs.legs[way.leg].part], stand), early_after=after, early_due=due)
