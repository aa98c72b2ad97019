"""Poses changed by leaps, one at a time, as long as one of them makes a track cheaper after a descent from there."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

import numpy as np

from reenact.estimate.video.descend import descend
from reenact.estimate.video.terms import Terms
from reenact.geometry.rotation import Array

Leap = TypeVar("Leap", bound=Hashable)


def greedily(
    terms: Terms, poses: Array, leaps: Callable[[Array], Iterable[Leap]], leapt: Callable[[Array, Leap], Array],
    *, steps: int, damping: float, gain: float,
) -> tuple[Array, int]:  # fmt: skip
    """Poses (T, 7 + A) that no leap makes better by more than a gain, and how many led there; each is tried once."""
    frames = np.arange(len(poses))
    best, count = terms.cost(poses, frames), 0
    tried: set[Leap] = set()
    while True:
        for leap in leaps(poses):
            if leap in tried:
                continue
            tried.add(leap)
            trial = descend(terms, leapt(poses, leap), frames, steps=steps, damping=damping)
            cost = terms.cost(trial, frames)
            if cost < best - gain:
                poses, best, count = trial, cost, count + 1
                break
        else:
            return poses, count
