"""human50 and robot35 against the tables of [L10], written here as printed, in the paper's own axes."""

import mujoco
import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.errors import BodyError

# Table 1: mass [kg], moments about x (lateral; arms: along them), y (up), z (forward) [kg·m²]
TABLE_1 = {
    "head": (5.494, (3.441e-2, 2.210e-2, 3.441e-2)),
    "clavicle": (2.399, (5.062e-3, 8.265e-3, 8.265e-3)),
    "upper_arm": (1.814, (2.173e-3, 9.104e-3, 9.104e-3)),
    "forearm": (1.526, (1.640e-3, 6.753e-3, 6.753e-3)),
    "hand": (0.4588, (3.766e-4, 1.597e-3, 1.274e-3)),
    "trunk": (14.31, (1.300e-1, 1.601e-1, 2.122e-1)),
    "pelvis": (4.836, (1.620e-2, 4.732e-2, 4.022e-2)),
    "thigh": (6.524, (8.714e-2, 1.709e-2, 8.714e-2)),
    "shank": (4.612, (5.565e-2, 8.931e-3, 5.565e-2)),
    "foot": (1.612, (9.479e-3, 9.706e-3, 1.714e-3)),
}
HANGING = ("upper_arm", "forearm", "hand", "trunk")  # whose first axis in the paper runs along the segment

# Table 2 and 3: k_p, k_d, strength scales, windows, contact scale
TABLE_2 = {
    "neck": (100, 10, (1.0, 0.4, 1.0), (0.2, 0.2, 0.2), 1.0),
    "sternoclavicular": (300, 30, (0.1, 1.0, 1.0), (0.1, 0.1, 0.1), 1.0),
    "shoulder": (100, 5, (0.2, 1.0, 1.0), (0.2, 0.2, 0.2), 3.0),
    "elbow": (100, 5, (0.2, 1.0, 1.0), (0.0, 0.0, 0.0), 3.0),
    "wrist": (20, 1, (0.1, 1.0, 1.0), (0.0, 0.0, 0.0), 5.0),
    "waist": (1000, 100, (0.4, 1.0, 1.0), (0.2, 0.2, 0.2), 1.0),
    "hip": (300, 30, (1.0, 0.2, 1.0), (0.4, 0.4, 0.1), 1.0),
    "knee": (300, 30, (1.0,), (0.2,), 1.0),
    "ankle": (100, 10, (1.0, 1.0, 0.5), (0.4, 0.2, 0.1), 5.0),
}
TABLE_3 = {
    "neck": (40, 4, (1.0,), (0.0,), 1.0),
    "shoulder": (100, 10, (0.15, 1.0, 1.0), (0.8, 0.8, 0.25), 3.0),
    "elbow": (100, 10, (1.0,), (0.2,), 3.0),
    "wrist": (10, 1, (0.1, 0.4, 1.0), (0.0, 0.0, 0.0), 3.0),
    "hip": (500, 50, (1.0, 0.2, 1.0), (0.8, 0.1, 0.4), 1.0),
    "knee": (300, 30, (1.0,), (0.6,), 1.0),
    "ankle": (200, 20, (1.0, 1.0, 0.5), (0.6, 0.6, 0.05), 3.0),
}
# The paper's x, y, z of each joint as axes of ours; hinges with one axis have one name.
UPRIGHT, ARM = ("flexion", "twist", "bend"), ("twist", "flexion", "abduction")
MOTIONS = {
    "neck": UPRIGHT,
    "waist": ("twist", "flexion", "bend"),
    "sternoclavicular": ("roll", "protraction", "elevation"),
    "shoulder": ARM,
    "elbow": ARM,
    "wrist": ("twist", "deviation", "flexion"),
    "hip": ("flexion", "twist", "abduction"),
    "knee": ("flexion",),
    "ankle": ("flexion", "twist", "inversion"),
}


def kind(name):
    return name.removesuffix("_left").removesuffix("_right")


@pytest.mark.parametrize(("name", "dofs", "segments"), [("human50", 50, 17), ("robot35", 35, 14)])
def test_degrees_of_freedom(name, dofs, segments):
    body = load_body(name)
    assert body.dofs == bare_model(body).nv == dofs
    assert len(body.segments) == segments


@pytest.mark.parametrize(("name", "stature", "mass"), [("human50", 1.7, 62.53), ("robot35", 1.2, 49.5)])
def test_stature_and_mass(name, stature, mass):
    body = load_body(name)
    model = bare_model(body)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert model.body_subtreemass[1] == pytest.approx(mass, abs=0.005)
    segment, point = body.landmarks["vertex"]
    assert (data.body(segment).xpos + point)[2] == pytest.approx(stature, abs=1e-9)


@pytest.mark.parametrize("segment", load_body("human50").segment_names)
def test_human50_masses_and_moments_are_table_1(segment):
    model = bare_model(load_body("human50"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    mass, (ix, iy, iz) = TABLE_1[kind(segment)]
    expected = (iz, iy, ix) if kind(segment) in HANGING else (iz, ix, iy)
    axes = data.body(segment).ximat.reshape(3, 3)
    assert model.body(segment).mass[0] == mass
    np.testing.assert_allclose(axes @ np.diag(model.body(segment).inertia) @ axes.T, np.diag(expected), atol=1e-12)


@pytest.mark.parametrize(("name", "table"), [("human50", TABLE_2), ("robot35", TABLE_3)])
def test_gains_windows_and_contact_scales_are_the_tables(name, table):
    body = load_body(name)
    seen = set()
    for s in body.segments[1:]:
        kp, kd, strengths, windows, contact = table[kind(s.joint)]
        motions = MOTIONS[kind(s.joint)] if len(strengths) > 1 else [a.name.rsplit("_", 1)[1] for a in s.axes]
        assert len(s.axes) == len(strengths)
        by_name = {a.name: a for a in s.axes}
        for motion, strength, window in zip(motions, strengths, windows, strict=True):
            axis = by_name[f"{s.joint}_{motion}"]
            assert axis.stiffness == pytest.approx(kp * strength)
            assert axis.damping == pytest.approx(kd * strength)
            assert axis.window == window
            assert axis.contact_scale == contact
        seen.add(kind(s.joint))
    assert seen == set(table)


def test_robot35_is_made_of_boxes():
    volumes = {"box": 0, "other": 0}
    for s in load_body("robot35").segments:
        for g in s.shapes:
            volumes["box" if g.kind == "box" else "other"] += 1
    assert volumes["box"] > 2 * volumes["other"]


@pytest.mark.parametrize("name", ["adult", "human50", "robot35"])
def test_every_humanoid_has_the_landmarks_that_others_rely_on(name):
    sided = [f"{point}_{side}" for point in ("heel", "toe_tip", "fingertip") for side in ("left", "right")]
    assert {"vertex", *sided} <= set(load_body(name).landmarks)


def test_unknown_name_lists_the_known_ones():
    with pytest.raises(BodyError, match="no body 'adlt': expected a TOML file or one of: adult, human50, robot35"):
        load_body("adlt")


def test_a_file_of_bytes_is_refused(tmp_path):
    path = tmp_path / "body.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BodyError, match=r"body\.toml: is not text in UTF-8"):
        load_body(path)


def test_a_folder_is_no_body(tmp_path):
    with pytest.raises(BodyError, match="no body"):
        load_body(tmp_path)
