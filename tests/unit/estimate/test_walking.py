"""Gaits that go on: the cycle of a recording, its mirrored steps, scenes that begin anywhere, and what is learned."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.control.machine import layout as at
from reenact.control.machine.mirror import mirrored_rows, turned_rows
from reenact.estimate.states.incremental import first_machine
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task, task_of
from reenact.estimate.walking.learn import learn, steps_of
from reenact.estimate.walking.practise import along, pushed, upright
from reenact.estimate.walking.rehearse import Rehearsed, Scene, moments
from reenact.estimate.walking.space import gait_space
from reenact.estimate.walking.walk import Walk, walk_of
from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.geometry.rotation import Array
from reenact.motion.clip import SkeletonClip
from reenact.motion.fit import fit
from reenact.physics.state import State, row_width
from reenact.world.world import World


@pytest.fixture(scope="module")
def task() -> Task:
    clip = read_clip(find_clip("walk"))
    assert isinstance(clip, SkeletonClip)
    return task_of(fit(clip.cut(round(0.5 * clip.rate), round(2.7 * clip.rate))), World(), threads=2)


@pytest.fixture(scope="module")
def walk(task: Task) -> Walk:
    found = walk_of(task, first_machine(task, Settings(), 40))
    assert found is not None
    return found


def test_a_cycle_of_the_recording_is_led_into_and_leads_back(walk: Walk) -> None:
    states = walk.machine.states
    assert [state.name for state in states] == ["start 1", "a1", "a2", "a3", "b1", "b2", "b3"]
    assert walk.first == 1
    first, second, third = walk.stride
    assert first.leg == third.leg != second.leg
    assert walk.entry in walk.task.strikes
    assert states[0].seconds == pytest.approx(walk.entry.frame / 120.0)
    assert states[0].then == ("a1" if walk.entry.leg == first.leg else "b1")
    assert [state.then for state in states[1:]] == ["a2", "a3", "b1", "b2", "b3", "a1"]
    assert walk.begins[walk.first] == first.frame
    assert walk.begins[walk.first + 3] == second.frame
    sides = [("left foot", "right foot")[leg] for leg in (second.leg, first.leg)]
    assert [states[i].until for i in (3, 6)] == sides
    assert all(states[i].early == (sides[0], "b1") for i in (1, 2))


def test_a_recording_without_steps_is_no_walk(task: Task) -> None:
    from dataclasses import replace

    assert walk_of(replace(task, strikes=task.strikes[:2]), first_machine(task, Settings(), 40)) is None


@pytest.mark.parametrize("way", [0.0, 0.3, -2.0])
def test_a_mirror_image_of_a_mirror_image_is_the_state_itself(walk: Walk, way: float) -> None:
    rows, groups = walk.machine.rows(), len(walk.machine.groups)
    image = mirrored_rows(rows, walk.task.model.body, groups, way=way)
    np.testing.assert_allclose(mirrored_rows(image, walk.task.model.body, groups, way=way), rows, atol=1e-12)
    assert np.abs(image - rows).max() > 0.01


def test_what_goes_along_the_plane_keeps_its_way_in_the_mirror(walk: Walk) -> None:
    rows, groups, way = walk.machine.rows(), len(walk.machine.groups), 0.4
    rows[:, at.NOMINAL_SPEED : at.NOMINAL_SPEED + 2] = 1.3 * np.cos(way), 1.3 * np.sin(way)
    image = mirrored_rows(rows, walk.task.model.body, groups, way=way)
    np.testing.assert_allclose(image[:, at.NOMINAL_SPEED : at.NOMINAL_SPEED + 2], rows[:, at.NOMINAL_SPEED :][:, :2])
    np.testing.assert_allclose(turned_rows(turned_rows(rows, groups, way), groups, -way), rows, atol=1e-12)


def test_the_second_step_is_the_first_ones_image_and_zero_is_the_machine(walk: Walk) -> None:
    space = gait_space(walk.machine, walk.task.limbs, walk.task.model.body, first=walk.first, way=walk.turn)
    same = space.machine_at(np.zeros(space.size))
    np.testing.assert_allclose(same.rows(), walk.machine.rows(), atol=1e-12)
    vector = 0.5 * np.random.default_rng(0).standard_normal(space.size)
    rows = space.machine_at(vector).rows()
    np.testing.assert_allclose(rows[0], walk.machine.rows()[0], atol=1e-15)  # what leads into the cycle stays
    image = mirrored_rows(rows[1:4], walk.task.model.body, len(walk.machine.groups), way=walk.turn)
    np.testing.assert_allclose(rows[4:], image, atol=1e-12)
    assert np.abs(rows[1:4] - walk.machine.rows()[1:4]).max() > 0.05
    still = walk.task.model.body.axis_index("elbow_left_flexion")
    pose = at.pose_at(len(walk.machine.groups)) + still
    np.testing.assert_array_equal(rows[1:4, pose], walk.machine.rows()[1:4, pose])


def test_a_scene_goes_on_from_a_moment_as_if_nothing_had_been(walk: Walk) -> None:
    """The same bits but for the time; so a push at any phase costs no way there."""
    model, machine = walk.task.model, walk.machine
    early, late = (moments(machine, model, walk.start, [steps]) for steps in (70, 95))
    assert early is not None
    assert late is not None
    on = moments(machine, model, early[0], [25])
    assert on is not None
    np.testing.assert_array_equal(on[0], late[0])
    assert on[0][0] == 0.0
    assert on[0][row_width(model) + at.ENTERED] <= 0.0


def test_at_the_strike_the_machine_is_where_it_would_be(walk: Walk) -> None:
    model = walk.task.model
    state = State.from_row(walk.at_strike(), model)
    assert state.memory is not None
    assert state.memory[at.STATE] == walk.first
    assert state.memory[at.STANCE] == 1.0 + walk.stride[0].leg
    np.testing.assert_allclose(state.qvel[:3], walk.task.reference.qvel[walk.stride[0].frame, :3], atol=1e-9)
    other = State.from_row(walk.at_strike(np.random.default_rng(1)), model)
    np.testing.assert_array_equal(other.qpos, state.qpos)
    assert 0.01 < np.abs(other.qvel - state.qvel)[3:].mean() < 1.0


def toy(bad: int | None = None) -> tuple[Array, Array]:
    rng = np.random.default_rng(3)
    return rng.standard_normal((3, 40, 6)), rng.standard_normal((3, 40))


def test_learning_solves_scenes_that_are_linear_even_where_one_is_lost_at_first() -> None:
    matrices, aims = toy()
    solution = np.linalg.lstsq(matrices.reshape(-1, 6), aims.ravel(), rcond=None)[0]

    def trial(vectors: Array) -> tuple[Array, Rehearsed]:
        offsets = np.einsum("krd,nd->nkr", matrices, vectors) - aims
        fallen = vectors[:, 0] > 0.05 + solution[0]  # in the last scene
        if solution[0] > 0.0:
            fallen = vectors[:, 0] < solution[0] - 0.05
        cost = np.sum(offsets**2, axis=2)
        offsets[fallen, 2] = np.nan
        cost[fallen, 2] = 1e4
        upright = np.where(np.isnan(offsets[:, :, 0]), 0.3, 1.0)
        return cost.mean(axis=1), Rehearsed(cost=cost, upright=upright, offsets=offsets)

    found = learn(trial, 6, np.random.default_rng(0), rounds=8, samples=24, spread=0.3, prior=0.0)
    assert found.before > found.cost
    np.testing.assert_allclose(found.vector, solution, atol=0.05)
    assert (found.upright == 1.0).all()


def test_a_scene_lost_by_the_best_pulls_towards_those_that_stayed_up() -> None:
    rng = np.random.default_rng(5)
    x = rng.standard_normal((200, 4))
    r = np.full((200, 1, 3), np.nan)
    r[x[:, 1] > 0.5] = 0.0
    steps = steps_of(x, r, np.full((1, 3), np.nan), np.zeros(4), 1.0, 1e-6)
    assert (steps[:, 1] > 0.0).all()
    assert np.abs(steps[0, [0, 2, 3]]).max() < 0.5 * steps[0, 1]


def test_practice_along_the_recording_pays_and_is_the_same_every_time(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reenact.estimate.walking.practise.ROUNDS", 2)
    monkeypatch.setattr("reenact.estimate.walking.practise.SAMPLES", 24)
    once, again = (along(walk, 0, np.random.default_rng(7)) for _ in range(2))
    assert once.learned.cost < 0.75 * once.learned.before
    np.testing.assert_array_equal(once.walk.machine.rows(), again.walk.machine.rows())
    tried = walk.rehearsal([Scene(start=walk.at_strike())], 60).try_out(
        once.walk.machine, once.walk.machine.rows()[None].reshape(1, -1)
    )
    assert tried.upright[0, 0] == 1.0


def test_a_walk_that_falls_before_it_can_be_pushed_is_not(walk: Walk) -> None:
    assert 0.3 < upright(walk, 5.0) < 3.0
    assert pushed(walk, np.random.default_rng(0)) is None
