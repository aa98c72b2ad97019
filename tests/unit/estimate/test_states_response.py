"""Newton steps from responses that are learned state by state, and what they are compared with: everything at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from bending_motion import bending

from reenact.estimate.states.batch import batch, plain_chain
from reenact.estimate.states.incremental import extended, first_machine, improved
from reenact.estimate.states.response import Descent, fitted, newton_steps
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task, task_of
from reenact.estimate.states.window import snapshots
from reenact.physics.effort import effort_of
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.world.world import World

TINY = Settings(growth=18, rounds=2, samples=24, reopened=(1,), batch_rounds=6)


@pytest.fixture(scope="module")
def task() -> Task:
    return task_of(bending(0.4), World(), threads=1)


def test_a_linear_response_is_learned_and_solved_for() -> None:
    rng = np.random.default_rng(0)
    response, offsets = rng.standard_normal((6, 50)), rng.standard_normal(50)
    points = rng.standard_normal((200, 6))
    found = None
    for _ in range(4):
        found = fitted(points, 0.2 * points @ response[:, 20:], found, 0.2, 50)
    assert found is not None
    assert np.array_equal(found[:, :20], np.zeros((6, 20))), "a state does nothing before it is entered"
    assert np.allclose(found[:, 20:], response[:, 20:], atol=0.02)
    best = -np.linalg.lstsq(response.T, offsets, rcond=None)[0]
    steps = newton_steps(response, offsets)
    assert np.min(np.linalg.norm(steps - best, axis=1)) < 0.01 * np.linalg.norm(best)


def test_samples_that_went_astray_teach_nothing() -> None:
    rng = np.random.default_rng(1)
    response = rng.standard_normal((4, 30))
    points = rng.standard_normal((100, 4))
    moved = points @ response
    moved[::10] += 1e4
    assert np.allclose(fitted(points, moved, None, 1.0, 30), response, atol=0.1)


def test_snapshots_stand_where_states_are_entered_and_change_nothing(task: Task) -> None:
    machine = extended(task, first_machine(task, TINY, 18), 18, 36)
    shots = snapshots(task, machine, 36)
    assert [window.begin for window in shots.windows] == [0, 18]
    rows = machine.rows().reshape(1, -1)
    whole, late = shots.window(0).try_out(machine, rows), shots.window(1).try_out(machine, rows)
    assert whole.cost[0] == late.cost[0]
    kept = late.offsets.shape[1]
    assert 0 < kept < whole.offsets.shape[1]
    assert np.array_equal(whole.offsets[0, -kept:], late.offsets[0]), "the same frames are kept"


def test_effort_counts_from_the_start_on_wherever_a_window_begins(task: Task) -> None:
    machine = extended(task, first_machine(task, TINY, 18), 18, 36)
    rows, hinges = machine.rows().reshape(1, -1), task.model.hinges
    plain = snapshots(task, machine, 36).window(0).try_out(machine, rows)
    shots = snapshots(task.weighing(500.0), machine, 36)
    whole, late = shots.window(0).try_out(machine, rows), shots.window(1).try_out(machine, rows)
    start = State.from_row(task.start, task.model)
    trace = simulate(task.model, machine, replace(start, memory=None), steps=37)
    expected = 500.0 * effort_of(trace)
    assert 0.05 < expected < 50.0
    assert whole.cost[0] - plain.cost[0] == pytest.approx(expected, rel=1e-4)
    assert late.cost[0] == pytest.approx(whole.cost[0], rel=1e-12)
    assert np.allclose(late.offsets[0, -hinges:], whole.offsets[0, -hinges:], rtol=1e-12)
    assert np.sum(whole.offsets[0, -hinges:] ** 2) == pytest.approx(expected, rel=1e-4)
    assert np.array_equal(whole.offsets[0, :-hinges], plain.offsets[0])


def test_a_price_on_effort_lowers_it(task: Task) -> None:
    tired = task.weighing(3e4)
    machine = first_machine(task, TINY, 24)
    usual, gentle = (
        improved(each, replace(TINY, rounds=4, samples=24), machine, 24, np.random.default_rng(0)).machine
        for each in (task, tired)
    )
    told = [snapshots(tired, each, 24).window(0).try_out(each, each.rows().reshape(1, -1)) for each in (usual, gentle)]
    hard, soft = (float(each.efforts.mean()) for each in told if each.efforts is not None)
    assert soft < 0.9 * hard


def test_states_are_improved_together_and_early_ones_stay(task: Task) -> None:
    machine = extended(task, first_machine(task, TINY, 18), 18, 36)
    descent = Descent(task, TINY, machine, 36, range(1, 2), np.random.default_rng(0), spread=0.3)
    before = descent.cost
    descent.run(2)
    assert descent.cost < before
    assert np.array_equal(descent.machine.rows()[0], machine.rows()[0])
    both = improved(task, TINY, machine, 36, np.random.default_rng(0), rounds=3)
    assert both.cost < descent.cost
    assert not np.array_equal(both.machine.rows()[0], machine.rows()[0])


def test_frames_beyond_a_window_count_while_it_grows(task: Task) -> None:
    machine = first_machine(task, TINY, 18)
    rng = np.random.default_rng(0)
    near, far = (improved(task, TINY, machine, 18, rng, rounds=0, look=look) for look in (0, 12))
    assert near.joints == far.joints
    assert near.cost != far.cost
    assert near.last == far.last == 18


def test_everything_at_once_knows_the_structure_and_the_first_pose_alone(task: Task) -> None:
    chain = plain_chain(task, TINY)
    assert [state.then for state in chain.states] == ["2", "3", None]
    assert all(np.array_equal(state.pose, task.reference.qpos[0, 7:]) for state in chain.states)
    last = task.reference.frames - 1
    start = improved(task, TINY, chain, last, np.random.default_rng(0), rounds=0)
    first, again = batch(task, TINY), batch(task, TINY)
    assert np.array_equal(first.machine.rows(), again.machine.rows())
    assert first.cost < start.cost
    other = batch(task, replace(TINY, seed=1))
    assert not np.array_equal(first.machine.rows(), other.machine.rows())
