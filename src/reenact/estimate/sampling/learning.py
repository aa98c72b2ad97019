"""Sampling that learns: a pass over the motion draws its samples around what the pass before found.

The first pass draws around the feed-forward offset in full windows. Its best path becomes the guide of the second,
which draws most samples around the guide's displacements in narrower windows and keeps the guide's own way among the
saved states; and so on. The same number of samples, split over passes, finds far better paths than in one pass, because
later passes know what a decision led to. See docs/notes/sampling.md for figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.sampling.tree import Layer, best_path
from reenact.geometry.rotation import Array

EXPLORERS = 4  # every so many-th round of samples is drawn as in the first pass


class Guided(NamedTuple):
    """Samples that are drawn around a guide."""

    which: NDArray[np.int64]  # (g,) numbers of the samples
    displacement: Array  # (g, A) [rad]


def next_guide(layers: Sequence[Layer]) -> Array:
    """Displacements (n, A) [rad] of the best path of a finished pass."""
    return best_path(layers).displacement


def around(guide: Array, window: Array, noise: Array, starts: int) -> Guided:
    """Displace a guide (A,) by noise (n, A) in a window (A,) [rad]; `starts` samples make a round, one of each start.

    The first round is without noise: each start does what the guide did.
    """
    which = np.flatnonzero(np.arange(len(noise)) // starts % EXPLORERS != EXPLORERS - 1)
    return Guided(which, guide + window * noise[which])
