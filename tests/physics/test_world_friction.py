"""Coulomb friction of the ground: the cone on a slope, and ice that is ice whatever stands on it."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest
from block_in_world import block, model_of, run

from reenact.world.mjcf import plane_orientation
from reenact.world.parts import Box, Ground
from reenact.world.plane import plane_normal
from reenact.world.world import World

CREEP = (
    0.015  # m over one second: friction is regularised, a held block creeps by up to a centimetre on the steepest slope
)


def slid_in(ground: Ground, seconds: float) -> float:
    """Distance [m] a block slides along the slope, from rest, after a moment to settle."""
    model = model_of(World(ground=ground))
    data = mujoco.MjData(model)
    data.qpos[:3] = 0.0999 * plane_normal(ground)
    data.qpos[3:7] = plane_orientation(ground)
    run(model, data, 0.25)
    data.qvel[:] = 0.0
    before = data.qpos[:3].copy()
    run(model, data, seconds)
    return float(np.linalg.norm(data.qpos[:3] - before))


@pytest.mark.parametrize("friction", [0.1, 0.4, 0.8])
@pytest.mark.parametrize("uphill", [0.0, 90.0, 180.0])
def test_a_block_holds_below_the_friction_angle_and_slides_above_it(friction: float, uphill: float) -> None:
    angle = math.degrees(math.atan(friction))
    held = slid_in(Ground(friction=friction, slope_deg=angle - 1.0, uphill_deg=uphill), 1.0)
    slid = slid_in(Ground(friction=friction, slope_deg=angle + 2.0, uphill_deg=uphill), 1.0)
    slope = math.radians(angle + 2.0)
    free = 0.5 * 9.81 * (math.sin(slope) - friction * math.cos(slope))  # closed form over one second
    assert held < CREEP
    assert slid == pytest.approx(free, rel=0.05)
    assert slid > 5 * held


@pytest.mark.parametrize("friction", [1.0, 0.1, 0.02])
def test_the_ground_decides_the_friction_of_a_sliding_block(friction: float) -> None:
    """The block's own geoms have MuJoCo's friction of 1; without priority, ice would be as rough."""
    model = model_of(World(ground=Ground(friction=friction)))
    assert impulse_ratio(model, 0.1) == pytest.approx(friction, rel=0.03)


def impulse_ratio(model: mujoco.MjModel, height: float) -> float:
    """Friction over normal impulse of a block that slides at 2 m/s: a fast one chatters, the impulses do not mind."""
    data = mujoco.MjData(model)
    data.qpos[2], data.qvel[0] = height, 2.0
    along = up = 0.0
    while data.qvel[0] > 0.5 and data.time < 1.0:
        mujoco.mj_step(model, data)
        along, up = along - data.qfrc_constraint[0], up + data.qfrc_constraint[2]
    return along / up


def test_a_part_can_differ_from_the_ground() -> None:
    box = Box(size=(6.0, 2.0, 0.5), friction=0.05)
    model = model_of(World(ground=Ground(friction=1.0), parts=(box,)))
    assert impulse_ratio(model, 0.6) == pytest.approx(0.05, rel=0.03)


def test_a_loose_box_waits_flush_on_the_slope() -> None:
    world = World(ground=Ground(slope_deg=20.0, uphill_deg=30.0), parts=(Box(name="crate", at=(2.0, 1.0), mass=4.0),))
    model = model_of(world, block())
    data = mujoco.MjData(model)
    crate = model.jnt_qposadr[model.joint("crate").id]
    before = data.qpos[crate : crate + 7].copy()
    run(model, data, 1.0)
    np.testing.assert_allclose(data.qpos[crate : crate + 7], before, atol=0.01)


@pytest.mark.parametrize("friction", [0.0, 1e-5, 5e-4])
def test_almost_no_friction_neither_explodes_nor_holds(friction: float) -> None:
    model = model_of(World(ground=Ground(friction=friction)))
    data = mujoco.MjData(model)
    data.qvel[0] = 1.0
    heights = run(model, data, 4.0)[:, 2]
    assert heights.min() > 0.098
    assert heights.max() < 0.101
    assert data.qvel[0] == pytest.approx(1.0, abs=0.03)
