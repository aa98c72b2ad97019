"""Whether another processor computes the same bits: its versions, and a short simulation held against our own."""

from __future__ import annotations

import hashlib

import numpy as np

from reenact.control.make_take import versions
from reenact.estimate.sampling.evaluate import Stage
from reenact.physics.rollout import rollout_batch
from reenact.physics.state import State

CANDIDATES = 4
STEPS = 240
REACH = 0.3  # [rad] of their displacements


def needed() -> dict[str, str]:
    """Versions that must be the same wherever candidates run, by package."""
    return {name: number for name, number in versions().items() if name != "python"}


def trial(stage: Stage) -> str:
    """A hash of where some candidates end that tumble about for two seconds.

    The body is let go in the model's first pose and follows the reference with displaced angles. Tumbling makes a
    difference in a last digit grow within some steps, so whoever agrees here agrees in what a search asks: as good as
    a test can be, no proof.
    """
    model, program = stage.model, stage.program
    start = State(qpos=model.mj.qpos0.copy(), qvel=np.zeros(model.mj.nv))
    shape = CANDIDATES, len(program.params)
    pattern = (7 * np.arange(shape[0] * shape[1])) % 11 - 5
    displacement = np.asarray(REACH / 5.0 * pattern.reshape(shape), np.float64)
    batch = rollout_batch(model, program, start, STEPS, params=displacement, threads=1, external=stage.external)
    return hashlib.sha256(batch.final.tobytes()).hexdigest()
