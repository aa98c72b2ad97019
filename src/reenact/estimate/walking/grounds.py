"""Ground that is not level, and less strength: what a walk still walks with, and practice with what it does not.

A walk that withstands pushes mostly goes up and down hill and over bumps as well (docs/notes/walking.md), and with
three quarters of its torque limits, as in the test of [V12]; where it does not, this is part of its practice. It begins
there as it goes on the flat, put onto the new ground in the middle of a step. The machine feels nothing of the slope
but what its feedback feels anyway. Slopes rise a little to one side or the other of the way, and there are several
fields of bumps: what is met in one form alone is learned by heart (docs/notes/pushes.md).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.control.place import lift_onto
from reenact.control.pushing.subject import fall_of
from reenact.estimate.walking.walk import Walk
from reenact.geometry.rotation import Array
from reenact.physics.model import Model, compile_model
from reenact.physics.outcome import Fall
from reenact.physics.rollout import rollout_batch
from reenact.physics.state import State
from reenact.world.parts import Bumps
from reenact.world.world import World

SECONDS, PRACTISED = 10.0, 6.0  # that it is to stay up where it is measured, and where it is practised
STEEP: Final = (2.0, 3.0, 4.0, 5.0, 6.0, 7.0)  # [°]
TURNS: Final = (-9.0, -3.0, 3.0, 9.0)  # [°] by which slopes rise to the left of the way; as many fields of bumps
LEVELS: Final[dict[str, tuple[float, ...]]] = {
    "uphill": STEEP,
    "downhill": STEEP,
    "bumps": (0.01, 0.02, 0.03, 0.04),  # [m] high
    "weaker": (0.9, 0.8, 0.75, 0.7),  # share of the torque limits
}
# What no likeness may cost.
SURE: Final = (
    ("uphill", 3.0), ("downhill", 3.0), ("uphill", 5.0), ("downhill", 5.0), ("bumps", 0.02), ("weaker", 0.75),
)  # fmt: skip
JOLTS: Final = 16  # starts that are a little disturbed, of which no likeness may cost any either
ANGLE_JOLT, RATE_JOLT, ROOT_JOLT = 0.01, 0.1, 0.02  # [rad], [rad/s], [m/s] standard deviations
_HEIGHT: Final = 3  # of the root, in a state row: after the time, x and y
FIELD, AHEAD, SPACING = 38.0, 12.0, 0.6  # [m] of bumps: how wide, how far ahead its middle is, from bump to bump


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Terrain:
    """A walk's body on other ground."""

    model: Model
    fall: Fall
    threads: int | None

    def upright(self, walk: Walk, params: Array, starts: Sequence[Array], seconds: float) -> Array:
        """Share of the time (n, k) that candidates with params (n, M·W) stay up, from each of k rows of a flat walk."""
        return self.upright_from(walk, params, np.array([self.put(row) for row in starts]), seconds)

    def upright_from(self, walk: Walk, params: Array, rows: Array, seconds: float) -> Array:
        """The same from rows (k, X) of this ground."""
        which = np.tile(np.arange(len(rows)), len(params))
        up = self._run(walk, np.repeat(params, len(rows), axis=0), rows, which, seconds)
        return up.reshape(len(params), len(rows))

    def upright_each(
        self, walk: Walk, params: Array, starts: Sequence[Array], start_of: NDArray[np.int64], seconds: float
    ) -> Array:
        """Share of the time (n,) that candidates with params (n, M·W) stay up, each from one row of a flat walk."""
        return self._run(walk, params, np.array([self.put(row) for row in starts]), start_of, seconds)

    def _run(self, walk: Walk, params: Array, rows: Array, start_of: NDArray[np.int64], seconds: float) -> Array:
        steps = round(seconds / self.model.timestep)
        result = rollout_batch(
            self.model, walk.machine.compile(self.model), rows, steps,
            params=params, start_of=start_of, fall=self.fall, threads=self.threads,
        )  # fmt: skip
        return np.asarray(np.where(result.ok, 1.0, result.steps / (steps + 1.0)))

    def put(self, row: Array) -> Array:
        """A state row of the flat walk, as high as this ground needs it."""
        there = row.copy()
        there[_HEIGHT] += lift_onto(self.model, State.from_row(row, self.model).qpos)
        return there


def is_flat(world: World) -> bool:
    """Whether a world is level and bare, so that other ground can take its place."""
    return not world.parts and not world.things and world.ground.slope_deg == 0.0


