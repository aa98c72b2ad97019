"""A way into a walk that leaves itself for the walk as soon as a foot comes down at another time than it should.

What leads into a cycle follows the recording, moment by moment, and falls where the ground is another; the cycle of a
practised walk does not. So the states before the cycle get a way out: a foot that comes down early, or late, begins its
step of the cycle at once. Where all is as it was no foot does, and nothing changes, to the last bit; there, what waits
for a foot may as well go by time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from reenact.control.bearing import ground_load
from reenact.control.machine.machine import TIME, Machine, MachineState
from reenact.estimate.walking.walk import Walk
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.physics.trace import Trace

MARGIN = 1  # frames by which a foot may be early or late
SCUFF = 0.15  # [s] after a foot has left the ground, in which it does not come down but scuffs
SETTLED = 4  # frames after the start, in which feet that stand come to bear
ABOUT, EARLY, LATE = range(3)  # what a foot is that comes down at some time
PROVED = 0.5  # [s] in the cycle up to which nothing may have changed


def watchful(walk: Walk) -> Walk:
    """The walk with ways out of what leads into it; as it is where they would be taken although nothing has changed."""
    if walk.first == 0:
        return walk
    steps = walk.entry.frame + round(PROVED / walk.task.model.timestep)
    before = _run(walk, walk.machine, steps)
    if before.status != "ok":
        return walk
    down = _down(walk, before)
    for late in (True, False):
        machine, begins = _with_ways_out(walk, down, late=late)
        if _run(walk, machine, steps).qpos.tobytes() == before.qpos.tobytes():
            first = len(machine.states) - (len(walk.machine.states) - walk.first)
            return replace(walk, machine=machine, first=first, begins=(*begins, *walk.begins[walk.first :]))
    return walk


def _run(walk: Walk, machine: Machine, steps: int) -> Trace:
    start = replace(State.from_row(walk.task.start, walk.task.model), memory=None)
    return simulate(walk.task.model, machine, start, steps=steps, fall=walk.fall)


def _down(walk: Walk, trace: Trace) -> NDArray[np.bool_]:
    """Whether each leg's foot bears at each step (N, 2); one that stands at the start comes to bear a little later."""
    load, limbs = ground_load(trace), walk.task.limbs
    feet = [[s for s, part in enumerate(limbs.part_of) if part == leg.part] for leg in limbs.legs]
    down = np.stack([load[:, foot].sum(axis=1) > 0.0 for foot in feet], axis=1)
    down[:SETTLED] = down[SETTLED]
    return down


def _with_ways_out(walk: Walk, down: NDArray[np.bool_], *, late: bool) -> tuple[Machine, tuple[int, ...]]:
    """The machine whose states before the cycle have ways out, and the frames at which these begin."""
    limbs, cycle = walk.task.limbs, walk.machine.states[walk.first :]
    steps = {walk.stride[0].leg: cycle[0].name, walk.stride[1].leg: cycle[len(cycle) // 2].name}
    feet = [limbs.parts[leg.part] for leg in limbs.legs]
    frames = [*walk.begins[: walk.first], walk.entry.frame]
    timestep = walk.machine.timestep
    scuff = round(SCUFF / timestep)
    pieces: list[tuple[MachineState, int]] = []
    for own, (begin, end) in zip(walk.machine.states, itertools.pairwise(frames), strict=False):
        if own.until not in (TIME, *feet):
            pieces.append((own, begin))
            continue
        awaited = feet.index(own.until) if own.until in feet else None
        for first, last, leg, kind in _watched(begin, end, awaited, down, scuff):
            seconds = own.seconds if (first, last) == (begin, end) else (last - first) * timestep
            out = (feet[leg], steps[leg]) if kind == EARLY or (kind == LATE and late) else None
            pieces.append((replace(own, until=TIME, seconds=seconds, early=out), first))
    names = [f"start {i + 1}" for i in range(len(pieces))]
    follows = [*names[1:], walk.machine.states[walk.first - 1].then]
    lead = [replace(own, name=name, then=then) for (own, _), name, then in zip(pieces, names, follows, strict=True)]
    return replace(walk.machine, states=(*lead, *cycle)), tuple(first for _, first in pieces)


def _watched(
    begin: int, end: int, awaited: int | None, down: NDArray[np.bool_], scuff: int
) -> Iterator[tuple[int, int, int, int]]:
    """A state's frames in pieces: from, to, the leg whose foot is watched there, and what it is if it comes down.

    awaited: the leg whose foot comes down at the end. A foot that comes down in the state may be too early; one that is
    off the ground all along comes down at no time; one that stands all along can come down only late.
    """
    landing = [(k, leg) for leg in (0, 1) for k in range(begin + 1, end) if down[k, leg] and not down[k - 1, leg]]
    landing += [] if awaited is None else [(end, awaited)]
    swings = [leg for leg in (0, 1) if not down[begin:end, leg].any()]
    stands = [leg for leg in (0, 1) if down[begin:end, leg].all()]
    if landing:
        frame, leg = min(landing)
    elif swings:
        frame, leg = end + MARGIN, swings[0]
    elif stands:
        frame, leg = max((_landed(down[:, leg], begin), leg) for leg in stands)
    else:
        frame, leg = end, 0
    swung = _left(down[:, leg], min(frame, end)) + scuff
    cuts = {swung, frame - MARGIN, frame + MARGIN}
    for first, last in itertools.pairwise([begin, *sorted(cut for cut in cuts if begin < cut < end), end]):
        kind = ABOUT
        if first >= swung and last <= frame - MARGIN and not down[first:last, leg].any():
            kind = EARLY
        elif first >= frame and down[first:last, leg].all():
            kind = LATE
        yield first, last, leg, kind


def _left(down: NDArray[np.bool_], frame: int) -> int:
    """The frame at which a foot that is off the ground before `frame` left it; long ago where it was off at first."""
    standing = np.flatnonzero(down[:frame])
    return int(standing[-1]) + 1 if len(standing) else -len(down)


def _landed(down: NDArray[np.bool_], frame: int) -> int:
    """The frame at which a foot that stands at `frame` came down; long ago where it stood at first."""
    flying = np.flatnonzero(~down[:frame])
    return int(flying[-1]) + 1 if len(flying) else -len(down)
