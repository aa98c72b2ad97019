"""Contact forces in a trace are the engine's, on the right segment, with the right sign."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from waving_adult import Wave, adult_model, standing

from reenact.physics import sense
from reenact.physics.contact_forces import Contacts
from reenact.physics.simulate import simulate


def test_forces_equal_the_engines_own_sum_per_body() -> None:
    model = adult_model("servo")
    trace = simulate(model, Wave(gain=1.0), standing(model, speed=0.5), steps=80)
    data = mujoco.MjData(model.mj)
    by_segment = trace.contacts.by_segment(trace.steps, len(model.segment_body))
    seen = 0
    for k in range(0, 80, 7):
        data.qpos[:], data.qvel[:], data.ctrl[:] = trace.qpos[k], trace.qvel[k], trace.ctrl[k]
        data.qacc_warmstart[:] = trace.warmstart[k]
        mujoco.mj_forward(model.mj, data)
        mujoco.mj_rnePostConstraint(model.mj, data)
        expected = data.cfrc_ext[model.segment_body, 3:]  # contact forces only: nothing else is applied
        np.testing.assert_allclose(by_segment[k], expected, atol=1e-6 * 800)
        seen += int(np.abs(expected).max() > 100.0)
    assert seen > 3


def test_normals_point_into_the_body_and_friction_stays_in_the_cone() -> None:
    model = adult_model()
    trace = simulate(model, Wave(), standing(model, speed=0.5), steps=80)
    contacts = trace.contacts
    normal = np.sum(contacts.force * contacts.normal, axis=-1)
    ground = contacts.other == model.mj.geom("ground").id
    assert ground.any()
    np.testing.assert_allclose(contacts.normal[ground], np.tile([0.0, 0.0, 1.0], (ground.sum(), 1)), atol=1e-9)
    assert (normal >= -1e-9).all()
    friction = model.mj.geom_friction[model.mj.geom("ground").id, 0]
    tangent = np.linalg.norm(contacts.force[ground] - normal[ground, None] * contacts.normal[ground], axis=-1)
    assert (tangent <= np.sqrt(2.0) * friction * normal[ground] + 1e-6).all()


def test_senses_carry_what_the_trace_records() -> None:
    model = adult_model()
    trace = simulate(model, Wave(), standing(model, speed=0.5), steps=60, record_senses=True)
    assert trace.senses is not None
    felt = sense.named(trace.senses)
    np.testing.assert_allclose(felt["com"], trace.com[:-1], atol=1e-12)
    np.testing.assert_allclose(felt["com_velocity"], trace.mechanics.com_velocity[:-1], atol=1e-12)
    np.testing.assert_allclose(felt["loads"][1:], trace.contacts.load(60, len(model.segment_body))[:-1], atol=1e-9)
    carried = np.isfinite(trace.cop[:-1, 0])
    np.testing.assert_allclose(felt["cop"][1:][carried], trace.cop[:-1][carried], atol=1e-9)
    np.testing.assert_allclose(felt["angles"], trace.qpos[:-1, model.hinge_qpos])
    np.testing.assert_allclose(felt["rates"], trace.qvel[:-1, model.hinge_dof])
    assert felt["heading"][0] == pytest.approx(0.0)
    assert felt["support"][0] == 0.0
    assert felt["support"][-1] > 0.0


def test_pressure_is_weighted_by_upward_force() -> None:
    contacts = Contacts(
        step=np.array([0, 0, 1, 2], np.int32),
        segment=np.array([0, 1, 0, 0], np.int16),
        other=np.zeros(4, np.int32),
        own=np.array([False, False, True, False]),
        point=np.array([[0.0, 0, 0], [1.0, 0, 0], [5.0, 0, 0], [2.0, 1.0, 0]]),
        normal=np.tile([0.0, 0, 1.0], (4, 1)),
        force=np.array([[0.0, 0, 100], [0.0, 0, 300], [0.0, 0, 50], [0.0, 0, 10]]),
    )
    cop = contacts.cop(4)
    np.testing.assert_allclose(cop[0], [0.75, 0, 0])
    assert np.isnan(cop[1]).all()  # a hand on a knee carries nothing
    np.testing.assert_allclose(cop[2], [2.0, 1.0, 0])
    assert np.isnan(cop[3]).all()
    np.testing.assert_allclose(contacts.total(4)[:, 2], [400, 0, 10, 0])