def terrains(walk: Walk, kind: str, level: float) -> tuple[Terrain, ...]:
    """Ground of a kind in all its forms, so steep [°] or with bumps so high [m]; or that share of its strength."""
    return tuple(terrain(walk, kind, level, form) for form in range(1 if kind == "weaker" else len(TURNS)))


def terrain(walk: Walk, kind: str, level: float, form: int) -> Terrain:
    """One form of them."""
    own, strength = walk.task.model, 1.0
    x, y = (float(value) for value in State.from_row(walk.task.start, own).qpos[:2])
    if kind == "bumps":
        middle = (x + AHEAD * math.cos(walk.way), y + AHEAD * math.sin(walk.way))
        field = Bumps(at=middle, size=(FIELD, FIELD), height=level, spacing=SPACING, seed=form)
        world = replace(own.world, name=kind, parts=(field,))
    elif kind == "weaker":
        world, strength = own.world, level
    else:
        along = walk.way if kind == "uphill" else walk.way + math.pi
        uphill = math.remainder(along + math.radians(TURNS[form]), 2.0 * math.pi)
        ground = replace(own.world.ground, slope_deg=level, uphill_deg=math.degrees(uphill))
        world = replace(own.world, name=kind, ground=ground)
    model = compile_model(own.body, world, timestep=own.timestep, torque_scale=strength * own.torque_scale)
    fall = fall_of(model, State.from_row(walk.task.start, own))
    return Terrain(model=model, fall=fall, threads=walk.task.threads)


def mastered(walk: Walk, starts: Sequence[Array]) -> dict[str, int]:
    """On how many of each kind's levels, from the easiest on, the walk stays up; nothing where its world is not flat.

    starts: rows of the flat walk, from all of which it is to stay up, each on one form of the ground.
    """
    if not is_flat(walk.task.model.world):
        return {}
    params = walk.machine.rows().reshape(1, -1)
    known = {}
    for kind, levels in LEVELS.items():
        runs = (_goes_on(walk, params, terrains(walk, kind, level), starts) for level in levels)
        known[kind] = sum(1 for _ in itertools.takewhile(bool, runs))
    return known


def _goes_on(walk: Walk, params: Array, forms: Sequence[Terrain], starts: Sequence[Array]) -> bool:
    """Whether the walk stays up from all rows of the flat walk, each on one of the forms of a ground in turn."""
    shared = ((form, starts[i :: len(forms)]) for i, form in enumerate(forms))
    return all(form.upright(walk, params, own, SECONDS).min() >= 1.0 for form, own in shared if own)


def walked_on(walk: Walk) -> tuple[Terrain, ...]:
    """The grounds, of all forms of those that it should be sure of, on which a walk stays up from time 0 on."""
    if not is_flat(walk.task.model.world):
        return ()
    params = walk.machine.rows().reshape(1, -1)
    grounds = (form for kind, level in SURE for form in terrains(walk, kind, level))
    return tuple(each for each in grounds if each.upright(walk, params, [walk.start], SECONDS).min() >= 1.0)


def jolts_taken(walk: Walk) -> int:
    """Of some starts that are a little disturbed, from how many a walk stays up."""
    model, rng = walk.task.model, np.random.default_rng(0)
    rows = np.repeat(walk.start[None], JOLTS, axis=0)
    hinges, speeds = 1 + model.hinge_qpos, 1 + model.mj.nq + model.hinge_dof
    rows[:, hinges] += ANGLE_JOLT * rng.standard_normal((JOLTS, model.hinges))
    rows[:, speeds] += RATE_JOLT * rng.standard_normal((JOLTS, model.hinges))
    rows[:, 1 + model.mj.nq : 4 + model.mj.nq] += ROOT_JOLT * rng.standard_normal((JOLTS, 3))
    here = Terrain(model=model, fall=walk.fall, threads=walk.task.threads)
    return int(np.sum(here.upright_from(walk, walk.machine.rows().reshape(1, -1), rows, SECONDS) >= 1.0))


def next_levels(walk: Walk, known: Mapping[str, int]) -> dict[str, tuple[Terrain, ...]]:
    """The first ground of each kind that is not mastered yet, in all its forms."""
    left = {kind: done for kind, done in known.items() if done < len(LEVELS[kind])}
    return {kind: terrains(walk, kind, LEVELS[kind][done]) for kind, done in left.items()}


def hardest_levels(walk: Walk, known: Mapping[str, int]) -> dict[str, tuple[Terrain, ...]]:
    """The same, and the last ground of each kind that is mastered."""
    mine = {kind: terrains(walk, kind, LEVELS[kind][-1]) for kind, done in known.items() if done == len(LEVELS[kind])}
    return {**next_levels(walk, known), **mine}
