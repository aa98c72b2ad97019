"""A track as a body can do it: a simulated motion near it, found by sampling, which a chain of states then follows.

A track is off by centimetres from frame to frame, and so its take-offs and turns in the air are those of no body: a
chain that follows them leaves the ground with the wrong spin, and what it loses there is never found again. Open-loop
control by sampling ([L10], `estimate/sampling/`) keeps many ways open and gets through; what its body does has been
done by joint torques, so a chain can follow all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.errors import ReenactError
from reenact.estimate.sampling.capture import capture
from reenact.estimate.sampling.settings import EFFORTS, Settings
from reenact.estimate.sampling.task import task_of
from reenact.estimate.sampling.threads import Threads
from reenact.formats.take import Source
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion
from reenact.world.world import World

TRIES: Final = 2  # searches, of which the one nearest to the track is kept
SAMPLES, SAVED = EFFORTS["high"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Possible:
    """A simulated motion near a track, in its world, at the model's rate."""

    qpos: Array  # (K, 7 + A)
    qvel: Array  # (6 + A,) that it begins with


def possible(
    motion: Motion, world: World, seed: int, *, torque_scale: float = 1.0, threads: int | None = None
) -> Possible | None:
    """What a body does that follows a track; None where the motion is not done."""
    best, least = None, np.inf
    for number in range(TRIES):
        settings = Settings(seed=TRIES * seed + number, samples=SAMPLES, save=SAVED, torque_scale=torque_scale)
        try:
            task = task_of(motion, world, settings)
            executor = Threads(task.stage, threads=threads)
            take = capture(task, settings, executor, source=Source(name=motion.name, sha256=""))
        except ReenactError:  # also where its body is not one for sampling
            continue
        off = float(take.info.metrics["joint_error_cm"])
        if take.info.metrics["success"] and off < least:
            qpos, qvel, size = take.motion["qpos"], take.motion["qvel"], motion.qpos.shape[1]
            best = Possible(qpos=np.asarray(qpos[:, :size], float), qvel=np.asarray(qvel[0, : size - 1], float))
            least = off
    return best
