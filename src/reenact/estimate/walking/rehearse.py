"""Many short runs of a gait, pushed at every phase, compared with the recording by phase: the price of robustness.

Each scene begins at a moment of the gait as it is by now and lasts a few steps, so that a push at any phase costs no
way there. The two sides of the body are alike, so a push from the left is a push from the right half a cycle later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine import layout as at
from reenact.control.machine import watch
from reenact.control.machine.limbs import Limbs
from reenact.control.machine.machine import Machine
from reenact.control.machine.watch import kept_numbers
from reenact.estimate.states.reference import Clock, Reference
from reenact.estimate.states.scored import scored
from reenact.estimate.states.window import SQUARE_CM
from reenact.geometry.rotation import Array
from reenact.physics.model import Model
from reenact.physics.outcome import Fall
from reenact.physics.prepare import Wrenches
from reenact.physics.rollout import rollout_batch
from reenact.physics.state import row_width

SPEED = 1.0  # [s] so much does the COM's velocity count, beside markers: a walk that is 0.1 m/s too slow costs 2 cm²
EVERY = 16  # steps between those whose offsets are kept
MOMENT = 2.0  # [s] below which steps are not counted as so many a second
LIMIT = 0.5  # [m²] mean squared marker distance at which a run is given up
NOTHING = Wrenches(span=np.zeros((0, 2), np.int64), bodies=np.zeros(0, np.int64), wrench=np.zeros((0, 6)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """A start, with the machine's memory, and what pushes from then on."""

    start: Array  # (X,) state row at time 0
    push: Wrenches = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rehearsed:
    """How n candidates did in each of k scenes, or n runs each in its own."""

    cost: Array  # (n, k) or (n,) [cm²]
    upright: Array  # share of the time
    aloft: Array  # share of that in which nothing touches
    cadence: Array  # steps a second in that; NaN where it is too short to tell
    offsets: Array  # (…, R) marker offsets [cm]; NaN after the body fell

    @property
    def mean(self) -> Array:
        """Cost (n,) over all scenes."""
        return np.asarray(self.cost.mean(axis=1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rehearsal:
    """A gait in several scenes for some steps."""

    model: Model
    limbs: Limbs
    reference: Reference
    begins: tuple[int, ...]  # frame of the reference at which each state begins
    steps: int
    scenes: tuple[Scene, ...]
    fall: Fall | None = None
    speed_weight: float = SPEED  # [s]
    every: int = EVERY
    threads: int | None = None

    @property
    def clock(self) -> Clock:
        """By phase, with the COM's velocity."""
        return Clock(last=self.steps, limit=LIMIT, begins=self.begins, every=self.every, speed_weight=self.speed_weight)

    def try_out(self, machine: Machine, params: Array) -> Rehearsed:
        """Run candidates with params (n, M·W), each in every scene."""
        count, scenes = len(params), len(self.scenes)
        tried, _ = self.run(machine, np.repeat(params, scenes, axis=0), np.tile(np.arange(scenes), count))
        return Rehearsed(
            cost=tried.cost.reshape(count, scenes),
            upright=tried.upright.reshape(count, scenes),
            aloft=tried.aloft.reshape(count, scenes),
            cadence=tried.cadence.reshape(count, scenes),
            offsets=tried.offsets.reshape(count, scenes, -1),
        )

    def run(self, machine: Machine, params: Array, scene_of: NDArray[np.int64]) -> tuple[Rehearsed, Array]:
        """Run candidates with params (n, M·W), each in one scene: how they did, (n,), and their last rows (n, X)."""
        segments = len(self.model.segment_body)
        weighed = scored(machine, self.model, self.limbs, self.reference, self.clock)
        rows = np.array([weighed.start_row(scene.start, self.model) for scene in self.scenes])
        result = rollout_batch(
            self.model,
            weighed.program,
            rows,
            self.steps + 1,
            params=params,
            start_of=scene_of,
            fall=self.fall,
            external=[scene.push for scene in self.scenes],
            external_of=scene_of,
            threads=self.threads,
        )
        own, score, kept = weighed.memory(result.final)
        upright = np.nan_to_num(score[:, watch.COUNTED])
        missing, seconds = self.steps - upright, upright * self.model.timestep
        squared = np.nan_to_num(score[:, watch.SQUARED]) + LIMIT * missing
        offsets = np.sqrt(SQUARE_CM * self.every / (self.steps * 3.0 * segments)) * kept
        taken = 1 + self.every * np.arange(self.clock.kept)  # steps of which offsets are kept
        fallen = np.repeat(taken > upright[:, None], kept_numbers(segments), axis=1)
        offsets[fallen] = np.nan
        tried = Rehearsed(
            cost=SQUARE_CM * squared / self.steps,
            upright=upright / self.steps,
            aloft=np.nan_to_num(score[:, watch.ALOFT]) / np.maximum(upright, 1.0),
            cadence=np.where(seconds < MOMENT, np.nan, own[:, at.LANDINGS] / np.maximum(seconds, MOMENT)),
            offsets=offsets,
        )
        return tried, result.final[:, : row_width(self.model, weighed.own)]


def from_now_on(row: Array, model: Model) -> Array:
    """A state row (X,) of a run, as the start of another: the same moment, but time begins here."""
    start, memory = row.copy(), row_width(model)
    passed = round(float(row[0]) / model.timestep)
    start[0] = 0.0
    start[memory + at.ENTERED] -= passed
    start[memory + at.ENTRY :] -= passed
    start[memory + at.LANDINGS] = 0.0
    start[memory + at.SCORE : memory + at.SCORE + at.SCORES] = 0.0
    return start


def moments(
    machine: Machine, model: Model, start: Array, steps: Sequence[int], *, fall: Fall | None = None
) -> list[Array] | None:
    """State rows, time set to 0, that a machine reaches from a start after so many steps; None where it falls."""
    program, rows, now = machine.compile(model), [], start
    done = 0
    for step in sorted(steps):
        if step > done:
            result = rollout_batch(model, program, now[None], step - done, fall=fall, threads=1)
            if not result.ok[0]:
                return None
            now, done = result.final[0], step
        rows.append(from_now_on(now, model))
    return rows
