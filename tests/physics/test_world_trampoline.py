"""The sprung plate: at rest level with its rim, swinging at its natural frequency, bare and loaded."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from block_in_world import block, model_of, run

from reenact.world.parts import Trampoline
from reenact.world.world import World

SPRING = Trampoline(name="trampoline", height=0.8, stiffness=4000.0, damping=4.0, mass=10.0)


def period(height: np.ndarray, timestep: float) -> float:
    """Mean time between upward crossings of the mean [s]."""
    swing = height - height.mean()
    ups = np.flatnonzero((swing[:-1] < 0) & (swing[1:] >= 0))
    exact = ups + swing[ups] / (swing[ups] - swing[ups + 1])
    return float(np.diff(exact).mean() * timestep)


def far_block() -> tuple[mujoco.MjModel, mujoco.MjData, int]:
    model = model_of(World(parts=(SPRING,)), timestep=0.001)
    data = mujoco.MjData(model)
    data.qpos[0] = 10.0
    return model, data, int(model.jnt_qposadr[model.joint("trampoline").id])


def test_the_bare_plate_rests_level_with_its_rim() -> None:
    model, data, plate = far_block()
    run(model, data, 2.0)
    assert data.qpos[plate] == pytest.approx(0.0, abs=1e-9)


def test_the_bare_plate_swings_at_the_root_of_stiffness_over_mass() -> None:
    model, data, plate = far_block()
    data.qpos[plate] = -0.1
    height = run(model, data, 5.0)[:, plate]
    assert period(height, 0.001) == pytest.approx(2 * math.pi * math.sqrt(10.0 / 4000.0), rel=0.005)


def test_a_load_lowers_the_plate_and_slows_it_down() -> None:
    model = model_of(World(parts=(SPRING,)), block(mass=70.0), timestep=0.001)
    data = mujoco.MjData(model)
    plate = int(model.jnt_qposadr[model.joint("trampoline").id])
    sag = 70.0 * 9.81 / 4000.0
    data.qpos[2], data.qpos[plate] = 0.9 - sag - 0.03, -sag - 0.03  # 3 cm below rest: stays in contact
    height = run(model, data, 8.0)[:, plate]
    assert period(height, 0.001) == pytest.approx(2 * math.pi * math.sqrt(80.0 / 4000.0), rel=0.01)
    assert height.mean() == pytest.approx(-sag, rel=0.02)


def test_a_heavy_fall_bottoms_out_on_the_ground() -> None:
    model = model_of(World(parts=(SPRING,)), block(mass=300.0), timestep=0.002)
    data = mujoco.MjData(model)
    data.qpos[2], data.qvel[2] = 0.9, -6.0
    plate = int(model.jnt_qposadr[model.joint("trampoline").id])
    lowest = run(model, data, 1.0)[:, plate].min()
    assert lowest == pytest.approx(-0.76, abs=0.07), "80 cm less the plate's own 4 cm"
