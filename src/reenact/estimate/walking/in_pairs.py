"""Practice of a walk under pushes by pairs of runs, each pair in a scene and a direction of its own.

The numbers of a step ascend (`ascent.py`) to where the walk stays up more often under forces about as great as it just
bears, which grow with it (`staircase.py`), without giving up the walk itself. What is weighed is the machine alone,
nothing done otherwise in its runs, and all numbers count together: so it goes on where practice side by side
(`together.py`), which is quicker to begin with, has come to its end (docs/notes/pushes.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine import layout as at
from reenact.control.machine.machine import Machine
from reenact.estimate.ascent import Ascent
from reenact.estimate.staircase import Staircase
from reenact.estimate.walking.grounds import PRACTISED, Terrain, next_levels
from reenact.estimate.walking.rehearse import Rehearsed, Scene, from_now_on
from reenact.estimate.walking.space import AGAINST_PUSHES, gait_space
from reenact.estimate.walking.walk import Walk
from reenact.estimate.walking.withstand import (
    PHASES,
    RECOVERY,
    SIDES,
    STRENGTH,
    Withstood,
    push,
    settled_moments,
)
from reenact.geometry.rotation import Array

GENERATIONS, SPREAD = 24, 0.25
FINER: Final = 0.95  # times the spread from part to part: who walks well is spoiled more easily than bettered
FRESH, AGAIN, ALONE, GROUND = 100, 110, 40, 8  # pairs of runs: pushed, pushed once more, not pushed, on each new ground
ABOUT: Final = (0.95, 1.1)  # of the force that is just withstood: what it is pushed with
HELD: Final = (0.4, 0.95)  # the same now and then: who bears much may fall under less
SELDOM: Final = 0.15
ASKEW: Final = 0.1  # [rad] standard deviation of a push's direction
POOL: Final = 60  # moments after a push, of each side, to be pushed again at
SHARES: Final = (1.0, 0.5)  # of the way to what was learned: the machines that come of it
FALLEN: Final = 0.6  # what staying up nearly to the end is worth, of staying up
LIKENESS: Final = 0.002  # [1/cm²] what the unpushed walk's distance from the recording costs
FAR: Final = 500.0  # [cm²] beyond which it costs no more
ITSELF: Final = 0.6  # what the unpushed walk counts, beside all pushes
CHARGE: Final = 0.1  # per unit outside the gains' prior


def practised_in_pairs(walk: Walk, known: Withstood, rng: np.random.Generator, number: int) -> tuple[Machine, Machine]:
    """The machine after some generations, and that half-way there; number: parts of the practice that came before."""
    space = gait_space(
        walk.machine, walk.task.limbs, walk.task.model.body, first=walk.first, way=walk.turn, feedback=AGAINST_PUSHES,
        reactions=True,
    )  # fmt: skip
    ascent = Ascent(space.size, rng, spread=SPREAD * FINER**number)
    course = _Course(walk, known)
    for _ in range(GENERATIONS):
        now = replace(walk, machine=space.machine_at(ascent.mean))
        if (starts := settled_moments(now, rng.uniform(0.0, walk.cycle / PHASES))) is None:
            break
        scenes = [*course.pushed(starts, rng), *course.pushed_again(rng), *course.alone(rng)]
        vectors = ascent.pairs(len(scenes) + GROUND * len(course.grounds))
        params, charge = space.params(vectors.reshape(-1, space.size))
        gained = course.worth(scenes, params.reshape(2, -1, params.shape[-1]), rng)
        ascent.climb(gained - CHARGE * charge.reshape(2, -1))
    far, near = (space.machine_at(share * ascent.mean) for share in SHARES)
    return far, near


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Trial:
    """A scene for a pair of runs; side and kind: where in the staircase its force stands, −1 for nowhere."""

    scene: Scene
    side: int = -1
    kind: int = -1
    told: bool = True  # whether the staircase is told of it


class _Course:
    """Scenes that a walk is practised in, and what it has shown in them so far.

    Kinds of scenes on the staircase: phases at which it is pushed once, then states in which it is pushed again.
    """

    def __init__(self, walk: Walk, known: Withstood) -> None:
        self._walk = walk
        phases, states = len(known.starts), len(walk.machine.states) - walk.first
        forces = [
            np.concatenate([known.forces[side][:phases], np.full(states, np.median(known.forces[side][phases:]))])
            for side in SIDES
        ]
        self._phases = phases
        self._staircase = Staircase(np.array(forces), np.array([STRENGTH[side] for side in SIDES]))
        self._pools = [list(known.pushed[side]) for side in SIDES]
        self._starts = known.starts
        self.grounds = next_levels(walk, known.grounds)

    def pushed(self, starts: Sequence[Array], rng: np.random.Generator) -> list[_Trial]:
        """Scenes at the phases of a walk that goes by itself, which begin at these state rows."""
        self._starts = tuple(starts)
        chosen = self._staircase.drawn(rng, FRESH, self._phases)
        return [self._trial(starts[kind], int(side), int(kind), rng) for side, kind in chosen]

    def pushed_again(self, rng: np.random.Generator) -> list[_Trial]:
        """Scenes some time after a push from the same side."""
        trials = []
        for side in self._staircase.sides(rng, AGAIN, slice(self._phases, None)):
            row = self._pools[side][int(rng.integers(len(self._pools[side])))]
            state = int(row[len(row) - self._walk.memory + at.STATE]) - self._walk.first
            trials.append(self._trial(row, int(side), self._phases + state, rng))
        return trials

    def alone(self, rng: np.random.Generator) -> list[_Trial]:
        """The walk itself from the recorded strike on, every other time a little disturbed."""
        rows = [self._walk.start if i % 2 == 0 else self._walk.at_strike(rng) for i in range(ALONE)]
        return [_Trial(scene=Scene(start=row)) for row in rows]

    def _trial(self, row: Array, side: int, kind: int, rng: np.random.Generator) -> _Trial:
        held = rng.random() < SELDOM
        force = self._staircase.strength(side, kind) * rng.uniform(*(HELD if held else ABOUT))
        angle = self._walk.way + list(SIDES.values())[side] + ASKEW * rng.standard_normal()
        scene = Scene(start=row, push=push(self._walk, float(force), float(angle)))
        return _Trial(scene=scene, side=side, kind=kind, told=not held)

    def worth(self, trials: Sequence[_Trial], params: Array, rng: np.random.Generator) -> Array:
        """What runs with params (2, n, M·W) are worth, (2, n): of the trials, then on each new ground."""
        walk, count = self._walk, len(trials)
        rehearsal = replace(walk.rehearsal([trial.scene for trial in trials], RECOVERY), every=0)
        flat = params[:, :count].reshape(2 * count, -1)
        tried, last = rehearsal.run(walk.machine, flat, np.tile(np.arange(count), 2))
        up = tried.upright >= 1.0
        worth = _worth(tried.upright)
        itself = np.tile([trial.side < 0 for trial in trials], 2)
        worth[itself] = ITSELF * count / itself.sum() * 2.0 * self._of_itself(tried, worth)[itself]
        self._learn(trials, up.reshape(2, count), last.reshape(2, count, -1), rng)
        return np.concatenate([worth.reshape(2, count), *self._on_grounds(params[:, count:], rng)], axis=1)

    def _of_itself(self, tried: Rehearsed, worth: Array) -> Array:
        """The same of runs without a push: likeness, time in the air and pace count, too."""
        return worth - LIKENESS * np.minimum(tried.cost, FAR) - self._walk.unlike(tried.aloft, tried.cadence)

    def _on_grounds(self, params: Array, rng: np.random.Generator) -> list[Array]:
        """The worth (2, GROUND) of runs on each new ground."""
        out = []
        for forms, own in zip(self.grounds.values(), np.split(params, len(self.grounds) or 1, axis=1), strict=False):
            rows = [self._starts[i] for i in rng.integers(len(self._starts), size=GROUND)]
            shares = np.array_split(np.arange(GROUND), len(forms))
            for form, mine in zip(forms, shares, strict=True):
                out.append(_worth(_upright(form, self._walk, own[:, mine], [rows[i] for i in mine])))
        return out

    def _learn(self, trials: Sequence[_Trial], up: NDArray[np.bool_], last: Array, rng: np.random.Generator) -> None:
        """Tell the staircase, and keep where pushes have led to be pushed again there."""
        pushed = [i for i, trial in enumerate(trials) if trial.side >= 0]
        for i in pushed:
            if trials[i].told:
                self._staircase.tell(trials[i].side, trials[i].kind, int(up[:, i].sum()))
        stood = [(run, i) for run in range(2) for i in pushed if up[run, i]]
        for run, i in (stood[int(k)] for k in rng.permutation(len(stood))[: len(SIDES) * POOL]):
            self._pools[trials[i].side].append(from_now_on(last[run, i], self._walk.task.model))
        self._pools = [pool[-POOL:] for pool in self._pools]


def _upright(terrain: Terrain, walk: Walk, params: Array, rows: Sequence[Array]) -> Array:
    """Share of the time (2, n) that runs with params (2, n, M·W) stay up on a ground, each pair from its own row."""
    count = params.shape[1]
    which = np.tile(np.arange(count), 2)
    return terrain.upright_each(walk, params.reshape(2 * count, -1), rows, which, PRACTISED).reshape(2, count)


def _worth(upright: Array) -> Array:
    """What staying up for shares of the time is worth."""
    return np.asarray(np.where(upright >= 1.0, 1.0, FALLEN * upright))
