"""Motors remove the share they are told within their strength; servos are springs and dampers with feed-forward."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from waving_adult import Wave, adult_model, standing

from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, STRENGTH, Program, control, share_per_step
from reenact.physics.model import Model
from reenact.physics.simulate import simulate


@control
def _aim(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    hinges = int(sense[part.HINGES])
    for i in range(hinges):
        target[ANGLE * hinges + i] = table[4 + i]
        target[RATE * hinges + i] = table[0] * table[4 + hinges + i]
        target[GAIN * hinges + i] = table[1]
        target[STRENGTH * hinges + i] = table[2]


@dataclass(frozen=True)
class Aim:
    """Constant targets: every angle, and a velocity for one axis."""

    gain: float
    angle: float = 0.0
    rate: float = 0.0
    axis: str = "elbow_left_flexion"
    strength: float = 1.0

    def compile(self, model: Model) -> Program:
        chosen = np.array([float(axis.name == self.axis) for axis in model.body.axes])
        table = np.concatenate([[self.rate, self.gain, self.strength, 0.0], self.angle * chosen, chosen])
        return Program(function=_aim, table=table)

    def to_json(self) -> dict[str, Any]:
        return {"kind": "aim"}


@pytest.mark.parametrize("timestep", [1 / 120, 1 / 480])
def test_alpha_is_the_share_removed_per_120th_of_a_second(timestep: float) -> None:
    """[V12] Eq. 5: after k steps of 1/120 s a difference has shrunk to (1 − α)^k, whatever the simulation's step."""
    model = adult_model(timestep=timestep)
    elbow = model.hinge_qpos[model.body.axis_index("elbow_left_flexion")]
    trace = simulate(model, Aim(0.2, angle=0.5), standing(model, lift=5.0), seconds=0.1)
    moving = round(1 / 60 / timestep)  # by then the arm has been set in motion
    left = 1.0 - trace.qpos[moving:, elbow] / 0.5
    np.testing.assert_allclose(left[1:] / left[:-1], 0.8 ** (120.0 * timestep), atol=0.01)


def test_a_direct_velocity_is_reached() -> None:
    model = adult_model()
    trace = simulate(model, Aim(0.0, rate=2.0), standing(model, lift=5.0), seconds=0.2)
    elbow = model.hinge_dof[model.body.axis_index("elbow_left_flexion")]
    np.testing.assert_allclose(trace.qvel[3:, elbow], 2.0, rtol=0.02)
    others = np.delete(trace.qvel[3:, model.hinge_dof], model.body.axis_index("elbow_left_flexion"), axis=1)
    assert np.abs(others).max() < 0.1


@pytest.mark.parametrize("strength", [1.0, 0.25])
def test_motors_stay_within_their_strength(strength: float) -> None:
    model = adult_model(torque_scale=0.02)
    trace = simulate(model, Wave(gain=0.5, swing=1.0, strength=strength), standing(model), steps=60)
    used = np.abs(trace.joint_torque[:, model.hinge_dof]) / (strength * model.torque_limit)
    assert used.max() <= 1.0 + 1e-9
    assert used.max() > 0.999  # some motor is at its bound
    assert not trace.joint_torque[:, :6].any()


def test_servo_torque_is_the_law_on_paper() -> None:
    model = adult_model("servo")
    for gain in (1.0, 2.5):
        trace = simulate(model, Wave(gain=gain), standing(model, speed=0.3), steps=40, record_senses=True)
        assert trace.targets is not None
        q, v = trace.qpos[:-1, model.hinge_qpos], trace.qvel[:-1, model.hinge_dof]
        wanted, rate = trace.targets[:, ANGLE], trace.targets[:, RATE]
        law = gain * model.servo_kp * (wanted - q) + model.servo_kd * (rate - v)
        law = np.clip(law, -model.torque_limit, model.torque_limit)
        np.testing.assert_allclose(trace.joint_torque[:, model.hinge_dof], law, atol=1e-6)


def test_joint_stops_push_back_towards_the_middle() -> None:
    model = adult_model("none")
    knee = model.body.axis_index("knee_left_flexion")
    for side, sign in ((0, 1.0), (1, -1.0)):
        start = standing(model, lift=5.0)
        qpos = start.qpos.copy()
        qpos[model.hinge_qpos[knee]] = model.body.axes[knee].range[side] - sign * 0.05
        trace = simulate(model, Aim(0.0), replace(start, qpos=qpos), steps=3)
        assert sign * trace.stop_torque[0, model.hinge_dof[knee]] > 1.0
        assert np.count_nonzero(np.abs(trace.stop_torque[0]) > 1.0) >= 1


def test_the_share_is_the_same_per_second_at_any_step() -> None:
    for alpha in (0.05, 0.2, 1.0):
        one = share_per_step(alpha, 1 / 120)
        four = share_per_step(alpha, 1 / 480)
        assert one == alpha
        assert 1 - (1 - four) ** 4 == pytest.approx(alpha)
