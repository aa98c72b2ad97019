"""Ascent by pairs of runs: what many numbers do to staying up, from as many directions as there are runs.

Each pair has a scene and a direction of its own: the numbers are changed along it in one run and against it in the
other, and the difference between the two says how far along it to go. Deviation from what is usual for populations,
covariance matrix adaptation among them, where every candidate goes through all scenes: there a generation of 500 runs
looks into 24 directions, here into 250, and what one scene says of a direction is as good as what twenty say unless
they contradict each other (docs/notes/pushes.md). Pairs are those of parameter-exploring policy gradients (Sehnke et
al. 2010), steps of bounded length with momentum those of ClipUp (Toklu et al. 2020).
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from reenact.geometry.rotation import Array

STRIDE: Final = 1.0 / 15.0  # of the spread of the samples: the longest step from generation to generation
MOMENTUM: Final = 0.9


class Ascent:
    """Where the numbers stand, from zero on, and how they move."""

    def __init__(self, size: int, rng: np.random.Generator, *, spread: float) -> None:
        """spread: standard deviation of every number."""
        self.mean = np.zeros(size)
        self._rng, self._spread = rng, spread
        self._moving = np.zeros(size)
        self._directions = np.zeros((0, size))

    def pairs(self, count: int) -> Array:
        """Vectors (2, count, D) to try: along directions of their own, and against them."""
        self._directions = self._spread * self._rng.standard_normal((count, len(self.mean)))
        return self.mean + np.stack([self._directions, -self._directions])

    def climb(self, gained: Array) -> None:
        """Go where more was gained; gained (2, count): what the vectors of `pairs` were worth, in their order."""
        slope = (gained[0] - gained[1]) @ self._directions
        length = float(np.linalg.norm(slope))
        if length == 0.0:
            return
        longest = STRIDE * self._spread * math.sqrt(len(self.mean))
        self._moving = MOMENTUM * self._moving + 0.5 * longest * slope / length
        self._moving *= min(1.0, longest / float(np.linalg.norm(self._moving)))
        self.mean = self.mean + self._moving
