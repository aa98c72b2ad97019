"""Where a recording is cut into states."""

from __future__ import annotations

import numpy as np
import pytest
from bending_motion import bending

from reenact.estimate.states.cut import cuts, levers, stretches
from reenact.estimate.states.kinematic import GAINS
from reenact.estimate.states.task import Task, task_of
from reenact.world.world import World


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of(bending(0.8), World(), threads=1)


def test_cuts_cover_the_recording_in_states_of_a_tenth_to_half_a_second(task: Task) -> None:
    last, rate = task.reference.frames - 1, task.reference.rate
    for price in (0.0, 0.01, 4.0):
        ends = cuts(task, price)
        assert ends[-1] == last
        lengths = np.diff([0, *ends]) / rate
        assert lengths.min() >= 0.1 - 1e-9
        assert lengths.max() <= 0.5 + 1e-9


def test_a_price_makes_states_fewer(task: Task) -> None:
    assert len(cuts(task, 0.0)) > len(cuts(task, 1e6)) == 2


def test_no_other_cut_is_cheaper(task: Task) -> None:
    last = task.reference.frames - 1
    cost = stretches(task, 60)
    found = cuts(task, 1e6)  # so dear that two states must do
    assert cost[0, found[0]] + cost[found[0], last - found[0]] == pytest.approx(
        min(cost[0, n] + cost[n, last - n] for n in range(last - 60, 61)), rel=1e-12
    )


def test_the_price_of_a_stretch_is_the_least_squares_error_of_its_best_guess(task: Task) -> None:
    qpos, lever, count = task.reference.qpos, levers(task), 30
    assert (lever[:2] > lever[3:].max()).all(), "nothing moves markers as far as when the whole body leans"
    away = qpos[1 : count + 1, 7:] - qpos[0, 7:]  # the root does not turn
    error = 0.0
    for group in set(task.limbs.group_of):
        axes = np.flatnonzero(np.array(task.limbs.group_of) == group)
        tried = []
        for gain in GAINS:
            way = (1.0 - (1.0 - gain) ** np.arange(1, count + 1))[:, None]
            target = np.linalg.lstsq(way, away[:, axes], rcond=None)[0]
            tried.append(float(np.sum(lever[3 + axes] * (way @ target - away[:, axes]) ** 2)))
        error += min(tried)
    cost = stretches(task, 60)
    assert cost[0, count] == pytest.approx(error, rel=1e-9)
    assert np.isinf(cost[-5, 20]), "it ends before"
