"""Gauss–Newton by sampling, state by state: how the marker offsets respond to each state's numbers, then one step.

A state acts on the frames after it is entered. So its numbers are varied from the very moment of its entry, with all
that came before kept as it was, and a linear model of the offsets is fitted to these runs. The models of several states
together give damped Newton steps, in which a later state makes up for what an earlier one spoils.

Within a state the offsets are all but linear in its numbers. Beyond the next change of contact they are not: there the
model is an average over the spread of the samples, and the spread is fitted to the error that is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from reenact.control.machine.machine import Machine
from reenact.estimate.abreast import Tell, abreast
from reenact.estimate.states.newton import DAMPING, LENGTHS
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.space import Space, space_of
from reenact.estimate.states.task import Task
from reenact.estimate.states.window import Snapshots, Tried, snapshots
from reenact.geometry.rotation import Array
from reenact.physics.rollout import cores

FLOOR = 1e-3  # added to the curvature
RIDGE = 0.3  # of the regression, times the number of unknowns, in units of the spread
KEPT = 0.5  # of a response that is carried on to the next round
FAR = 3.0  # times the median: samples that moved the offsets farther are left out
LEAST, MOST = 0.02, 0.6  # of the spread
AIM = 0.5  # of the error that is left: how far samples should move the offsets
TIRED = 3  # rounds without a gain worth having after which the search ends
WORTH = 0.02  # share of the cost
ABREAST = 2  # states whose responses are learned side by side: while one is fitted, the other is simulated
ASKED = 8  # candidates of a round, from the best on, of which one is to be found that may be kept


@dataclass(slots=True, kw_only=True)
class _Block:
    """What is known of one state's effect."""

    state: int
    spread: float
    response: Array | None = None  # (D, R) of the offsets, zero before the state


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Base:
    """A machine that others are compared with, as it is at the entry of its states."""

    machine: Machine
    shots: Snapshots
    cost: float
    offsets: Array  # (R,) from the entry of the first open state on; NaN where it was lost


