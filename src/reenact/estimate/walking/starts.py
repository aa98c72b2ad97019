"""Moments from which a walk is practised: as recorded, as the cycle is entered, some steps before it falls, disturbed.

What ends a walk is a fault that grows from step to step. A walk that has gone on for a while is off just in the way
that it does not mend, so the moments before its own fall teach what it lacks; but not where it is lost already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from reenact.control.machine import layout as at
from reenact.estimate.walking.rehearse import Scene, moments
from reenact.estimate.walking.walk import RATE_NOISE, ROOT_NOISE, Walk, thigh_spins
from reenact.geometry.rotation import Array
from reenact.physics.state import State

STARTS: Final = 6
BEFORE: Final = (6.3, 4.3, 2.3)  # steps of the gait before its fall
ABOUT: Final = 0.3  # steps, more or less
OWN: Final = 2  # of these moments at most, the latest
LOST, SHORT = 100.0, 8  # [cm²] from the recording by phase, over so many frames
SETTLED: Final = 10  # frames in the cycle before which a moment is not one of its own


def starts_of(walk: Walk, fallen: int, rng: np.random.Generator) -> list[Array]:
    """State rows (X,), of which the last are disturbed; fallen: the step at which the walk falls."""
    arrivals = walk.arrivals()
    own = [*arrivals, *_before(walk, fallen, rng)]
    starts = [walk.at_strike(), *own]
    while len(starts) < STARTS:
        again = len(own) > len(arrivals) and rng.random() < 0.5
        starts.append(disturbed(walk, own[int(rng.integers(len(own)))], rng) if again else walk.at_strike(rng))
    return starts


def entered(walk: Walk) -> Array:
    """State row (X,) as the cycle is entered."""
    return (walk.arrivals() or [walk.at_strike()])[0]


def disturbed(walk: Walk, row: Array, rng: np.random.Generator, share: float = 1.0) -> Array:
    """A state row with other velocities; share: of the disturbance as in `Walk.at_strike`."""
    model = walk.task.model
    state = State.from_row(row, model)
    assert state.memory is not None
    qvel, memory = state.qvel.copy(), state.memory.copy()
    qvel[:3] += share * ROOT_NOISE * rng.standard_normal(3)
    qvel[3:] += share * RATE_NOISE * rng.standard_normal(len(qvel) - 3)
    state = replace(state, qvel=qvel)
    memory[at.THIGHS : at.THIGHS + 6] = thigh_spins(walk.task, state).ravel()
    return replace(state, memory=memory).row(model, walk.memory)


def _before(walk: Walk, fallen: int, rng: np.random.Generator) -> Sequence[Array]:
    """Moments of the walk's own run, some steps before it falls, in its cycle and not lost."""
    steps = [fallen - round((ago + rng.uniform(-ABOUT, ABOUT)) * 0.5 * walk.cycle) for ago in BEFORE]
    steps = [step for step in steps if step > walk.entered_after + SETTLED]
    rows = moments(walk.machine, walk.task.model, walk.start, steps, fall=walk.fall) or []
    if not rows:
        return []
    tried = walk.rehearsal([Scene(start=row) for row in rows], SHORT).try_out(
        walk.machine, walk.machine.rows().reshape(1, -1)
    )
    return [row for row, cost in zip(rows, tried.cost[0], strict=True) if cost < LOST][-OWN:]
