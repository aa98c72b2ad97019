"""Legs of a track that pass through each other are led past each other."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.estimate.video.apart import ALLOWED, MOST, _overlap, legs_apart
from reenact.geometry import rotation
from reenact.motion.kinematics import forward
from reenact.motion.tree import tree_of

BODY = adult()
TREE = tree_of(BODY)
RATE = 30.0


def _passing(crossed: float) -> np.ndarray:
    """A second in which the left leg swings past the right one, each adducted by so much [rad]."""
    poses = np.tile(bare_model(BODY).qpos0, (30, 1))
    poses[:, 7 + BODY.axis_index("hip_left_flexion")] = np.linspace(-0.4, 0.4, 30)
    poses[:, 7 + BODY.axis_index("knee_left_flexion")] = 0.3
    for side in ("left", "right"):
        poses[:, 7 + BODY.axis_index(f"hip_{side}_abduction")] = -crossed
    return poses


def test_legs_are_led_past_each_other_with_level_soles() -> None:
    poses = _passing(0.08)
    assert max(_overlap(BODY, pose) for pose in poses) > 0.01
    apart = legs_apart(BODY, TREE, poses, RATE)
    assert max(_overlap(BODY, pose) for pose in apart) <= ALLOWED + 1e-6
    changed = np.flatnonzero(np.abs(apart - poses).max(axis=0) > 1e-9)
    names = {BODY.axes[i - 7].name for i in changed}
    assert names == {"hip_left_abduction", "hip_right_abduction", "ankle_left_inversion", "ankle_right_inversion"}
    foot = [segment.name for segment in BODY.segments].index("foot_right")
    up = [forward(TREE, each)[1][:, foot, :, 2] for each in (poses, apart)]
    np.testing.assert_allclose(up[0], up[1], atol=1e-3, err_msg="soles are as level as they were")
    step = np.abs(np.diff(apart[:, 7 + BODY.axis_index("hip_right_abduction")]))
    assert step.max() < 0.25 * MOST, "feet that rest move aside slowly"


def test_legs_that_do_not_touch_stay() -> None:
    poses = _passing(0.0)
    assert legs_apart(BODY, TREE, poses, RATE) is poses


def test_a_body_with_other_legs_stays() -> None:
    body = load_body("human50")
    poses = np.tile(bare_model(body).qpos0, (3, 1))
    assert legs_apart(body, tree_of(body), poses, RATE) is poses


def test_turned_and_moved_the_same() -> None:
    poses = _passing(0.08)
    there = poses.copy()
    there[:, :3] += [1.0, -2.0, 0.5]
    there[:, 3:7] = rotation.multiply(rotation.from_axis_angle([0.0, 0.0, 1.0], 1.2), poses[:, 3:7])
    one, other = (legs_apart(BODY, TREE, each, RATE)[:, 7:] for each in (poses, there))
    assert one == pytest.approx(other)
