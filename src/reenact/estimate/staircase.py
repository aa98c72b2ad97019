"""The strength of a disturbance at which a body falls about as often as it stays up, kept up to date while it learns.

By the up-and-down method: after a run that stays up more, after one that falls less. So what is practised stays just
within or beyond reach, in every kind of scene, without being measured anew.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array

STEP: Final = 0.03  # of the logarithm of a strength, after a pair of runs that both stay up
WEAK: Final = 2.0  # the usual power by which scenes are more likely in which less is borne


class Staircase:
    """Strengths, such as forces, by the side that they come from and the kind of scene."""

    def __init__(self, strengths: Array, usual: Array, *, weak: float = WEAK) -> None:
        """strengths: to begin with, (sides, kinds); usual: (sides,) beside which little counts as weak.

        weak: power by which scenes are more likely in which less is borne.
        """
        self._logs, self._usual, self._weak = np.log(strengths), np.log(usual), weak

    def drawn(self, rng: np.random.Generator, count: int, kinds: int) -> NDArray[np.int64]:
        """Sides and kinds (count, 2) of scenes at random, of the first `kinds` kinds, the weaker the more likely."""
        likely = self._likely(self._logs[:, :kinds])
        chosen = rng.choice(likely.size, count, p=likely.ravel() / likely.sum())
        return np.stack(np.unravel_index(chosen, likely.shape), axis=1)

    def side_in(self, rng: np.random.Generator, kind: int) -> int:
        """A side at random, for a scene of this kind: the weaker the more likely."""
        likely = self._likely(self._logs[:, [kind]]).ravel()
        return int(rng.choice(len(likely), p=likely / likely.sum()))

    def sides(self, rng: np.random.Generator, count: int, kinds: slice) -> NDArray[np.int64]:
        """Sides (count,) of scenes at random, those more likely from where less is borne in scenes of these kinds."""
        likely = self._likely(self._logs[:, kinds].mean(axis=1, keepdims=True)).ravel()
        return np.asarray(rng.choice(len(likely), count, p=likely / likely.sum()))

    def _likely(self, logs: Array) -> Array:
        """In proportion, (sides, n)."""
        return np.asarray(np.exp(-self._weak * (logs - self._usual[:, None])))

    def strength(self, side: int, kind: int) -> float:
        """What is just about withstood."""
        return math.exp(self._logs[side, kind])

    def tell(self, side: int, kind: int, stood: int) -> None:
        """How many of a pair of runs stayed up."""
        self._logs[side, kind] += STEP * (stood - 1)
