"""What the ground can give: forces at points that touch it, within their friction cones, nearest to what is needed.

A point that is well over the ground gives nothing, one that is down gives what is asked, and between them a force has a
price, as in [M12] (Mordatch, Todorov, Popović 2012, contact-invariant optimisation). What is left over shows how far a
motion is from what physics allows.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from reenact.geometry.rotation import Array
from reenact.motion.compiled import compiled

FRICTION: Final = 0.9
EDGES: Final = 8  # of a friction cone
SWEEPS: Final = 120  # at most
SETTLED: Final = 1e-4  # [m/s²] change of all forces in a sweep below which they are found
PRICE: Final = 0.02  # of a squared force [m/s²]² at a point that is half down, about
LEAST: Final = 2e-4  # the same at a point that is down: of many ways to share a load the even one
NOWHERE: Final = 0.01  # how far down a point is at least that is asked for a force


class Support(NamedTuple):
    """What the ground gives to bodies in need, all for a body of mass 1."""

    force: Array  # (n, K, 3) [m/s²] at each point
    left: Array  # (n, 6) of what is needed
    value: Array  # (n,) square of that and price of the forces
    stiff: Array  # (n, 6, 6) how the value's half slope changes with what is needed


def _edges() -> Array:
    turn = 2.0 * np.pi * np.arange(EDGES) / EDGES
    return np.stack([FRICTION * np.cos(turn), FRICTION * np.sin(turn), np.ones(EDGES)], axis=1)


_CONE: Final = _edges()


@compiled
def support(needed: Array, arms: Array, down: Array, cone: Array, size: float) -> Support:
    """For needed forces and moments (n, 6), the moments divided by a length `size` [m].

    arms: (n, K, 3) points about the centre of mass [m]; down: (n, K) how far they touch, 0 … 1.
    """
    count, points, edges = down.shape[0], down.shape[1], len(cone)
    force, left = np.zeros((count, points, 3)), needed.copy()
    value, stiff = np.zeros(count), np.zeros((count, 6, 6))
    column, price, share = np.empty((points * edges, 6)), np.empty(points * edges), np.zeros(points * edges)
    for n in range(count):
        m = 0
        for i in range(points):
            if down[n, i] > NOWHERE:
                x, y, z = arms[n, i]
                for e in range(edges):
                    u, v, w = cone[e]
                    one = column[m]
                    one[0], one[1], one[2] = u, v, w
                    one[3], one[4], one[5] = (y * w - z * v) / size, (z * u - x * w) / size, (x * v - y * u) / size
                    price[m] = PRICE * (1.0 / down[n, i] - 1.0) + LEAST
                    m += 1
        rest = left[n]
        for k in range(m):  # begun with the load shared evenly
            share[k] = max(0.0, needed[n, 2]) / m
            for j in range(6):
                rest[j] -= share[k] * column[k, j]
        for _ in range(SWEEPS):
            change = 0.0
            for k in range(m):
                pull, square = -price[k] * share[k], price[k]
                for j in range(6):
                    pull += column[k, j] * rest[j]
                    square += column[k, j] * column[k, j]
                new = max(0.0, share[k] + pull / square)
                step = new - share[k]
                if step != 0.0:
                    share[k] = new
                    change += abs(step)
                    for j in range(6):
                        rest[j] -= step * column[k, j]
            if change < SETTLED:
                break
        total, inner = np.sum(rest * rest), np.eye(6)
        k = 0
        for i in range(points):
            if down[n, i] > NOWHERE:
                for e in range(edges):
                    if share[k] > 0.0:
                        total += price[k] * share[k] ** 2
                        for j in range(3):
                            force[n, i, j] += share[k] * cone[e, j]
                        for a in range(6):
                            for b in range(6):
                                inner[a, b] += column[k, a] * column[k, b] / price[k]
                    k += 1
        value[n], stiff[n] = total, np.linalg.inv(inner)
    return Support(force, left, value, stiff)


def given(needed: Array, arms: Array, down: Array, size: float) -> Support:
    """The same with the cones of FRICTION."""
    return support(
        np.ascontiguousarray(needed), np.ascontiguousarray(arms), np.ascontiguousarray(down), _CONE, float(size)
    )
