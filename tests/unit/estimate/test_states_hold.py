"""The end of a recording at rest: the pose to stand in, the state that stands, and the search that adds it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from bending_motion import bending

from reenact.control.machine.machine import Balance
from reenact.estimate.states.hold import NAME, braced, standing, ways_to_stand, withstood
from reenact.estimate.states.incremental import Stage, first_machine, improved
from reenact.estimate.states.refine import perform
from reenact.estimate.states.rest import over_feet, rest_of
from reenact.estimate.states.search import Progress, search, weighed
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import Task, task_of
from reenact.world.load import load_world
from reenact.world.parts import Ground
from reenact.world.world import World

QUICK = Settings(growth=20, rounds=1, whole_rounds=2, samples=16, reopened=(1,), beam=1, walk=False)


@pytest.fixture(scope="module")
def task() -> Task:
    """Arms swing while the body stands; it ends at rest, a heel off the ground and toes up."""
    motion = bending(0.4)
    qpos = motion.qpos.copy()
    qpos[:, 0] = qpos[0, 0]
    for name, angle in (("ankle_left_flexion", -0.1), ("toe_right_flexion", -0.2), ("knee_right_flexion", 0.3)):
        qpos[:, 7 + motion.body.axis_index(name)] = angle
    return task_of(replace(motion, qpos=qpos), World(), threads=1)


@pytest.fixture(scope="module")
def stage(task: Task) -> Stage:
    last = task.reference.frames - 1
    return improved(task, QUICK, first_machine(task, QUICK, last), last, np.random.default_rng(0), rounds=0)


def test_one_rests_with_flat_feet_and_weight_on_both(task: Task) -> None:
    rest = rest_of(task)
    assert rest is not None
    place, apart = over_feet(task, rest.qpos)
    assert rest.place == pytest.approx(tuple(place))
    assert 0.0 < place[0] < 0.08
    assert abs(place[1]) <= 0.11 * apart
    names = [axis.name for axis in task.model.body.axes]
    assert abs(rest.qpos[7 + names.index("toe_right_flexion")]) < 0.01
    assert np.abs(rest.qpos[7:] - task.reference.qpos[-1, 7:]).max() < 0.5
    elbow = 7 + names.index("elbow_left_flexion")
    assert rest.qpos[elbow] == pytest.approx(task.reference.qpos[-1, elbow], abs=0.05)


def test_who_moves_or_stands_on_a_slope_does_not_rest(task: Task) -> None:
    motion = bending(0.4)
    qpos = motion.qpos.copy()
    qpos[:, 0] += np.linspace(0.0, 0.4, len(qpos))
    assert rest_of(task_of(replace(motion, qpos=qpos), World(), threads=1)) is None
    assert rest_of(task_of(motion, World(ground=Ground(slope_deg=5.0)), threads=1)) is None


def test_what_is_carried_is_leant_against() -> None:
    motion = bending(0.4)
    motion = replace(motion, qpos=np.repeat(motion.qpos[:1], motion.frames, axis=0))
    free, loaded = (task_of(motion, load_world(name), threads=1) for name in ("flat", "hand_weight"))
    qpos = rest_of(free).qpos  # type: ignore[union-attr]
    assert over_feet(loaded, qpos)[0][1] < over_feet(free, qpos)[0][1] - 0.02, "13 kg in the right hand"
    rest = rest_of(loaded)
    assert rest is not None
    place, apart = over_feet(loaded, rest.qpos)
    assert abs(place[1]) <= 0.11 * apart
    assert over_feet(free, rest.qpos)[0][1] > over_feet(free, qpos)[0][1] + 0.005, "the body itself is to the left"


def test_a_body_without_landmarks_at_its_feet_is_left_as_it_is(task: Task) -> None:
    bare = replace(task.model, body=replace(task.model.body, landmarks={}))
    assert rest_of(replace(task, model=bare)) is None


def test_up_to_the_end_a_standing_machine_does_as_it_did(task: Task, stage: Stage) -> None:
    machine, others = ways_to_stand(task, stage)
    best = weighed(task, QUICK, machine, stage.last)
    assert best.joints == stage.joints
    assert best.machine.states[-1].name == NAME
    assert best.machine.states[-1].then is None
    assert best.machine.states[-2].then == NAME
    assert len(others) == 1
    assert others[0].machine.states[0].balance.ankle != (0.0, 0.0)


def test_feedback_on_the_way_is_around_the_recording(task: Task, stage: Stage) -> None:
    rest = rest_of(task)
    assert rest is not None
    seen = perform(task, stage.machine, stage.last)
    machine = standing(task, stage.machine, seen, rest, stage.last)
    assert machine.states[0].balance == Balance()
    own = braced(task, machine, seen, stage.last, 0).states[0].balance
    assert own.nominal_place == pytest.approx(tuple(over_feet(task, task.reference.qpos[24])[0]), abs=0.01)
    assert braced(task, machine, seen, stage.last, 1).states[0].balance == Balance()


def test_who_stands_withstands_more(task: Task, stage: Stage) -> None:
    machine, _ = ways_to_stand(task, stage)
    assert withstood(task, replace(stage, machine=machine)) > withstood(task, stage)


def test_a_search_ends_with_standing_and_goes_on_to_the_same_bits(task: Task, stage: Stage) -> None:
    begin = Progress(phase="hold", number=0, best=stage, fraction=0.9)
    events = list(search(task, QUICK, begin))
    assert events[-1].phase == "done"
    assert events[-1].fraction == 1.0
    assert events[-1].best is not None
    assert events[-1].best.machine.states[-1].name == NAME
    for event in events[:-1]:
        again = list(search(task, QUICK, event))[-1]
        assert again.best is not None
        np.testing.assert_array_equal(again.best.machine.rows(), events[-1].best.machine.rows())
