"""What a search knows of one sampling step: the guide's displacement, and the samples tried lately."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from reenact.estimate.sampling.response import Tried
from reenact.geometry.rotation import Array

MEMORY = 2  # visits whose samples are remembered; older ones were farther from where the motion goes now


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Of one sampling step; displacements [rad]."""

    guide: Array  # (A,) of the best path so far
    seed: Array  # (A,) feed-forward offset at the first visit, mean over the saved states
    visits: int = 0
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
    def lessons(self) -> Tried:
        """All samples remembered."""
        joined = self.tried[0]
        for later in self.tried[1:]:
            joined = joined.joined(later)
        return joined


def nothing_known(axes: int) -> Known:
    """Of a step that was never visited."""
    return Known(guide=np.zeros(axes), seed=np.zeros(axes))
