"""Torques against their bounds."""

from __future__ import annotations

import numpy as np
import pytest

from hand_made_machine import machine, model_of, start_of
from reenact.errors import InputError
from reenact.physics.effort import effort_of, efforts
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
