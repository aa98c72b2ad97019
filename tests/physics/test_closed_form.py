"""The simulation against mechanics on paper: pendulum, fall, flight, weight, energy."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.body import Axis, Body, Segment, Shape
from reenact.control.ragdoll import Ragdoll
from reenact.geometry.rotation import IDENTITY
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, STRENGTH, Program, control
from reenact.physics.model import Model, compile_model
from reenact.physics.simulate import simulate
from reenact.physics.state import State
from reenact.physics.trace import Trace
from reenact.world.world import World

G = 9.81


@control
def _kick(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    hinges = int(sense[part.HINGES])
    for i in range(hinges):
        target[ANGLE * hinges + i] = table[0] * math.sin(5.0 * sense[part.TIME] + i)
        target[RATE * hinges + i] = 0.0
        target[GAIN * hinges + i] = table[1]
        target[STRENGTH * hinges + i] = 1.0


@dataclass(frozen=True)
class Kick:
    """Every joint swings by `swing` [rad]; zero holds the rest pose."""

    swing: float
    gain: float = 0.1

    def compile(self, model: Model) -> Program:
        return Program(function=_kick, table=np.array([self.swing, self.gain]))

    def to_json(self) -> dict[str, Any]:
        return {"kind": "kick"}


def adult_at(height: float, *, timestep: float, actuation: str = "motor") -> tuple[Model, State]:
    model = compile_model(adult(), World(), actuation=actuation, timestep=timestep)  # type: ignore[arg-type]
    qpos = model.mj.qpos0.copy()
    qpos[2] += height
    return model, State(qpos=qpos, qvel=np.zeros(model.mj.nv))


def flight(timestep: float) -> Trace:
    """A spinning leap with all joints at work."""
    model, start = adult_at(3.0, timestep=timestep)
    qvel = start.qvel.copy()
    qvel[:6] = 1.5, 0.3, 2.0, 1.0, 2.0, 0.5
    trace = simulate(model, Kick(0.4), replace(start, qvel=qvel), seconds=0.5)
    assert not len(trace.contacts.own[~trace.contacts.own])
    assert np.abs(trace.joint_torque).max() > 20.0
    return trace


def pendulum_body(mass: float, length: float, radius: float) -> Body:
    """A ball on a massless rod that hangs from a block too heavy to be moved by it."""
    ball = Shape(
        name="ball", kind="sphere", position=np.array([0, 0, -length]), orientation=IDENTITY, size=np.array([radius])
    )
    block = Shape(name="block", kind="box", position=np.zeros(3), orientation=IDENTITY, size=np.array([0.2, 0.2, 0.2]))
    hinge = Axis(
        name="swing", direction=np.array([0.0, 1, 0]), range=(-3.0, 3.0), torque_limit=1.0, stiffness=1.0, damping=0.1
    )
    root = Segment(
        name="block", parent=None, joint="root", offset=np.array([0, 0, 0.2]), mass=1e6, com=np.zeros(3),
        inertia=np.full(3, 1e5), inertia_orientation=IDENTITY, axes=(), shapes=(block,), part="trunk",
    )  # fmt: skip
    bob = Segment(
        name="bob", parent="block", joint="pivot", offset=np.array([0, 0.5, 2.0]), mass=mass,
        com=np.array([0, 0, -length]), inertia=np.full(3, 0.4 * mass * radius**2), inertia_orientation=IDENTITY,
        axes=(hinge,), shapes=(ball,), part="limb",
    )  # fmt: skip
    return Body(
        name="pendulum", segments=(root, bob), stature=2.2 - length + radius, mirror=(), landmarks={}, end_effectors=()
    )


@pytest.mark.parametrize("amplitude", [0.05, 1.2])
def test_pendulum_period(amplitude: float) -> None:
    """T = 4 K(sin²(θ₀/2)) √(I / m g l), by the arithmetic–geometric mean."""
    mass, length, radius = 2.0, 0.7, 0.05
    model = compile_model(pendulum_body(mass, length, radius), World(), actuation="none", timestep=1e-3)
    qpos = model.mj.qpos0.copy()
    qpos[7] = amplitude
    trace = simulate(model, Ragdoll(), State(qpos=qpos, qvel=np.zeros(model.mj.nv)), seconds=6.0)
    angle = trace.qpos[:, 7]
    down = np.flatnonzero((angle[:-1] > 0) & (angle[1:] <= 0))
    crossing = trace.time[down] + model.timestep * angle[down] / (angle[down] - angle[down + 1])
    inertia = 0.4 * mass * radius**2 + mass * length**2
    a, b = 1.0, math.cos(amplitude / 2)
    for _ in range(10):
        a, b = (a + b) / 2, math.sqrt(a * b)
    period = 2 * math.pi * math.sqrt(inertia / (mass * G * length)) / a
    assert np.diff(crossing).mean() == pytest.approx(period, rel=1e-3)


def test_free_fall_of_a_limp_body() -> None:
    model, start = adult_at(4.0, timestep=1 / 120, actuation="none")
    trace = simulate(model, Ragdoll(), start, seconds=0.7)
    t = trace.time
    expected = trace.com[0, 2] - 0.5 * G * t * (t + model.timestep)  # exact for steps that use the new velocity
    np.testing.assert_allclose(trace.com[:, 2], expected, atol=1e-9)
    np.testing.assert_allclose(trace.qvel[:, 2], -G * t, atol=1e-9)
    np.testing.assert_allclose(trace.energy, trace.energy[0], rtol=1e-2)


def test_limp_motors_exert_nothing() -> None:
    model, start = adult_at(0.0, timestep=1 / 120)
    bare, _ = adult_at(0.0, timestep=1 / 120, actuation="none")
    limp = simulate(model, Ragdoll(), start, seconds=0.5)
    unactuated = simulate(bare, Ragdoll(), start, seconds=0.5)
    np.testing.assert_array_equal(limp.joint_torque, 0.0)
    np.testing.assert_allclose(limp.qpos, unactuated.qpos, atol=1e-7)


def test_the_centre_of_mass_flies_a_parabola_whatever_the_joints_do() -> None:
    errors = []
    for timestep in (1 / 500, 1 / 2000):
        trace = flight(timestep)
        t = trace.time[:, None]
        path = trace.com[0] + trace.mechanics.com_velocity[0] * t + 0.5 * np.array([0, 0, -G]) * t**2
        errors.append(np.linalg.norm(trace.com - path, axis=1).max())
    assert errors[1] < 0.005
    assert errors[1] < 0.4 * errors[0]  # what is left is the integrator's, and goes with the step


def test_angular_momentum_in_flight_is_kept_whatever_the_joints_do() -> None:
    errors = []
    for timestep in (1 / 500, 1 / 2000):
        momentum = flight(timestep).angular_momentum
        errors.append(np.linalg.norm(momentum - momentum[0], axis=1).max() / np.linalg.norm(momentum[0]))
    assert errors[1] < 0.02
    assert errors[1] < 0.4 * errors[0]


@pytest.mark.parametrize("actuation", ["motor", "servo"])
def test_standing_weight_is_carried_by_the_ground(actuation: str) -> None:
    model, start = adult_at(0.0, timestep=1 / 120, actuation=actuation)
    trace = simulate(model, Kick(0.0, 0.2 if actuation == "motor" else 1.0), start, seconds=1.5)
    force = trace.ground_force[60:].mean(axis=0)
    assert force[2] == pytest.approx(model.mass * G, rel=0.01)
    assert np.abs(force[:2]).max() < 0.02 * model.mass * G
    feet = [i for i, s in enumerate(model.body.segments) if s.part == "foot"]
    load = trace.contacts.load(trace.steps, len(model.segment_body))[60:]
    assert load[:, feet].sum() == pytest.approx(load.sum())


def test_pressure_acts_where_moments_vanish() -> None:
    """On level ground the centre of pressure is the zero-moment point; measured here from forces and from momenta."""
    model, start = adult_at(0.0, timestep=1 / 500)
    trace = simulate(model, Kick(0.1), start, seconds=0.4)
    both = np.isfinite(trace.zmp[:, 0]) & np.isfinite(trace.cop[:, 0])
    assert both.sum() > 100
    np.testing.assert_allclose(trace.zmp[both], trace.cop[both], atol=0.01)


@pytest.mark.parametrize("actuation", ["motor", "servo"])
def test_energy_gained_is_the_work_of_torques_and_contacts(actuation: str) -> None:
    shares = []
    for timestep in (1 / 480, 1 / 1920):
        model, start = adult_at(0.05, timestep=timestep, actuation=actuation)
        trace = simulate(model, Kick(0.4, 0.1 if actuation == "motor" else 1.0), start, seconds=0.8)
        m = trace.mechanics
        powers = (m.torque_power, m.contact_power, m.stop_power, m.damping_power)
        work = sum(float(np.abs(p).sum()) for p in powers) * timestep
        shares.append(float(np.abs(np.cumsum(m.imbalance(timestep))).max()) / work)
        assert np.abs(m.torque_power).sum() * timestep > 50.0
        assert m.contact_power.sum() < 0.0
    assert shares[1] < 0.01
    assert shares[1] < 0.5 * shares[0]
