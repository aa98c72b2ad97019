"""Ways to stand for who lands otherwise: they change nothing by themselves, and are taken by who lands late."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hand_made_machine import machine, model_of, state
from made_motion import made_motion
from reenact.control.machine import layout as at
from reenact.control.machine.machine import Balance, Machine
from reenact.estimate.states.otherwise import landing_otherwise
from reenact.estimate.states.task import Task, task_of
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.physics.trace import Trace
from reenact.world.world import World

LAST, LANDING = 100, 39  # frames
SPEED = 0.5 * 9.81 * LANDING / 120.0  # [m/s] upwards at the start


@pytest.fixture(scope="module")
def task() -> Task:
    """A hop in the rest pose, already off the ground at the start."""
    model, time = model_of(), np.arange(LAST + 1) / 120.0
    qpos = np.tile(model.mj.qpos0, (LAST + 1, 1))
    qpos[:, 2] += np.maximum(0.0, SPEED * time - 0.5 * 9.81 * time**2)
    return task_of(made_motion("hop", model.body, qpos, (), 120.0), World(), threads=1)


@pytest.fixture(scope="module")
def hopping() -> Machine:
    """Three states at the rest pose; the second is at work when the body lands, the last stands."""
    model = model_of()
    own = Balance(ankle=(6.0, 1.2), lean=(1.0, 0.3), nominal_place=(0.04, 0.0))
    drifting = replace(own, nominal_velocity=(0.05, 0.01))
    return machine(
        model,
        state(model, "1", seconds=0.15, then="2", balance=drifting, gain=0.2),
        state(model, "2", seconds=0.3, then="3", balance=drifting, gain=0.2),
        state(model, "3", seconds=0.4, then="stand", gain=0.2),
        state(model, "stand", balance=own, gain=0.2),
    )


def run(task: Task, made: Machine, speed: float = SPEED) -> Trace:
    start = replace(State.from_row(task.start, task.model), memory=None)
    qvel = start.qvel.copy()
    qvel[2] = speed
    return simulate(task.model, made, replace(start, qvel=qvel), steps=LAST)


def entered(trace: Trace, made: Machine, name: str) -> int:
    assert trace.final.memory is not None
    return int(trace.final.memory[at.ENTRY + made.index(name)])


def test_by_themselves_they_change_nothing(task: Task, hopping: Machine) -> None:
    wary = landing_otherwise(task, hopping, LAST, "stand")
    assert wary is not None
    assert [own.name for own in wary.states] == [own.name for own in hopping.states]
    assert {own.name: own.early and own.early[1] for own in wary.states[:-1]} == dict.fromkeys("123", "stand")
    due = wary.states[1].early_due
    assert due is not None
    assert due[0] < LANDING / 120.0 - 0.15 < due[1]
    assert wary.states[2].early_due is None
    np.testing.assert_array_equal(run(task, wary).qpos, run(task, hopping).qpos)


def test_who_lands_late_stands_at_once(task: Task, hopping: Machine) -> None:
    wary = landing_otherwise(task, hopping, LAST, "stand")
    assert wary is not None
    trace = run(task, wary, 1.3 * SPEED)
    assert LANDING + 2 < entered(trace, wary, "stand") < LANDING + 18
    assert entered(run(task, hopping, 1.3 * SPEED), hopping, "stand") == 0


def test_who_does_not_fly_is_left_as_it_is(task: Task, hopping: Machine) -> None:
    still = replace(task, start=replace(State.from_row(task.start, task.model), memory=None).row(task.model, 0))
    low = still.start.copy()
    low[1 + task.model.mj.nq + 2] = 0.0  # its velocity upwards
    assert landing_otherwise(replace(task, start=low), hopping, LAST, "stand") is None
