"""Poses of all frames and what is the same in all of them, solved together.

Fitting poses and flesh in turn creeps: a body that is too thin comes nearer to fill its mask, and is then made as thick
as fits there. So Gauss–Newton's equations have both here: those of the poses, a band of frames, with a border of some
dozen columns for the flesh. Damping is by about a cell for every unknown, not by the curvature: smoothness makes that
so large that steps of the whole track along the line of sight would be held back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.estimate.video.banded import at_limits
from reenact.estimate.video.blur import Singles
from reenact.estimate.video.descend import FARTHEST, within_limits
from reenact.estimate.video.flesh import GROUND, REACH, Flesh
from reenact.estimate.video.responses import point_responses
from reenact.estimate.video.terms import STEPS as WIDTHS
from reenact.estimate.video.terms import Terms
from reenact.geometry.rotation import Array
from reenact.motion.tree import move
from reenact.observe.projection import projection_of

STEPS: Final = 14
TRIES: Final = 5  # of a step, each damped more
DAMPING: Final = 0.05  # of the first step, in steps of about a cell
LEAST_DAMPING: Final = 5e-5
SETTLED: Final = 2e-4  # share of the cost below which a step is the last
SHIFTS: Final = (0.0, -0.09, 0.09)  # [m] along the line of sight that descents begin with
BOLDEST: Final = 2.0  # steps for differences by which a number of the flesh may change at once


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solved:
    """Poses, and the numbers of the flesh that go with them."""

    poses: Array  # (T, 7 + A)
    values: Array  # (K,) see `Flesh`
    body: Body  # made with them
    cost: float  # of poses and numbers
    doubt: Array  # (K,) standard deviation of each number, as far as the terms can be taken for probabilities


def solve_together(
    flesh: Flesh, poses: Array, terms_for: Callable[[Body], Terms], *, steps: int = STEPS, settled: float = SETTLED
) -> Solved:
    """Poses (T, 7 + A) and flesh that cost less together; `terms_for` gives what tracks of a body cost."""
    problem = _Problem(flesh=flesh, terms_for=terms_for)
    values, frames, damping = np.zeros(len(flesh.names)), np.arange(len(poses)), DAMPING
    terms, poses, curved = problem.terms(values), np.array(poses, float), np.eye(len(flesh.names))
    for _ in range(steps):
        border = problem.border(terms, poses, values)
        kept = terms.held(poses)
        cost = new = terms.cost(poses, frames, kept) + flesh.cost(values)
        equations = terms.equations(poses, frames)
        stays = at_limits(terms.feet.tree, poses, equations.slope)
        for _ in range(TRIES):
            free = ~stays
            columns = np.concatenate([equations.slope[..., None], border.mixed], axis=2) * free[..., None]
            damped = damping / _widths(poses.shape[1] - 1) ** 2
            answer = equations.answers(stays, damped, columns.reshape(free.size, -1))
            curved = border.own - columns[..., 1:].reshape(free.size, -1).T @ answer[:, 1:]
            pull = border.slope - columns[..., 1:].reshape(free.size, -1).T @ answer[:, 0]
            change = np.linalg.solve(curved + damping * np.diag(flesh.step**-2.0), -pull)
            change = np.clip(change, -BOLDEST * flesh.step, BOLDEST * flesh.step)
            step = -(answer[:, 0] + answer[:, 1:] @ change).reshape(free.shape)
            step[:, 6:] = np.clip(step[:, 6:], -FARTHEST, FARTHEST)
            then = np.clip(values + change, -REACH, REACH)
            trial = within_limits(terms.feet.tree, move(poses, step))
            trial = flesh.moved(trial, then - values, terms.feet.ground)
            trial_terms = problem.terms(then)
            new = trial_terms.cost(trial, frames, kept) + flesh.cost(then)
            if new < cost:
                break
            damping *= 5.0
        if new >= cost:
            break
        poses, values, terms, damping = trial, then, trial_terms, max(0.3 * damping, LEAST_DAMPING)
        if cost - new < settled * cost:
            break
    total = terms.cost(poses, frames) + flesh.cost(values)
    doubt = np.sqrt(np.maximum(np.diag(np.linalg.inv(curved)), 0.0))
    return Solved(poses=poses, values=values, body=flesh.made(values), cost=total, doubt=doubt)


def solve_along(flesh: Flesh, poses: Array, terms_for: Callable[[Body], Terms], sight: Array) -> Solved:
    """The cheapest of solutions from poses as they are and moved to and fro along `sight` (3,) of length 1.

    Nearer and larger looks much like farther and smaller, and cells are coarse: a single descent stops on the way.
    """
    starts = []
    for shift in SHIFTS:
        start = np.array(poses, float)
        start[:, :3] += shift * sight
        starts.append(solve_together(flesh, start, terms_for))
    return min(starts, key=lambda one: one.cost)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Border:
    """What the flesh adds to the equations of the poses."""

    mixed: Array  # (T, V, K) curvature of poses and flesh
    own: Array  # (K, K) of the flesh
    slope: Array  # (K,)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Problem:
    flesh: Flesh
    terms_for: Callable[[Body], Terms]

    def terms(self, values: Array) -> Terms:
        """What tracks cost with numbers (K,)."""
        found = self.terms_for(self.flesh.made(values))
        return replace(found, feet=replace(found.feet, ground=found.feet.ground + self.flesh.level(values)))

    def border(self, terms: Terms, poses: Array, values: Array) -> _Border:
        """The part of masks, of the ground under the feet, and of what is likely among people."""
        spread, frames = self.flesh.spread, np.arange(len(poses))
        mixed = np.zeros((len(poses), poses.shape[1] - 1, len(values)))
        own, slope = np.diag(spread**-2.0), values / spread**2
        steps = _widths(poses.shape[1] - 1)
        for i, view in enumerate(terms.views):
            answers = self._answers(terms, i, poses, values)  # (T, K, samples)
            mixed += view.slopes(poses, steps, frames, terms.limbs) @ answers.swapaxes(1, 2)
            own = own + np.einsum("nks,nls->kl", answers, answers, optimize=True)
            slope = slope + np.einsum("nks,ns->k", answers, view.residuals(poses, frames))
        if GROUND in self.flesh.names:
            k, feet = self.flesh.names.index(GROUND), terms.feet
            places = feet.places(poses)
            weights = feet.weights(places)
            response = point_responses(
                feet.tree.arrays, terms.limbs.below, terms.limbs.moved, np.ascontiguousarray(poses), feet.segments,
                feet.points,
            )  # fmt: skip
            mixed[:, :, k] -= np.einsum("nvf,nf->nv", response[..., 2], weights)
            own[k, k] += weights.sum()
            slope[k] -= np.sum(weights * places[..., 2])
        return _Border(mixed=mixed, own=own, slope=slope)

    def _answers(self, terms: Terms, i: int, poses: Array, values: Array) -> Singles:
        """How view i's residuals (T, samples) answer to each number of the flesh, (T, K, samples)."""
        view, frames, flesh = terms.views[i], np.arange(len(poses)), self.flesh
        out = np.zeros((len(poses), len(values), view.grid.size), np.float32)
        for k, name in enumerate(flesh.names):
            for sign in (1.0, -1.0) if name != GROUND else ():
                by = np.zeros(len(values))
                by[k] = sign * flesh.step[k]
                camera = view.projection.camera
                other = projection_of(flesh.made(values + by), camera, camera.size)
                drawn = replace(view, projection=other, table=other.block())
                found = drawn.residuals(flesh.moved(poses, by, terms.feet.ground), frames)
                out[:, k] += sign / (2.0 * flesh.step[k]) * found
        return out


def _widths(count: int) -> Array:
    """How far each of a pose's unknowns (V,) goes for a difference of about a cell."""
    return np.concatenate([np.full(3, WIDTHS[0]), np.full(3, WIDTHS[1]), np.full(count - 6, WIDTHS[2])])
