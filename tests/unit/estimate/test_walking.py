"""Gaits that go on: the cycle of a recording, its mirrored steps, scenes that begin anywhere, and what is learned."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from recorded_walk import recorded_walk, walk_task

from reenact.body.mirror import mirror_angles
from reenact.control.machine import layout as at
from reenact.control.machine.falling import WAYS
from reenact.control.machine.mirror import mirrored_rows, turned_rows
from reenact.estimate.exact_json import dumps, loads
from reenact.estimate.states.incremental import first_machine
from reenact.estimate.states.search import Progress, weighed
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task
from reenact.estimate.walking.follow import parts_of
from reenact.estimate.walking.learn import learn, steps_of
from reenact.estimate.walking.practise import along, upright
from reenact.estimate.walking.rehearse import Rehearsed, Scene, moments
from reenact.estimate.walking.search import search
from reenact.estimate.walking.space import FEEDBACK, REACTION, gait_space
from reenact.estimate.walking.starts import STARTS, disturbed, entered, starts_of
from reenact.estimate.walking.steady import steadied
from reenact.estimate.walking.walk import Walk, walks_of
from reenact.geometry.rotation import Array
from reenact.physics.state import State, row_width


def drawing() -> np.random.Generator:
    return np.random.default_rng(4)


@pytest.fixture(scope="module")
def task() -> Task:
    return walk_task()


@pytest.fixture(scope="module")
def walk() -> Walk:
    return recorded_walk()


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


def test_a_walk_may_be_entered_as_early_as_a_foot_comes_down(task: Task) -> None:
    chain = first_machine(task, Settings(), 40)
    late, early = (walks_of(task, chain, early=early) for early in (False, True))
    frames = [walk.entry.frame for walk in early]
    assert frames == sorted(frames) == sorted(walk.entry.frame for walk in late)
    assert frames[0] == early[0].stride[0].frame


def test_a_recording_without_steps_is_no_walk(task: Task) -> None:
    assert walks_of(replace(task, strikes=task.strikes[:2]), first_machine(task, Settings(), 40)) == []


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


def test_legs_and_trunk_learn_reactions_where_asked(walk: Walk) -> None:
    model = walk.task.model
    bare, space = (
        gait_space(walk.machine, walk.task.limbs, model.body, first=walk.first, way=walk.turn, reactions=asked)
        for asked in (False, True)
    )
    assert space.size == bare.size + space.half * len(WAYS) * len(space.axes)
    vector = np.random.default_rng(1).standard_normal(space.size)
    found = space.machine_at(vector)
    np.testing.assert_allclose(space.machine_at(0.0 * vector).rows(), walk.machine.rows(), atol=1e-12)
    assert [state.reactions is None for state in found.states] == [True] + 6 * [False]
    first = found.states[1].reactions
    assert first is not None
    assert first.std() == pytest.approx(REACTION, rel=0.5)
    assert not first[:, model.body.axis_index("elbow_left_flexion")].any()
    assert (first[:, model.body.axis_index("hip_left_abduction")] != 0.0).all()
    fourth = found.states[4].reactions
    assert fourth is not None
    np.testing.assert_allclose(fourth, mirror_angles(model.body, first), atol=1e-12)


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
        return cost.mean(axis=1), Rehearsed(
            cost=cost, upright=upright, aloft=0.0 * upright, cadence=0.0 * upright, offsets=offsets
        )

    found = learn(trial, 6, np.random.default_rng(0), rounds=8, samples=24, spread=0.3, prior=0.0)
    assert found.before > found.cost
    np.testing.assert_allclose(found.vector, solution, atol=0.05)
    assert (found.upright == 1.0).all()


def test_what_came_before_a_fall_is_mended() -> None:
    """The best falls halfway, as do some candidates: the steps are those of the offsets before."""
    rng = np.random.default_rng(6)
    x, matrix, aim = rng.standard_normal((200, 4)), rng.standard_normal((8, 4)), rng.standard_normal(8)
    r = (x @ matrix.T - aim)[:, None]
    r[x[:, 0] < 0.0, :, 5:] = np.nan
    offsets = -aim[None].copy()
    offsets[0, 5:] = np.nan
    steps = steps_of(x, r, offsets, np.zeros(4), 1.0, 1e-9)
    np.testing.assert_allclose(steps[1], np.linalg.lstsq(matrix[:5], aim[:5], rcond=None)[0], atol=0.05)


def test_starts_are_as_recorded_before_the_fall_and_disturbed(walk: Walk) -> None:
    fallen = round(upright(walk, 5.0) / walk.task.model.timestep)
    early = starts_of(walk, walk.entry.frame, np.random.default_rng(2))
    assert len(early) == len(starts_of(walk, fallen, np.random.default_rng(2))) == STARTS
    np.testing.assert_array_equal(early[0], walk.at_strike())
    np.testing.assert_array_equal(early[1], entered(walk))
    assert all(row.shape == early[0].shape for row in early)
    assert len({row.tobytes() for row in early}) == STARTS
    before, after = (
        State.from_row(row, walk.task.model) for row in (early[1], disturbed(walk, early[1], drawing(), 0.5))
    )
    np.testing.assert_array_equal(before.qpos, after.qpos)
    assert 0.02 < np.abs(before.qvel - after.qvel)[3:].mean() < 0.2
    assert before.memory is not None
    assert after.memory is not None
    changed = np.flatnonzero(before.memory != after.memory)
    assert set(changed) <= set(range(at.THIGHS, at.THIGHS + 6))


def test_feedback_that_keeps_it_up_longer_is_chosen_and_nothing_else_changed(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reenact.estimate.walking.steady.DRAWS", 12)
    monkeypatch.setattr("reenact.estimate.walking.steady.SECONDS", 3.0)
    better = steadied(walk, drawing())
    starts = [entered(walk)]
    rng = drawing()
    starts += [disturbed(walk, starts[0], rng, 0.5) for _ in range(2)]
    runs = walk.rehearsal([Scene(start=row) for row in starts], 360)
    rows, new = walk.machine.rows(), better.machine.rows()
    tried = runs.try_out(walk.machine, np.array([rows.ravel(), new.ravel()]))
    assert tried.upright[1].mean() > tried.upright[0].mean()
    changed = set(np.flatnonzero((np.abs(rows - new) > 1e-12).any(axis=0)))
    assert changed
    assert changed <= {*FEEDBACK, at.LEAN_ASIDE, at.LEAN_ASIDE + 1}  # the lean aside goes with that ahead
    np.testing.assert_allclose(
        rows[: walk.first], new[: walk.first], rtol=1e-14, atol=0.0
    )  # turns are of length 1 anew


def test_a_practice_that_was_stopped_goes_on_to_the_same_bits(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FIRST_ROUNDS": 1, "ROUNDS": 1, "SAMPLES": 8, "HORIZON": 0.5, "LONG": 4.0}.items():
        monkeypatch.setattr(f"reenact.estimate.walking.practise.{name}", value)
    for name, few in {"DRAWS": 3, "CLOSER": (1.0,), "SECONDS": 2.0}.items():
        monkeypatch.setattr(f"reenact.estimate.walking.steady.{name}", few)
    for name, fewer in {"GENERATIONS": 2, "POPULATION": 4, "SECONDS": 2.0}.items():
        monkeypatch.setattr(f"reenact.estimate.walking.survive.{name}", fewer)
    monkeypatch.setattr("reenact.estimate.walking.search.MOST", 3)
    short = tuple(replace(part, rounds=1) for part in parts_of(task, early=False)[:2])
    for place in ("search", "follow"):
        monkeypatch.setattr(f"reenact.estimate.walking.{place}.parts_of", lambda task, early: short)
    monkeypatch.setattr("reenact.estimate.walking.search.MOST_ENTERING", 1)
    settings = Settings(samples=8)
    chain = weighed(task, settings, first_machine(task, settings, 40), task.reference.frames - 1)
    begun = Progress(phase="walk", number=0, best=chain, fraction=0.5, tried=(chain,))
    events = list(search(task, settings, begun))
    assert [event.phase for event in events] == ["walk", "walk", "enter", "enter", "follow", "follow", "done"]
    for number, event in enumerate(events[:-1]):
        again = list(search(task, settings, loads(dumps(event))))
        assert len(again) == len(events) - 1 - number
        assert dumps(again[-1]) == dumps(events[-1])


def test_practice_along_the_recording_pays_and_is_the_same_every_time(
    walk: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reenact.estimate.walking.practise.ROUNDS", 2)
    monkeypatch.setattr("reenact.estimate.walking.practise.SAMPLES", 24)
    monkeypatch.setattr("reenact.estimate.walking.practise.HORIZON", 0.7)
    monkeypatch.setattr("reenact.estimate.walking.steady.DRAWS", 4)
    once, again = (along(walk, np.random.default_rng(7)) for _ in range(2))
    assert once.learned.cost < 0.75 * once.learned.before
    np.testing.assert_array_equal(once.walk.machine.rows(), again.walk.machine.rows())
    tried = walk.rehearsal([Scene(start=walk.at_strike())], 60).try_out(
        once.walk.machine, once.walk.machine.rows()[None].reshape(1, -1)
    )
    assert tried.upright[0, 0] == 1.0


def test_a_walk_that_has_not_been_practised_falls(walk: Walk) -> None:
    assert 0.3 < upright(walk, 5.0) < 3.0
