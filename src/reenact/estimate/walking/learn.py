"""Sampled Gauss–Newton over many scenes: each scene's offsets have a linear response of their own.

As `newton.py`, but a candidate that falls tells how it did until then, and in other scenes: the response at a moment of
a scene is fitted to the candidates that were up by then. Where the best itself falls, what came before is mended, which
takes it farther.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.states.newton import damped, nearness, response_of
from reenact.estimate.walking.rehearse import Rehearsed
from reenact.geometry.rotation import Array

Trial = Callable[[Array], tuple[Array, Rehearsed]]
LEAST = 8  # candidates that a response is fitted to
MEMORY = 2.0  # times the vector's length: samples that responses are fitted to


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Learned:
    """The best vector of a few rounds."""

    vector: Array  # (D,)
    before: float
    cost: float
    upright: Array  # (k,) share of the time in each scene


def learn(
    trial: Trial, size: int, rng: np.random.Generator, *, rounds: int, samples: int, spread: float, prior: float = 1e-3
) -> Learned:
    """Search from zero; trial: vectors (n, D) to their full costs (n,) and how they did in every scene."""
    best = np.zeros(size)
    costs, tried = trial(best[None])
    before = cost = float(costs[0])
    offsets, upright = tried.offsets[0], tried.upright[0]
    seen_x, seen_r = np.empty((0, size)), np.empty((0, *offsets.shape))
    keep = int(MEMORY * size)
    for _ in range(rounds):
        last = cost
        for newton in (False, True):
            if newton:
                drawn = cost
                points = best + steps_of(seen_x - best, seen_r, offsets, best, spread, prior)
            else:
                points = best + spread * rng.standard_normal((samples, size))
            costs, tried = trial(points)
            seen_x = np.concatenate([seen_x, points])[-keep:]
            seen_r = np.concatenate([seen_r, tried.offsets])[-keep:]
            first = int(np.argmin(costs))
            if costs[first] < cost:
                best, cost = points[first], float(costs[first])
                offsets, upright = tried.offsets[first], tried.upright[first]
        if cost > 0.98 * last:
            spread = max(0.05, 0.6 * spread)
        elif cost < 0.9 * drawn:
            spread = min(1.0, 1.2 * spread)
    return Learned(vector=best, before=before, cost=cost, upright=upright)


def steps_of(x: Array, r: Array, offsets: Array, place: Array, spread: float, prior: float) -> Array:
    """Damped steps (m, D) from samples' distances x (n, D) and their offsets r (n, k, R); those of the best: (k, R).

    NaN: after the fall.
    """
    size, scenes = x.shape[1], r.shape[1]
    weight = nearness(x, spread)
    curvature, slope = prior * np.eye(size), prior * place
    for scene in range(scenes):
        up = np.isfinite(r[:, scene])
        there = int(np.isfinite(offsets[scene]).sum())
        for begin, end in _spans(up[:, :there]):
            good = up[:, begin]
            if good.sum() < LEAST:
                break
            own = offsets[scene, begin:end]
            response = response_of(x[good], r[good, scene, begin:end] - own, weight[good], spread)
            curvature = curvature + response @ response.T / scenes
            slope = slope + response @ own / scenes
    return damped(curvature, slope)


def _spans(up: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Spans of the offsets (n, R) at which the same candidates were up."""
    if up.shape[1] == 0:
        return iter(())
    changes = np.flatnonzero((up[:, 1:] != up[:, :-1]).any(axis=0)) + 1
    return itertools.pairwise([0, *(int(k) for k in changes), up.shape[1]])
