"""The force of a push at which a walk falls about as often as it stays up, kept up to date while it learns.

By the up-and-down method: after a run that stays up more, after one that falls less. So what is practised stays just
within or beyond reach, in every kind of scene, without being measured anew.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.walking.withstand import SIDES, STRENGTH
from reenact.geometry.rotation import Array

STEP: Final = 0.03  # of the logarithm of a force, after a pair of runs that both stay up


class Staircase:
    """Forces by the side that they come from and the kind of scene."""

    def __init__(self, forces: dict[str, Array]) -> None:
        """forces: to begin with, (kinds,) [N] of each side."""
        self._logs = np.log(np.array([forces[side] for side in SIDES]))  # (sides, kinds)

    def drawn(self, rng: np.random.Generator, count: int, weak: float, kinds: int) -> NDArray[np.int64]:
        """Sides and kinds (count, 2) of scenes at random, of the first `kinds` kinds, the weaker half so much likelier.

        Weak is what is little beside what walkers of [V12] withstand from there.
        """
        shares = self._logs[:, :kinds] - np.log([[STRENGTH[side]] for side in SIDES])
        likely = np.where(shares <= np.median(shares), weak, 1.0).ravel()
        chosen = rng.choice(shares.size, count, p=likely / likely.sum())
        return np.stack(np.unravel_index(chosen, shares.shape), axis=1)

    def force(self, side: int, kind: int) -> float:
        """The force [N] that is just about withstood."""
        return math.exp(self._logs[side, kind])

    def tell(self, side: int, kind: int, stood: int) -> None:
        """How many of a pair of runs stayed up."""
        self._logs[side, kind] += STEP * (stood - 1)
