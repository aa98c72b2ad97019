"""How long silhouettes take: alone, and as a share of the simulation that they are drawn in."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.geometry.rotation import Array
from reenact.observe.projection import Projection
from reenact.observe.projection_native import mismatch, overlap
from reenact.observe.projection_table import Words, pack
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, STRENGTH, Program, control
from reenact.physics.model import compile_model
from reenact.physics.rollout import rollout_batch
from reenact.physics.state import State
from reenact.world.world import World

STEPS = 240  # of a run
BETWEEN = 2  # steps from one frame of the video to the next: 60 Hz in a simulation of 120 Hz

# Places in the table of the standing controller: whether to draw; then the block of the silhouettes.
_DRAWS, _BLOCK = 0, 1


def seconds_per_frame(projection: Projection, poses: Array, masks: Words, rounds: int) -> tuple[float, float]:
    """Processor time of one frame [s], the least of `rounds` over all poses, and the cells on in a mean silhouette."""
    count = projection.counting(poses, masks)
    counts: NDArray[np.int64] = count()
    best = np.inf
    for _ in range(rounds):
        begun = time.thread_time()
        count()
        best = min(best, time.thread_time() - begun)
    return best / len(poses), float((counts[:, 0] + counts[:, 2]).mean())


def cost_in_the_loop(body: Body, projection: Projection, rounds: int) -> float:
    """Processor time of simulating a standing body while its silhouettes are held against masks ÷ without that."""
    model = compile_model(body, World())
    start = State(qpos=model.mj.qpos0.copy(), qvel=np.zeros(model.mj.nv))
    masks = pack(projection.silhouettes(np.tile(model.mj.qpos0, (STEPS // BETWEEN, 1))))
    block = projection.block(masks)
    best = [np.inf, np.inf]
    for _ in range(rounds):
        for draws in (0, 1):
            table = np.concatenate([[float(draws)], block])
            program = Program(function=_stand, table=table, params=np.zeros(1), memory=1)
            begun = time.thread_time()
            rollout_batch(model, program, start, STEPS, params=np.zeros((8, 1)), threads=1)
            best[draws] = min(best[draws], time.thread_time() - begun)
    return float(best[1] / best[0])


@control
def _stand(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    hinges, step = int(sense[part.HINGES]), int(sense[part.STEP])
    for i in range(hinges):
        target[ANGLE * hinges + i] = 0.0
        target[RATE * hinges + i] = 0.0
        target[GAIN * hinges + i] = 0.2
        target[STRENGTH * hinges + i] = 1.0
    if table[_DRAWS] > 0.0 and step % BETWEEN == 0:
        both, mask, drawn = overlap(sense, table, _BLOCK, step // BETWEEN)
        memory[0] += mismatch(both, mask, drawn)
