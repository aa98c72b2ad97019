from dataclasses import replace

import mujoco
import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.load import load_body
from reenact.body.mjcf import add_body, bare_model, touching_at_rest
from reenact.errors import BodyError

NAMES = ["adult", "human50", "robot35"]


def on_floor(body, actuation="none", **options):
    spec = mujoco.MjSpec()
    add_body(spec, body, actuation=actuation, **options)
    spec.worldbody.add_geom(name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("name", NAMES)
def test_nothing_penetrates_at_rest_and_the_sole_is_on_the_ground(name):
    body = load_body(name)
    model, data = on_floor(body)
    assert all(c.dist > -1e-9 for c in data.contact)
    soles = [
        mujoco.mj_geomDistance(model, data, model.geom("ground").id, g, 1.0, None)
        for g in range(model.ngeom)
        if g != model.geom("ground").id
    ]
    assert min(soles) == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_few_pairs_are_let_through_because_they_overlap_at_rest(name):
    neighbours = {("head", "clavicle_left"), ("head", "clavicle_right")}
    assert set(touching_at_rest(load_body(name))) <= neighbours


def test_people_of_the_middle_overlap_nowhere():
    assert touching_at_rest(adult("male")) == touching_at_rest(adult("female")) == ()


def test_overlapping_pairs_of_a_heavy_body_do_not_push():
    _, data = on_floor(adult("male", 1.6, 140.0))
    assert all(c.dist > -1e-9 for c in data.contact)


@pytest.mark.parametrize("name", NAMES)
def test_left_and_right_are_mirror_images_in_the_model(name):
    body = load_body(name)
    model, data = on_floor(body)
    flip = np.diag([1.0, -1.0, 1.0])
    for left, right in body.mirror:
        a, b = data.body(left), data.body(right)
        np.testing.assert_allclose(flip @ a.xpos, b.xpos, atol=1e-12)
        np.testing.assert_allclose(flip @ a.xipos, b.xipos, atol=1e-12)
        assert model.body(left).mass == model.body(right).mass
        tensors = []
        for part in (left, right):
            axes = data.body(part).ximat.reshape(3, 3)
            tensors.append(axes @ np.diag(model.body(part).inertia) @ axes.T)
        np.testing.assert_allclose(flip @ tensors[0] @ flip, tensors[1], atol=1e-12)
        for g, h in zip(body.segment(left).shapes, body.segment(right).shapes, strict=True):
            np.testing.assert_allclose(flip @ data.geom(g.name).xpos, data.geom(h.name).xpos, atol=1e-12)
            np.testing.assert_array_equal(model.geom(g.name).size, model.geom(h.name).size)


@pytest.mark.parametrize("name", NAMES)
def test_motors_are_friction_rows_with_the_torque_limit(name):
    body = load_body(name)
    model, _ = on_floor(body, "motor", torque_scale=0.5)
    assert model.nu == 0
    np.testing.assert_array_equal(model.dof_frictionloss[:6], 0)
    np.testing.assert_allclose(model.dof_frictionloss[6:], [0.5 * a.torque_limit for a in body.axes])
    np.testing.assert_allclose(model.dof_solimp[6:, :3], np.tile([0.99, 0.99, 0.001], (len(body.axes), 1)))
    np.testing.assert_array_equal(model.dof_armature, 0)


@pytest.mark.parametrize("name", NAMES)
def test_servos_stand_in_the_order_of_the_axes(name):
    body = load_body(name)
    model, _ = on_floor(body, "servo", torque_scale=2.0)
    assert [model.actuator(i).name for i in range(model.nu)] == [a.name for a in body.axes]
    np.testing.assert_array_equal(model.actuator_trnid[:, 0], np.arange(1, model.nu + 1))
    np.testing.assert_allclose(model.actuator_gainprm[:, 0], [a.stiffness for a in body.axes])
    np.testing.assert_allclose(model.actuator_biasprm[:, 1], [-a.stiffness for a in body.axes])
    np.testing.assert_allclose(model.actuator_biasprm[:, 2], [-a.damping for a in body.axes])
    np.testing.assert_allclose(model.actuator_forcerange[:, 1], [2 * a.torque_limit for a in body.axes])
    np.testing.assert_array_equal(model.dof_armature[:6], 0)
    np.testing.assert_array_equal(model.dof_armature[6:], 0.05)
    np.testing.assert_array_equal(model.dof_damping[6:], 1.0)
    assert model.dof_frictionloss.max() == 0


@pytest.mark.parametrize("name", NAMES)
def test_joint_ranges_are_radians(name):
    body = load_body(name)
    model = bare_model(body)
    np.testing.assert_allclose(model.jnt_range[1:], [a.range for a in body.axes])
    assert model.jnt_limited[1:].all()


@pytest.mark.parametrize("name", NAMES)
def test_every_shape_meets_the_world(name):
    body = load_body(name)
    model, _ = on_floor(body)
    ground = model.geom("ground").id
    for g in range(model.ngeom):
        if g != ground:
            assert model.geom_contype[ground] & model.geom_conaffinity[g]


def colliding(body, first, second, **angles):
    model, data = on_floor(body)
    data.qpos[2] += 1.0
    for axis, angle in angles.items():
        data.qpos[7 + body.axis_index(axis)] = angle
    mujoco.mj_forward(model, data)
    pairs = {frozenset(model.body(model.geom_bodyid[g]).name for g in c.geom) for c in data.contact}
    return frozenset((first, second)) in pairs


def test_legs_stop_each_other():
    assert colliding(adult(), "shank_left", "shank_right", hip_left_abduction=-0.12, hip_right_abduction=-0.12)


def test_arms_stop_at_the_trunk():
    arm = {"shoulder_left_flexion": 0.1, "shoulder_left_twist": 1.4, "elbow_left_flexion": 1.6}
    assert colliding(adult(), "forearm_left", "abdomen", **arm)


def test_hands_stop_at_the_thigh():
    assert colliding(adult(), "hand_left", "thigh_left", shoulder_left_abduction=-0.1)


def test_a_tuck_is_not_stopped_by_the_belly():
    assert not colliding(adult(), "thigh_left", "abdomen", hip_left_flexion=2.3, knee_left_flexion=2.3)


def test_a_body_goes_in_first_and_alone():
    spec = mujoco.MjSpec()
    spec.worldbody.add_body(name="ball")
    with pytest.raises(BodyError, match="body 'adult' must be added before anything else that moves"):
        add_body(spec, adult(), actuation="none")


@pytest.mark.parametrize("scale", [0.0, -1.0, float("inf")])
def test_torque_scale_must_be_positive(scale):
    with pytest.raises(BodyError, match="torque_scale is"):
        add_body(mujoco.MjSpec(), adult(), actuation="motor", torque_scale=scale)


def test_bare_model_is_made_once_per_body():
    body, other = adult(), adult()
    assert bare_model(body) is bare_model(body)
    assert bare_model(other) is not bare_model(body)


def test_segments_out_of_order_are_refused():
    body = adult()
    swapped = (*body.segments[:4], *body.segments[7:10], *body.segments[4:7], *body.segments[10:])
    assert replace(body, segments=swapped).dofs == 40  # siblings may change places
    broken = list(swapped)
    broken[6], broken[8] = broken[8], broken[6]
    with pytest.raises(BodyError, match="segment 'forearm_left' stands where 'hand_right' is expected"):
        replace(body, segments=tuple(broken))
