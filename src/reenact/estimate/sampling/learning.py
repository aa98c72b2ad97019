"""What a search knows of one sampling step: the guide's displacement, the samples tried lately, and their spread."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reenact.estimate.sampling.response import Tried
from reenact.geometry.rotation import Array

GOOD = 0.25  # share of the samples, the best ones, whose spread shapes the next visit's noise
NARROWEST, WIDEST = 0.3, 1.3  # of an axis's share of the noise, before all are brought to a mean square of 1
MEMORY = 2  # visits whose samples are remembered; older ones were farther from where the motion goes now


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Of one sampling step; displacements [rad]."""

    guide: Array  # (A,) of the best path so far
    seed: Array  # (A,) feed-forward offset at the first visit, mean over the saved states
    visits: int = 0
    forgotten: int = 0  # of them, before the search went back behind this step: what they found is not used
    tried: tuple[Tried, ...] = ()  # of the last visits, oldest first

    def visited(self, tried: Tried, seed: Array | None) -> Known:
        """What is known after another visit; the seed is that of the first."""
        return replace(
            self,
            seed=self.seed if seed is None else seed,
            visits=self.visits + 1,
            tried=(*self.tried, tried)[-MEMORY:],
        )

    @property
    def age(self) -> int:
        """Visits that count."""
        return self.visits - self.forgotten

    def forget(self) -> Known:
        """As if never visited, but for the count, which keeps later random numbers apart from earlier ones."""
        return replace(nothing_known(len(self.guide)), visits=self.visits, forgotten=self.visits)

    @property
    def lessons(self) -> Tried:
        """All samples remembered."""
        joined = self.tried[0]
        for later in self.tried[1:]:
            joined = joined.joined(later)
        return joined


def shape_of(tried: Tried) -> Array:
    """How wide noise should be in each axis (A,), of mean square 1: narrow where good samples lay close together.

    The covariance of the sampling distribution, adapted axis by axis; see docs/notes/sampling.md for the full one.
    """
    good = np.argsort(tried.cost, kind="stable")[: max(8, int(GOOD * len(tried.cost)))]
    spread = tried.displacement[good].std(axis=0) / np.maximum(tried.displacement.std(axis=0), 1e-9)
    shape = np.clip(spread, NARROWEST, WIDEST)
    return np.asarray(shape / np.sqrt(np.mean(shape**2)))


def nothing_known(axes: int) -> Known:
    """Of a step that was never visited."""
    return Known(guide=np.zeros(axes), seed=np.zeros(axes))
