"""Laws that hold for every adult and every pose."""

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from reenact.body.adult import adult
from reenact.body.load import load_body
from reenact.body.mirror import mirror_pose
from reenact.body.mjcf import bare_model
from reenact.body.rest import sole_height
from reenact.body.scale import scale_segments, segment_lengths
from reenact.body.toml import dump_body, parse_body
from reenact.errors import BodyError, InputError

people = st.tuples(st.sampled_from(["male", "female"]), st.floats(1.3, 2.2), st.floats(35.0, 180.0))


@settings(max_examples=40)
@given(people)
def test_every_adult_has_its_mass_and_stature(person):
    sex, height, mass = person
    body = adult(sex, height, mass)
    model = bare_model(body)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    segment, point = body.landmarks["vertex"]
    assert model.nv == 40
    assert model.body_subtreemass[1] == pytest.approx(mass, rel=1e-12)
    assert (data.body(segment).xpos + point)[2] == pytest.approx(height, rel=1e-12)
    assert sole_height(body.segments) == pytest.approx(0, abs=1e-12)
    assert all(c.dist > -1e-9 for c in data.contact)


@settings(max_examples=20)
@given(people)
def test_every_adult_survives_the_file(person):
    text = dump_body(adult(*person))
    assert dump_body(parse_body(text)) == text


BODIES = {name: load_body(name) for name in ("adult", "human50", "robot35")}


@st.composite
def poses(draw):
    name = draw(st.sampled_from(sorted(BODIES)))
    body = BODIES[name]
    unit = draw(hnp.arrays(float, len(body.axes), elements=st.floats(0, 1)))
    low, high = np.array([a.range for a in body.axes]).T
    root = draw(hnp.arrays(float, 7, elements=st.floats(-1, 1)))
    quaternion = root[3:] + np.array([2.0, 0, 0, 0])
    return body, np.concatenate([root[:3], quaternion / np.linalg.norm(quaternion), low + unit * (high - low)])


@settings(max_examples=60)
@given(poses())
def test_a_mirrored_pose_is_what_a_mirror_shows(case):
    body, qpos = case
    model = bare_model(body)
    twin = {**dict(body.mirror), **{right: left for left, right in body.mirror}}
    flip = np.diag([1.0, -1.0, 1.0])
    data, image = mujoco.MjData(model), mujoco.MjData(model)
    data.qpos, image.qpos = qpos, mirror_pose(body, qpos)
    mujoco.mj_forward(model, data)
    mujoco.mj_forward(model, image)
    for name in body.segment_names:
        there = image.body(twin.get(name, name))
        np.testing.assert_allclose(there.xpos, flip @ data.body(name).xpos, atol=1e-9)
        np.testing.assert_allclose(
            there.xmat.reshape(3, 3), flip @ data.body(name).xmat.reshape(3, 3) @ flip, atol=1e-9
        )


@settings(max_examples=30)
@given(poses())
def test_mirroring_twice_is_nothing(case):
    body, qpos = case
    np.testing.assert_allclose(mirror_pose(body, mirror_pose(body, qpos)), qpos, atol=1e-15)


def test_mirroring_takes_batches_and_leaves_its_input_alone():
    body = BODIES["adult"]
    rng = np.random.default_rng(0)
    qpos = rng.normal(size=(4, 3, 41))
    kept = qpos.copy()
    mirrored = mirror_pose(body, qpos)
    np.testing.assert_array_equal(qpos, kept)
    np.testing.assert_array_equal(mirrored[2, 1], mirror_pose(body, qpos[2, 1]))


def test_a_pose_of_another_body_is_refused():
    with pytest.raises(InputError, match=r"pose has shape \(5,\), expected \(\.\.\., 41\) for body 'adult'"):
        mirror_pose(BODIES["adult"], np.zeros(5))


def test_axes_that_do_not_mirror_are_refused():
    text = dump_body(BODIES["adult"])
    first = text.index('name = "knee_left_flexion"')
    text = text[:first] + text[first:].replace("direction = [0.0, 1.0, 0.0]", "direction = [0.6, 0.8, 0.0]", 1)
    with pytest.raises(BodyError, match="axis 'knee_left_flexion' and axis 'knee_right_flexion' are no mirror images"):
        mirror_pose(parse_body(text), np.zeros(41))


@settings(max_examples=40)
@given(people, st.data())
def test_scaling_keeps_mass_symmetry_and_the_ground(person, data):
    body = adult(*person)
    ratios = {key: data.draw(st.floats(0.7, 1.4)) for key in segment_lengths(body) if not key.endswith("_right")}
    ratios |= {key.replace("_left", "_right"): ratio for key, ratio in ratios.items()}
    scaled = scale_segments(body, ratios)
    model = bare_model(scaled)  # the engine refuses moments that no body has
    assert model.body_subtreemass[1] == pytest.approx(body.mass, rel=1e-9)
    assert sole_height(scaled.segments) == pytest.approx(0, abs=1e-9)
    for left, right in scaled.mirror:
        np.testing.assert_allclose(scaled.segment(left).inertia, scaled.segment(right).inertia, rtol=1e-9)
        np.testing.assert_allclose(scaled.segment(left).offset * [1, -1, 1], scaled.segment(right).offset, atol=1e-12)
