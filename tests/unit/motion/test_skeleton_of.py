"""A body's poses come out as a skeleton, markers and a table that all say the same."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.geometry import rotation
from reenact.motion.resample import resample_poses
from reenact.motion.skeleton_of import common_name, joint_markers, joint_table, motion_to_skeleton_clip


def poses(name: str, frames: int = 6) -> np.ndarray:
    body = load_body(name)
    random = np.random.default_rng(1)
    low, high = np.array([a.range for a in body.axes]).T
    angles = random.uniform(low, high, (frames, len(body.axes)))
    turn = rotation.normalize(random.normal(size=(frames, 4)))
    return np.concatenate([random.normal(size=(frames, 3)), turn, angles], axis=1)


@pytest.mark.parametrize("name", ["adult", "human50", "robot35"])
def test_joint_centres_equal_the_engines(name: str) -> None:
    body, qpos = load_body(name), poses(name)
    clip = motion_to_skeleton_clip(body, qpos, 30.0, "x")
    position, orientation = clip.world()
    markers = joint_markers(body, qpos, 30.0, "x")
    model = bare_model(body)
    data = mujoco.MjData(model)
    for k, q in enumerate(qpos):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        for s in body.segments:
            joint = clip.skeleton.index(common_name(s.name))
            np.testing.assert_allclose(position[k, joint], data.body(s.name).xpos, atol=1e-9)
            turn = rotation.to_matrix(orientation[k, joint])
            np.testing.assert_allclose(turn.ravel(), data.body(s.name).xmat, atol=1e-9)
        segment, point = body.landmarks["vertex"]
        tip = data.body(segment).xpos + data.body(segment).xmat.reshape(3, 3) @ point
        np.testing.assert_allclose(markers.position[k, markers.names.index("vertex")], tip, atol=1e-9)


def test_table_holds_angles_in_degrees_by_name() -> None:
    body, qpos = load_body("adult"), poses("adult")
    table = joint_table(body, qpos, 30.0, "x")
    np.testing.assert_allclose(
        table.column("knee_left_flexion"), np.degrees(qpos[:, 7 + body.axis_index("knee_left_flexion")])
    )
    turn = rotation.from_euler("zyx", np.radians([table.column(c) for c in ("root_yaw", "root_pitch", "root_roll")]).T)
    np.testing.assert_allclose(rotation.to_matrix(turn), rotation.to_matrix(qpos[:, 3:7]), atol=1e-9)


def test_names_are_those_that_animation_programs_know() -> None:
    assert [common_name(n) for n in ("pelvis", "upper_arm_left", "thigh_right", "tail")] == [
        "Hips",
        "LeftArm",
        "RightUpLeg",
        "tail",
    ]


def test_resampled_poses_pass_through_the_frames_and_follow_a_curve() -> None:
    rate, time = 30.0, np.arange(31) / 30.0
    qpos = np.zeros((31, 9))
    qpos[:, 0], qpos[:, 7] = np.sin(3 * time), np.cos(2 * time)
    qpos[:, 3:7] = rotation.from_axis_angle([0.0, 0.0, 1.0], 2.5 * time)
    fine = np.linspace(0, 1, 121)
    out = resample_poses(qpos, rate, fine)
    np.testing.assert_allclose(out[::4], qpos, atol=1e-12)
    np.testing.assert_allclose(out[:, 0], np.sin(3 * fine), atol=1e-5)
    expected = rotation.from_axis_angle([0.0, 0.0, 1.0], 2.5 * fine)
    np.testing.assert_allclose(rotation.to_matrix(out[:, 3:7]), rotation.to_matrix(expected), atol=1e-5)
