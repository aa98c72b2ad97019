"""Covariance matrix adaptation (pycma) with a generator of one's own."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np


def adaptation(size: int, rng: np.random.Generator, *, population: int, spread: float, **options: Any) -> Any:
    """A search from zero over vectors of some length; the global generator is left alone."""
    with warnings.catch_warnings():  # it warns of plotting libraries that it does not find
        warnings.simplefilter("ignore")
        import cma
    own = {
        "verbose": -9,
        "popsize": population,
        "seed": np.nan,
        "randn": lambda *shape: rng.standard_normal(shape),
    }
    return cma.CMAEvolutionStrategy(np.zeros(size), spread, {**own, **options})
