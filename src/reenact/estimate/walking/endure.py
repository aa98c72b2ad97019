"""A walk is pushed until it falls, and practised where it falls first: what it withstands grows from part to part.

At every phase of the gait and from every side the force that it just withstands is measured, and again once it has
been pushed before: the test of [V12] pushes every 4 s, and whom the second push meets has not quite settled. Then
covariance matrix adaptation (pycma) changes the numbers of a step so that it stays up in the scenes in which it was
weakest, a little beyond what it withstood there, without giving up the others or the walk itself. Slopes and bumps are
measured and practised beside the pushes until it masters them (`grounds.py`). Each part begins with measuring, so its
only memory is the machine: a stopped practice goes on as if it had not been stopped.

Staying up is what is asked for, not likeness: Gauss–Newton on marker offsets (`learn.py`) learns a few pushes by heart
and more slowly (docs/notes/pushes.md).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine import layout as at
from reenact.control.machine.machine import Machine
from reenact.control.pushing.one_push import one_push
from reenact.control.pushing.protocol import DURATION
from reenact.estimate.states.adapt import adaptation
from reenact.estimate.walking.grounds import LEVELS, PRACTISED, mastered, next_levels
from reenact.estimate.walking.practise import upright
from reenact.estimate.walking.rehearse import Scene, from_now_on, moments
from reenact.estimate.walking.space import AGAINST_PUSHES, gait_space
from reenact.estimate.walking.walk import Walk
from reenact.geometry.rotation import Array
from reenact.physics.prepare import Wrenches
from reenact.physics.rollout import rollout_batch

PHASES: Final = 16  # of a cycle, at which it is pushed
SETTLED: Final = (240, 180, 120, 60, 0)  # frames in the cycle after which it is; fewer where it falls before
RECOVERY: Final = 420  # frames of a scene
EVERY: Final = 480  # frames from one push to the next
SIDES: Final = {"front": math.pi, "rear": 0.0, "right": 0.5 * math.pi}  # where a push goes, left of the way [rad]
STRENGTH: Final = {"front": 210.0, "rear": 294.0, "right": 283.5}  # [N] that walkers of [V12] withstand: proportions
LEAST_FORCE, STRONGER, FORCES = 0.25, 1.2, 18  # [N per kg of the body], and from each force that is tried to the next
WEAK, OTHERS = 20, 8  # scenes of a part: where it was weakest, and of the others
BEYOND: Final = (0.95, 1.3)  # of the force that was withstood there: what it is pushed with
HELD: Final = (0.8, 1.0)  # the same in the other scenes
ASKEW: Final = 0.1  # [rad] standard deviation of a push's direction
GENERATIONS, POPULATION, SPREAD = 16, 18, 0.3
FINER: Final = 0.95  # times that from part to part: who walks well is spoiled more easily than bettered
SHARES: Final = (1.0, 0.5, 0.25)  # of the way to what was learned, of which the best is kept
FALLEN: Final = 0.6  # what staying up nearly to the end is worth, of staying up
LIKENESS: Final = 0.002  # [1/cm²] what the unpushed walk's distance from the recording costs
CHARGE: Final = 0.1  # per unit outside the gains' prior
FOOTING, FEW = 4, 2  # phases at which it is put onto other ground: where that is measured, and in a generation
FIRM: Final = 0.5  # what ground that it does not master costs of the score
SOLE, INWARD, HURRY = 0.8, 0.2, 0.4  # feedback to begin with: docs/notes/pushes.md
STILL: Final = 20.0  # [s] that it must walk undisturbed after a part, if it did before


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Withstood:
    """The greatest force, with all below it, that a walk withstood at each phase, and when it was pushed before."""

    starts: tuple[Array, ...]  # state rows at the phases
    forces: dict[str, Array]  # (PHASES + those below,) [N] by the side they come from
    pushed: dict[str, tuple[Array, ...]] = field(default_factory=dict)  # state rows after a push from the same side
    grounds: dict[str, int] = field(default_factory=dict)  # levels of each kind of ground that it masters

    @property
    def score(self) -> float:
        """Mean logarithm of the forces' shares of those of [V12]; the weaker half counts twice.

        Less what it costs not to master other ground.
        """
        shares = np.concatenate([np.log(self.forces[side] / STRENGTH[side]) for side in SIDES])
        weaker = np.sort(shares)[: len(shares) // 2]
        lacking = [1.0 - done / len(LEVELS[kind]) for kind, done in self.grounds.items()]
        return float((shares.sum() + weaker.sum()) / (len(shares) + len(weaker))) - FIRM * float(
            np.mean(lacking or 0.0)
        )

    def start(self, side: str, scene: int) -> Array:
        """The state row in which a push from a side comes: at a phase, or after another push."""
        return (*self.starts, *self.pushed.get(side, ()))[scene]

    @property
    def footing(self) -> tuple[Array, ...]:
        """State rows with which it is put onto other ground."""
        return self.starts[:: max(1, len(self.starts) // FOOTING)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Endured:
    """A walk after a part of its practice under pushes."""

    walk: Walk
    before: Withstood
    after: Withstood | None  # None where nothing that was learned is better, and nothing is kept


def endure(walk: Walk, rng: np.random.Generator, number: int = 0) -> Endured | None:
    """A part of the practice, so many came before; None where the walk falls before it can be pushed."""
    delay = rng.uniform(0.0, walk.cycle / PHASES)
    before = withstood(walk, delay)
    if before is None:
        return None
    walk, before = _prepared(walk, before, delay)
    still, best, after = upright(walk, STILL), walk, None
    for machine in _evolved(walk, before, rng, SPREAD * FINER**number):
        other = replace(walk, machine=machine)
        found = withstood(other, delay) if upright(other, STILL) >= min(STILL, still) else None
        if found is not None and found.score > (before if after is None else after).score:
            best, after = other, found
    return Endured(walk=best, before=before, after=after)


def _prepared(walk: Walk, known: Withstood, delay: float) -> tuple[Walk, Withstood]:
    """A walk that keeps no sole level yet with what helps against pushes, where it does; and what it withstands."""
    rows = walk.machine.rows()
    cycle = rows[walk.first :]
    if cycle[:, at.SOLE].any():
        return walk, known
    cycle[:, at.SOLE], cycle[:, at.HURRY] = SOLE, HURRY
    cycle[:, at.INWARD] = np.minimum(cycle[:, at.INWARD], INWARD)
    ready = replace(walk, machine=walk.machine.with_rows(rows))
    found = withstood(ready, delay) if upright(ready, STILL) >= min(STILL, upright(walk, STILL)) else None
    return (walk, known) if found is None or found.score < known.score else (ready, found)


def withstood(walk: Walk, delay: float) -> Withstood | None:
    """What it withstands at phases that begin so many frames late; None where it falls by itself."""
    starts = _moments(walk, delay)
    if starts is None:
        return None
    known = {side: _least(walk, starts, walk.way + angle) for side, angle in SIDES.items()}
    pushed, forces = {}, {}
    for side, angle in SIDES.items():
        pushed[side], up = _after(walk, starts, float(known[side].min()), walk.way + angle)
        again = _least(walk, pushed[side], walk.way + angle)
        forces[side] = np.concatenate([known[side], np.where(up, again, LEAST_FORCE * walk.task.model.mass / STRONGER)])
    found = Withstood(starts=tuple(starts), forces=forces, pushed=pushed)
    return replace(found, grounds=mastered(walk, found.footing))


def _least(walk: Walk, starts: Sequence[Array], angle: float) -> Array:
    """The greatest force [N], with all below it, that a walk withstands from each of k state rows on, (k,)."""
    grid = LEAST_FORCE * walk.task.model.mass * STRONGER ** np.arange(FORCES)
    least = np.full(len(starts), grid[0] / STRONGER)
    open_ = np.arange(len(starts))
    for force in grid:
        if len(open_) == 0:
            break
        scenes = [Scene(start=starts[int(i)], push=push(walk, float(force), angle)) for i in open_]
        tried = walk.rehearsal(scenes, RECOVERY).try_out(walk.machine, walk.machine.rows().reshape(1, -1))
        open_ = open_[tried.upright[0] >= 1.0]
        least[open_] = force
    return least


def _after(
    walk: Walk, starts: Sequence[Array], force: float, angle: float
) -> tuple[tuple[Array, ...], NDArray[np.bool_]]:
    """State rows when the next push comes, and which are up by then; of others the row that they began with.

    force: of the push before [N].
    """
    model, count = walk.task.model, len(starts)
    result = rollout_batch(
        model, walk.machine.compile(model), np.stack(starts), EVERY, start_of=np.arange(count), fall=walk.fall,
        params=np.repeat(walk.machine.rows().reshape(1, -1), count, axis=0),
        external=[push(walk, force, angle)], external_of=np.zeros(count, np.int64), threads=walk.task.threads,
    )  # fmt: skip
    rows = [
        from_now_on(row, model) if up else own for row, up, own in zip(result.final, result.ok, starts, strict=True)
    ]
    return tuple(rows), np.asarray(result.ok, bool)


def push(walk: Walk, force: float, angle: float) -> Wrenches:
    """A push at once, for as long as in the test of [V12]; angle: where it goes [rad], in the world."""
    return one_push(walk.task.model, force, angle, DURATION)


def _moments(walk: Walk, delay: float) -> list[Array] | None:
    """State rows at all phases of a cycle, once the walk has settled."""
    for settled in SETTLED:
        begin = walk.entered_after + settled + delay
        steps = [round(begin + i * walk.cycle / PHASES) for i in range(PHASES)]
        found = moments(walk.machine, walk.task.model, walk.start, steps, fall=walk.fall)
        if found is not None:
            return found
    return None


def _evolved(walk: Walk, known: Withstood, rng: np.random.Generator, spread: float) -> list[Machine]:
    """The machine after some generations in the scenes that matter, and on the way there."""
    body, limbs = walk.task.model.body, walk.task.limbs
    space = gait_space(walk.machine, limbs, body, first=walk.first, way=walk.turn, feedback=AGAINST_PUSHES)
    search, terrains = (
        adaptation(space.size, rng, population=POPULATION, spread=spread, CMA_diagonal=True),
        next_levels(walk, known.grounds),
    )
    for _ in range(GENERATIONS):
        vectors = np.array(search.ask())
        params, charge = space.params(vectors)
        starts = [known.starts[i] for i in rng.permutation(len(known.starts))[:FEW]] if terrains else []
        elsewhere = [terrain.upright(walk, params, starts, PRACTISED) for terrain in terrains]
        costs = _costs(walk, _scenes(walk, known, rng), params, elsewhere) + CHARGE * charge
        search.tell(list(vectors), list(costs))
    return [space.machine_at(share * np.asarray(search.mean)) for share in SHARES]


def _costs(walk: Walk, scenes: list[Scene], params: Array, elsewhere: list[Array]) -> Array:
    """Of candidates (n, M·W): what they lack of staying up; elsewhere: share of the time (n, k) on other grounds."""
    tried = walk.rehearsal([*scenes, Scene(start=walk.start)], RECOVERY).try_out(walk.machine, params)
    upright = np.concatenate([*elsewhere, tried.upright], axis=1)
    worth = np.where(upright >= 1.0, 1.0, FALLEN * upright)
    alone = 1.0 - worth[:, -1]
    return np.asarray(-worth[:, :-1].mean(axis=1) + alone + LIKENESS * tried.cost[:, -1])


def _scenes(walk: Walk, known: Withstood, rng: np.random.Generator) -> list[Scene]:
    """The weakest scenes, and some others, each with a force about as great as was withstood in it."""
    every = [(force / STRENGTH[side], side, i) for side in SIDES for i, force in enumerate(known.forces[side])]
    every.sort(key=lambda scene: scene[0])
    rest = rng.permutation(np.arange(WEAK, len(every)))[:OTHERS]
    chosen = [(every[i], BEYOND) for i in range(WEAK)] + [(every[i], HELD) for i in rest]
    scenes = []
    for (_, side, i), (low, high) in chosen:
        force = known.forces[side][i] * rng.uniform(low, high)
        angle = walk.way + SIDES[side] + ASKEW * rng.standard_normal()
        scenes.append(Scene(start=known.start(side, i), push=push(walk, float(force), float(angle))))
    return scenes
