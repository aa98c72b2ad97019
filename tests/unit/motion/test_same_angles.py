"""A person's motion on a robot by joint angles of the same name."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.errors import BodyError
from reenact.formats.bench_motions import bench_motion, bench_reference
from reenact.motion.kinematics import forward
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.same_angles import with_same_angles
from reenact.motion.tree import tree_of

HUMAN, ROBOT = load_body("human50"), load_body("robot35")


@pytest.fixture(scope="module")
def kip_up() -> Motion:
    return bench_reference(bench_motion("kip_up"), HUMAN)


@pytest.fixture(scope="module")
def given(kip_up: Motion) -> Motion:
    return with_same_angles(kip_up, ROBOT)


def test_angles_are_kept_and_the_path_is_scaled(kip_up: Motion, given: Motion) -> None:
    for name in ("knee_left_flexion", "elbow_right_flexion", "shoulder_left_flexion", "ankle_right_flexion"):
        at, own = ROBOT.axis_index(name), HUMAN.axis_index(name)
        kept = np.clip(kip_up.qpos[:, 7 + own], *ROBOT.axes[at].range)
        np.testing.assert_allclose(given.qpos[:, 7 + at], kept)
    np.testing.assert_allclose(given.qpos[:, :2], kip_up.qpos[:, :2] * 1.2 / 1.7)
    assert given.frames == kip_up.frames
    assert given.rate == kip_up.rate
    np.testing.assert_allclose(given.joints, forward(tree_of(ROBOT), given.qpos)[0])


def test_trunk_and_thighs_point_as_the_person_s_do(kip_up: Motion, given: Motion) -> None:
    """The robot has no waist: what it turned is in the hips, where they can turn so far."""
    human, robot = forward(tree_of(HUMAN), kip_up.qpos)[1], forward(tree_of(ROBOT), given.qpos)[1]
    bent = np.abs(kip_up.qpos[:, 7 + HUMAN.axis_index("waist_flexion")])
    assert bent.max() > 0.5
    lower, upper = tree_of(ROBOT).limits
    for name in ("trunk", "thigh_left", "thigh_right"):
        mine = robot[:, ROBOT.segment_names.index(name)]
        theirs = human[:, HUMAN.segment_names.index(name)]
        hips = [ROBOT.axis_index(axis.name) for axis in ROBOT.segment(name).axes]
        angles = given.qpos[:, [7 + a for a in hips]]
        free = ((angles > lower[hips] + 1e-9) & (angles < upper[hips] - 1e-9)).all(axis=1)
        assert free.sum() > 0.5 * kip_up.frames
        assert (bent[free] > 0.3).any()
        np.testing.assert_allclose(mine[free], theirs[free], atol=1e-6)


def test_nothing_is_in_the_floor_and_the_start_stands_on_it(given: Motion) -> None:
    low = lowest_by_segment(ROBOT, tree_of(ROBOT), given.qpos, given.rate).height.min(axis=1)
    assert low.min() > -0.001
    assert low[0] < 0.01
    lower, upper = tree_of(ROBOT).limits
    assert (given.qpos[:, 7:] >= lower).all()
    assert (given.qpos[:, 7:] <= upper).all()


def test_a_floating_start_is_lowered(kip_up: Motion) -> None:
    raised = kip_up.qpos.copy()
    raised[:, 2] += 1.0
    up = with_same_angles(replace(kip_up, qpos=raised), ROBOT)
    low = lowest_by_segment(ROBOT, tree_of(ROBOT), up.qpos, up.rate).height.min(axis=1)
    assert low[0] == pytest.approx(0.0, abs=0.01)


def test_contacts_come_along(kip_up: Motion, given: Motion) -> None:
    assert {c.segment for c in kip_up.contacts} - set(ROBOT.segment_names)  # a pelvis, collar bones
    assert {c.segment for c in given.contacts} <= set(ROBOT.segment_names)
    feet = [(c.start, c.end) for c in kip_up.contacts if c.segment == "foot_left"]
    assert [(c.start, c.end) for c in given.contacts if c.segment == "foot_left"] == feet
    trunk = [(c.start, c.end) for c in given.contacts if c.segment == "trunk"]
    assert all(before[1] < after[0] for before, after in pairwise(trunk))


def test_what_could_not_be_taken_over_is_told(kip_up: Motion, given: Motion) -> None:
    (lost,) = (note for note in given.report.notes if note.startswith("no joint for"))
    for part in lost.removeprefix("no joint for: ").split(", "):
        name, angle = part.removesuffix("°").split(" ")
        at = 7 + HUMAN.axis_index(name)
        assert name not in {axis.name for axis in ROBOT.axes}
        assert float(angle) == pytest.approx(np.rad2deg(np.ptp(kip_up.qpos[:, at])), abs=0.5)
    assert "waist" not in lost, "it is in the trunk's orientation and in the hips"
    cramped = [note for note in given.report.notes if note.startswith("beyond the limit")]
    knee = ROBOT.axis_index("knee_left_flexion")
    bent = kip_up.qpos.copy()
    bent[0, 7 + HUMAN.axis_index("knee_left_flexion")] = ROBOT.axes[knee].range[1] + 0.5
    notes = with_same_angles(replace(kip_up, qpos=bent), ROBOT).report.notes
    assert any("knee_left_flexion 29°" in note for note in notes if note.startswith("beyond the limit"))
    assert not any("knee_left_flexion" in note for note in cramped)


def test_bodies_without_a_joint_in_common_are_refused(kip_up: Motion) -> None:
    with pytest.raises(BodyError, match="no joint axis in common"):
        with_same_angles(kip_up, load_body("laikago"))
