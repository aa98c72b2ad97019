"""Torques against their bounds."""

from __future__ import annotations

import numpy as np
import pytest
from waving_adult import Wave, adult_model, standing

from hand_made_machine import machine, marching, model_of, start_of
from reenact.control.machine.machine import RootBy
from reenact.errors import InputError
from reenact.physics.effort import effort_of, efforts, rule_bounds
from reenact.physics.rollout import rollout_batch
from reenact.physics.simulate import simulate


def test_effort_is_the_mean_square_of_torque_over_bound() -> None:
    torque, limit = np.array([[1.0, -4.0], [2.0, 0.0]]), np.array([2.0, 4.0])
    np.testing.assert_allclose(efforts(torque, limit), [[0.25, 1.0], [1.0, 0.0]])
    with pytest.raises(InputError, match="bounds"):
        efforts(torque, limit[:1])
    with pytest.raises(InputError, match="no step"):
        efforts(torque[:0], limit)


def test_effort_of_a_run_lies_between_rest_and_all() -> None:
    model = model_of()
    trace = simulate(model, machine(model), start_of(model, speed=0.0), steps=20)
    found = effort_of(trace)
    total = sum(
        (trace.joint_torque[k, model.hinge_dof[i]] / axis.torque_limit) ** 2
        for k in range(20)
        for i, axis in enumerate(model.body.axes)
    )
    assert found == pytest.approx(total / (20 * model.hinges), rel=1e-4)  # a model knows six digits
    assert 0.0 < found < 0.1


@pytest.mark.parametrize("root_by", ["standing hip", "swing thigh"])
def test_candidates_of_a_batch_tell_the_same_effort(root_by: RootBy) -> None:
    model = model_of()
    own, start = marching(model, root_by=root_by), start_of(model)
    told = rollout_batch(model, own.compile(model), start, 12, efforts=True).efforts
    trace = simulate(model, own, start, steps=12)
    expected = efforts(trace.joint_torque[:, model.hinge_dof], model.torque_limit).sum(axis=0)
    assert told is not None
    np.testing.assert_allclose(told, expected[None], rtol=1e-9, atol=1e-15)
    assert rollout_batch(model, own.compile(model), start, 1).efforts is None


def test_servos_tell_their_effort_too() -> None:
    model = adult_model("servo")
    control, start = Wave(), standing(model, speed=0.3)
    told = rollout_batch(model, control.compile(model), start, 12, efforts=True).efforts
    trace = simulate(model, control, start, steps=12)
    expected = efforts(trace.joint_torque[:, model.hinge_dof], model.torque_limit).sum(axis=0)
    assert told is not None
    np.testing.assert_allclose(told, expected[None], rtol=1e-9, atol=1e-15)


def test_the_rules_bounds_are_an_adults_own_and_stay_when_it_is_weaker() -> None:
    model = adult_model(torque_scale=0.5)
    np.testing.assert_allclose(rule_bounds(model.body), 2.0 * model.torque_limit, rtol=1e-5)
