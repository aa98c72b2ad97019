"""Landmarks beside masks: their cost and slopes, an arm before the trunk, and what is made of the network's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reenact.errors import InputError
from reenact.estimate.video.begin import backwards
from reenact.estimate.video.keypoints import FAR, HIPS, Marks, SeenMarks, marks_of
from reenact.estimate.video.network_marks import on_mask, watched
from reenact.estimate.video.responses import limbs_of
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.sighting import Sighting
from reenact.estimate.video.track import Seen, track
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import move, tree_of
from reenact.observe.between_worlds import between_worlds
from reenact.observe.camera_points import points_of
from reenact.observe.network.marks import POINTS
from reenact.observe.projection import projection_of
from reenact.priors.load import model_for
from seen_walker import SeenWalker, seen_walker

GRID = (160, 90)


@pytest.fixture(scope="module")
def walker() -> SeenWalker:
    return seen_walker(seconds=0.9, seed=3)


def _marks(walker: SeenWalker, every: int = 4) -> SeenMarks:
    """The true places of some points."""
    points = points_of(walker.body, POINTS)
    at = np.stack([points.at(pose) for pose in walker.poses[::every]])
    deep = walker.camera.depth(at)
    return SeenMarks(
        names=POINTS,
        pixels=walker.camera.project(at),
        spread=np.full(at.shape[:2], 8.0),
        offsets=np.zeros((len(POINTS), 3)),
        deeper=deep - deep[:, [POINTS.index(name) for name in HIPS]].mean(axis=1, keepdims=True),
    )


def _equations(walker: SeenWalker) -> Marks:
    return marks_of(walker.body, walker.camera, _marks(walker))


def test_landmarks_cost_nothing_where_they_were_seen_and_little_more_far_away(walker: SeenWalker) -> None:
    marks, poses = _equations(walker), walker.poses[::4]
    frames = np.arange(len(poses))
    assert marks.costs(poses, frames) == pytest.approx(0.0, abs=1e-12)
    beside = poses.copy()
    beside[:, 0] += 0.1
    far = poses.copy()
    far[:, 0] += 1.0
    near, away = marks.costs(beside, frames), marks.costs(far, frames)
    assert (near > 10.0).all()
    assert (away < 100.0 * near).all(), "levelled off: ten times as far is not a hundred times as dear"
    assert (away < FAR**2 * len(POINTS) * 8.0).all()


def test_slopes_are_those_of_the_cost(walker: SeenWalker) -> None:
    marks, tree = _equations(walker), tree_of(walker.body)
    rng = np.random.default_rng(0)
    size = walker.poses.shape[1] - 1
    poses = np.stack([move(pose, 0.05 * rng.standard_normal(size)) for pose in walker.poses[:12:4]])
    frames = np.array([0, 2, 1])
    own, slope = marks.equations(poses, frames, limbs_of(tree))
    assert own.shape == (3, size, size)
    assert np.allclose(own, own.swapaxes(1, 2))
    step = 1e-6
    for v in range(size):
        ahead = np.stack([move(pose, step * np.eye(size)[v]) for pose in poses])
        back = np.stack([move(pose, -step * np.eye(size)[v]) for pose in poses])
        found = 0.5 * (marks.costs(ahead, frames) - marks.costs(back, frames)) / (2 * step)
        assert slope[:, v] == pytest.approx(found, rel=1e-3, abs=1e-3), v


def test_unseen_landmarks_say_nothing(walker: SeenWalker) -> None:
    seen = _marks(walker)
    pixels = seen.pixels.copy()
    pixels[1] = np.nan
    marks = marks_of(walker.body, walker.camera, replace(seen, pixels=pixels))
    poses = walker.poses[:8:4] + 0.0
    poses[:, 2] += 0.2
    costs = marks.costs(poses, np.arange(2))
    assert costs[0] > 1.0
    assert costs[1] == 0.0
    with pytest.raises(InputError, match="landmarks with pixels"):
        replace(seen, offsets=np.zeros((2, 3)))


def test_landmarks_where_a_lens_shows_nothing_say_nothing(walker: SeenWalker) -> None:
    barrel = replace(walker.camera, distortion=np.array([-0.25, 0.0, 0.0, 0.0]), focal=0.4 * walker.camera.focal)
    seen = _marks(walker)
    pixels = seen.pixels.copy()
    pixels[0, 0] = (walker.camera.size[0] - 1.0, walker.camera.size[1] - 1.0)
    assert not np.isfinite(barrel.rays(pixels[0, 0])).all()
    marks = marks_of(walker.body, barrel, replace(seen, pixels=pixels))
    assert marks.weight[0, 0] == 0.0
    assert np.isfinite(marks.costs(walker.poses[:1], np.arange(1))).all()


def test_landmarks_of_a_bent_picture_are_held_against_masks_without_its_lens(walker: SeenWalker) -> None:
    wide = replace(walker.camera, distortion=np.array([-0.25, 0.06, 0.0, 0.0]), focal=np.array([1100.0, 1100.0]))
    aside, times = walker.poses[:20].copy(), walker.keypoints.time[:20]
    middle = wide.position + 5.0 * wide.rays([0.84 * wide.size[0], 0.5 * wide.size[1]])
    aside[:, :2] += middle[:2] - aside[:, :2].mean(axis=0)
    sighting = Sighting(
        video=Path("walk.mp4"), name="walk", camera=wide, times=times, size=GRID,
        masks=projection_of(walker.body, wide.without_lens(), GRID).drawn(aside), quality=np.ones(len(aside)),
    )  # fmt: skip
    points = forward(tree_of(walker.body), aside)[0][:, [walker.body.segment_names.index("head")]]
    assert on_mask(wide.project(points), sighting).all()
    assert not on_mask(wide.without_lens().project(points) - [0.2 * wide.size[0], 0.0], sighting).any()


def test_depths_tell_towards_from_away(walker: SeenWalker) -> None:
    """A body turned about its line of sight through the hips: from the side hardly seen, but by the depths."""
    seen, poses = _marks(walker), walker.poses[:4:4]
    unsaid = replace(seen, deeper=np.full_like(seen.deeper, np.nan))
    turned = poses.copy()
    turned[:, 3:7] = rotation.multiply(rotation.from_axis_angle([1.0, 0.0, 0.0], 0.3), poses[:, 3:7])  # leans away
    both, flat = (marks_of(walker.body, walker.camera, each).costs(turned, np.arange(1))[0] for each in (seen, unsaid))
    assert both > flat + 5.0
    few = [i for i, name in enumerate(POINTS) if name not in HIPS]
    with pytest.raises(InputError, match="depths count from the hips"):
        SeenMarks(
            names=tuple(POINTS[i] for i in few), pixels=seen.pixels[:, few], spread=seen.spread[:, few],
            offsets=seen.offsets[few], deeper=seen.deeper[:, few],
        )  # fmt: skip


def test_an_arm_before_the_trunk_is_followed(walker: SeenWalker) -> None:
    """From the side the near arm hides before the trunk: masks alone do not tell where it is, landmarks do."""
    poses, body = walker.poses[:24:4], walker.body
    seen = Seen(camera=walker.camera, masks=projection_of(body, walker.camera, GRID).drawn(poses), size=GRID)
    both = replace(seen, marks=_marks(walker).at(slice(0, len(poses))))
    tree = tree_of(body)
    first = poses[0].copy()
    for name in ("shoulder_left_flexion", "shoulder_right_flexion", "elbow_left_flexion"):
        first[7 + tree.hinges.index(name)] += 0.5
    brief = Settings(rounds=1, ways=1, later_ways=1, last_steps=3)

    def off(what: Seen) -> float:
        found = track(body, [what], 30.0, first, model_for("walk", body), settings=brief, girth=False)
        hands = [tree.names.index(f"hand_{side}") for side in ("left", "right")]
        at = [walker.camera.project(forward(tree, each)[0][:, hands]) for each in (found.poses, poses)]
        return float(np.linalg.norm(at[0] - at[1], axis=-1).mean())

    alone, beside = off(seen), off(both)
    assert beside < 8.0, "pixels: within the landmarks' spread"
    assert beside < 0.8 * alone


def test_what_was_seen_can_be_followed_backwards(walker: SeenWalker) -> None:
    marks = _marks(walker)
    masks = np.arange(len(marks.pixels), dtype=np.uint64)[:, None, None]
    back = backwards(Seen(camera=walker.camera, masks=masks, size=GRID, marks=marks), 2)
    assert back.marks is not None
    assert back.masks.ravel().tolist() == [2, 1, 0]
    assert np.array_equal(back.marks.pixels, marks.pixels[2::-1])


def test_the_network_s_landmarks_beside_masks(walker: SeenWalker) -> None:
    every = 4
    times, poses = walker.keypoints.time[::every], walker.poses[::every]
    sighting = Sighting(
        video=Path("walk.mp4"), name="walk", camera=walker.camera, times=times, size=GRID,
        masks=projection_of(walker.body, walker.camera, GRID).drawn(poses), quality=np.ones(len(times)),
    )  # fmt: skip
    found = watched(walker.keypoints, sighting, walker.body)
    assert found.frames == len(times)
    assert np.abs(found.marks.offsets).max() < 0.08, "landmarks lie some 2 cm beside"
    marks = marks_of(walker.body, walker.camera, found.marks)
    assert np.median(marks.costs(poses, np.arange(len(poses)))) < 3.0 * len(POINTS)
    tree = tree_of(walker.body)
    true = walker.poses[[int(np.argmin(np.abs(walker.keypoints.time - t))) for t in found.time]]
    off = np.linalg.norm(forward(tree, found.qpos)[0] - forward(tree, true)[0], axis=-1)
    assert off.mean() < 0.15, "first poses, in the camera's own world"
    elsewhere = replace(walker.keypoints, points=walker.keypoints.points + np.array([400.0, 0.0]))
    with pytest.raises(InputError, match="looked at somebody else"):
        watched(elsewhere, sighting, walker.body)


def test_poses_between_worlds_look_the_same(walker: SeenWalker) -> None:
    turn = np.array([np.cos(0.3), 0.0, 0.0, np.sin(0.3)])
    other = walker.camera.moved(turn, [1.0, 2.0, 0.5])
    poses: Array = walker.poses[:2]
    points = points_of(walker.body, POINTS)
    moved = between_worlds(poses, walker.camera, other)
    for a, b in zip(poses, moved, strict=True):
        assert other.project(points.at(b)) == pytest.approx(walker.camera.project(points.at(a)))
