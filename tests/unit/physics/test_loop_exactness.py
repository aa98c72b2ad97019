"""The native loop gives the same bits as a plain Python loop, on any number of threads, and after a resume."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from waving_adult import Wave, adult_model, standing

from reenact.physics.plain import simulate_plainly
from reenact.physics.prepare import Wrenches, wrenches_of
from reenact.physics.rollout import rollout_batch
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.world.pushes import Push

STEPS = 150


@pytest.mark.parametrize(
    ("actuation", "controller", "options"),
    [
        ("motor", Wave(), {}),
        ("motor", Wave(strength=0.3), {}),
        ("motor", Wave(), {"timestep": 1 / 480}),
        ("servo", Wave(gain=1.0), {}),
        ("servo", Wave(gain=1.5), {}),
    ],
)
def test_same_bits_as_a_plain_python_loop(actuation: str, controller: Wave, options: dict[str, float]) -> None:
    model = adult_model(actuation, **options)
    start = standing(model, lift=0.02, speed=0.8)
    trace = simulate(model, controller, start, steps=STEPS)
    qpos, qvel = simulate_plainly(model, controller, start, STEPS)
    assert trace.status == "ok"
    assert len(trace.contacts.step) > 0
    np.testing.assert_array_equal(trace.qpos, qpos)
    np.testing.assert_array_equal(trace.qvel, qvel)


def test_pushes_reach_the_body_as_in_a_plain_loop() -> None:
    model = adult_model()
    world = replace(
        model.world, pushes=(Push(segment="thorax", newtons=300.0, origin="left", start=0.1, duration=0.2),)
    )
    model = replace(model, world=world, spare=[])
    external = wrenches_of(model, 60)
    assert external is not None
    start = standing(model)
    trace = simulate(model, Wave(), start, steps=60, external=external)
    qpos, _ = simulate_plainly(model, Wave(), start, 60, external=external)
    np.testing.assert_array_equal(trace.qpos, qpos)
    unpushed = simulate(model, Wave(), start, steps=60)
    assert np.abs(trace.qpos - unpushed.qpos)[-1].max() > 0.01
    assert trace.external is not None
    assert trace.external[11].any() == False  # noqa: E712
    np.testing.assert_allclose(trace.external[12:36, model.mj.body("thorax").id, 1], -300.0)


def test_same_bits_on_any_number_of_threads() -> None:
    model = adult_model()
    rng = np.random.default_rng(3)
    program = Wave().compile(model)
    swings = rng.uniform(0.0, 0.6, (53, 1))
    runs = [
        rollout_batch(model, program, standing(model), 40, params=swings, threads=threads, every=8, points=True)
        for threads in (1, 2, 7)
    ]
    for run in runs[1:]:
        np.testing.assert_array_equal(run.final, runs[0].final)
        np.testing.assert_array_equal(run.qpos, runs[0].qpos)
        np.testing.assert_array_equal(run.points, runs[0].points)
        np.testing.assert_array_equal(run.code, runs[0].code)
    for i in (0, 20, 52):
        alone = simulate(model, Wave(swing=float(swings[i, 0])), standing(model), steps=40)
        np.testing.assert_array_equal(runs[0].qpos[i], alone.qpos[::8])
        np.testing.assert_array_equal(State.from_row(runs[0].final[i], model).qvel, alone.qvel[-1])


def test_a_run_cut_in_two_gives_the_same_bits() -> None:
    model = adult_model()
    start = standing(model, lift=0.02, speed=0.8)
    whole = simulate(model, Wave(), start, steps=100)
    first = simulate(model, Wave(), start, steps=43)
    second = simulate(model, Wave(), first.final, steps=57)
    np.testing.assert_array_equal(np.concatenate([first.qpos, second.qpos[1:]]), whole.qpos)
    np.testing.assert_array_equal(second.time[-1], whole.time[-1])
    np.testing.assert_array_equal(second.joint_torque, whole.joint_torque[43:])


def test_final_rows_serve_as_starts() -> None:
    model = adult_model()
    program = Wave().compile(model)
    swings = np.array([[0.1], [0.5]])
    first = rollout_batch(model, program, standing(model), 30, params=swings)
    second = rollout_batch(model, program, first.final, 30, params=swings, start_of=np.array([0, 1]))
    whole = rollout_batch(model, program, standing(model), 60, params=swings)
    np.testing.assert_array_equal(second.final, whole.final)


def test_overlapping_wrenches_add_up() -> None:
    span = np.array([[0, 4], [2, 6]])
    plan = Wrenches(span=span, bodies=np.array([3, 3]), wrench=np.array([[1.0] * 6, [2.0] * 6]))
    np.testing.assert_array_equal(plan.dense(1, 5, 5)[:, 3, 0], [1.0, 3.0, 3.0, 2.0, 2.0])
