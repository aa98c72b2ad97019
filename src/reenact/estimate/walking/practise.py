"""A walk is practised along the recording until it goes on.

By sampled Gauss–Newton on marker offsets by phase (`learn.py`), from moments before its own fall and disturbed ones, so
that it learns to return rather than the way by heart (`starts.py`); then its feedback is chosen by long runs
(`steady.py`). How it learns to withstand pushes: `endure.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.control.machine.machine import Machine
from reenact.control.machine.text import as_written
from reenact.estimate.walking.learn import Learned, learn
from reenact.estimate.walking.rehearse import Rehearsed, Scene
from reenact.estimate.walking.space import gait_space
from reenact.estimate.walking.starts import entered, starts_of
from reenact.estimate.walking.steady import steadied
from reenact.estimate.walking.walk import Walk
from reenact.geometry.rotation import Array

HORIZON: Final = 1.6  # [s] along the recording: a fall takes its time, however long the steps
LONG: Final = 60.0  # [s] that a walk which goes on stays up
LIKE: Final = 10.0  # [s] of it that are compared with the recording
FIRST_ROUNDS, ROUNDS, SAMPLES, SPREAD = 6, 4, 64, 0.3
CHARGE: Final = 10.0  # [cm²] per unit outside the gains' prior


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Practised:
    """A walk after a part of its practice."""

    walk: Walk
    learned: Learned


def along(walk: Walk, rng: np.random.Generator, *, first: bool = False) -> Practised:
    """A part of the practice along the recording; the first takes longer, as all is new."""
    fallen = round(upright(walk, LONG) / walk.task.model.timestep)
    scenes = [Scene(start=row) for row in starts_of(walk, fallen, rng)]
    steps = round(HORIZON / walk.task.model.timestep)
    learned, machine = _learned(walk, scenes, steps, FIRST_ROUNDS if first else ROUNDS, rng)
    better = replace(walk, machine=machine)
    if upright(better, LONG) < LONG:
        better = steadied(better, rng)
    return Practised(walk=better, learned=learned)


def worth(walk: Walk) -> tuple[float, float]:
    """How long the walk, with its numbers as they are written, keeps walking [s], and how like the recording [−cm²]."""
    written = replace(walk, machine=as_written(walk.machine))
    steps = round(LIKE / walk.task.model.timestep)
    tried = walk.rehearsal([Scene(start=entered(written))], steps).try_out(
        written.machine, written.machine.rows().reshape(1, -1)
    )
    return upright(written, LONG), -float(tried.mean[0])


def upright(walk: Walk, seconds: float) -> float:
    """How long the walk stays up from time 0 on, of so many seconds [s]."""
    steps = round(seconds / walk.task.model.timestep)
    params = walk.machine.rows().reshape(1, -1)
    return seconds * float(walk.rehearsal([Scene(start=walk.start)], steps).try_out(walk.machine, params).upright[0, 0])


def _learned(
    walk: Walk, scenes: list[Scene], steps: int, rounds: int, rng: np.random.Generator
) -> tuple[Learned, Machine]:
    task, rehearsal = walk.task, walk.rehearsal(scenes, steps)
    space = gait_space(walk.machine, task.limbs, task.model.body, first=walk.first, way=walk.turn)

    def trial(vectors: Array) -> tuple[Array, Rehearsed]:
        params, charge = space.params(vectors)
        tried = rehearsal.try_out(walk.machine, params)
        return tried.mean + CHARGE * charge, tried

    learned = learn(trial, space.size, rng, rounds=rounds, samples=SAMPLES, spread=SPREAD)
    return learned, space.machine_at(learned.vector)
