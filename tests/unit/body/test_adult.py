"""The adult against the tables, read back from the compiled MuJoCo model and not from our own numbers."""

import mujoco
import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.anthropometrics import person
from reenact.body.mjcf import bare_model
from reenact.errors import BodyError

FRONT, LEFT, UP = np.eye(3)
SEXES = ["male", "female"]
# segment of the body, of the tables, landmarks of its proximal and distal end
ENDS = {
    "pelvis": ("lower_trunk", "navel", "hips"),
    "abdomen": ("mid_trunk", "xiphoid", "navel"),
    "thorax": ("upper_trunk", "cervicale", "xiphoid"),
    "head": ("head_neck", "vertex", "cervicale"),
    "upper_arm": ("upper_arm", "shoulder", "elbow"),
    "forearm": ("forearm", "elbow", "wrist"),
    "thigh": ("thigh", "hip", "knee"),
    "shank": ("shank", "knee", "ankle"),
}
SIDED = [name for name in ENDS if name not in ("pelvis", "abdomen", "thorax", "head")]


@pytest.fixture(scope="module", params=SEXES)
def standing(request):
    body = adult(request.param)
    model = bare_model(body)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return body, model, data


def landmark(body, data, name):
    segment, point = body.landmarks[name]
    return data.body(segment).xpos + data.body(segment).xmat.reshape(3, 3) @ point


def points(body, data, side):
    joint = {
        "shoulder": "upper_arm",
        "elbow": "forearm",
        "wrist": "hand",
        "hip": "thigh",
        "knee": "shank",
        "ankle": "foot",
    }
    found = {name: data.body(f"{segment}_{side}").xpos for name, segment in joint.items()}
    found |= {"navel": data.body("abdomen").xpos, "xiphoid": data.body("thorax").xpos}
    found["hips"] = 0.5 * (data.body("thigh_left").xpos + data.body("thigh_right").xpos)
    return found | {name: landmark(body, data, name) for name in ("vertex", "cervicale")}


def segment_cases():
    for name in ENDS:
        yield from ((f"{name}_{side}", side) for side in ("left", "right")) if name in SIDED else ((name, "left"),)


def test_has_eighteen_segments_and_forty_degrees_of_freedom(standing):
    body, model, _ = standing
    assert len(body.segments) == 18
    assert body.dofs == model.nv == 40
    assert [model.body(i + 1).name for i in range(18)] == list(body.segment_names)
    assert [model.joint(i + 1).name for i in range(34)] == [a.name for a in body.axes]


def test_total_mass_and_stature(standing):
    body, model, data = standing
    assert model.body_subtreemass[1] == pytest.approx(person(body_sex(body)).mass, rel=1e-12)
    assert landmark(body, data, "vertex")[2] == pytest.approx(body.stature, abs=1e-12)


def body_sex(body):
    return "male" if body.stature == 1.76 else "female"


@pytest.mark.parametrize(("segment", "side"), list(segment_cases()))
def test_lengths_masses_centres_and_moments_are_the_tables(standing, segment, side):
    body, model, data = standing
    who = person(body_sex(body))
    row, proximal, distal = ENDS[segment.removesuffix("_left").removesuffix("_right")]
    size, at = who.segment(row), points(body, data, side)
    start, end = at[proximal], at[distal]
    assert np.linalg.norm(end - start) == pytest.approx(size.length, rel=1e-9)
    # The women's shares add up to 99.99 %, the body to 100 %.
    assert model.body(segment).mass[0] == pytest.approx(size.mass, rel=1.1e-4)
    com = start + (end - start) * size.com / size.length
    np.testing.assert_allclose(data.body(segment).xipos, com, atol=1e-9)
    # Sagittal axis to the front, transverse to the left, longitudinal along the segment.
    along = (start - end) / size.length
    front = np.cross([0, 1, 0], along)
    axes = np.stack([front, [0, 1, 0], along], axis=1)
    got = inertia_about_com(model, data, segment)
    np.testing.assert_allclose(axes.T @ got @ axes, np.diag(size.moments), rtol=1.1e-4, atol=1e-9)


