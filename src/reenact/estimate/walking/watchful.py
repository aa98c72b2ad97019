"""A way into a walk that leaves itself for the walk as soon as a foot comes down at another time than it should.

What a chain leads into a cycle with follows the recording, moment by moment, and falls where the ground is another; the
cycle of a practised walk does not, nor do copies of its states. So states of the chain get a way out: a foot that comes
down early, or late, begins its step of the cycle at once. Where all is as it was no foot does, and nothing changes, to
the last bit; there, what waits for a foot may as well go by time.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reenact.control.bearing import ground_load
from reenact.control.machine.machine import TIME, Machine, MachineState
from reenact.control.machine.performance import performance_of
from reenact.estimate.states.ways_out import SCUFF, way_out
from reenact.estimate.walking.walk import Walk
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.physics.trace import Trace

SETTLED = 4  # frames after the start, in which feet that stand come to bear
LATEST = 0.5  # [s] after the recording's end that the cycle is entered at the latest
PROVED = 0.5  # [s] in the cycle up to which nothing may have changed


def watchful(walk: Walk) -> Walk:
    """The walk with ways out of what leads into it; as it is where they would be taken although nothing has changed."""
    if walk.first == 0:
        return walk
    timestep = walk.task.model.timestep
    before = _run(walk, walk.machine, walk.task.reference.frames + round((LATEST + PROVED) / timestep))
    begins = _begins(walk, before)
    steps = 0 if begins is None else begins[-1] + round(PROVED / timestep)
    if begins is None or before.steps < steps:
        return walk
    down = _down(walk, before)
    for late in (True, False):
        machine = _with_ways_out(walk, begins, down, late=late)
        if _run(walk, machine, steps).qpos.tobytes() == before.qpos[: steps + 1].tobytes():
            return replace(walk, machine=machine)
    return walk


def _run(walk: Walk, machine: Machine, steps: int) -> Trace:
    start = replace(State.from_row(walk.task.start, walk.task.model), memory=None)
    return simulate(walk.task.model, machine, start, steps=steps, fall=walk.fall, record_senses=True)


def _begins(walk: Walk, trace: Trace) -> list[int] | None:
    """Steps at which the states before the cycle begin, and the cycle; None where they do not follow each other."""
    ran = performance_of(walk.machine, trace)["state"].astype(np.int64)
    begins = [0, *(int(k) + 1 for k in np.flatnonzero(np.diff(ran)))]
    in_turn = [int(ran[k]) for k in begins[: walk.first]] == list(range(walk.first))
    return begins[: walk.first + 1] if in_turn and len(begins) > walk.first else None


def _down(walk: Walk, trace: Trace) -> NDArray[np.bool_]:
    """Whether each leg's foot bears at each step (N, 2); one that stands at the start comes to bear a little later."""
    load, limbs = ground_load(trace), walk.task.limbs
    feet = [[s for s, part in enumerate(limbs.part_of) if part == leg.part] for leg in limbs.legs]
    down = np.stack([load[:, foot].sum(axis=1) > 0.0 for foot in feet], axis=1)
    down[:SETTLED] = down[SETTLED]
    return down


def _with_ways_out(walk: Walk, begins: list[int], down: NDArray[np.bool_], *, late: bool) -> Machine:
    """The machine whose states before the cycle have ways out; copies of the cycle's, which have theirs, keep them."""
    limbs, cycle = walk.task.limbs, walk.machine.states[walk.first :]
    steps = {walk.stride[0].leg: cycle[0].name, walk.stride[1].leg: cycle[len(cycle) // 2].name}
    feet = [limbs.parts[leg.part] for leg in limbs.legs]
    timestep = walk.machine.timestep
    scuff = round(SCUFF / timestep)
    lead: list[MachineState] = []
    for own, (begin, end) in zip(walk.machine.states, itertools.pairwise(begins), strict=False):
        if (
            own.early is not None
            or own.reactions is not None
            or own.answers is not None
            or own.until not in (TIME, *feet)
        ):
            lead.append(own)
            continue
        awaited = feet.index(own.until) if own.until in feet else None
        seconds = own.seconds if awaited is None else (end - begin) * timestep
        way = way_out(begin, end, down, scuff, awaited=awaited, late=late)
        after, due = (0.0, None) if way is None else way.seconds(timestep)
        early = None if way is None else (feet[way.leg], steps[way.leg])
        lead.append(replace(own, until=TIME, seconds=seconds, early=early, early_after=after, early_due=due))
    return replace(walk.machine, states=(*lead, *cycle))
