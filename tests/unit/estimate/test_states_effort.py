"""How much is searched within a budget."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from bending_motion import bending

from reenact.estimate.states import window
from reenact.estimate.states.effort import LADDER, STEPS_PER_SECOND, steps_of, within
from reenact.estimate.states.search import search
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task, task_of
from reenact.world.world import World


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of(bending(0.5), World(), threads=1)


def test_each_rung_is_more_work_than_the_one_below(task: Task) -> None:
    work = [steps_of(task, replace(Settings(), **way)) for way in LADDER]
    assert all(a < b for a, b in itertools.pairwise(work))


def test_a_budget_is_kept_and_used(task: Task) -> None:
    usual = Settings(seed=7, price=2.0)
    assert within(task, usual) is usual
    before = 0
    for budget in (5.0, 30.0, 300.0):
        asked = within(task, replace(usual, budget=budget))
        assert (asked.seed, asked.price, asked.budget) == (7, 2.0, None)
        steps = steps_of(task, asked)
        assert before < steps <= budget * STEPS_PER_SECOND
        before = steps
    least = within(task, replace(usual, budget=1e-3))
    assert least.beam == 1, "something is always done"


def test_the_count_of_steps_is_about_what_is_simulated(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(growth=20, beam=2, reopened=(1, 2), rounds=2, whole_rounds=2, samples=12)
    done, run = [0], window.rollout_batch

    def counted(model, program, starts, steps, **others):  # type: ignore[no-untyped-def]
        done[0] += steps * len(others["params"])
        return run(model, program, starts, steps, **others)

    monkeypatch.setattr(window, "rollout_batch", counted)
    list(search(task, settings))
    assert 0.4 < done[0] / steps_of(task, settings) < 1.6


def test_cycles_count_where_they_are_looked_for(task: Task) -> None:
    velocity = task.reference.com_velocity
    still, going = (
        replace(task, reference=replace(task.reference, com_velocity=np.full_like(velocity, speed)))
        for speed in (0.0, 1.0)
    )
    walked, closed = (replace(Settings(), growth=10, walk=walk) for walk in (True, False))
    assert steps_of(going, closed) > steps_of(going, walked), "a walk that is practised has a cycle of its own"
    assert steps_of(still, closed) == steps_of(still, walked)
