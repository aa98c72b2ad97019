"""What a walk withstands: the force of a push that it just bears, at every phase of the gait and from every side.

Measured of a walk that goes by itself and again of one that was pushed before: the test of [V12] pushes every 4 s, and
whom the second push meets has not quite settled. Slopes, bumps and less strength are measured beside it (`grounds.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.control.pushing.one_push import one_push
from reenact.control.pushing.protocol import DURATION
from reenact.estimate.walking.grounds import LEVELS, mastered
from reenact.estimate.walking.rehearse import Scene, from_now_on, moments
from reenact.estimate.walking.walk import Walk
from reenact.geometry.rotation import Array
from reenact.physics.prepare import Wrenches
from reenact.physics.rollout import BatchResult, rollout_batch

PHASES: Final = 16  # of a cycle, at which it is pushed
SETTLED: Final = (240, 180, 120, 60, 0)  # frames in the cycle after which it is; fewer where it falls before
EVERY: Final = 480  # frames from one push to the next
RECOVERY: Final = EVERY  # frames that it is to stay up after a push
SIDES: Final = {"front": math.pi, "rear": 0.0, "right": 0.5 * math.pi}  # where a push goes, left of the way [rad]
STRENGTH: Final = {"front": 210.0, "rear": 294.0, "right": 283.5}  # [N] that walkers of [V12] withstand: proportions
LEAST_FORCE, STRONGER, FORCES = 0.25, 1.1, 40  # [N per kg of the body], and from each force that is tried to the next
USUAL: Final = 20  # number of the force that is tried first where nothing is known: 1.7 N per kg
FOOTING: Final = 4  # phases at which it is put onto other ground
FIRM: Final = 0.5  # what ground that it does not master costs of the score


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Withstood:
    """The force that a walk just withstood at each phase, and when it was pushed before."""

    starts: tuple[Array, ...]  # state rows at the phases
    forces: dict[str, Array]  # (PHASES + those below,) [N] by the side they come from
    pushed: dict[str, tuple[Array, ...]] = field(default_factory=dict)  # state rows after a push from there
    grounds: dict[str, int] = field(default_factory=dict)  # levels of each kind of ground that it masters
    unlike: float = 0.0  # what it costs to be another gait than the recorded one, unpushed

    @property
    def score(self) -> float:
        """Mean logarithm of the forces' shares of those of [V12]; the weaker half counts twice.

        Less what it costs not to master other ground, and to run or trip where the recorded person walks.
        """
        shares = np.concatenate([np.log(self.forces[side] / STRENGTH[side]) for side in SIDES])
        weaker = np.sort(shares)[: len(shares) // 2]
        lacking = [1.0 - done / len(LEVELS[kind]) for kind, done in self.grounds.items()]
        forces = float((shares.sum() + weaker.sum()) / (len(shares) + len(weaker)))
        return forces - FIRM * float(np.mean(lacking or 0.0)) - self.unlike

    def start(self, side: str, scene: int) -> Array:
        """The state row in which a push from a side comes: at a phase, or after another push."""
        return (*self.starts, *self.pushed.get(side, ()))[scene]

    @property
    def footing(self) -> tuple[Array, ...]:
        """State rows with which it is put onto other ground."""
        return self.starts[:: max(1, len(self.starts) // FOOTING)]


def withstood(walk: Walk, delay: float, known: Withstood | None = None) -> Withstood | None:
    """What it withstands at phases that begin so many frames late; None where it falls by itself.

    known: what a walk much like it withstands, from where on the forces are looked for. Grounds are not looked at here.
    """
    starts = settled_moments(walk, delay)
    if starts is None:
        return None
    before: Mapping[str, Array] = {} if known is None else known.forces
    forces, pushed = {}, {}
    for side, angle in SIDES.items():
        alone, again = np.split(before.get(side, np.full(2 * len(starts), _force(walk, USUAL))), [len(starts)])
        first = _just(walk, starts, walk.way + angle, alone)
        least = float(first.min())
        plans = [push(walk, least, walk.way + angle)] * len(starts)
        pushed[side], up = later(walk, starts, EVERY, plans)
        second = _just(walk, pushed[side], walk.way + angle, again)
        forces[side] = np.concatenate([first, np.where(up, second, least / STRONGER)])
    params = walk.machine.rows().reshape(1, -1)
    unpushed = walk.rehearsal([Scene(start=starts[0])], RECOVERY).try_out(walk.machine, params)
    unlike = float(walk.unlike(unpushed.aloft, unpushed.cadence)[0, 0])
    return Withstood(starts=tuple(starts), forces=forces, pushed=pushed, unlike=unlike)


def with_grounds(walk: Walk, known: Withstood) -> Withstood:
    """The same with the grounds that it masters."""
    return replace(known, grounds=mastered(walk, known.footing))


def _force(walk: Walk, number: int | NDArray[np.int64]) -> Array:
    """Forces that are tried [N], by their numbers; that before the first is what one who falls at once withstands."""
    return np.asarray(LEAST_FORCE * walk.task.model.mass * STRONGER ** np.asarray(number, float))


def _just(walk: Walk, starts: Sequence[Array], angle: float, guess: Array) -> Array:
    """The force [N] that a walk withstands from each of k state rows on, the next greater one felling it, (k,).

    guess: where to begin, (k,). More force is not always worse: found is one such force near there, and from another
    guess it may be another.
    """
    now = np.clip(np.rint(np.log(guess / _force(walk, 0)) / math.log(STRONGER)).astype(np.int64), 0, FORCES - 1)
    stands, falls = np.full(len(starts), -1, np.int64), np.full(len(starts), FORCES, np.int64)
    while len(open_ := np.flatnonzero((stands < now) & (now < falls))):
        plans = [push(walk, float(force), angle) for force in _force(walk, now[open_])]
        up = _run(walk, [starts[int(i)] for i in open_], RECOVERY, plans).ok
        stands[open_[up]], falls[open_[~up]] = now[open_[up]], now[open_[~up]]
        now[open_] += np.where(up, 1, -1)
    return _force(walk, stands)


def later(
    walk: Walk, starts: Sequence[Array], steps: int, plans: Sequence[Wrenches]
) -> tuple[tuple[Array, ...], NDArray[np.bool_]]:
    """State rows some steps later, each under its own push, and which are up by then; others stay as they began."""
    result = _run(walk, starts, steps, plans)
    rows = [
        from_now_on(row, walk.task.model) if up else own
        for row, up, own in zip(result.final, result.ok, starts, strict=True)
    ]
    return tuple(rows), np.asarray(result.ok, bool)


def _run(walk: Walk, starts: Sequence[Array], steps: int, plans: Sequence[Wrenches]) -> BatchResult:
    """The walk from each of k state rows, each under its own push."""
    model, each = walk.task.model, np.arange(len(starts))
    return rollout_batch(
        model, walk.machine.compile(model), np.stack(starts), steps, start_of=each, fall=walk.fall,
        params=np.repeat(walk.machine.rows().reshape(1, -1), len(starts), axis=0),
        external=plans, external_of=each, threads=walk.task.threads,
    )  # fmt: skip


def push(walk: Walk, force: float, angle: float) -> Wrenches:
    """A push at once, for as long as in the test of [V12]; angle: where it goes [rad], in the world."""
    return one_push(walk.task.model, force, angle, DURATION)


def settled_moments(walk: Walk, delay: float) -> list[Array] | None:
    """State rows at all phases of a cycle, once the walk has settled."""
    for settled in SETTLED:
        begin = walk.entered_after + settled + delay
        steps = [round(begin + i * walk.cycle / PHASES) for i in range(PHASES)]
        found = moments(walk.machine, walk.task.model, walk.start, steps, fall=walk.fall)
        if found is not None:
            return found
    return None
