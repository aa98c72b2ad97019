"""Soft ground against its closed form, and a crash pad against the hard floor."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from block_in_world import block, model_of, run

from reenact.world.parts import Ground, Mat
from reenact.world.surface import SOFT_IMPEDANCE, Surface
from reenact.world.things import Rolled
from reenact.world.world import World

G = 9.81


def fall(world: World, top: float, speed: float, seconds: float = 1.0) -> tuple[float, float, mujoco.MjData]:
    """Greatest depth below `top` [m] and greatest force [N] of a 10 kg block that lands at `speed`, and how it ends."""
    model = model_of(world, timestep=0.001)
    data = mujoco.MjData(model)
    data.qpos[2], data.qvel[2] = top + 0.1, -speed
    depth = force = 0.0
    for _ in range(round(seconds / 0.001)):
        mujoco.mj_step(model, data)
        depth = max(depth, top + 0.1 - data.qpos[2])
        force = max(force, data.qfrc_constraint[2])
    return depth, force, data


@pytest.mark.parametrize("softness", [0.3, 0.6, 1.0])
def test_the_rest_depth_is_that_of_the_spring(softness: float) -> None:
    ground = Ground(softness=softness)
    model = model_of(World(ground=ground), block(half=(0.05, 0.05, 0.1)), timestep=0.001)
    data = mujoco.MjData(model)
    run(model, data, 4.0)
    expected = (1 - SOFT_IMPEDANCE) * G * Surface(softness=softness).time_constant ** 2
    assert 0.1 - data.qpos[2] == pytest.approx(expected / 4, rel=0.01), "four corners share the load"


def test_a_ball_sinks_and_swings_by_the_documented_law() -> None:
    """One contact point: rest depth (1 − d)·g·τ²ζ² and natural frequency 1 / (τζ)."""
    ratio = 0.1
    ground = Ground(softness=0.5, damping_ratio=ratio)
    tau = Surface(softness=0.5).time_constant
    ball = Rolled(name="ball", mass=2.0, origin=(1.0, 0.0), target=(3.0, 0.0), start=99.0)
    model = model_of(World(ground=ground, things=(ball,)), timestep=0.0005)
    data = mujoco.MjData(model)
    z = model.jnt_qposadr[model.joint("ball").id] + 2
    deep = (1 - SOFT_IMPEDANCE) * G * (tau * ratio) ** 2
    height = run(model, data, 1.0)[:, z]
    assert 0.11 - height[-1] == pytest.approx(deep, rel=0.01)
    lowest = np.flatnonzero((height[1:-1] < height[:-2]) & (height[1:-1] <= height[2:]))[:3]
    swing = 2 * np.pi * tau * ratio / np.sqrt(1 - ratio**2)
    assert np.diff(lowest).mean() * 0.0005 == pytest.approx(swing, rel=0.03)


@pytest.mark.parametrize(("softness", "depth"), [(0.0, 0.02), (0.5, 0.08), (0.8, 0.16), (1.0, 0.29)])
def test_landing_sinks_as_deep_as_the_page_on_worlds_says(softness: float, depth: float) -> None:
    ball = Rolled(name="ball", mass=2.0, radius=0.3, origin=(1.0, 0.0), target=(3.0, 0.0), start=99.0)
    model = model_of(World(ground=Ground(softness=softness), things=(ball,)), timestep=0.001)
    data = mujoco.MjData(model)
    joint = model.joint("ball").id
    data.qvel[model.jnt_dofadr[joint] + 2] = -3.0
    height = run(model, data, 1.0)[:, model.jnt_qposadr[joint] + 2]
    assert 0.3 - height.min() == pytest.approx(depth, rel=0.12)


def test_a_crash_pad_is_deeper_and_kinder_than_the_floor() -> None:
    hard_depth, hard_force, _ = fall(World(), 0.0, 3.0)
    pad = World(parts=(Mat(size=(2.0, 2.0, 0.4), softness=0.8),))
    soft_depth, soft_force, end = fall(pad, 0.4, 3.0)
    assert soft_depth > 3 * hard_depth
    assert soft_force < hard_force / 3
    assert abs(end.qvel[2]) < 0.05, "it must come to rest"


def test_what_sinks_through_a_thin_mat_meets_the_hard_ground() -> None:
    thin = World(parts=(Mat(size=(2.0, 2.0, 0.05), softness=1.0),))
    depth, _, end = fall(thin, 0.05, 6.0, seconds=3.0)
    assert 0.05 < depth < 0.05 + 2 * fall(World(), 0.0, 6.0)[0]
    assert end.qpos[2] > 0.09


def test_softer_is_deeper_at_every_step_of_the_scale() -> None:
    depths = [fall(World(ground=Ground(softness=s)), 0.0, 3.0)[0] for s in np.linspace(0.0, 1.0, 6)]
    assert np.all(np.diff(depths) > 0)
    assert depths[-1] < 0.45


def test_a_springy_pad_throws_back() -> None:
    def rebound(ratio: float) -> float:
        model = model_of(World(parts=(Mat(size=(2.0, 2.0, 0.5), softness=0.6, damping_ratio=ratio),)), timestep=0.001)
        data = mujoco.MjData(model)
        data.qpos[2], data.qvel[2] = 0.6, -3.0
        return max(float(v) for v in _speeds(model, data))

    assert rebound(0.2) > 1.0 > 2 * rebound(1.0)


def _speeds(model: mujoco.MjModel, data: mujoco.MjData) -> list[float]:
    speeds = []
    for _ in range(1000):
        mujoco.mj_step(model, data)
        speeds.append(data.qvel[2])
    return speeds
