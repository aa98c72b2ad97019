"""Which samples live on: good ones first, but spread over a range of costs [L10] §3.2.3."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array

DISCARD = 0.4  # share of samples with the greatest cost that goes at once
SPREAD = 6  # power of the curve from least to greatest cost


def select(cost: Array, save: int, *, discard: float = DISCARD, spread: float = SPREAD) -> NDArray[np.int64]:
    """Indices of up to `save` samples by rising cost; those of infinite cost are never among them.

    Of the samples left after the worst are discarded, those are taken whose costs come nearest to
    least + (greatest − least)·(i/save)^spread, i = 0 … save − 1. A sample is taken once: where the nearest is gone
    the next costlier one stands in, and equal costs go by their order.
    """
    order = np.argsort(cost, kind="stable")
    order = order[: int(np.isfinite(cost[order]).sum())]
    keep = max(min(save, len(order)), len(order) - int(discard * len(cost)))
    order = order[:keep]
    save = min(save, len(order))
    if save == 0:
        return order
    costs = cost[order]
    aims = costs[0] + (costs[-1] - costs[0]) * (np.arange(save) / save) ** spread
    return order[_distinct(_nearest(costs, aims), len(costs))]


def _nearest(costs: Array, aims: Array) -> NDArray[np.int64]:
    """Index of the cost nearest to each aim; both rise, the cheaper one wins a tie."""
    after = np.clip(np.searchsorted(costs, aims), 1, max(len(costs) - 1, 1))
    before = after - 1
    after = np.minimum(after, len(costs) - 1)
    return np.asarray(np.where(aims - costs[before] <= costs[after] - aims, before, after))


def _distinct(wanted: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Rising indices below `count`, each at least the wanted one where room is left for those that follow."""
    room = np.arange(len(wanted))
    pushed = np.maximum.accumulate(wanted - room) + room
    return np.asarray(np.minimum(pushed, count - len(wanted) + room))
