import mujoco
import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.body.reshape import with_offsets
from reenact.body.rest import rest_origins, sole_height
from reenact.body.scale import scale_segments, segment_lengths
from reenact.errors import BodyError


def distance(body, a, b):
    origins = rest_origins(body.segments)
    return float(np.linalg.norm(origins[a] - origins[b]))


def test_nothing_asked_nothing_changed():
    body = adult()
    same = scale_segments(body, {})
    for a, b in zip(body.segments, same.segments, strict=True):
        np.testing.assert_allclose(b.offset, a.offset, atol=1e-12)
        np.testing.assert_allclose(b.inertia, a.inertia, rtol=1e-12)
        assert b.mass == pytest.approx(a.mass, rel=1e-12)


@pytest.mark.parametrize("name", ["adult", "human50", "robot35"])
def test_each_length_scales_by_its_own_ratio(name):
    body = load_body(name)
    before = segment_lengths(body)
    rng = np.random.default_rng(1)
    ratios = {key: float(rng.uniform(0.8, 1.25)) for key in before}
    ratios |= {key: ratios[key.replace("toes", "foot")] for key in ratios if "toes" in key}  # else the sole is levelled
    after = segment_lengths(scale_segments(body, ratios))
    for key in before:
        assert after[key] / before[key] == pytest.approx(ratios[key], rel=1e-9), key


def test_longer_legs_make_a_taller_body_that_still_stands_on_the_ground():
    body = adult()
    tall = scale_segments(body, {"thigh_left": 1.1, "thigh_right": 1.1})
    assert tall.stature == pytest.approx(body.stature + 0.1 * distance(body, "thigh_left", "shank_left"))
    assert sole_height(tall.segments) == pytest.approx(0, abs=1e-12)


def test_mass_is_kept_or_given():
    body = adult()
    ratios = {"thigh_left": 1.2, "thigh_right": 1.2, "thorax": 0.9, "thorax_width": 1.1}
    assert scale_segments(body, ratios).mass == pytest.approx(body.mass)
    assert scale_segments(body, ratios, mass=60.0).mass == pytest.approx(60.0)


def test_uniform_growth_is_the_adult_of_that_size():
    body = adult("male", 1.6, 60.0)
    ratios = dict.fromkeys(segment_lengths(body), 1.1)
    grown, expected = scale_segments(body, ratios, mass=75.0), adult("male", 1.76, 75.0)
    for a, b in zip(grown.segments, expected.segments, strict=True):
        np.testing.assert_allclose(a.offset, b.offset, atol=1e-9)
        np.testing.assert_allclose(a.com, b.com, atol=1e-9)
        assert a.mass == pytest.approx(b.mass, rel=1e-9)
    for a, b in zip(grown.axes, expected.axes, strict=True):
        assert a.torque_limit == pytest.approx(b.torque_limit, rel=1e-9)
        assert a.stiffness == pytest.approx(b.stiffness, rel=1e-9)


def test_moments_of_a_stretched_rod():
    """A limb stretched along itself at constant girth: the moment across grows, the one along only with mass."""
    body = adult()
    ratio = 1.3
    long = scale_segments(
        body, {"shank_left": ratio, "shank_right": ratio}, mass=body.mass + 0.6 * body.segment("shank_left").mass
    )
    old, new = body.segment("shank_left"), long.segment("shank_left")
    assert new.mass == pytest.approx(ratio * old.mass)
    ix, _, iz = old.inertia
    second_z = ix - iz / 2 + (old.inertia[1] - ix) / 2  # ∫z² = (Ix + Iy − Iz)/2
    second_y = (ix + iz - old.inertia[1]) / 2
    assert new.inertia[0] == pytest.approx(ratio * (ratio**2 * second_z + second_y))
    assert new.inertia[2] == pytest.approx(ratio * iz)


def test_left_and_right_may_differ():
    body = scale_segments(adult(), {"forearm_left": 1.1})
    assert distance(body, "forearm_left", "hand_left") > 1.09 * distance(body, "forearm_right", "hand_right")


@pytest.mark.parametrize(
    ("lengths", "words"),
    [
        ({"thihg_left": 1.1}, "nothing to scale named 'thihg_left'; there are: pelvis, "),
        ({"thigh_left_width": 1.1}, "nothing to scale named 'thigh_left_width'"),
        ({"thigh_left": 0.0}, "segment 'thigh_left': ratio is 0, expected 0.2 to 5"),
        ({"thigh_left": float("nan")}, "ratio is nan"),
    ],
)
def test_wrong_ratios_are_named(lengths, words):
    with pytest.raises(BodyError, match=words):
        scale_segments(adult(), lengths)


@pytest.mark.parametrize("mass", [0.0, -3.0, float("nan")])
def test_mass_must_be_positive(mass):
    with pytest.raises(BodyError, match="mass is"):
        scale_segments(adult(), {}, mass=mass)


def test_joints_go_exactly_where_they_are_put():
    body = adult()
    rng = np.random.default_rng(2)
    offsets = np.array([s.offset for s in body.segments])
    wanted = offsets * rng.uniform(0.9, 1.1, (len(offsets), 1)) + rng.normal(0, 0.004, offsets.shape)
    moved = with_offsets(body, wanted)
    model = bare_model(moved)
    np.testing.assert_allclose(model.body_pos[2:], wanted[1:], atol=1e-12)
    assert moved.mass == pytest.approx(body.mass)


def test_soles_stay_level_when_toes_move():
    body = adult()
    offsets = np.array([s.offset for s in body.segments])
    offsets[body.segment_names.index("toes_left")] += [0.02, 0.0, 0.01]
    offsets[body.segment_names.index("toes_right")] += [0.02, 0.0, -0.01]
    moved = with_offsets(body, offsets)
    model = bare_model(moved)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for shape in ("foot_left", "foot_right", "toes_left", "toes_right"):
        bottom = data.geom(shape).xpos[2] - model.geom(shape).size[2]
        assert bottom == pytest.approx(0, abs=1e-9), shape
    for side in ("left", "right"):  # the toe tip is a point of the toes' flesh and moves with it
        segment, point = moved.landmarks[f"toe_tip_{side}"]
        assert (data.body(segment).xpos + point)[2] == pytest.approx(data.geom(f"toes_{side}").xpos[2], abs=1e-9)


def test_offsets_of_another_body_are_refused():
    with pytest.raises(BodyError, match=r"offsets have shape \(3, 3\), expected \(18, 3\)"):
        with_offsets(adult(), np.zeros((3, 3)))
