"""Motions that end standing, practised under disturbances: what they meet, what is measured, and that it helps."""

from __future__ import annotations

import json
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from bending_motion import bending

from reenact.cli.by_states import _refuse_hopeless
from reenact.control.machine import layout as at
from reenact.control.machine.machine import Machine
from reenact.errors import InputError
from reenact.estimate.hardening import harden as practice
from reenact.estimate.hardening.arena import Trial, arena_of, usual_force
from reenact.estimate.hardening.harden import Borne, ends_standing, harden
from reenact.estimate.hardening.space import hard_space
from reenact.estimate.hardening.surroundings import LEVELS, levels_of, surroundings
from reenact.estimate.states.capture import subject_of
from reenact.estimate.states.hold import ways_to_stand
from reenact.estimate.states.incremental import first_machine, improved
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task, task_of
from reenact.estimate.walking.choose import found_so_far
from reenact.estimate.walking.search import search
from reenact.estimate.walking.work import HARDEN
from reenact.physics.state import State
from reenact.world.load import load_world
from reenact.world.parts import Ground
from reenact.world.world import World

QUICK = Settings(growth=20, rounds=1, whole_rounds=2, samples=16, reopened=(1,), beam=1)
FEW = {"GENERATIONS": 2, "ITSELF": 2, "JOLTED": 2, "PUSHED": 4, "ELSEWHERE": 1, "MEASURED": 2, "FORCES": (0.5, 30.0)}


@pytest.fixture(scope="module")
def task() -> Task:
    """Arms swing while the body stands."""
    motion = bending(0.4)
    qpos = motion.qpos.copy()
    qpos[:, 0] = qpos[0, 0]
    return task_of(replace(motion, qpos=qpos), World(), threads=1)


@pytest.fixture(scope="module")
def machine(task: Task) -> Machine:
    last = task.reference.frames - 1
    stage = improved(task, QUICK, first_machine(task, QUICK, last), last, np.random.default_rng(0), rounds=0)
    return ways_to_stand(task, stage)[0]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in FEW.items():
        monkeypatch.setattr(practice, name, value)
    monkeypatch.setattr(practice, "levels_of", lambda task: {"uphill": (1.0, 30.0), "load_left": (2.0,)})


def test_every_kind_of_surroundings_gets_harder(task: Task) -> None:
    assert set(levels_of(task)) == set(LEVELS)
    plain = task.model
    loaded = surroundings(task, "load_right", 6.5).model
    assert loaded.mass == pytest.approx(plain.mass + 6.5)
    hand = loaded.body.segment_names.index("hand_right")
    own = plain.mj.body_mass[plain.segment_body[hand]]
    assert loaded.mj.body_mass[loaded.segment_body[hand]] == pytest.approx(own + 6.5)
    weak = surroundings(task, "weaker", 0.7).model
    np.testing.assert_allclose(weak.torque_limit, 0.7 * plain.torque_limit, rtol=1e-4)
    assert surroundings(task, "slippery", 0.1).model.world.ground.friction == 0.1
    turned = {kind: surroundings(task, kind, 4.0).model.world.ground.uphill_deg for kind in LEVELS if "hill" in kind}
    assert len({round(angle) % 360 for angle in turned.values()}) == 4
    assert (turned["uphill_left"] - turned["uphill"]) % 360.0 == pytest.approx(90.0)


def test_nobody_begins_within_the_ground(task: Task) -> None:
    for kind, level in (("uphill", 4.0), ("bumps", 0.03)):
        place = surroundings(task, kind, level)
        data = mujoco.MjData(place.model.mj)
        data.qpos[:] = State.from_row(place.start, place.model).qpos
        mujoco.mj_forward(place.model.mj, data)
        assert all(contact.dist > -0.003 for contact in data.contact)


def test_only_a_bare_level_floor_is_changed() -> None:
    motion = bending(0.4)
    assert levels_of(task_of(motion, load_world("slope"), threads=1)) == {}
    ice = task_of(motion, World(ground=Ground(friction=0.15)), threads=1)
    assert levels_of(ice)["slippery"] == (0.1, 0.05), "nothing that is easier than its own"


def test_what_the_body_carries_already_stays() -> None:
    own = task_of(bending(0.4), load_world("hand_weight"), threads=1)
    for kind in ("load_left", "load_right"):
        assert surroundings(own, kind, 2.0).model.mass == pytest.approx(own.model.mass + 2.0)


def test_slippery_ground_is_slippery_under_the_feet(task: Task) -> None:
    ice = surroundings(task, "slippery", 0.05)
    data = mujoco.MjData(ice.model.mj)
    data.qpos[:] = State.from_row(ice.start, ice.model).qpos
    data.qpos[2] -= 0.005
    mujoco.mj_forward(ice.model.mj, data)
    assert data.ncon > 0
    assert all(contact.friction[0] == pytest.approx(0.05) for contact in data.contact)


def test_what_bears_is_no_fall_where_the_motion_has_it_bear(task: Task, machine: Machine) -> None:
    """A hand that touches down in the motion may do so until it last does."""
    pressed = replace(task, start=_lowered(task, 0.35))
    arena = arena_of(pressed, machine)
    assert arena.fall.after > 0


def _lowered(task: Task, by: float) -> np.ndarray:
    row = task.start.copy()
    row[3] -= by  # the root's height: more than feet are in the ground, which throws it up
    row[3] = max(row[3], 0.2)
    row[4:8] = np.cos(0.7), 0.0, np.sin(0.7), 0.0  # lying ahead
    return row


