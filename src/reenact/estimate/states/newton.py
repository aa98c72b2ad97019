"""Least squares by sampling: how the marker offsets respond to a machine's numbers is learned, and Newton steps follow.

A random search sees of a simulation one number, its cost. But the cost is a sum of thousands of squares, and each
sample shows how all of them change. A linear model of the offsets is fitted to samples around the best vector so far,
by ridge regression; damped Gauss–Newton steps of several lengths are tried, and the best is kept. Sampling widely makes
the model an average over kinks, such as contacts that come or go.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reenact.estimate.states.window import Tried
from reenact.geometry.rotation import Array

DAMPING = tuple(10.0**k for k in (-3.0, -2.0, -1.0, 0.0, 1.0))  # of the Newton steps, times the mean curvature
LENGTHS = (0.5, 1.0)
MEMORY = 3.0  # times the vector's length: samples that the model is fitted to


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """The best vector of a search."""

    vector: Array  # (D,)
    cost: float
    history: tuple[float, ...]  # cost after each round


def descend(
    trial: Callable[[Array], tuple[Array, Tried]],
    size: int,
    rng: np.random.Generator,
    *,
    rounds: int,
    samples: int,
    spread: float = 0.5,
    least: float = 0.05,
    prior: float = 1e-3,
) -> Found:
    """Search from zero. trial: vectors (n, D) to their full costs (n,) and how they did.

    spread: of the samples at first; it halves when a round brings nothing and grows when a long step did well.
    """
    best = np.zeros(size)
    costs, tried = trial(best[None])
    cost, offsets = float(costs[0]), tried.offsets[0]
    seen_x, seen_r = np.empty((0, size)), np.empty((0, tried.offsets.shape[1]))
    history = [cost]
    for _ in range(rounds):
        points = best + spread * rng.standard_normal((samples, size))
        costs, tried = trial(points)
        best, cost, offsets = _better(best, cost, offsets, points, costs, tried)
        good = np.isfinite(tried.offsets).all(axis=1)
        keep = int(MEMORY * size)
        seen_x = np.concatenate([seen_x, points[good]])[-keep:]
        seen_r = np.concatenate([seen_r, tried.offsets[good]])[-keep:]
        before = cost
        if np.isfinite(offsets).all() and len(seen_x) > 4:
            steps = best + newton_steps(seen_x - best, seen_r - offsets, offsets, best, spread, prior)
            costs, tried = trial(steps)
            good = np.isfinite(tried.offsets).all(axis=1)
            seen_x = np.concatenate([seen_x, steps[good]])[-keep:]
            seen_r = np.concatenate([seen_r, tried.offsets[good]])[-keep:]
            best, cost, offsets = _better(best, cost, offsets, steps, costs, tried)
        gain = (history[-1] - cost) / max(history[-1], 1e-9)
        if gain < 0.02:
            spread = max(least, 0.6 * spread)
        elif cost < 0.9 * before:
            spread = min(1.0, 1.2 * spread)
        history.append(cost)
    return Found(vector=best, cost=cost, history=tuple(history))


def newton_steps(x: Array, r: Array, offsets: Array, place: Array, spread: float, prior: float) -> Array:
    """Damped steps (m, D) from samples' distances x (n, D) and the changes r (n, R) of the offsets (R,) there.

    Samples count less the farther they are. place: (D,) the vector itself, which the prior draws towards zero.
    """
    response = response_of(x, r, nearness(x, spread), spread)
    curvature = response @ response.T + prior * np.eye(x.shape[1])
    return damped(curvature, response @ offsets + prior * place)


def nearness(x: Array, spread: float) -> Array:
    """How much samples (n,) count by their distances x (n, D)."""
    return np.asarray(1.0 / (1.0 + np.mean(x**2, axis=1) / spread**2))


def response_of(x: Array, r: Array, weight: Array, spread: float) -> Array:
    """Linear response (D, R) by ridge regression of changes r (n, R) on distances x (n, D), with weights (n,)."""
    size, weighted = x.shape[1], (x * weight[:, None]).T
    ridge = 0.1 * spread**2 * max(1.0, weight.sum()) / size
    return np.asarray(np.linalg.solve(weighted @ x + ridge * np.eye(size), weighted @ r))


def damped(curvature: Array, slope: Array) -> Array:
    """Newton steps (m, D) of several lengths, damped more and more."""
    size = len(slope)
    mean = np.trace(curvature) / size
    return np.array(
        [
            -length * np.linalg.solve(curvature + damping * mean * np.eye(size), slope)
            for damping in DAMPING
            for length in LENGTHS
        ]
    )


def _better(
    best: Array, cost: float, offsets: Array, points: Array, costs: Array, tried: Tried
) -> tuple[Array, float, Array]:
    first = int(np.argmin(costs))
    if costs[first] < cost:
        return points[first], float(costs[first]), tried.offsets[first]
    return best, cost, offsets
