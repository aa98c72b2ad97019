"""How the body responds in one sampling step, learned from the samples tried there: a straight line through them.

deviation at the end = state · deviation at the start + pull · displacement + shift, by weighted ridge regression. Good
samples count more, since the line is to hold near the motion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.geometry.rotation import Array

RIDGE_STATE = 0.002  # towards "a deviation stays as it is", in samples per sample
RIDGE_PULL = 0.033  # towards "a displacement does nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """n samples of one sampling step as far as they teach something; displacements are in windows."""

    start: Array  # (n, E) deviation where they began
    displacement: Array  # (n, A)
    end: Array  # (n, E) deviation where they ended
    cost: Array  # (n,)

    def joined(self, others: Tried) -> Tried:
        """These and then others."""
        names = self.__slots__
        return Tried(**{name: np.concatenate([getattr(self, name), getattr(others, name)]) for name in names})


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """The straight line; deviations have E numbers, displacements A."""

    state: Array  # (E, E)
    pull: Array  # (E, A)
    shift: Array  # (E,)


def response_of(tried: Tried, around: Array) -> Response:
    """The response near a displacement (A,), in windows, from which displacements are counted."""
    size, axes = tried.start.shape[1], len(around)
    weight = _weights(tried.cost)
    known = np.concatenate([tried.start, np.ones((len(weight), 1)), tried.displacement - around], axis=1)
    ridge = weight.sum() * np.concatenate([np.full(size, RIDGE_STATE), [0.0], np.full(axes, RIDGE_PULL)])
    heavy = known * weight[:, None]
    gram = heavy.T @ known + np.diag(ridge)
    aim = heavy.T @ tried.end
    aim[:size] += np.diag(ridge[:size])
    line = np.linalg.solve(gram, aim)
    return Response(state=line[:size].T, shift=line[size], pull=line[size + 1 :].T)


def _weights(cost: Array) -> Array:
    """1 for the best, ½ for a sample of median cost, falling from there on."""
    above = cost - cost.min()
    middle = max(float(np.median(above)), 1e-6)
    return np.asarray(1.0 / (1.0 + (above / middle) ** 2))
