"""Leading frames that are no motion."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.geometry import rotation
from reenact.motion.calibration import calibration_frames, describe_calibration, drop_calibration_frames
from reenact.motion.clip import Skeleton, SkeletonClip


def walking(rate=120.0, frames=60, speed=1.4):
    """A chain of three joints that goes along x and swings."""
    skeleton = Skeleton(
        names=("hips", "knee", "foot"),
        parents=(-1, 0, 1),
        offsets=np.array([[0, 0, 0], [0, 0, -0.4], [0, 0, -0.4]], float),
        ends=(False, False, False),
    )
    time = np.arange(frames) / rate
    translation = np.tile(skeleton.offsets, (frames, 1, 1))
    translation[:, 0] = np.stack([speed * time, 0 * time, 0.9 + 0 * time], axis=-1)
    turns = np.tile(rotation.IDENTITY, (frames, 3, 1))
    turns[:, 1] = rotation.from_axis_angle([0, 1, 0], 0.5 * np.sin(6 * time))
    return SkeletonClip(name="w", rate=rate, skeleton=skeleton, translation=translation, rotation=turns)


def with_front(clip, *roots, pose=None):
    """The clip with frames put in front, at given root positions."""
    translation = np.repeat(clip.translation[:1], len(roots), axis=0)
    translation[:, 0] = roots
    turns = np.repeat(clip.rotation[:1], len(roots), axis=0)
    if pose is not None:
        turns[:, 1] = pose
    return SkeletonClip(
        name=clip.name,
        rate=clip.rate,
        skeleton=clip.skeleton,
        translation=np.concatenate([translation, clip.translation]),
        rotation=np.concatenate([turns, clip.rotation]),
    )


@pytest.mark.parametrize("rate", [30.0, 120.0])
@pytest.mark.parametrize("speed", [0.0, 1.4, 8.0])
def test_a_motion_that_begins_at_once_is_left_alone(rate, speed):
    clip = walking(rate, speed=speed)
    assert calibration_frames(clip) == 0
    assert drop_calibration_frames(clip) is clip
    assert describe_calibration(clip).notes == ()


@pytest.mark.parametrize("rate", [30.0, 120.0])
def test_zero_root_and_pose_in_front(rate):
    clip = walking(rate)
    moved = with_front(clip, (0, 0, 0))
    assert calibration_frames(moved) == 1
    assert "frame 0" in describe_calibration(moved).notes[0]
    assert "root is at zero" in describe_calibration(moved).notes[0]
    np.testing.assert_array_equal(drop_calibration_frames(moved).translation, clip.translation)
    twice = with_front(clip, (0, 0, 0), (0, 0, 0))
    assert calibration_frames(twice) == 2
    assert len(describe_calibration(twice).notes) == 2


def test_a_pose_in_front_at_the_same_place():
    posed = with_front(walking(), (0, 0, 0.9), pose=rotation.from_axis_angle([1, 0, 0], 1.2))
    assert calibration_frames(posed) == 1
    assert "a pose put in front" in describe_calibration(posed).notes[0]


def test_short_clips_are_left_alone():
    assert calibration_frames(with_front(walking(frames=1), (5, 5, 5))) == 0
