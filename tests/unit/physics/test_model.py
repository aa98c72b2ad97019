"""Models: maps, engine settings, and the MJCF text of a take."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from waving_adult import adult_model

from reenact.body.adult import adult
from reenact.errors import InputError
from reenact.physics.model import compile_model
from reenact.world.attachments import Ski
from reenact.world.world import World


@pytest.mark.parametrize("actuation", ["motor", "servo", "none"])
def test_maps_follow_the_body(actuation: str) -> None:
    model = adult_model(actuation)
    names = [model.mj.joint(model.mj.dof_jntid[d]).name for d in model.hinge_dof]
    assert names == [axis.name for axis in model.body.axes]
    assert [model.mj.body(b).name for b in model.segment_body] == list(model.body.segment_names)
    assert model.mass == pytest.approx(model.body.mass, rel=1e-5)
    ground = model.mj.geom("ground").id
    assert model.geom_segment[ground] == -1
    assert (np.delete(model.geom_segment, ground) >= 0).all()
    limits = [axis.torque_limit for axis in model.body.axes]
    if actuation != "none":
        np.testing.assert_allclose(model.torque_limit, limits, rtol=1e-5)


def test_the_text_of_a_take_is_the_model_that_was_simulated() -> None:
    for actuation in ("motor", "servo"):
        model = adult_model(actuation)
        again = mujoco.MjModel.from_xml_string(model.audit_xml())
        assert again.opt.timestep == model.timestep == 1.0 / 120.0
        for field in ("body_mass", "body_inertia", "body_ipos", "body_iquat", "body_pos", "jnt_range", "geom_size"):
            np.testing.assert_array_equal(getattr(again, field), getattr(model.mj, field))
        assert not again.dof_frictionloss.any()
        assert again.nu == model.mj.nu


def test_motors_need_their_rows_unshared() -> None:
    model = adult_model()
    assert model.mj.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    assert (model.mj.dof_frictionloss[model.hinge_dof] > 0).all()
    assert not model.mj.dof_frictionloss[:6].any()


def test_torque_scale_scales_every_limit() -> None:
    full, half = adult_model(), adult_model(torque_scale=0.5)
    np.testing.assert_allclose(half.torque_limit, 0.5 * full.torque_limit, rtol=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"actuation": "magnets"}, "expected 'motor', 'servo' or 'none'"),
        ({"timestep": 0.5}, "expected between"),
        ({"timestep": float("nan")}, "expected between"),
        ({"torque_scale": 0.0}, "torque scale"),
    ],
)
def test_bad_settings_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        compile_model(adult(), World(), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("friction", "tolerance"), [(1.0, 1e-12), (0.02, 1e-12), (0.0005, 0.0)])
def test_where_it_is_slippery_the_solver_goes_on_for_as_long_as_it_can(friction: float, tolerance: float) -> None:
    worn = Ski(name="ski_left", segment="foot_left", friction=friction)
    assert World(attachments=(worn,)).least_friction == friction
    assert compile_model(adult(), World(attachments=(worn,))).mj.opt.tolerance == tolerance
