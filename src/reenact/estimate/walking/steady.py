"""Feedback chosen by how long the walk stays up: what a few steps cannot show.

Scenes of two or three steps do not see a fault that grows by a tenth with every step, such as a slow drift to the side,
but it ends every walk. A long run of one candidate costs no more than ten short scenes, and few numbers decide: the
feedback, changed alike in all states. So some are drawn at random, run until they fall, and the one that stays up
longest is kept; and again, closer around it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from reenact.estimate.walking.rehearse import Scene
from reenact.estimate.walking.space import FEEDBACK, gait_space
from reenact.estimate.walking.starts import disturbed, entered
from reenact.estimate.walking.walk import Walk
from reenact.geometry.rotation import Array

DRAWS, CLOSER = 24, (1.0, 0.8, 0.6, 0.5)  # candidates each time, and how far around the best they are drawn
SECONDS = 20.0  # after which a run has been long enough
DISTURBED = 2  # runs of each candidate beside the one from where the cycle is entered
DISTURBANCE = 0.5  # of the velocities' usual one, see `starts.py`
DEARER = 1e-5  # [1/cm²] of runs that are as long: the likest to the recording


def steadied(walk: Walk, rng: np.random.Generator) -> Walk:
    """The walk with the feedback that keeps it up longest; as it is where none does better."""
    space = gait_space(walk.machine, walk.task.limbs, walk.task.model.body, first=walk.first, way=walk.turn)
    start = entered(walk)
    starts = [start, *(disturbed(walk, start, rng, DISTURBANCE) for _ in range(DISTURBED))]
    steps = round(SECONDS / walk.task.model.timestep)
    runs = replace(walk.rehearsal([Scene(start=row) for row in starts], steps), every=0)
    best = np.zeros(len(FEEDBACK))
    for width in CLOSER:
        drawn = best + width * rng.standard_normal((DRAWS, len(best)))
        drawn[0] = best
        tried = runs.try_out(walk.machine, space.params(_alike(drawn, space.half, len(space.scale)))[0])
        upright = tried.upright.mean(axis=1)
        first = int(np.argmax(upright - DEARER * tried.mean))
        best = drawn[first]
        if tried.upright[first, 0] >= 1.0:
            break
    return replace(walk, machine=space.machine_at(_alike(best[None], space.half, len(space.scale))[0]))


def _alike(feedback: Array, states: int, numbers: int) -> Array:
    """Vectors (n, D) of a gait's space that change the feedback (n, F) alike in all states, and nothing else."""
    vectors = np.zeros((len(feedback), states, numbers))
    vectors[:, :, numbers - feedback.shape[1] :] = feedback[:, None]
    return vectors.reshape(len(feedback), -1)
