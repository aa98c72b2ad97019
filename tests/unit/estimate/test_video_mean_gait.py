"""The mean step of a walk that trembles is near the walk, smooth, and even from left to right."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from reenact.body.mirror import mirror_pose
from reenact.estimate.states.incremental import first_machine
from reenact.estimate.states.settings import Settings
from reenact.estimate.states.task import task_of
from reenact.estimate.video.mean_gait import mean_gait
from reenact.estimate.video.subject import gait_of
from reenact.estimate.walking.walk import walks_of
from reenact.formats.read import read_clip
from reenact.formats.samples import find_clip
from reenact.geometry import rotation
from reenact.motion.clip import SkeletonClip
from reenact.motion.fit import fit
from reenact.motion.motion import Motion
from reenact.motion.resample import resample, resample_poses
from reenact.world.world import World


@cache
def _walk() -> Motion:
    """The bundled walk, somewhat more than a stride."""
    clip = read_clip(find_clip("walk"))
    assert isinstance(clip, SkeletonClip)
    return resample(fit(clip.cut(round(0.5 * clip.rate), round(2.7 * clip.rate))), 120.0)


def _trembling(motion: Motion) -> Motion:
    """The same as a track at 30 Hz has it: each frame a little off."""
    rng, steps = np.random.default_rng(3), int(motion.duration * 30.0) + 1
    poses = resample_poses(motion.qpos, motion.rate, np.arange(steps) / 30.0)
    poses[:, :2] += rng.normal(0.0, 0.01, (steps, 2))
    poses[:, 7:] += rng.normal(0.0, 0.04, (steps, poses.shape[1] - 7))
    time = np.minimum(np.arange(len(motion.qpos)) / motion.rate, (steps - 1) / 30.0)
    return replace(motion, qpos=resample_poses(poses, 30.0, time))


def _velocity(motion: Motion) -> np.ndarray:
    return np.gradient(motion.qpos[:, :2], 1.0 / motion.rate, axis=0)


def test_the_mean_step_is_nearer_to_the_walk_than_what_trembles() -> None:
    true = _walk()
    trembling = _trembling(true)
    mean = mean_gait(trembling)
    assert mean is not None
    assert mean.qpos.shape == true.qpos.shape
    inside = slice(20, -20)
    off = [np.abs(_velocity(each) - _velocity(true))[inside].mean() for each in (trembling, mean)]
    assert off[1] < 0.5 * off[0]
    assert np.abs(mean.qpos - true.qpos)[inside, 7:].mean() < 0.06, "in the same place and phase"
    assert np.linalg.norm(mean.qpos[inside, :3] - true.qpos[inside, :3], axis=1).max() < 0.06


def test_steps_are_each_others_images_and_follow_each_other() -> None:
    mean = mean_gait(_trembling(_walk()))
    assert mean is not None
    body, way = mean.body, mean.qpos[-1, :2] - mean.qpos[0, :2]
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], -float(np.arctan2(way[1], way[0])))
    turned = mean.qpos.copy()
    turned[:, 3:7] = rotation.multiply(turn, mean.qpos[:, 3:7])
    trunk = [7 + i for i, axis in enumerate(body.axes) if axis.name.startswith(("hip", "knee", "lumbar"))]
    image = mirror_pose(body, turned)
    off = [np.abs(turned[k:, trunk] - image[: len(image) - k, trunk]).max() for k in range(40, 100)]
    assert min(off) < 0.03, "half a stride later"


def test_what_is_no_gait_has_no_mean_step() -> None:
    standing = replace(_walk(), contacts=())
    assert mean_gait(standing) is None


@pytest.mark.parametrize("way", [0.0, 2.0])
def test_wherever_it_goes(way: float) -> None:
    walk = _trembling(_walk())
    turn = rotation.from_axis_angle([0.0, 0.0, 1.0], way)
    there = walk.qpos.copy()
    there[:, :3] = rotation.rotate(turn, walk.qpos[:, :3]) + np.array([1.0, 2.0, 0.0])
    there[:, 3:7] = rotation.multiply(turn, walk.qpos[:, 3:7])
    one, other = mean_gait(walk), mean_gait(replace(walk, qpos=there))
    assert one is not None
    assert other is not None
    assert one.qpos[:, 7:] == pytest.approx(other.qpos[:, 7:], abs=1e-6)


def test_a_walk_that_was_seen_is_practised_by_its_mean_step() -> None:
    motion = _trembling(_walk())
    task = task_of(motion, World(), threads=1)
    seen = replace(task, gait=gait_of(motion, task))
    assert task.to_practise is task, "what was recorded is practised as it is"
    chain = first_machine(task, Settings(), 40)
    own, mean = (walks_of(each, chain)[0] for each in (task, seen))
    assert mean.task.reference is not task.reference
    assert mean.task.start is seen.start
    assert mean.memory == own.memory
    np.testing.assert_array_equal(mean.task.heading_turn, task.heading_turn)
    begin, half, end = mean.stride
    assert begin.leg == end.leg != half.leg
    velocity = mean.task.reference.com_velocity
    assert np.linalg.norm(velocity[begin.frame] - velocity[end.frame]) < 0.05, "it ends as it begins"
    before = task.reference.com_velocity
    rough = [np.abs(np.diff(each[20:-20, :2], n=2, axis=0)).mean() for each in (before, velocity)]
    assert rough[1] < 0.5 * rough[0]
