"""Silhouettes counted inside the native loop are those of the recorded motion."""

from __future__ import annotations

from typing import Any

import numpy as np

from reenact.body.adult import adult
from reenact.observe.projection import mismatches, projection_of
from reenact.observe.projection_native import mismatch, overlap
from reenact.observe.projection_table import pack
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, STRENGTH, Program, control
from reenact.physics.model import compile_model
from reenact.physics.rollout import rollout_batch
from reenact.physics.state import State
from reenact.view.bench_silhouette import random_camera
from reenact.world.world import World

STEPS = 12


@control
def _stand_and_count(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    hinges, step = int(sense[part.HINGES]), int(sense[part.STEP])
    for i in range(hinges):
        target[ANGLE * hinges + i] = params[0]
        target[RATE * hinges + i] = 0.0
        target[GAIN * hinges + i] = 0.1
        target[STRENGTH * hinges + i] = 1.0
    both, mask, drawn = overlap(sense, table, int(table[0]), step)
    memory[4 * step], memory[4 * step + 1], memory[4 * step + 2] = both, mask, drawn
    memory[4 * step + 3] = mismatch(both, mask, drawn)


def test_in_the_loop_as_outside_of_it() -> None:
    body = adult()
    model = compile_model(body, World())
    projection = projection_of(body, random_camera(np.random.default_rng(4)))
    start = State(qpos=model.mj.qpos0.copy(), qvel=np.zeros(model.mj.nv))
    standing = projection.silhouettes(np.tile(model.mj.qpos0, (STEPS, 1)))
    masks = pack(np.roll(standing, 2, axis=2))
    block = projection.block(masks)
    program = Program(
        function=_stand_and_count, table=np.concatenate([[3.0, 0.0, 0.0], block]), params=np.zeros(1), memory=4 * STEPS
    )
    params = np.array([[0.0], [0.3]])
    result = rollout_batch(model, program, start, STEPS, params=params, every=1, threads=2)
    assert result.qpos is not None
    for i in range(2):
        counted = result.final[i, -4 * STEPS :].reshape(STEPS, 4)
        outside = projection.overlaps(result.qpos[i, :STEPS], masks)
        # The engine's kinematics and ours agree to rounding, which can move a cell at the very edge.
        assert np.abs(counted[:, :3] - outside).max() <= 1
        assert np.allclose(counted[:, 3], mismatches(counted[:, :3].astype(np.int64)))
    assert result.final[0, -1] != result.final[1, -1]
