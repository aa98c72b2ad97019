"""Random search by covariance matrix adaptation, as [V12] does it (Algorithm 2), by pycma; several runs in step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reenact.estimate.states.adapt import adaptation
from reenact.estimate.states.newton import Found
from reenact.estimate.states.window import Tried
from reenact.geometry.rotation import Array


def evolve(
    trial: Callable[[Array], tuple[Array, Tried]],
    size: int,
    rng: np.random.Generator,
    *,
    rounds: int,
    population: int,
    spread: float = 0.4,
) -> Found:
    """Search from zero; trial: vectors (n, D) to their full costs (n,) and how they did."""
    options = {"maxiter": rounds + 1, "tolfun": 1e-9, "tolx": 1e-9}
    search = adaptation(size, rng, population=population, spread=spread, **options)
    best, cost = np.zeros(size), np.inf
    history = []
    for number in range(rounds):
        vectors = np.array(search.ask())
        if number == 0:
            vectors[0] = 0.0
        costs, _ = trial(vectors)
        costs = np.where(np.isfinite(costs), costs, 1e9)
        search.tell(list(vectors), list(costs))
        first = int(np.argmin(costs))
        if costs[first] < cost:
            best, cost = vectors[first], float(costs[first])
        history.append(cost)
    return Found(vector=best, cost=cost, history=tuple(history))