def inertia_about_com(model, data, segment):
    axes = data.body(segment).ximat.reshape(3, 3)
    return axes @ np.diag(model.body(segment).inertia) @ axes.T


@pytest.mark.parametrize("side", ["left", "right"])
def test_hand_is_the_tables(standing, side):
    body, model, data = standing
    size = person(body_sex(body)).segment("hand")
    wrist = data.body(f"hand_{side}").xpos
    assert model.body(f"hand_{side}").mass[0] == pytest.approx(size.mass, rel=1.1e-4)
    np.testing.assert_allclose(data.body(f"hand_{side}").xipos, wrist - [0, 0, size.com], atol=1e-9)
    np.testing.assert_allclose(
        inertia_about_com(model, data, f"hand_{side}"), np.diag(size.moments), rtol=1.1e-4, atol=1e-12
    )


@pytest.mark.parametrize("side", ["left", "right"])
def test_hindfoot_and_toes_together_are_the_tables_foot(standing, side):
    body, model, data = standing
    size = person(body_sex(body)).segment("foot")
    heel, tip = landmark(body, data, f"heel_{side}"), landmark(body, data, f"toe_tip_{side}")
    np.testing.assert_allclose(tip - heel, [size.length, 0, 0], atol=1e-9)
    parts = [f"foot_{side}", f"toes_{side}"]
    masses = np.array([model.body(p).mass[0] for p in parts])
    coms = np.array([data.body(p).xipos for p in parts])
    com = masses @ coms / masses.sum()
    assert masses.sum() == pytest.approx(size.mass, rel=1.1e-4)
    np.testing.assert_allclose(com, heel + size.com * FRONT, atol=1e-9)
    total = np.zeros((3, 3))
    for part, m, c in zip(parts, masses, coms, strict=True):
        r = c - com
        total += inertia_about_com(model, data, part) + m * (r @ r * np.eye(3) - np.outer(r, r))
    sagittal, transverse, longitudinal = size.moments  # a foot lies: its sagittal axis is the vertical
    np.testing.assert_allclose(total, np.diag([longitudinal, transverse, sagittal]), rtol=1.1e-4, atol=1e-12)


def test_heel_is_behind_the_ankle_and_toes_before_it(standing):
    body, _, data = standing
    for side in ("left", "right"):
        ankle = data.body(f"foot_{side}").xpos[0]
        assert landmark(body, data, f"heel_{side}")[0] < ankle - 0.03
        assert data.body(f"toes_{side}").xpos[0] > ankle + 0.05


def test_ankle_height_is_a_living_persons(standing):
    body, _, data = standing
    assert 0.030 < data.body("foot_left").xpos[2] / body.stature < 0.048


def test_centre_of_mass_stands_over_the_feet(standing):
    body, _, data = standing
    com = data.subtree_com[1]
    assert landmark(body, data, "heel_left")[0] < com[0] < data.body("toes_left").xpos[0]
    assert 0.54 < com[2] / body.stature < 0.59  # women 0.55, men 0.57: Winter 2009


def test_torque_limits_follow_the_masses():
    """[V12] §4 Force Limits: ±γ(m_parent + m_child)/2."""
    body = adult("male", torque_gamma=120.0)
    mass = {s.name: s.mass for s in body.segments}
    for s in body.segments[1:]:
        for axis in s.axes:
            assert axis.torque_limit == pytest.approx(120 * (mass[s.parent] + mass[s.name]) / 2)
    weak = adult("male", torque_gamma=60.0)
    assert weak.axes[0].torque_limit == pytest.approx(body.axes[0].torque_limit / 2)


@pytest.mark.parametrize("gamma", [0.0, -1.0, float("nan")])
def test_strength_must_be_positive(gamma):
    with pytest.raises(BodyError, match=r"torque_gamma is .*, expected more than 0"):
        adult(torque_gamma=gamma)


