"""Runs of a motion that is to end standing, each in surroundings, from a start and under a push of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from reenact.control.machine import watch
from reenact.control.machine.machine import Machine
from reenact.control.pushing.one_push import one_push
from reenact.estimate.hardening.surroundings import Surroundings
from reenact.estimate.states.reference import Clock
from reenact.estimate.states.refine import perform
from reenact.estimate.states.scored import scored
from reenact.estimate.states.task import Task
from reenact.estimate.states.window import SQUARE_CM
from reenact.estimate.walking.rehearse import LIMIT, NOTHING
from reenact.geometry.rotation import Array
from reenact.physics.outcome import Fall
from reenact.physics.prepare import Wrenches
from reenact.physics.rollout import rollout_batch
from reenact.world.external import heading_of

HOLD: Final = 2.5  # [s] after the motion's end that it is to stand
PUSHED: Final = 0.2  # [s] that a push lasts
SIDES: Final = 4  # from which pushes come, evenly around
MOMENTS: Final = (0.05, 0.3, 0.55, 0.8, 1.05)  # shares of the motion about which pushes begin
ANGLE_JOLT, RATE_JOLT, ROOT_JOLT = 0.01, 0.1, 0.02  # [rad], [rad/s], [m/s] of a disturbed start
FAR: Final = 1e6  # [m²] no run is given up for leaving the recording
LATEST: Final = 0.3  # [s] after the motion's end that a push begins
SETTLE: Final = 0.1  # [s] after it was last meant to bear on something else than feet


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trial:
    """What a run meets."""

    place: Surroundings
    start: Array  # (X,) state row
    push: Wrenches = NOTHING


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arena:
    """A task whose motion is to end standing."""

    task: Task
    last: int  # frame with which the recording ends
    fall: Fall
    home: Surroundings = field(repr=False)  # the task's own

    @property
    def steps(self) -> int:
        """Of a run."""
        return self.last + round(HOLD / self.task.model.timestep)

    def run(self, machine: Machine, params: Array, trials: Sequence[Trial]) -> tuple[Array, Array]:
        """Share of the time that runs stay up, and their cost along the recording [cm²], both (n,).

        params: (n, M·W), one for each trial.
        """
        upright, cost = np.zeros(len(trials)), np.zeros(len(trials))
        places = {id(trial.place): trial.place for trial in trials}
        for key, place in places.items():
            which = np.array([i for i, trial in enumerate(trials) if id(trial.place) == key])
            upright[which], cost[which] = self._run(machine, params[which], place, [trials[i] for i in which])
        return upright, cost

    def _run(
        self, machine: Machine, params: Array, place: Surroundings, trials: Sequence[Trial]
    ) -> tuple[Array, Array]:
        task, each = self.task, np.arange(len(trials))
        clock = Clock(last=self.last, limit=FAR)
        weighed = scored(machine, place.model, task.limbs, task.reference, clock)
        result = rollout_batch(
            place.model,
            weighed.program,
            np.array([weighed.start_row(trial.start, place.model) for trial in trials]),
            self.steps,
            params=params,
            start_of=each,
            fall=self.fall,
            external=[trial.push for trial in trials],
            external_of=each,
            threads=task.threads,
        )
        score = np.nan_to_num(weighed.memory(result.final)[1])
        squared = np.minimum(score[:, watch.SQUARED], LIMIT * self.last)
        squared += LIMIT * (self.last - score[:, watch.COUNTED])
        upright = np.where(result.ok, 1.0, result.steps / (self.steps + 1.0))
        return upright, SQUARE_CM * squared / self.last

    def pushed(self, newtons: float, side: float, moment: float) -> Wrenches:
        """A push; side: where it goes, of a full turn from the heading at the start; moment: share of the motion."""
        angle = heading_of(self.task.reference.qpos[0, 3:7]) + 2.0 * math.pi * side
        begin = min(max(0, round(moment * self.last)), self.last + round(LATEST / self.task.model.timestep))
        return one_push(self.task.model, newtons, angle, PUSHED, begin=begin)

    def jolted(self, rng: np.random.Generator, size: float) -> Array:
        """The start, disturbed so many times as usual."""
        model, row = self.task.model, self.home.start.copy()
        hinges, speeds = 1 + model.hinge_qpos, 1 + model.mj.nq + model.hinge_dof
        row[hinges] += size * ANGLE_JOLT * rng.standard_normal(model.hinges)
        row[speeds] += size * RATE_JOLT * rng.standard_normal(model.hinges)
        row[1 + model.mj.nq : 4 + model.mj.nq] += size * ROOT_JOLT * rng.standard_normal(3)
        return row


def arena_of(task: Task, machine: Machine) -> Arena:
    """An arena for a machine's motion; it falls when something else than feet bears that does not in that."""
    last = task.reference.frames - 1
    names = tuple(s.name for s in task.model.body.segments if s.part != "foot")
    seen = perform(task, machine, last, flicker=0.0)
    feet = {leg.part for leg in task.limbs.legs}
    others = [i for i in range(seen.bearing.shape[1]) if i not in feet]
    bears = np.flatnonzero(seen.bearing[:, others].any(axis=1)) if others else np.zeros(0, np.int64)
    after = int(bears[-1]) + round(SETTLE / task.model.timestep) if len(bears) else 0
    return Arena(
        task=task,
        last=last,
        fall=Fall(segments=names, after=after),
        home=Surroundings(model=task.model, start=task.start),
    )


def usual_force(task: Task) -> float:
    """A tenth of the body's weight [N]."""
    return 0.1 * task.model.mass * float(np.linalg.norm(task.model.mj.opt.gravity))
