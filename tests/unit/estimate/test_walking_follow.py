"""A walk fitted to the recording up to its end: copies of its cycle's states, and nothing that ends the walk."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from recorded_walk import recorded_walk

from reenact.control.machine.machine import Machine
from reenact.control.machine.text import as_written
from reenact.estimate.states.reference import Reference
from reenact.estimate.states.response import Descent
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.window import snapshots
from reenact.estimate.walking import follow
from reenact.estimate.walking.follow import followed, parts_of, stays_up, unrolled
from reenact.estimate.walking.walk import Walk
from reenact.physics.simulate import simulate
from reenact.physics.state import State

FEW = Settings(samples=16)


def cut_short(reference: Reference, frames: int) -> Reference:
    names = ("qpos", "qvel", "markers", "origins", "com", "com_velocity")
    return replace(reference, **{name: getattr(reference, name)[:frames] for name in names})


@pytest.fixture(scope="module")
def walk() -> Walk:
    """The walk before any practice, and of the recording as much as it does not fall in."""
    whole = recorded_walk()
    reference = cut_short(whole.task.reference, whole.entry.frame + 45)
    return replace(whole, task=replace(whole.task, reference=reference))


def motion(walk: Walk, steps: int) -> bytes:
    start = replace(State.from_row(walk.task.start, walk.task.model), memory=None)
    return simulate(walk.task.model, walk.machine, start, steps=steps).qpos.tobytes()


def cost(walk: Walk) -> float:
    last = walk.task.reference.frames - 1
    window = snapshots(walk.task, walk.machine, last).window(0)
    return float(window.try_out(walk.machine, walk.machine.rows().reshape(1, -1)).cost[0])


def test_what_of_the_cycle_lies_in_the_recording_gets_states_of_its_own_and_moves_alike(walk: Walk) -> None:
    longer = unrolled(walk)
    copies = longer.machine.states[walk.first : longer.first]
    cycle = [state.name for state in walk.machine.states[walk.first :]]
    assert [state.name for state in longer.machine.states[longer.first :]] == cycle
    assert 1 <= len(copies) <= 4
    assert longer.machine.states[walk.first - 1].then == copies[0].name == f"start {walk.first + 1}"
    for one, following in pairwise(copies):
        assert following.name in (one.then, one.early[1] if one.early else None)
    assert copies[-1].then in cycle
    assert motion(longer, walk.task.reference.frames + 30) == motion(walk, walk.task.reference.frames + 30)


def test_a_walk_that_falls_before_the_recording_ends_stays_as_it_is() -> None:
    whole = recorded_walk()
    assert unrolled(whole) is whole


def test_it_comes_nearer_to_the_recording_and_keeps_its_cycle(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = (replace(parts_of(walk.task, early=False)[0], rounds=2),)
    monkeypatch.setattr(follow, "parts_of", lambda task, early: parts)
    longer = unrolled(walk)
    steps = walk.task.reference.frames + 20
    seconds = steps * walk.task.model.timestep
    assert stays_up(longer, seconds)

    def keeps(one: Walk) -> bool:
        return stays_up(one, seconds)

    once, again = (followed(longer, FEW, 0, np.random.default_rng(1), keeps=keeps) for _ in range(2))
    assert cost(once) < 0.8 * cost(longer)
    assert stays_up(replace(once, machine=as_written(once.machine)), seconds)
    rows = longer.machine.rows()
    np.testing.assert_array_equal(once.machine.rows()[longer.first :], rows[longer.first :])
    np.testing.assert_array_equal(once.machine.rows(), again.machine.rows())
    kept = followed(longer, FEW, 0, np.random.default_rng(1), keeps=lambda one: False)
    np.testing.assert_array_equal(kept.machine.rows(), rows)


def test_one_that_is_entered_early_is_fitted_step_by_step() -> None:
    task = recorded_walk().task
    ends = [part.until for part in parts_of(task, early=True)]
    strikes = [strike.frame for strike in task.strikes[1:] if strike.frame < task.reference.frames]
    assert len(strikes) >= 2
    assert ends == [end for strike in strikes for end in (strike, strike)] + [None] * 3
    assert {part.until for part in parts_of(task, early=False)} == {None}


def test_within_a_window_only_what_runs_in_it_is_fitted(walk: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    longer = unrolled(walk)
    until = walk.entry.frame // 2
    parts = (replace(parts_of(walk.task, early=False)[1], rounds=1, until=until),)
    monkeypatch.setattr(follow, "parts_of", lambda task, early: parts)
    fitted = followed(longer, FEW, 0, np.random.default_rng(1), keeps=lambda one: True)
    changed = (fitted.machine.rows() != longer.machine.rows()).any(axis=1)
    last = int(follow._states_run(longer)[:until].max())
    assert changed[: last + 1].any()
    assert last + 1 < longer.first
    assert not changed[last + 1 :].any()


def test_of_the_better_machines_only_one_that_may_be_kept_is_taken(walk: Walk) -> None:
    longer = unrolled(walk)
    last, states = walk.task.reference.frames - 1, range(longer.first - 1, longer.first)
    asked: list[bytes] = []

    def second(machine: Machine) -> bool:
        asked.append(machine.rows().tobytes())
        return len(asked) == 2

    rng = np.random.default_rng(1)
    descent = Descent(walk.task, FEW, longer.machine, last, states, rng, spread=0.15, keeps=second)
    before = descent.cost
    descent.run(1)
    assert len(asked) == 2
    assert descent.machine.rows().tobytes() == asked[1]
    free = Descent(walk.task, FEW, longer.machine, last, states, np.random.default_rng(1), spread=0.15)
    free.run(1)
    assert free.machine.rows().tobytes() == asked[0]
    assert free.cost <= descent.cost < before
