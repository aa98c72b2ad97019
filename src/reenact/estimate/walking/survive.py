"""A walk is practised by how long it stays up: covariance matrix adaptation (pycma) over all numbers of a step.

Gauss–Newton along the recording (`learn.py`) makes the first steps in few simulations, but a walk that is like the
recording for three steps may fall at the sixth, and being more like it does not mend that. The time until the fall does
say what is better, also where every candidate falls, and over all numbers rather than the feedback alone it grows from
generation to generation (docs/notes/walking.md). A part's only memory is the machine.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from reenact.estimate.states.adapt import adaptation
from reenact.estimate.walking.rehearse import Scene
from reenact.estimate.walking.space import gait_space
from reenact.estimate.walking.starts import disturbed, entered
from reenact.estimate.walking.walk import Walk
from reenact.geometry.rotation import Array

GENERATIONS, POPULATION, SPREAD = 24, 20, 0.2
SECONDS: Final = 20.0  # after which a run has been long enough
DISTURBANCE: Final = 0.5  # of the velocities' usual one, see `starts.py`
SHORT: Final = 0.02  # share of the time below which runs hardly differ
CHARGE: Final = 0.1  # per unit outside the gains' prior
LIKENESS: Final = 0.001  # [1/cm²] what the distance from the recording costs, of who stays up
FAR: Final = 1000.0  # [cm²] beyond which it costs no more


def survive(walk: Walk, rng: np.random.Generator) -> Walk:
    """A part of the practice: the walk as it is after some generations, or sooner where half of them stay up."""
    space = gait_space(walk.machine, walk.task.limbs, walk.task.model.body, first=walk.first, way=walk.turn)
    search = adaptation(space.size, rng, population=POPULATION, spread=SPREAD, CMA_diagonal=True)
    steps, start = round(SECONDS / walk.task.model.timestep), entered(walk)
    for _ in range(GENERATIONS):
        scenes = [Scene(start=row) for row in _starts(walk, start, rng)]
        vectors = np.array(search.ask())
        params, charge = space.params(vectors)
        tried = replace(walk.rehearsal(scenes, steps), every=0).try_out(walk.machine, params)
        upright = tried.upright.mean(axis=1)
        unlike = np.minimum(tried.cost.mean(axis=1), FAR) * upright
        other = walk.unlike(tried.aloft, tried.cadence).mean(axis=1) * upright
        costs = -np.log(SHORT + upright) + LIKENESS * unlike + other + CHARGE * charge
        search.tell(list(vectors), list(costs))
        if np.median(upright) >= 1.0:
            break
    return replace(walk, machine=space.machine_at(np.asarray(search.mean)))


def _starts(walk: Walk, start: Array, rng: np.random.Generator) -> list[Array]:
    """As the cycle is entered, twice more with other velocities, and as recorded with other velocities."""
    return [start, *(disturbed(walk, start, rng, DISTURBANCE) for _ in range(2)), walk.at_strike(rng)]
