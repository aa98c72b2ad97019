"""A camera and poses from landmarks of many frames: the equations, what comes back, left and right put right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.errors import InputError
from reenact.motion.tree import move
from reenact.observe import walk_solve
from reenact.observe.camera_guess import COUNT, Known
from reenact.observe.camera_points import points_of
from reenact.observe.camera_solve import SOLES
from reenact.observe.network.walk import chosen_frames, seen_walk
from reenact.observe.walk_seen import SeenWalk, kind_of
from reenact.observe.walk_sides import with_exchanged
from reenact.observe.walk_solve import SolvedWalk, first_guesses, solve_walk, walk_of
from seen_walker import NUMBERS, SIZE, SeenWalker, seen_walker

FRAMES = 9
FOCAL = float(np.exp(NUMBERS[0]))


@pytest.fixture(scope="module")
def walker() -> SeenWalker:
    return seen_walker(heading=0.5, seconds=1.4, exchanged=(0.45, 0.55), seed=3)


@pytest.fixture(scope="module")
def seen(walker: SeenWalker) -> SeenWalk:
    return seen_walk(walker.keypoints, chosen_frames(walker.keypoints, FRAMES))


@pytest.fixture(scope="module")
def found(walker: SeenWalker, seen: SeenWalk) -> SolvedWalk:
    return solve_walk(seen, adult(height=walker.body.stature), SIZE, known=Known(focal=FOCAL, height=NUMBERS[3]))


def test_derivatives_of_all_terms_are_those_of_finite_differences(seen: SeenWalk) -> None:
    few = replace(seen, **{key: getattr(seen, key)[:3] for key in ("time", "pixels", "spread", "space")})
    few = replace(few, planted=np.tile([True, False, True, False], (3, 1)), standing=np.array([True, False, True]))
    few.pixels[1, 4] = np.nan
    walk = walk_of(few, adult(), SIZE, Known(distortion=np.array([-0.1, 0.05, 0.001, 0.002])), depth=True)
    rng = np.random.default_rng(1)
    shared = np.concatenate([NUMBERS, rng.normal(0.0, 0.02, walk.shared - COUNT)])
    poses = first_guesses(few, walk, NUMBERS)
    dofs = walk.points.tree.dofs
    gradient = walk.equations(shared, poses)[1]
    step, off = 1e-6, []
    for i in rng.permutation(len(gradient))[:40]:
        aside = np.zeros(len(gradient))
        aside[i] = step
        ahead, back = (
            walk.cost(shared + s * aside[: walk.shared], move(poses, s * aside[walk.shared :].reshape(3, dofs)))
            for s in (1.0, -1.0)
        )
        off.append((ahead - back) / (2 * step) - gradient[i])
    assert np.abs(off).max() < 1e-4 * np.abs(gradient).max()
    assert len(walk.equations(shared, poses)[0]) == walk.shared + 3 * dofs


def test_the_camera_comes_back(walker: SeenWalker, found: SolvedWalk) -> None:
    camera = found.solved.camera
    assert camera.tilt == pytest.approx(NUMBERS[1], abs=0.03)
    assert camera.roll == pytest.approx(NUMBERS[2], abs=0.03)
    assert camera.height == pytest.approx(NUMBERS[3], abs=0.02)
    true = np.linalg.norm(walker.camera.position - walker.poses[0, :3])
    assert np.linalg.norm(camera.position - found.solved.poses[0, :3]) == pytest.approx(true, rel=0.08)
    assert found.solved.rms_px < 6.0
    assert found.solved.poses[0, :2] == pytest.approx([0.0, 0.0])
    assert set(found.offsets) == {kind_of(name)[0] for name in found.seen.names}


def test_poses_are_those_of_the_walk(walker: SeenWalker, found: SolvedWalk) -> None:
    names = [f"{kind}_{side}" for kind in ("knee", "ankle", "elbow") for side in ("left", "right")]
    true, body = points_of(walker.body, names), points_of(adult(height=walker.body.stature), names)
    frames = chosen_frames(walker.keypoints, FRAMES)
    off = []
    for pose, i in zip(found.solved.poses, frames, strict=True):
        there = (true.at(walker.poses[i]) - walker.poses[i, :3]) @ walker.camera.turn.T
        here = (body.at(pose) - pose[:3]) @ found.solved.camera.turn.T
        off.append(np.linalg.norm(here - there, axis=1))
    assert np.mean(off) < 0.1  # [m], in the camera's axes


def test_left_and_right_that_were_confused_are_exchanged(found: SolvedWalk) -> None:
    wrong = {i for i, limb in found.exchanged if limb == "legs"}
    assert wrong == {i for i, time in enumerate(found.seen.time) if 0.45 <= time <= 0.55}
    assert wrong


def test_with_the_legs_what_rests_on_the_ground_is_exchanged(seen: SeenWalk) -> None:
    once = with_exchanged(seen, [(2, "legs"), (3, "arms")])
    left, right = (SOLES.index(f"heel_{side}") for side in ("left", "right"))
    assert once.planted[2, left] == seen.planted[2, right]
    assert once.planted[2, right] == seen.planted[2, left]
    knees = [seen.names.index(f"knee_{side}") for side in ("left", "right")]
    np.testing.assert_array_equal(once.space[2, knees], seen.space[2, knees[::-1]])
    np.testing.assert_array_equal(once.planted[3], seen.planted[3])
    twice = with_exchanged(once, [(2, "legs"), (3, "arms")])
    for name in ("pixels", "spread", "space", "planted"):
        np.testing.assert_array_equal(getattr(twice, name), getattr(seen, name))


def test_more_is_unsure_where_less_is_known(seen: SeenWalk, found: SolvedWalk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk_solve, "ROUNDS", 0)
    free = solve_walk(seen, adult(height=1.57), SIZE).solved.spread
    assert free["focal"] > 0.05 > found.solved.spread["focal"]
    assert free["height"] > 0.05 > found.solved.spread["height"]
    assert free["tilt"] > found.solved.spread["tilt"]


def test_too_few_landmarks_are_refused(seen: SeenWalk) -> None:
    pixels = seen.pixels.copy()
    pixels[0, 4:] = np.nan
    with pytest.raises(InputError, match="a frame with 4 landmarks, expected 6"):
        solve_walk(replace(seen, pixels=pixels), adult(), SIZE)
