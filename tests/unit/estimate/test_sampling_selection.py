"""Which samples live on."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.estimate.sampling.selection import select


def one_by_one(cost: np.ndarray, save: int) -> list[int]:
    """[L10] §3.2.3 in plain words: each aim takes the nearest cost; where that is taken, the next costlier one."""
    order = [int(i) for i in np.argsort(cost, kind="stable")][: len(cost) - int(0.4 * len(cost))]
    low, high = cost[order[0]], cost[order[-1]]
    chosen: list[int] = []
    for i in range(save):
        aim = low + (high - low) * (i / save) ** 6
        k = min(range(len(order)), key=lambda k: (abs(cost[order[k]] - aim), k))
        while k < len(order) and order[k] in chosen:
            k += 1
        chosen.append(order[k])
    return chosen


@pytest.mark.parametrize("seed", range(5))
def test_selection_follows_the_paper(seed: int) -> None:
    cost = np.random.default_rng(seed).gamma(2.0, 3.0, 300)
    assert select(cost, 40).tolist() == one_by_one(cost, 40)


def test_the_best_is_kept_and_the_worst_two_fifths_are_not() -> None:
    cost = np.random.default_rng(0).permutation(100).astype(float)
    kept = select(cost, 20)
    assert cost[kept[0]] == 0.0
    assert cost[kept].max() < 60.0
    assert len(set(kept.tolist())) == 20
    assert (np.diff(cost[kept]) > 0).all()


def test_costs_are_spread_and_not_just_the_least() -> None:
    cost = np.arange(1000.0)
    kept = cost[select(cost, 50)]
    assert kept.max() > 400.0
    assert np.median(kept) < 60.0


def test_equal_costs_go_by_their_order() -> None:
    assert select(np.zeros(10), 3).tolist() == [0, 1, 2]


def test_diverged_samples_are_never_chosen() -> None:
    cost = np.array([np.inf, 3.0, np.inf, 1.0, np.inf, np.inf])
    assert select(cost, 4).tolist() == [3, 1]
    assert len(select(np.full(5, np.inf), 2)) == 0


def test_more_may_be_saved_than_the_discarding_leaves() -> None:
    assert len(select(np.arange(10.0), 8)) == 8
