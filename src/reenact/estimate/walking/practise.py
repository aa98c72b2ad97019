"""A walk is practised: first along the recording, farther and farther, then pushed as hard as it can just bear.

Both by sampled Gauss–Newton on marker offsets by phase (`learn.py`). Along the recording, from the strike and from
disturbed velocities, so that it learns to return rather than the way by heart. Under pushes, each as hard as half of
the phases withstand by now, so that every part of the practice asks what can be learned next and its only memory is the
machine: a stopped practice goes on as if it had not been stopped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.control.machine.machine import Machine
from reenact.control.machine.text import as_written
from reenact.control.pushing.protocol import Protocol, torso_of
from reenact.estimate.walking.learn import Learned, learn
from reenact.estimate.walking.rehearse import Rehearsed, Scene, moments
from reenact.estimate.walking.space import gait_space
from reenact.estimate.walking.walk import Walk
from reenact.geometry.rotation import Array
from reenact.physics.prepare import Wrenches

HORIZONS: Final = (1.1, 1.5, 2.0, 2.5, 3.0, 3.8, 4.7, 5.7)  # steps of the gait, for the parts along the recording
STARTS: Final = 6  # as recorded, as the states before the cycle lead into it, and disturbed
GOOD: Final = 30.0  # [cm²] below which a part has succeeded and the next goes farther
LONG: Final = 60.0  # [s] that a walk which goes on stays up
ROUNDS, SAMPLES, SPREAD = 6, 64, 0.3
CHARGE: Final = 10.0  # [cm²] per unit outside the gains' prior

PHASES: Final = 8  # of a cycle, at which it is pushed
SETTLED: Final = (
    240,
    180,
    120,
    60,
    0,
)  # frames in the cycle after which moments are taken; fewer where it falls before
RECOVERY: Final = 360  # frames of a scene
PUSH_ROUNDS, PUSH_SAMPLES, PUSH_SPREAD = 3, 80, 0.25
STILL: Final = 20.0  # [s] that it must walk undisturbed after a part, if it did before
WEAKER: Final = 0.8  # of a force: the least that is drawn
ASKEW: Final = 0.2  # [rad] standard deviation of a push's direction
LEAST_FORCE, STRONGER, FORCES = 0.15, 1.25, 18  # [N per kg of the body], and from each force that is tried to the next
WITHSTOOD: Final = 0.7  # share of the phases that decides how hard it is pushed
SIDES: Final = {"front": math.pi, "rear": 0.0, "right": 0.5 * math.pi}  # where a push goes, left of the way [rad]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Practised:
    """A walk after a part of its practice."""

    walk: Walk
    learned: Learned
    forces: dict[str, float]  # [N] of the pushes by the side they come from

    @property
    def good(self) -> bool:
        """Whether all scenes were gone through, about as recorded."""
        return bool((self.learned.upright >= 1.0).all()) and self.learned.cost < GOOD


def along(walk: Walk, number: int, rng: np.random.Generator) -> Practised:
    """A part of the practice along the recording, as far as horizon `number`."""
    starts = [walk.at_strike(), *walk.arrivals()]
    starts += [walk.at_strike(rng) for _ in range(STARTS - len(starts))]
    steps = round(0.5 * HORIZONS[number] * walk.cycle)
    learned, machine = _learned(walk, [Scene(start=row) for row in starts], steps, rng, ROUNDS, SAMPLES, SPREAD)
    return Practised(walk=replace(walk, machine=machine), learned=learned, forces={})


def pushed(walk: Walk, rng: np.random.Generator) -> Practised | None:
    """A part of the practice under pushes; None where the walk falls before it can be pushed."""
    starts = _moments(walk, rng.uniform(0.0, walk.cycle / PHASES))
    if starts is None:
        return None
    scenes, forces = [Scene(start=walk.start)], {}
    for side, angle in SIDES.items():
        own = starts if side == "right" else [starts[i + int(rng.integers(2))] for i in range(0, PHASES, 2)]
        draws = [(start, rng.uniform(WEAKER, 1.0), walk.way + angle + ASKEW * rng.standard_normal()) for start in own]
        forces[side] = _bearable(walk, draws)
        scenes += _scenes(walk, draws, forces[side])
    learned, machine = _learned(walk, scenes, RECOVERY, rng, PUSH_ROUNDS, PUSH_SAMPLES, PUSH_SPREAD)
    better = replace(walk, machine=machine)
    if upright(better, STILL) < min(STILL, upright(walk, STILL)):
        better = walk  # what is learned of pushes must not cost the walk itself
    return Practised(walk=better, learned=learned, forces=forces)


def goes_on(walk: Walk) -> bool:
    """Whether the walk, with its numbers as they are written, keeps walking: then it has been practised enough."""
    return upright(replace(walk, machine=as_written(walk.machine)), LONG) >= LONG


def upright(walk: Walk, seconds: float) -> float:
    """How long the walk stays up from time 0 on, of so many seconds [s]."""
    steps = round(seconds / walk.task.model.timestep)
    params = walk.machine.rows().reshape(1, -1)
    return seconds * float(walk.rehearsal([Scene(start=walk.start)], steps).try_out(walk.machine, params).upright[0, 0])


def _learned(
    walk: Walk, scenes: list[Scene], steps: int, rng: np.random.Generator, rounds: int, samples: int, spread: float
) -> tuple[Learned, Machine]:
    task, rehearsal = walk.task, walk.rehearsal(scenes, steps)
    space = gait_space(walk.machine, task.limbs, task.model.body, first=walk.first, way=walk.turn)

    def trial(vectors: Array) -> tuple[Array, Rehearsed]:
        params, charge = space.params(vectors)
        tried = rehearsal.try_out(walk.machine, params)
        return tried.mean + CHARGE * charge, tried

    learned = learn(trial, space.size, rng, rounds=rounds, samples=samples, spread=spread)
    return learned, space.machine_at(learned.vector)


def _moments(walk: Walk, delay: float) -> list[Array] | None:
    """State rows at all phases of a cycle, once the walk has settled."""
    for settled in SETTLED:
        begin = walk.entry.frame + settled + delay
        steps = [round(begin + i * walk.cycle / PHASES) for i in range(PHASES)]
        found = moments(walk.machine, walk.task.model, walk.start, steps, fall=walk.fall)
        if found is not None:
            return found
    return None


Draw = tuple[Array, float, float]  # a start, a share of the force, and where it goes


def _bearable(walk: Walk, draws: Sequence[Draw]) -> float:
    """The greatest force [N] up to which, and at all forces below it, so many of the draws are withstood."""
    grid = LEAST_FORCE * walk.task.model.mass * STRONGER ** np.arange(FORCES)
    scenes = [scene for force in grid for scene in _scenes(walk, draws, float(force))]
    tried = walk.rehearsal(scenes, RECOVERY).try_out(walk.machine, walk.machine.rows().reshape(1, -1))
    share = (tried.upright[0].reshape(len(grid), -1) >= 1.0).mean(axis=1)
    failed = np.flatnonzero(share < WITHSTOOD)
    return float(grid[max(0, int(failed[0]) - 1) if len(failed) else -1])


def _scenes(walk: Walk, draws: Sequence[Draw], force: float) -> list[Scene]:
    return [Scene(start=start, push=_push(walk, share * force, angle)) for start, share, angle in draws]


def _push(walk: Walk, force: float, angle: float) -> Wrenches:
    """A push on the torso at once, for as long as in the test of [V12]."""
    model = walk.task.model
    segment = torso_of(model.body)
    steps = round(Protocol(segment=segment).duration / model.timestep)
    body = int(model.segment_body[model.body.segment_names.index(segment)])
    wrench = [force * math.cos(angle), force * math.sin(angle), 0.0, 0.0, 0.0, 0.0]
    return Wrenches(span=np.array([[0, steps]], np.int64), bodies=np.array([body], np.int64), wrench=np.array([wrench]))
