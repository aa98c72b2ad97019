"""Starting in a world: the body stands on its ground and in nothing."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.control.clear import TOLERATED
from reenact.control.place import lift_onto, start_state
from reenact.physics.model import compile_model
from reenact.world.load import bundled_worlds, load_world


def standing() -> np.ndarray:
    body = adult()
    qpos = np.zeros(7 + len(body.axes))
    qpos[:3], qpos[3] = body.segments[0].offset, 1.0
    return qpos


def depth_and_gap(name: str) -> tuple[float, float]:
    """How deep the body stands in the world, and how much higher it could stand than needed [m]."""
    model = compile_model(adult(), load_world(name))
    qpos = standing()
    qpos[2] += lift_onto(model, qpos)
    data = mujoco.MjData(model.mj)
    data.qpos[:] = start_state(model, qpos, np.zeros(len(qpos) - 1)).qpos

    def deepest() -> float:
        mujoco.mj_fwdPosition(model.mj, data)
        mixed = [c for c in data.contact[: data.ncon] if (model.geom_segment[c.geom] >= 0).sum() == 1]
        return max((-c.dist for c in mixed), default=0.0)

    depth = deepest()
    for lower in np.linspace(0.0, 0.5, 251):
        data.qpos[2] -= 0.002
        if deepest() > TOLERATED:
            return depth, float(lower)
    return depth, np.inf


@pytest.mark.parametrize("name", bundled_worlds())
def test_a_body_starts_on_every_bundled_ground(name: str) -> None:
    depth, gap = depth_and_gap(name)
    assert depth <= TOLERATED + 1e-9
    assert gap < 0.05


def test_level_ground_needs_no_lift() -> None:
    model = compile_model(adult(), load_world("flat"))
    assert lift_onto(model, standing()) == pytest.approx(0.0, abs=0.002)


def test_a_body_in_the_air_stays_as_high_above_the_ground() -> None:
    model = compile_model(adult(), load_world("flat"))
    jumping = standing()
    jumping[2] += 0.4
    assert lift_onto(model, jumping) == pytest.approx(0.0, abs=1e-9)


def test_a_body_sunk_into_the_floor_is_lifted_out() -> None:
    model = compile_model(adult(), load_world("flat"))
    sunk = standing()
    sunk[2] -= 0.08
    assert lift_onto(model, sunk) == pytest.approx(0.08, abs=0.005)


def test_the_start_holds_pose_and_velocity_and_leaves_things_alone() -> None:
    model = compile_model(adult(), load_world("ball"))
    qpos, qvel = standing(), np.arange(len(standing()) - 1, dtype=float)
    state = start_state(model, qpos, qvel)
    np.testing.assert_array_equal(state.qpos[: len(qpos)], qpos)
    np.testing.assert_array_equal(state.qpos[len(qpos) :], model.mj.qpos0[len(qpos) :])
    np.testing.assert_array_equal(state.qvel[: len(qvel)], qvel)
    assert not state.qvel[len(qvel) :].any()
