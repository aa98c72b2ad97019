"""Poses, sizes and whole trajectories are recovered from what they made; limits hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.geometry import rotation
from reenact.motion.aims import Aims
from reenact.motion.branches import choose_branches
from reenact.motion.ik import solve
from reenact.motion.kinematics import forward
from reenact.motion.retarget import leg_length, rebuilt_joints, retarget
from reenact.motion.size import fit_size
from reenact.motion.trajectory import smooth_poses
from reenact.motion.tree import Tree, tree_of


@pytest.fixture(scope="module")
def tree() -> Tree:
    return tree_of(adult())


def wave(tree: Tree, frames: int, rate: float = 60.0, seed: int = 0) -> np.ndarray:
    """A slow, smooth motion well within the limits."""
    random = np.random.default_rng(seed)
    lower, upper = tree.limits
    middle, reach = 0.5 * np.clip(lower + upper, -0.6, 0.6), 0.25 * np.minimum(upper - lower, 1.6)
    phase, speed = random.uniform(0, 2 * np.pi, len(lower)), random.uniform(1.0, 3.0, len(lower))
    time = np.arange(frames)[:, None] / rate
    poses = np.zeros((frames, 1 + tree.dofs))
    poses[:, :3] = np.concatenate([0.5 * time, 0 * time, 0.9 + 0.02 * np.sin(6 * time)], axis=1)
    poses[:, 3:7] = rotation.from_axis_angle([0, 0, 1], 0.5 * time[:, 0])
    poses[:, 7:] = np.clip(middle + reach * np.sin(phase + speed * time), lower + 0.02, upper - 0.02)
    return poses


def aims_of(tree: Tree, poses: np.ndarray, *, turns: float = 0.0) -> Aims:
    position, frame = forward(tree, poses)
    count = len(tree.names)
    return Aims(
        sites=tree.joints, segment=np.arange(count), local=np.zeros((count, 3)), spread=np.zeros(count),
        weight=np.ones(count), target=position, turn_segment=np.arange(count) if turns else np.empty(0, np.int64),
        turn_weight=np.full(count, turns) if turns else np.empty(0),
        turn_target=frame if turns else np.empty((len(poses), 0, 3, 3)),
    )  # fmt: skip


def test_a_pose_is_recovered_from_its_own_joints_and_frames(tree: Tree) -> None:
    poses = wave(tree, 12)
    aims = aims_of(tree, poses, turns=1.0)
    start = poses + 0.0
    start[:, 7:] = 0.7 * poses[:, 7:]
    found, _ = solve(tree, aims, start, iterations=200, tolerance=1e-12)
    apart = np.linalg.norm(forward(tree, found)[0] - aims.target, axis=-1)
    assert apart.max() < 2e-3  # what the pull to neutral may cost
    weak = replace(aims, weight=1e8 * aims.weight, turn_weight=1e8 * aims.turn_weight)
    found, _ = solve(tree, weak, start, iterations=200, tolerance=1e-14, huber=np.inf)
    assert np.linalg.norm(forward(tree, found)[0] - aims.target, axis=-1).max() < 1e-6
    np.testing.assert_allclose(found[:, 7:], poses[:, 7:], atol=1e-5)


def test_joint_centres_alone_are_met_where_they_can_be(tree: Tree) -> None:
    aims = aims_of(tree, wave(tree, 12, seed=4))
    strong = replace(aims, weight=1e8 * aims.weight)
    start = np.repeat(tree.neutral()[None], 12, axis=0)
    start[:, :7] = wave(tree, 12, seed=4)[:, :7]
    found, _ = solve(tree, strong, start, iterations=300, tolerance=1e-14, huber=np.inf)
    assert np.linalg.norm(forward(tree, found)[0] - aims.target, axis=-1).max() < 1e-6


def test_limits_hold_however_far_the_targets_are(tree: Tree) -> None:
    poses = wave(tree, 30)
    poses[:, 7:] *= 4.0  # far beyond what joints can do
    aims = aims_of(tree, poses, turns=0.5)
    start = np.repeat(tree.neutral()[None], 30, axis=0)
    start[:, :7] = poses[:, :7]
    lower, upper = tree.limits
    solved, _ = solve(tree, aims, start, iterations=40)
    for found in (solved, smooth_poses(tree, aims, solved, 60.0)):
        assert (found[:, 7:] >= lower).all()
        assert (found[:, 7:] <= upper).all()
    assert ((solved[:, 7:] == lower) | (solved[:, 7:] == upper)).any()


def test_unseen_and_wild_points_do_not_bend_the_body(tree: Tree) -> None:
    poses = wave(tree, 20)
    aims = aims_of(tree, poses, turns=0.1)
    broken = aims.target.copy()
    broken[5:8, 4] = np.nan
    broken[10, tree.names.index("hand_right")] += 3.0  # a swapped marker
    found, _ = solve(tree, replace(aims, target=broken), poses, iterations=40)
    apart = np.linalg.norm(forward(tree, found)[0] - aims.target, axis=-1)
    assert np.isfinite(found).all()
    assert apart[5:8].max() < 0.03
    assert apart[10, : tree.names.index("upper_arm_left")].max() < 0.03


def test_smoothing_removes_noise_and_keeps_the_motion(tree: Tree) -> None:
    poses = wave(tree, 200, rate=120.0)
    clean = aims_of(tree, poses, turns=0.1)
    noise = np.random.default_rng(0).normal(scale=0.01, size=clean.target.shape)
    noisy = replace(clean, target=clean.target + noise)
    rough, _ = solve(tree, noisy, poses, iterations=30)
    smooth = smooth_poses(tree, noisy, rough, 120.0)
    error = [np.linalg.norm(forward(tree, q)[0] - clean.target, axis=-1).mean() for q in (rough, smooth)]
    shake = [np.abs(np.diff(q[:, 7:], 2, axis=0)).mean() for q in (rough, smooth)]
    assert error[1] < 0.7 * error[0]
    assert shake[1] < 0.1 * shake[0]


def test_long_stretches_join_without_a_seam(tree: Tree) -> None:
    poses = wave(tree, 700, rate=120.0)  # one more than a stretch
    aims = aims_of(tree, poses, turns=0.1)
    noisy = replace(aims, target=aims.target + np.random.default_rng(0).normal(scale=0.005, size=aims.target.shape))
    smooth = smooth_poses(tree, noisy, poses, 120.0)
    jerk = np.abs(np.diff(smooth[:, 7:], 3, axis=0)).max(axis=1)
    assert jerk[590:610].max() < 3.0 * np.median(jerk) + 1e-3


def test_size_is_recovered_with_its_asymmetric_pose(tree: Tree) -> None:
    body = adult()
    truth = tree.offset.copy()
    for joint, factor in (("knee", 1.08), ("ankle", 0.93), ("elbow", 1.1), ("wrist", 0.9)):
        for side in ("left", "right"):
            truth[tree.segment_at(f"{joint}_{side}")] *= factor
    for side in ("left", "right"):
        truth[tree.segment_at(f"hip_{side}"), 1] *= 1.2
    person = tree.with_offset(truth)
    poses = wave(person, 48, rate=10.0)
    aims = aims_of(person, poses, turns=0.0)
    start, _ = solve(tree, aims, poses, iterations=60)
    sized, _, _ = fit_size(tree, body, aims, start, rounds=12)
    for joint in ("hip", "knee", "ankle", "elbow", "wrist"):
        s = tree.segment_at(f"{joint}_left")
        assert np.linalg.norm(sized.offset[s]) == pytest.approx(np.linalg.norm(truth[s]), rel=0.01)
        mirror = sized.offset[tree.segment_at(f"{joint}_right")] * (1, -1, 1)
        np.testing.assert_allclose(sized.offset[s], mirror, atol=1e-12)


def test_marker_places_are_recovered(tree: Tree) -> None:
    body = adult()
    poses = wave(tree, 48, rate=10.0)
    position, frame = forward(tree, poses)
    base = aims_of(tree, poses)
    thigh = tree.segment_at("hip_left")
    truth = np.array([0.05, 0.07, -0.2])
    marker = position[:, thigh] + np.einsum("tij,j->ti", frame[:, thigh], truth)
    aims = Aims(
        sites=(*base.sites, "thigh_cluster_left"), segment=np.append(base.segment, thigh),
        local=np.vstack([base.local, truth + np.array([0.03, -0.04, 0.05])]), spread=np.append(base.spread, 0.1),
        weight=np.append(base.weight, 1.0), target=np.concatenate([base.target, marker[:, None]], axis=1),
        turn_segment=base.turn_segment, turn_weight=base.turn_weight, turn_target=base.turn_target,
    )  # fmt: skip
    _, found, _ = fit_size(tree, body, aims, poses)
    np.testing.assert_allclose(found.local[-1], truth, atol=0.005)
    np.testing.assert_array_equal(found.local[:-1], 0.0)


def test_the_better_branch_is_taken_limb_by_limb(tree: Tree) -> None:
    poses = wave(tree, 40)
    aims = aims_of(tree, poses, turns=0.1)
    left, right = poses.copy(), poses.copy()
    for wrong, side in ((left, "left"), (right, "right")):
        for name in (f"shoulder_{side}_twist", f"elbow_{side}_flexion"):
            wrong[:, 7 + tree.hinges.index(name)] += 0.8
    np.testing.assert_allclose(choose_branches(tree, aims, [left, right]), poses, atol=1e-12)


def test_retargeting_keeps_directions_and_scales_the_path_by_the_leg(tree: Tree) -> None:
    poses = wave(tree, 60)
    small = tree.with_offset(0.7 * tree.offset)
    moved, joints = retarget(tree, poses, small, 60.0)
    assert leg_length(small) == pytest.approx(0.7 * leg_length(tree))
    np.testing.assert_allclose(joints, rebuilt_joints(tree, poses, small))
    np.testing.assert_allclose(joints[:, 0], 0.7 * poses[:, :3], atol=1e-12)
    np.testing.assert_allclose(moved[:, 7:], poses[:, 7:], atol=0.05)
    assert np.linalg.norm(forward(small, moved)[0] - joints, axis=-1).max() < 0.005