def test_more_that_is_borne_is_a_better_score_and_distance_is_not() -> None:
    levels = {"uphill": (1.0, 2.0)}
    one = Borne(upright=1.0, jolts=0.5, pushes=0.4, grounds={"uphill": 1}, cost=10.0, levels=levels)
    assert one.score == pytest.approx((0.5 + 0.4 + 0.5) / 3.0 - practice.OWN * practice.LIKENESS * 10.0)
    for better in ({"jolts": 0.6}, {"pushes": 0.5}, {"grounds": {"uphill": 2}}, {"cost": 5.0}):
        assert replace(one, **better).score > one.score


@pytest.mark.usefixtures("quick")
def test_who_falls_undisturbed_is_not_kept(task: Task, machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    limp = machine.rows()
    limp[:, at.GAINS : at.root_at(len(machine.groups))] = 1e-4
    fallen = machine.with_rows(limp)
    monkeypatch.setattr(practice._Practice, "ascended", lambda *rest: iter([fallen]))
    monkeypatch.setattr(practice, "SLACK", 100.0)
    found = harden(task, QUICK, machine, np.random.default_rng(0))
    assert found.after is None
    np.testing.assert_array_equal(found.machine.rows(), machine.rows())


def test_all_states_on_both_feet_react_alike(task: Task, machine: Machine) -> None:
    space = hard_space(task, machine)
    assert space.standing[-1] == len(machine.states) - 1
    assert ends_standing(machine)
    still, charge = space.params(np.zeros((1, space.size)))
    np.testing.assert_allclose(still[0], machine.rows().ravel(), atol=1e-12)
    assert charge[0] >= 0.0
    rng = np.random.default_rng(0)
    vector = np.zeros(space.size)
    vector[space.states.size :] = rng.standard_normal(space.size - space.states.size)
    rows = space.machine_at(vector).rows()
    first = at.reactions_at(len(machine.groups), len(machine.axes))
    assert np.abs(rows[space.standing[-1], first:]).max() > 0.1
    for state in space.standing:
        np.testing.assert_array_equal(rows[state, first:], rows[space.standing[-1], first:])
    for state in set(range(len(machine.states))) - set(space.standing):
        np.testing.assert_array_equal(rows[state], machine.rows()[state])


def test_a_machine_that_reacts_on_both_feet_is_text_like_any_other(task: Task, machine: Machine) -> None:
    space = hard_space(task, machine)
    moved = space.machine_at(np.random.default_rng(0).standard_normal(space.size) * 0.1)
    again = Machine.from_json(json.loads(json.dumps(moved.to_json())))
    np.testing.assert_allclose(again.rows(), moved.rows(), atol=2e-4)


def test_runs_meet_what_their_trials_say(task: Task, machine: Machine) -> None:
    arena = arena_of(task, machine)
    assert arena.fall.after == 0, "nothing but feet bears in this motion"
    home, loaded = arena.home, surroundings(task, "load_left", 13.0)
    hard = arena.pushed(10.0 * usual_force(task), 0.25, 0.1)
    trials = [
        Trial(place=home, start=home.start),
        Trial(place=loaded, start=loaded.start),
        Trial(place=home, start=home.start, push=hard),
        Trial(place=home, start=home.start),
    ]
    params = np.tile(machine.rows().reshape(1, -1), (len(trials), 1))
    upright, cost = arena.run(machine, params, trials)
    assert upright[0] == upright[3] == 1.0
    assert cost[0] == cost[3]
    assert upright[2] < 1.0, "felled by its own weight from the side"
    assert cost[1] != cost[0]
    assert cost[2] > cost[0]


@pytest.mark.usefixtures("quick")
def test_a_part_is_the_same_every_time_and_keeps_nothing_that_is_worse(task: Task, machine: Machine) -> None:
    once, again = (harden(task, QUICK, machine, np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(once.machine.rows(), again.machine.rows())
    assert once.before.grounds.keys() == {"uphill", "load_left"}
    assert once.before.grounds["uphill"] < 2, "nobody stands on 30° unprepared"
    assert 0.0 < once.before.pushes <= 0.5, "nobody stands three times their weight"
    if once.after is None:
        np.testing.assert_array_equal(once.machine.rows(), machine.rows())
    else:
        assert once.after.score > once.before.score - practice.SLACK


@pytest.mark.usefixtures("quick")
def test_a_search_hardens_what_ends_standing_and_goes_on_where_it_was_stopped(task: Task) -> None:
    settings = replace(QUICK, pushes=2)
    events = list(search(task, settings))
    begun = [i for i, event in enumerate(events) if event.phase == HARDEN]
    assert [events[i].number for i in begun] == [0, 1]
    assert events[-1].phase == "done"
    fractions = [event.fraction for event in events]
    assert fractions == sorted(fractions)
    rest = list(search(task, settings, events[begun[1]]))
    assert rest[-1].best is not None
    assert events[-1].best is not None
    np.testing.assert_array_equal(rest[-1].best.machine.rows(), events[-1].best.machine.rows())
    part = found_so_far(task, settings, events[begun[1]])
    assert part is not None
    np.testing.assert_array_equal(part.machine.rows(), events[begun[1]].best.machine.rows())  # type: ignore[union-attr]
    soft = list(search(task, QUICK))
    assert all(event.phase != HARDEN for event in soft)


def test_what_is_neither_a_gait_nor_ends_standing_is_refused(task: Task) -> None:
    motion = bending(0.5)
    qpos = motion.qpos.copy()
    qpos[:, 0] += np.linspace(0.0, 0.5, len(qpos))
    going = subject_of(replace(motion, qpos=qpos), World(), threads=1)
    with pytest.raises(InputError, match="in this world it does not end so; leave it out"):
        _refuse_hopeless(going)
    _refuse_hopeless(replace(going, task=task))
