"""What a walk does otherwise for a while, to find out whether it is better, and what numbers of a step that speaks for.

Otherwise: a state's end comes earlier or later, gains are greater or less, the root and the joints are aimed elsewhere,
joints the more so the farther the body falls. What that is changes slowly, from tenth to tenth of a second. What came
of it is credited to the numbers that would have done the same (natural policy gradient, Kakade 2002): poses, gains and
times of the states that it fell into, their haste, and what joints do against falling and answer to cues. So each
tenth of a second speaks for itself, where runs that differ from the first step to the last tell no more than which of
them fell.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from reenact.control.machine import layout as at
from reenact.control.machine.falling import WAYS
from reenact.estimate.states.space import LEG_POSE
from reenact.estimate.walking.space import GaitSpace
from reenact.geometry.rotation import Array

LATER, HARDER, TURNED, TRUNK, LEG = 0.018, 0.04, 0.012, 0.016, 0.024  # deviations: [s], log of gains, then [rad]
FALLING_TRUNK, FALLING_LEG = 0.105, 0.15  # the same of joints per metre of falling [rad/m]
KEEPS: Final = 0.8  # how much of it stays from tenth to tenth
DAMPING: Final = 0.1  # of each number's own curvature
SELDOM: Final = 0.3  # of its mean over states: who is seldom there moves less
ALWAYS, FALLS, ALL = 1, 1 + at.FALLS, 1 + at.FALLS + at.CUES  # that what is done answers to: nothing, falling, cues too


class Explorer:
    """Things done otherwise: the time, gains, root and hinges of a step, A in all, in units of the space's scale.

    The same hinges react and answer.
    """

    def __init__(self, space: GaitSpace, *, bold: float = 1.0) -> None:
        """bold: times so much otherwise."""
        self.space = space
        gains, axes, scale = len(space.gains), len(space.axes), space.scale
        self.size = 1 + gains + 3 + axes
        self._first = self.size - axes  # of the hinges
        legs = scale[self._first : self.size] >= LEG_POSE
        always = [LATER, *[HARDER] * gains, *[TURNED] * 3, *np.where(legs, LEG, TRUNK)]
        self._always = bold * np.array(always) / scale[: self.size]
        self._falling = np.zeros(self.size)
        falling = np.where(legs, FALLING_LEG, FALLING_TRUNK)
        self._falling[self._first :] = bold * falling / scale[self._first : self.size]
        self._answers = [FALLS, *[ALWAYS] * (gains + 3), *[ALL] * axes]  # to how much each thing done answers
        rows = space.machine.rows()[space.first : space.first + space.half]
        self._seconds = rows[:, at.SECONDS]

    def begun(self, count: int, rng: np.random.Generator) -> Array:
        """What so many bodies do otherwise to begin with, (count, 5, A), of standard deviation 1."""
        return rng.standard_normal((count, FALLS, self.size))

    def goes_on(self, noise: Array, rng: np.random.Generator) -> Array:
        """The same a tenth of a second later."""
        return KEEPS * noise + math.sqrt(1.0 - KEEPS * KEEPS) * rng.standard_normal(noise.shape)

    def vectors(self, mean: Array, noise: Array) -> Array:
        """Vectors (n, D) of the space around a mean (D,), changed in all states alike."""
        spread = noise * np.stack([self._always, *[self._falling] * at.FALLS])
        every = np.repeat(spread[:, None], self.space.half, axis=1)
        return np.asarray((mean.reshape(self.space.half, -1) + self._of_states(every)).reshape(len(noise), -1))

    def done(self, noise: Array, felt: Array) -> tuple[Array, Array]:
        """What was done otherwise (n, A) by bodies that felt (n, 11) on average, and its standard deviations."""
        fell = felt[:, : at.FALLS]
        other = noise[:, 0] * self._always + self._falling * np.einsum("nw,nwa->na", fell, noise[:, 1:])
        return other, np.sqrt(self._always**2 + (fell * fell).sum(axis=1)[:, None] * self._falling**2)

    def step(self, slope: Array) -> Array:
        """The change of the space's vector (D,) that is one (S, 12, A) of what is done."""
        return self._of_states(slope).ravel()

    def _of_states(self, changes: Array) -> Array:
        """Numbers (*batch, S, d) of states that change what is done by (*batch, S, F, A), always and per unit felt."""
        space = self.space
        out = np.zeros((*changes.shape[:-2], len(space.scale)))
        out[..., : self.size] = changes[..., 0, :]
        places = self._first + np.array([space.axes.index(hinge) for hinge in space.reacting], np.int64)
        first = len(space.scale) - (ALL - 1) * len(places)
        for felt in range(changes.shape[-2] - 1):
            own = slice(first + felt * len(places), first + (felt + 1) * len(places))
            out[..., own] = changes[..., 1 + felt, places] * space.scale[places] / space.scale[own]
        for way in range(len(WAYS)):
            hurry = self.size + space.feedback.index(at.HURRY + way)
            out[..., hurry] = -changes[..., 1 + way, 0] * space.scale[0] / self._seconds / space.scale[hurry]
        return out

    def slope(self, entered: Array, other: Array, spread: Array, better: Array) -> Array:
        """In which direction to change what is done, (S, 12, A), from what came of doing it otherwise.

        entered: (n, S, 12) share of a tenth in each state of a step, and times what was felt; other, spread: (n, A) as
        told by `done`; better: (n,) what came of it, beside what is usual.
        """
        half, count = entered.shape[1], len(entered)
        out = np.zeros((half, ALL, self.size))
        for i, answers in enumerate(self._answers):
            seen = entered[:, :, :answers].reshape(count, -1) / spread[:, i, None]
            curved = seen.T @ seen / count
            own = np.diag(curved).reshape(half, answers)
            curved[np.diag_indices(len(curved))] += (DAMPING * own + SELDOM * own.mean(axis=0) + 1e-9).ravel()
            found = np.linalg.solve(curved, seen.T @ (other[:, i] / spread[:, i] * better) / count)
            out[:, :answers, i] = found.reshape(half, answers)
        return out

    def length(self, slope: Array, entered: Array, spread: Array) -> float:
        """How far a direction leads: the Kullback–Leibler divergence between what is done before and after it."""
        moved = entered.reshape(len(entered), -1) @ slope.reshape(-1, self.size)
        return float(0.5 * ((moved / spread) ** 2).sum(axis=1).mean())
