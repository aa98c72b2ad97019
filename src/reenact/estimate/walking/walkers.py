"""Many bodies that walk on, a tenth of a second at a time, each doing something otherwise: pushed again and again, on
slopes, over bumps and with less strength; who falls begins anew.

What is rewarded: not to fall, to keep the recording's pace, and on the flat to walk as the recorded person does; who
was pushed just before need not do so much. Forces go up and down with what is borne (`staircase.py`), for each state of
a step in which a push comes and each way that it goes.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine import layout as at
from reenact.control.machine import watch
from reenact.control.pushing.one_push import one_push
from reenact.control.pushing.protocol import DURATION
from reenact.estimate.critic import Course
from reenact.estimate.staircase import Staircase
from reenact.estimate.states.reference import Clock
from reenact.estimate.states.scored import scored
from reenact.estimate.walking.explore import ALL, Explorer
from reenact.estimate.walking.grounds import LEVELS, Terrain
from reenact.estimate.walking.moment import Eye
from reenact.estimate.walking.rehearse import LIMIT, NOTHING, SPEED
from reenact.estimate.walking.walk import Walk
from reenact.geometry.rotation import Array
from reenact.physics.controller import Program
from reenact.physics.model import Model
from reenact.physics.outcome import Fall
from reenact.physics.prepare import Wrenches
from reenact.physics.rollout import rollout_batch

TENTH: Final = 12  # steps of one
TENTHS: Final = 16  # that all walk on before anything is learned
PUSHED, ALONE, GROUND = 420, 64, 4  # bodies: pushed, never pushed, and on each form of other ground
PATIENCE: Final = {"pushed": 600, "alone": 80, "ground": 100}  # tenths after which a body begins anew
BEGUN: Final = (0, 8)  # tenths until the first push
SOON, LATE, OFTEN = (16, 26), (36, 44), 0.6  # tenths from push to push, and how often soon
BORNE: Final = 20  # tenths after a push, in which a fall is its
CALM: Final = 30  # tenths after a push, from when on it is to walk as recorded
ABOUT: Final = (0.9, 1.15)  # of the force that is just withstood: what it is pushed with
HELD, SELDOM = (0.3, 0.9), 0.3  # the same now and then: who bears much may fall under less
WEAKER: Final = 1.0  # power by which pushes are more likely of which less is borne
ASKEW: Final = 0.1  # [rad] standard deviation of a push's direction
FALLEN: Final = -1.0  # reward of a fall
LIKENESS: Final = 1.25e-4  # [1/cm²] what the distance from the recording costs in a tenth
FAR: Final = 500.0  # [cm²] beyond which it costs no more
FLOWN: Final = 0.05  # what a tenth in the air costs
PACE: Final = 2.0  # what a stride costs that is longer or shorter than recorded, per unit of its logarithm
ALIKE, MOST = 0.1, 1.0  # of that logarithm, which counts for nothing, and beyond which it counts no more
SHAKEN: Final = 0.15  # share of all that for who was pushed just before
NOT_YET: Final = 10**6  # tenths since the last push of who was not pushed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """What was seen of n bodies for T tenths: how they went on, and what they did otherwise."""

    course: Course
    entered: Array  # (T·n, S, 12) share of the tenth in each state of a step, and times what was felt
    other: Array  # (T·n, A) what was done otherwise
    spread: Array  # (T·n, A) and how likely that was: standard deviations


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Place:
    """Where some of the bodies walk."""

    model: Model
    program: Program
    fall: Fall
    terrain: Terrain | None
    bodies: NDArray[np.int64]


class Walkers:
    """Bodies that walk on; what they stand on and what pushes them stays between one stretch and the next."""

    def __init__(
        self, walk: Walk, explorer: Explorer, forces: Array, usual: Array,
        grounds: Mapping[str, Sequence[Terrain]],
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        """forces: (4, S) [N] that are about withstood, by the way of falling and state; usual: (4,) of [V12]."""
        self._walk, self._explorer, self._rng = walk, explorer, rng
        self._half = explorer.space.half
        self._eye = Eye(walk, self._half)
        self._staircase = Staircase(forces, usual, weak=WEAKER)
        self._places = self._placed(grounds)
        count = sum(len(place.bodies) for place in self._places)
        self._kind = np.array(["pushed"] * PUSHED + ["alone"] * ALONE + ["ground"] * (count - PUSHED - ALONE))
        self._patience = np.array([PATIENCE[kind] for kind in self._kind])
        self._where = np.concatenate([np.full(len(p.bodies), i) for i, p in enumerate(self._places)])
        kinds = [kind for kind, forms in grounds.items() for _ in forms]
        known = np.array([[kind == one for one in LEVELS] for kind in ("", *kinds)], float)
        self._grounds = known[self._where]  # (n, kinds)
        self._noise = explorer.begun(count, rng)
        self._pool: list[Array] = []
        self._rows = np.zeros((count, 0))
        self._points = np.zeros((count, len(walk.task.model.segment_body) + 1, 3))
        self._age, self._wait = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._since, self._left = np.full(count, NOT_YET), np.zeros(count, np.int64)
        self._force, self._scene = np.zeros((count, 2)), np.full((count, 2), -1)

    def _placed(self, grounds: Mapping[str, Sequence[Terrain]]) -> tuple[_Place, ...]:
        walk, task = self._walk, self._walk.task
        clock = Clock(last=NOT_YET * TENTH, limit=LIMIT, begins=walk.begins, every=0, speed_weight=SPEED)
        weighed = scored(walk.machine, task.model, task.limbs, task.reference, clock).program
        flat = _Place(model=task.model, program=weighed, fall=walk.fall, terrain=None, bodies=np.arange(PUSHED + ALONE))
        places = [flat]
        for form in itertools.chain.from_iterable(grounds.values()):
            own = np.arange(GROUND) + PUSHED + ALONE + GROUND * (len(places) - 1)
            program = walk.machine.compile(form.model)
            places.append(_Place(model=form.model, program=program, fall=form.fall, terrain=form, bodies=own))
        return tuple(places)

    def settle(self, starts: Sequence[Array]) -> None:
        """From now on who begins anew does so at these rows of the walk by itself; the first time all do."""
        self._pool = list(starts)
        if self._rows.shape[1] == 0:
            self._rows = np.zeros((len(self._kind), len(starts[0])))
            self._begin(np.arange(len(self._kind)))
            self._age = self._rng.integers(self._patience)
            self._wait = self._rng.integers(LATE[0], size=len(self._wait))

    def _begin(self, bodies: NDArray[np.int64]) -> None:
        """Let these begin anew."""
        for i in bodies:
            row = self._pool[int(self._rng.integers(len(self._pool)))]
            if self._kind[i] == "alone":
                row = self._walk.at_strike(self._rng if self._rng.random() < 0.5 else None)
            terrain = self._places[self._where[i]].terrain
            self._rows[i] = row if terrain is None else terrain.put(row)
        self._age[bodies], self._left[bodies], self._since[bodies] = 0, 0, NOT_YET
        self._force[bodies], self._scene[bodies] = 0.0, -1
        self._wait[bodies] = self._rng.integers(*BEGUN, size=len(bodies))
        for place in self._places:
            own = np.intersect1d(place.bodies, bodies)
            if len(own):
                begun = rollout_batch(place.model, place.program, self._rows[own], 0, points=True, threads=1)
                self._points[own] = begun.points

    def _moments(self) -> Array:
        """What the critic sees (n, F): where each is, and on what."""
        left = np.asarray(self._left * (TENTH * self._walk.task.model.timestep / DURATION), float)
        seen = self._eye.see(self._rows, self._points, self._force, left)
        return np.concatenate([seen, self._grounds], axis=1)

    def walk_on(self, mean: Array) -> Seen:
        """All go on for some tenths, by the numbers of a vector (D,), each doing something otherwise."""
        moments, rewards, fell, left, entered, done = [], [], [], [], [], []
        for _ in range(TENTHS):
            self._push()
            moments.append(self._moments())
            before = self._rows.copy()
            up = self._tenth(self._explorer.vectors(mean, self._noise))
            shares, felt = self._entered(before)
            entered.append(shares)
            done.append(self._explorer.done(self._noise, felt))
            rewards.append(np.where(up, self._rewards(before), FALLEN))
            self._tell(up)
            self._age += 1
            late = up & (self._age >= self._patience)
            fell.append(~up)
            left.append(late)
            self._noise = self._explorer.goes_on(self._noise, self._rng)
            self._begin(np.flatnonzero(~up | late))
        course = Course(
            moments=np.array(moments), last=self._moments(), rewards=np.array(rewards), fell=np.array(fell),
            left=np.array(left),
        )  # fmt: skip
        other, spread = (np.concatenate(each) for each in zip(*done, strict=True))
        return Seen(course=course, entered=np.concatenate(entered), other=other, spread=spread)

    def _tenth(self, vectors: Array) -> NDArray[np.bool_]:
        """Let all go on for a tenth, or until they fall; which of them are up. Who diverges stays where it was."""
        params, _ = self._explorer.space.params(vectors)
        up = np.zeros(len(vectors), bool)
        steps = self._eye.steps(self._rows)
        for place in self._places:
            own = place.bodies
            pushed = own[self._left[own] > 0]
            plans = [NOTHING, *[self._plan(i, int(steps[i])) for i in pushed]]
            plan_of = np.zeros(len(own), np.int64)
            plan_of[np.searchsorted(own, pushed)] = 1 + np.arange(len(pushed))
            result = rollout_batch(
                place.model, place.program, self._rows[own], TENTH, params=params[own], start_of=np.arange(len(own)),
                fall=place.fall, external=plans, external_of=plan_of, points=True, threads=self._walk.task.threads,
            )  # fmt: skip
            up[own] = result.ok
            known = np.isfinite(result.final).all(axis=1)
            self._rows[own[known]] = result.final[known]
            assert result.points is not None
            self._points[own[known]] = result.points[known]
        self._left = np.maximum(0, self._left - 1)
        self._since = np.where(self._since < NOT_YET, self._since + 1, NOT_YET)
        self._wait -= 1
        return up

    def _plan(self, body: int, step: int) -> Wrenches:
        x, y = self._force[body]
        model = self._walk.task.model
        return one_push(model, math.hypot(x, y), math.atan2(y, x), TENTH * model.timestep, begin=step)

    def _push(self) -> None:
        """Begin a push of those whose time has come, in the cycle."""
        rng, walk = self._rng, self._walk
        state = self._eye.state(self._rows)
        ready = (self._kind == "pushed") & (self._left == 0) & (self._wait <= 0) & (state >= 0)
        for i in np.flatnonzero(ready):
            self._borne(int(i))
            kind = int(state[i]) % self._half
            way = self._staircase.side_in(rng, kind)
            held = rng.random() < SELDOM
            force = self._staircase.strength(way, kind) * rng.uniform(*(HELD if held else ABOUT))
            leg = walk.stride[0].leg if state[i] < self._half else walk.stride[1].leg  # which stands
            over = 0.5 * math.pi if leg == 0 else -0.5 * math.pi
            angle = walk.way + (0.0, math.pi, over, -over)[way] + ASKEW * rng.standard_normal()
            self._force[i] = force * math.cos(angle), force * math.sin(angle)
            self._left[i], self._since[i] = round(DURATION / (TENTH * walk.task.model.timestep)), 0
            self._scene[i] = (-1, -1) if held else (way, kind)
            self._wait[i] = rng.integers(*(SOON if rng.random() < OFTEN else LATE))

    def _borne(self, body: int) -> None:
        """Tell the staircase of a push that was borne."""
        way, kind = self._scene[body]
        if way >= 0:
            self._staircase.tell(int(way), int(kind), 2)
            self._scene[body] = -1

    def _tell(self, up: NDArray[np.bool_]) -> None:
        for i in np.flatnonzero(up & (self._since == BORNE)):
            self._borne(int(i))
        for i in np.flatnonzero(~up & (self._scene[:, 0] >= 0) & (self._since <= BORNE)):
            self._staircase.tell(int(self._scene[i, 0]), int(self._scene[i, 1]), 0)

    def _entered(self, before: Array) -> tuple[Array, Array]:
        """Share of the tenth in each state of a step, and times what was felt, (n, S, 12); what was felt, (n, 11)."""
        eye, now, each = self._eye, self._rows, np.arange(len(before))
        steps = np.maximum(eye.steps(now) - eye.steps(before), 1)  # fewer of who fell
        felt = (eye.memory(now, at.FELT, ALL - 1) - eye.memory(before, at.FELT, ALL - 1)) / steps[:, None]
        since = (eye.steps(now) - eye.memory(now, at.ENTERED)[:, 0]) / steps
        was, is_ = eye.state(before) % self._half, eye.state(now) % self._half
        late = np.where(eye.state(before) == eye.state(now), 1.0, np.clip(since, 0.0, 1.0))
        told = np.concatenate([np.ones((len(felt), 1)), felt], axis=1)
        out = np.zeros((len(before), self._half, told.shape[1]))
        out[each, was] += (1.0 - late)[:, None] * told
        out[each, is_] += late[:, None] * told
        return out, felt

    def _rewards(self, before: Array) -> Array:
        """Of who is up, for how it walked, (n,)."""
        eye, walk = self._eye, self._walk
        score = eye.memory(self._rows, at.SCORE, at.SCORES) - eye.memory(before, at.SCORE, at.SCORES)
        off = 1e4 * score[:, watch.SQUARED] / TENTH  # [cm²]
        first = at.ENTRY + walk.first
        begun, again = eye.memory(before, first)[:, 0], eye.memory(self._rows, first)[:, 0]
        lasted = np.where((again != begun) & (begun > 0.0), again - begun, walk.cycle)
        hasty = np.clip(np.abs(np.log(np.maximum(lasted, 1.0) / walk.cycle)) - ALIKE, 0.0, MOST)
        cost = LIKENESS * np.minimum(off, FAR) + FLOWN * walk.flown(score[:, watch.ALOFT] / TENTH) + PACE * hasty
        return np.asarray(-np.where(self._since > CALM, 1.0, SHAKEN) * cost)