class Descent:
    """A search around a machine in the numbers of some of its states, on the frames up to `last`.

    keeps: tells whether a machine may be kept, where that is not said by its cost alone.
    """

    def __init__(
        self, task: Task, settings: Settings, machine: Machine, last: int, states: range, rng: np.random.Generator,
        *, spread: float, keeps: Callable[[Machine], bool] | None = None,
    ) -> None:  # fmt: skip
        self._task, self._settings, self._last, self._rng, self._keeps = task, settings, last, rng, keeps
        self._open = tuple(states)
        self._blocks = [_Block(state=state, spread=spread) for state in self._open]
        self._base = self._based(machine, None)

    @property
    def machine(self) -> Machine:
        """The best so far."""
        return self._base.machine

    @property
    def cost(self) -> float:
        """What it costs [cm²], priors included."""
        return self._base.cost

    def run(self, rounds: int) -> None:
        """Some rounds, fewer where they bring nothing."""
        tired = 0
        for _ in range(rounds):
            before = self._base.cost
            if not np.isfinite(before) or tired >= TIRED:
                return
            self._round()
            tired = tired + 1 if self._base.cost > (1.0 - WORTH) * before else 0

    def _round(self) -> None:
        space = self._space(self._open)
        size = space.size // len(self._open)
        halves = [self._rng.standard_normal((max(self._settings.samples // 2, 1), size)) for _ in self._blocks]
        learned = [partial(self._learn, block, half) for block, half in zip(self._blocks, halves, strict=True)]
        steps = []
        for i, own in enumerate(abreast(learned, _unheard, min(ABREAST, self._task.threads or cores()))):
            step = np.zeros(space.size)
            step[i * size : (i + 1) * size] = own
            steps.append(step)
        known = [block.response for block in self._blocks if block.response is not None]
        if len(known) == len(self._blocks) and np.isfinite(self._base.offsets).all():
            steps = [*newton_steps(np.concatenate(known), self._base.offsets), *steps]
        params, cost, _ = self._weigh(space, np.array(steps), self._open[0])
        better = [i for i in np.argsort(cost, kind="stable") if cost[i] < self._base.cost]
        for i in better[: 1 if self._keeps is None else ASKED]:
            machine = self.machine.with_rows(params[i].reshape(len(self.machine.states), -1))
            if self._keeps is None or self._keeps(machine):
                self._base = self._based(machine, self._base)
                return
        for block in self._blocks:
            block.spread = max(LEAST, 0.7 * block.spread)

    def _learn(self, block: _Block, half: Array, _tell: Tell) -> Array:
        """Sample one state's numbers, learn its response, and give the best sample (D,); half: (n / 2, D) random."""
        points = block.spread * np.concatenate([half, -half])
        _, cost, tried = self._weigh(self._space((block.state,)), points, block.state)
        good = np.isfinite(tried.offsets).all(axis=1)
        there = self._base.offsets[len(self._base.offsets) - tried.offsets.shape[1] :]
        if good.sum() < 4 or not np.isfinite(there).all():
            block.spread *= 0.6
        else:
            moved = tried.offsets[good] - there
            block.response = fitted(
                points[good] / block.spread, moved, block.response, block.spread, len(self._base.offsets)
            )
            far = max(float(np.median(np.linalg.norm(moved, axis=1))), 1e-6)
            wanted = np.clip(AIM * np.sqrt(self._base.cost), 0.3, 4.0)
            change = np.clip((wanted / far) ** 0.7, 0.5, 1.6) if good.mean() > 0.7 else 0.6
            block.spread = float(np.clip(block.spread * change, LEAST, MOST))
        return np.asarray(points[int(np.argmin(cost))])

    def _space(self, states: tuple[int, ...]) -> Space:
        return self._space_of(self.machine, states)

    def _space_of(self, machine: Machine, states: tuple[int, ...]) -> Space:
        return space_of(machine, self._task.limbs, self._task.model.body, states, poses=self._task.poses)

    def _weigh(self, space: Space, vectors: Array, state: int) -> tuple[Array, Array, Tried]:
        """Params, full costs, and how candidates did that differ from `state` on."""
        params, charge = space.params(vectors)
        tried = self._base.shots.window(state).try_out(self._base.machine, params)
        return params, tried.cost + self._settings.prior * charge, tried

    def _based(self, machine: Machine, before: _Base | None) -> _Base:
        """A machine to go on from; before: the one so far, which does the same up to the first open state."""
        known = None if before is None else before.shots
        shots = snapshots(self._task, machine, self._last, known=known, since=self._open[0])
        space = self._space_of(machine, self._open)
        params, charge = space.params(np.zeros((1, space.size)))
        tried = shots.window(self._open[0]).try_out(machine, params)
        cost = float(tried.cost[0] + self._settings.prior * charge[0])
        return _Base(machine=machine, shots=shots, cost=cost, offsets=tried.offsets[0])


def _unheard(_: float) -> None:
    pass


def fitted(points: Array, moved: Array, known: Array | None, spread: float, total: int) -> Array:
    """The response (D, total) by ridge regression towards a known one.

    points: (n, D) in units of the spread; moved: (n, R) by which the last R of the offsets moved.
    """
    size, late = points.shape[1], moved.shape[1]
    length = np.linalg.norm(moved, axis=1)
    near = length <= FAR * np.median(length)
    points, moved = points[near], moved[near]
    before = np.zeros((size, late)) if known is None else KEPT * spread * known[:, known.shape[1] - late :]
    gram = points @ points.T + RIDGE * size * np.eye(len(points))
    response = before + points.T @ np.linalg.solve(gram, moved - points @ before)
    return np.concatenate([np.zeros((size, total - late)), response / spread], axis=1)


def newton_steps(response: Array, offsets: Array) -> Array:
    """Damped steps (m, D) from a response (D, R) of the offsets (R,)."""
    values, vectors = np.linalg.eigh(response @ response.T)
    slope = vectors.T @ (response @ offsets)
    mean = max(float(values.mean()), 1e-12)
    values = np.maximum(values, 0.0)
    return np.array(
        [-length * (vectors @ (slope / (values + damping * mean + FLOOR))) for damping in DAMPING for length in LENGTHS]
    )
