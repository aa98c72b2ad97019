"""A motion that ends standing is disturbed until it falls, and practised there, as [V12] §6 has it in new worlds.

Disturbed starts, pushes from all sides at all moments, and other surroundings (`surroundings.py`): what the machine
bears of these is measured, then its numbers ascend (`ascent.py`) to where it stays up more often when a little more is
asked of it, without leaving the recording where nothing disturbs it. Each part begins with measuring, so its only
memory is the machine.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.control.machine.machine import Machine
from reenact.control.machine.text import as_written
from reenact.estimate.ascent import Ascent
from reenact.estimate.hardening.arena import MOMENTS, SIDES, Trial, arena_of, usual_force
from reenact.estimate.hardening.space import hard_space
from reenact.estimate.hardening.surroundings import Surroundings, levels_of, surroundings
from reenact.estimate.staircase import Staircase
from reenact.estimate.states.hold import NAME
from reenact.estimate.states.incremental import improved
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.geometry.rotation import Array

GENERATIONS, SPREAD, FINER = 24, 0.2, 0.95
ITSELF, JOLTED, PUSHED, ELSEWHERE = 12, 30, 100, 10  # pairs of runs of a generation; elsewhere: of each kind
MEASURED: Final = 16  # disturbed starts
FORCES: Final = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0)  # tenths of the weight
JOLT: Final = (0.5, 3.0)  # times the usual disturbance of a start
FALLEN: Final = 0.6  # what staying up nearly to the end is worth, of staying up
OWN: Final = 0.5  # what the undisturbed motion counts, beside all disturbances
LIKENESS: Final = 0.01  # [1/cm²] what its distance from the recording costs
FAR: Final = 200.0  # [cm²] beyond which it costs no more
MEANT: Final = 0.05  # of that, what distance costs the disturbed: to leave the motion out is no way to stay up
CHARGE: Final = 0.02
SLACK: Final = 0.02
CLOSER, NARROW = 4, 0.1  # rounds of fitting it to the recording again, and the spread of their samples


@dataclass(frozen=True, slots=True, kw_only=True)
class Borne:
    """What a machine bears."""

    upright: float  # share of the time in which it stays up undisturbed, and stands after it
    jolts: float  # share of disturbed starts
    pushes: float  # mean share of the forces that are tried
    grounds: Mapping[str, int]  # levels of each kind of surroundings
    cost: float  # of the undisturbed motion [cm²]
    levels: Mapping[str, tuple[float, ...]]

    @property
    def score(self) -> float:
        """Of 1; less what it costs to leave the recording."""
        elsewhere = [done / len(self.levels[kind]) for kind, done in self.grounds.items()]
        parts = [self.jolts, self.pushes, *([float(np.mean(elsewhere))] if elsewhere else [])]
        return float(np.mean(parts)) - OWN * LIKENESS * self.cost


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hardened:
    """A machine after a part."""

    machine: Machine
    before: Borne
    after: Borne | None  # None where what was learned is worse by more than the slack, and nothing is kept


def ends_standing(machine: Machine) -> bool:
    """Whether a machine has a state to stand in at its end: others have nothing to be brought back to."""
    return machine.states[-1].name == NAME


def harden(task: Task, settings: Settings, machine: Machine, rng: np.random.Generator, number: int = 0) -> Hardened:
    """A part of the practice, so many came before.

    What is judged is the machine as it is written. In the end it is fitted to the recording once more, as far as that
    costs less than it gains.
    """
    practice = _Practice(task, machine)
    before = practice.borne(machine)
    for found in practice.ascended(before, rng, SPREAD * FINER**number):
        other = as_written(found)
        after = practice.borne(other)
        if after.score <= before.score - SLACK or after.upright < before.upright:
            continue
        for _ in range(CLOSER):
            nearer = as_written(improved(task, settings, other, practice.last, rng, rounds=1, spread=NARROW).machine)
            fitted = practice.borne(nearer)
            if fitted.score <= after.score or fitted.upright < after.upright:
                break
            other, after = nearer, fitted
        return Hardened(machine=other, before=before, after=after)
    return Hardened(machine=machine, before=before, after=None)


class _Practice:
    def __init__(self, task: Task, machine: Machine) -> None:
        self._task, self._machine = task, machine
        self._arena = arena_of(task, machine)
        self._levels = levels_of(task)
        self._places: dict[tuple[str, float], Surroundings] = {}

    @property
    def last(self) -> int:
        """The frame with which the recording ends."""
        return self._arena.last

    def _place(self, kind: str, level: float) -> Surroundings:
        if (kind, level) not in self._places:
            self._places[kind, level] = surroundings(self._task, kind, level)
        return self._places[kind, level]

    def borne(self, machine: Machine) -> Borne:
        """What a machine bears."""
        arena, rng = self._arena, np.random.default_rng(0)
        home = arena.home
        alone = [Trial(place=home, start=home.start)]
        jolts = [Trial(place=home, start=arena.jolted(rng, 1.0)) for _ in range(MEASURED)]
        cells = list(itertools.product(FORCES, range(SIDES), MOMENTS))
        pushes = [
            Trial(place=home, start=home.start, push=arena.pushed(share * usual_force(self._task), side / SIDES, when))
            for share, side, when in cells
        ]
        upright, cost = self._run(machine, [*alone, *jolts, *pushes])
        up = upright >= 1.0
        stood = up[1 + MEASURED :].reshape(len(FORCES), -1)
        return Borne(
            upright=float(upright[0]),
            jolts=float(np.mean(up[1 : 1 + MEASURED])),
            pushes=float(np.mean(np.cumprod(stood, axis=0))),
            grounds={kind: self._mastered(machine, kind, levels) for kind, levels in self._levels.items()},
            cost=float(cost[0]),
            levels=self._levels,
        )

    def _mastered(self, machine: Machine, kind: str, levels: Sequence[float]) -> int:
        done = 0
        for level in levels:
            place = self._place(kind, level)
            if self._run(machine, [Trial(place=place, start=place.start)])[0][0] < 1.0:
                break
            done += 1
        return done

    def _run(self, machine: Machine, trials: Sequence[Trial]) -> tuple[Array, Array]:
        return self._arena.run(machine, np.tile(machine.rows().reshape(1, -1), (len(trials), 1)), trials)

    def ascended(self, known: Borne, rng: np.random.Generator, spread: float) -> Iterator[Machine]:
        """The machine after some generations, and half-way there."""
        space = hard_space(self._task, self._machine)
        ascent = Ascent(space.size, rng, spread=spread)
        first = max(known.pushes * len(FORCES), 0.5) * 0.4 * usual_force(self._task)
        stairs = Staircase(np.full((SIDES, len(MOMENTS)), first), np.ones(SIDES))
        for _ in range(GENERATIONS):
            cells = stairs.drawn(rng, PUSHED, len(MOMENTS))
            trials = [
                *self._calm(rng),
                *self._elsewhere(known, rng),
                *(self._pushed(stairs, int(side), int(kind), rng) for side, kind in cells),
            ]
            vectors = ascent.pairs(len(trials))
            params, charge = space.params(vectors.reshape(-1, space.size))
            upright, cost = self._arena.run(self._machine, params, [*trials, *trials])
            gained = np.where(upright >= 1.0, 1.0, FALLEN * upright) - MEANT * LIKENESS * np.minimum(cost, FAR)
            gained = (gained - CHARGE * charge).reshape(2, -1)
            share = OWN * len(trials) / ITSELF
            own = (upright - LIKENESS * np.minimum(cost, FAR)).reshape(2, -1)
            gained[:, :ITSELF] = share * own[:, :ITSELF]
            ascent.climb(gained)
            stood = (upright >= 1.0).reshape(2, -1).sum(axis=0)
            for (side, kind), number in zip(cells, stood[-PUSHED:], strict=True):
                stairs.tell(int(side), int(kind), int(number))
        for part in (1.0, 0.5):
            yield space.machine_at(part * ascent.mean)

    def _calm(self, rng: np.random.Generator) -> list[Trial]:
        home = self._arena.home
        own = [Trial(place=home, start=home.start) for _ in range(ITSELF)]
        return own + [Trial(place=home, start=self._arena.jolted(rng, rng.uniform(*JOLT))) for _ in range(JOLTED)]

    def _elsewhere(self, known: Borne, rng: np.random.Generator) -> list[Trial]:
        """In the first level of each kind that is not borne, mostly, or one that is."""
        trials = []
        for kind, levels in self._levels.items():
            next_ = min(known.grounds[kind], len(levels) - 1)
            for _ in range(ELSEWHERE):
                level = next_ if rng.random() < 0.7 else int(rng.integers(0, next_ + 1))
                place = self._place(kind, levels[level])
                trials.append(Trial(place=place, start=place.start))
        return trials

    def _pushed(self, stairs: Staircase, side: int, kind: int, rng: np.random.Generator) -> Trial:
        home, wide = self._arena.home, MOMENTS[1] - MOMENTS[0]
        moment = MOMENTS[kind] + wide * (rng.random() - 0.5)
        push = self._arena.pushed(
            stairs.strength(side, kind) * rng.uniform(0.8, 1.15), (side + rng.random() - 0.5) / SIDES, moment
        )
        return Trial(place=home, start=home.start, push=push)