def test_heavier_people_are_thicker_not_longer():
    thin, thick = adult("male", 1.76, 55.0), adult("male", 1.76, 120.0)
    for name in ("abdomen", "chest", "pelvis", "thigh_left", "shank_left", "upper_arm_left", "forearm_left"):
        a, b = (next(g for s in body.segments for g in s.shapes if g.name == name) for body in (thin, thick))
        assert b.size[0] > 1.2 * a.size[0], name
    for a, b in zip(thin.segments, thick.segments, strict=True):
        np.testing.assert_allclose(a.offset, b.offset, atol=1e-12)


# Turned by +0.3 rad, each axis moves a segment in a direction on the left side and on the right.
SENSES = [
    ("hip_{}_flexion", "shank_{}", FRONT, FRONT),
    ("hip_{}_abduction", "shank_{}", LEFT, -LEFT),
    ("knee_{}_flexion", "foot_{}", -FRONT, -FRONT),
    ("ankle_{}_flexion", "toes_{}", UP, UP),
    ("toe_{}_flexion", "toes_{}", -UP, -UP),
    ("shoulder_{}_flexion", "forearm_{}", FRONT, FRONT),
    ("shoulder_{}_abduction", "forearm_{}", LEFT, -LEFT),
    ("elbow_{}_flexion", "hand_{}", FRONT, FRONT),
    ("wrist_{}_flexion", "hand_{}", -LEFT, LEFT),
    ("wrist_{}_deviation", "hand_{}", FRONT, FRONT),
    ("hip_{}_twist", "toes_{}", -LEFT, LEFT),
]


@pytest.mark.parametrize(("axis", "moved", "left", "right"), SENSES)
def test_axes_are_positive_as_the_anatomist_says(axis, moved, left, right):
    body = adult()
    for side, expected in (("left", left), ("right", right)):
        model = bare_model(body)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        before = data.body(moved.format(side)).xipos.copy()
        data.qpos[7 + body.axis_index(axis.format(side))] = 0.3
        mujoco.mj_forward(model, data)
        step = data.body(moved.format(side)).xipos - before
        assert step @ expected > 0.9 * np.linalg.norm(step) * 0.9
        assert np.linalg.norm(step) > 0.004


@pytest.mark.parametrize(
    ("axis", "direction"),
    [
        ("lumbar_flexion", FRONT),
        ("lumbar_bend", LEFT),
        ("thoracic_flexion", FRONT),
        ("thoracic_bend", LEFT),
        ("neck_flexion", FRONT),
    ],
)
def test_trunk_bends_forward_and_to_the_left(axis, direction):
    body = adult()
    model = bare_model(body)
    data = mujoco.MjData(model)
    data.qpos[7 + body.axis_index(axis)] = 0.3
    mujoco.mj_forward(model, data)
    up = data.body("head").xmat.reshape(3, 3)[:, 2]
    np.testing.assert_allclose(up, np.cos(0.3) * UP + np.sin(0.3) * direction, atol=1e-12)


@pytest.mark.parametrize("axis", ["thoracic_twist", "neck_twist"])
def test_trunk_turns_to_the_left(axis):
    body = adult()
    model = bare_model(body)
    data = mujoco.MjData(model)
    data.qpos[7 + body.axis_index(axis)] = 0.3
    mujoco.mj_forward(model, data)
    assert data.body("head").xmat.reshape(3, 3)[:, 0] @ LEFT == pytest.approx(np.sin(0.3))


@pytest.mark.parametrize("side", ["left", "right"])
def test_foot_inversion_turns_the_sole_to_the_midline(side):
    body = adult()
    model = bare_model(body)
    data = mujoco.MjData(model)
    data.qpos[7 + body.axis_index(f"ankle_{side}_inversion")] = 0.3
    mujoco.mj_forward(model, data)
    sole = -data.body(f"foot_{side}").xmat.reshape(3, 3)[:, 2]
    assert sole @ (-LEFT if side == "left" else LEFT) == pytest.approx(np.sin(0.3))


@pytest.mark.parametrize("motion", ["flexion", "abduction"])
def test_an_arm_reaches_overhead_within_its_range(motion):
    axis = adult().axes[adult().axis_index(f"shoulder_left_{motion}")]
    assert axis.range[1] > np.pi
