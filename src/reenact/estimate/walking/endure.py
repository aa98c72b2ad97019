"""A walk is pushed until it falls, and practised where it falls first: what it withstands grows, most parts.

At every phase of the gait and from every side the force that it just withstands is measured, and again once it has
been pushed before: the test of [V12] pushes every 4 s, and whom the second push meets has not quite settled. Then
covariance matrix adaptation (pycma) changes the numbers of a step so that it stays up in the scenes in which it was
weakest, a little beyond what it withstood there, without giving up the others or the walk itself. Those numbers are the
poses, paces and feedback of the states, and what every joint of legs and trunk does against falling (`react.py`).
Slopes and bumps are measured and practised beside the pushes until it masters them (`grounds.py`). Each part begins
with measuring, so its only memory is the machine: a stopped practice goes on as if it had not been stopped.

Staying up is what is asked for, not likeness: Gauss–Newton on marker offsets (`learn.py`) learns a few pushes by heart
and more slowly (docs/notes/pushes.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.control.machine import layout as at
from reenact.control.machine.machine import Machine
from reenact.estimate.states.adapt import adaptation
from reenact.estimate.walking.grounds import PRACTISED, next_levels
from reenact.estimate.walking.practise import upright
from reenact.estimate.walking.rehearse import NOTHING, Scene
from reenact.estimate.walking.space import AGAINST_PUSHES, gait_space
from reenact.estimate.walking.walk import FLOWN, Walk
from reenact.estimate.walking.withstand import (
    PHASES,
    RECOVERY,
    SIDES,
    STRENGTH,
    Withstood,
    later,
    push,
    with_grounds,
    withstood,
)
from reenact.geometry.rotation import Array

WEAK, OTHERS = 12, 6  # scenes of a part: where it was weakest, and of the others
ENTERED: Final = 2  # scenes in which it is entered
BEYOND: Final = (0.95, 1.3)  # of the force that was withstood there: what it is pushed with
HELD: Final = (0.4, 1.0)  # the same in the other scenes: who bears much may fall under less
ASKEW: Final = 0.1  # [rad] standard deviation of a push's direction
GENERATIONS, POPULATION, SPREAD = 20, 24, 0.25
FINER: Final = 0.97  # times that from part to part: who walks well is spoiled more easily than bettered
SLACK: Final = 0.03  # of the score, times the same: may be lost in a part, as often the next one gains more from there
SHARES: Final = (1.0, 0.5, 0.25)  # of the way to what was learned, of which the best is kept
FALLEN: Final = 0.6  # what staying up nearly to the end is worth, of staying up
LIKENESS: Final = 0.002  # [1/cm²] what the unpushed walk's distance from the recording costs
CHARGE: Final = 0.1  # per unit outside the gains' prior
FEW: Final = 2  # phases at which it is put onto other ground in a generation
SOLE, INWARD, HURRY = 0.8, 0.2, 0.4  # feedback to begin with: docs/notes/pushes.md
STILL: Final = 20.0  # [s] that it must walk undisturbed after a part, if it did before


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Endured:
    """A walk after a part of its practice under pushes."""

    walk: Walk
    before: Withstood
    after: Withstood | None  # None where all that was learned is worse by more than the slack, and nothing is kept


def endure(walk: Walk, rng: np.random.Generator, number: int = 0) -> Endured | None:
    """A part of the practice, so many came before; None where the walk falls before it can be pushed."""
    delay = rng.uniform(0.0, walk.cycle / PHASES)
    before = withstood(walk, delay)
    if before is None:
        return None
    walk, before = _prepared(walk, before, delay)
    before = with_grounds(walk, before)
    still, finer = upright(walk, STILL), FINER**number
    best, after, least = walk, None, before.score - SLACK * finer
    for machine in _evolved(walk, before, rng, SPREAD * finer):
        other = replace(walk, machine=machine)
        found = withstood(other, delay, before) if upright(other, STILL) >= min(STILL, still) else None
        if found is None or found.score <= least:  # other ground only takes from it
            continue
        found = with_grounds(other, found)
        if found.score > least:
            best, after, least = other, found, found.score
    return Endured(walk=best, before=before, after=after)


def _prepared(walk: Walk, known: Withstood, delay: float) -> tuple[Walk, Withstood]:
    """A walk that keeps no sole level yet with what helps against pushes, where it does; and what it withstands.

    Other ground is not looked at: it is practised from here on.
    """
    rows = walk.machine.rows()
    cycle = rows[walk.first :]
    if cycle[:, at.SOLE].any():
        return walk, known
    cycle[:, at.SOLE], cycle[:, at.HURRY] = SOLE, HURRY
    cycle[:, at.INWARD] = np.minimum(cycle[:, at.INWARD], INWARD)
    ready = replace(walk, machine=walk.machine.with_rows(rows))
    found = withstood(ready, delay, known) if upright(ready, STILL) >= min(STILL, upright(walk, STILL)) else None
    return (walk, known) if found is None or found.score < known.score else (ready, found)


def _evolved(walk: Walk, known: Withstood, rng: np.random.Generator, spread: float) -> Iterator[Machine]:
    """The machine after some generations in the scenes that matter, and on the way there."""
    space = gait_space(
        walk.machine, walk.task.limbs, walk.task.model.body, first=walk.first, way=walk.turn, feedback=AGAINST_PUSHES,
        reactions=True,
    )  # fmt: skip
    search = adaptation(space.size, rng, population=POPULATION, spread=spread, CMA_diagonal=True)
    terrains = next_levels(walk, known.grounds)
    for _ in range(GENERATIONS):
        vectors = np.array(search.ask())
        params, charge = space.params(vectors)
        starts = [known.starts[i] for i in rng.permutation(len(known.starts))[:FEW]] if terrains else []
        elsewhere = [terrain.upright(walk, params, starts, PRACTISED) for terrain in terrains]
        costs = _costs(walk, _scenes(walk, known, rng), params, elsewhere) + CHARGE * charge
        search.tell(list(vectors), list(costs))
    for share in SHARES:
        yield space.machine_at(share * np.asarray(search.mean))


def _costs(walk: Walk, scenes: list[Scene], params: Array, elsewhere: list[Array]) -> Array:
    """Of candidates (n, M·W): what they lack of staying up; elsewhere: share of the time (n, k) on other grounds."""
    tried = walk.rehearsal([*scenes, Scene(start=walk.start)], RECOVERY).try_out(walk.machine, params)
    upright = np.concatenate([*elsewhere, tried.upright], axis=1)
    worth = np.where(upright >= 1.0, 1.0, FALLEN * upright)
    alone = 1.0 - worth[:, -1]
    alone += LIKENESS * tried.cost[:, -1] + FLOWN * walk.flown(tried.aloft[:, -1])
    return np.asarray(alone - worth[:, :-1].mean(axis=1))


def _scenes(walk: Walk, known: Withstood, rng: np.random.Generator) -> list[Scene]:
    """The weakest scenes, and some others, each with a force about as great as was withstood in it.

    And some in which the cycle is entered from the recording, a little disturbed: it is not there as when it goes on.
    """
    every = [(force / STRENGTH[side], side, i) for side in SIDES for i, force in enumerate(known.forces[side])]
    every.sort(key=lambda scene: scene[0])
    rest = rng.permutation(np.arange(WEAK, len(every)))[:OTHERS]
    chosen = [(every[i], BEYOND) for i in range(WEAK)] + [(every[i], HELD) for i in rest]
    rows = _a_little_later(walk, [known.start(side, i) for (_, side, i), _ in chosen], rng)
    scenes = []
    for row, ((_, side, i), (low, high)) in zip(rows, chosen, strict=True):
        force = known.forces[side][i] * rng.uniform(low, high)
        angle = walk.way + SIDES[side] + ASKEW * rng.standard_normal()
        scenes.append(Scene(start=row, push=push(walk, float(force), float(angle))))
    return [*scenes, *(Scene(start=walk.at_strike(rng)) for _ in range(ENTERED))]


def _a_little_later(walk: Walk, rows: Sequence[Array], rng: np.random.Generator) -> list[Array]:
    """State rows as they are up to a phase later, each at random: what is practised is not a few moments by heart."""
    delays = rng.integers(0, max(1, round(walk.cycle / PHASES)), len(rows))
    out = list(rows)
    for steps in sorted({int(each) for each in delays} - {0}):
        which = [int(i) for i in np.flatnonzero(delays == steps)]
        moved, _ = later(walk, [rows[i] for i in which], steps, [NOTHING] * len(which))
        for i, row in zip(which, moved, strict=True):
            out[i] = row
    return out
