"""Tracks from masks alone: steps of a recorded walk drawn from the side, found again from a rough first pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from side_walk import BODY, GRID, RATE, side_view, side_walk

from reenact.body.body import Body
from reenact.body.girth import with_girths
from reenact.errors import InputError
from reenact.estimate.video.blur import FINE, blur_grid
from reenact.estimate.video.descend import descend
from reenact.estimate.video.likely import likely
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.swaps import exchanged
from reenact.estimate.video.terms import Terms
from reenact.estimate.video.track import Seen, Track, terms_of, track
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import move, tree_of
from reenact.observe.projection import projection_of
from reenact.observe.projection_table import pack
from reenact.priors.load import model_for


def _stepping(frames: int) -> Array:
    return side_walk()[:frames].copy()


def _seen(poses: Array) -> Seen:
    person = with_girths(BODY, {"thigh_left": 1.1, "thigh_right": 1.1, "thorax": 1.1})
    camera = side_view()
    return Seen(camera=camera, masks=projection_of(person, camera, GRID).drawn(poses), size=GRID)


def _error(poses: Array, truth: Array) -> float:
    tree = tree_of(BODY)
    return float(np.linalg.norm(forward(tree, poses)[0] - forward(tree, truth)[0], axis=-1).mean())


def _rough(pose: Array, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    spread = np.concatenate([np.full(3, 0.05), np.full(3, 0.08), np.full(len(pose) - 7, 0.15)])
    return move(pose, spread * rng.standard_normal(len(spread)))


def _terms_of(poses: Array) -> Terms:
    return terms_of(BODY, [_seen(poses)], RATE, model_for("walk", BODY), Settings())


@pytest.fixture(scope="module")
def found() -> tuple[Track, Array]:
    """A track of a third of a second, and the truth."""
    truth, model = _stepping(10), model_for("walk", BODY)
    return track(BODY, [_seen(truth)], RATE, _rough(truth[0]), model, settings=Settings(rounds=1)), truth


def test_finds_poses_from_a_rough_first_one(found: tuple[Track, Array]) -> None:
    result, truth = found
    start = _error(_rough(truth[0])[None], truth[:1])
    assert start > 0.07
    assert _error(result.poses, truth) < 0.5 * start, (_error(result.poses, truth), start)
    assert result.mismatch.mean() < 0.2
    assert len(result.mismatch) == len(truth)


def test_stays_within_limits_and_out_of_the_ground(found: tuple[Track, Array]) -> None:
    result, _ = found
    tree = tree_of(result.body)
    low, high = tree.limits
    assert (result.poses[:, 7:] >= low).all()
    assert (result.poses[:, 7:] <= high).all()
    position, _ = forward(tree, result.poses)
    assert position[..., 2].min() > -0.01


def test_body_becomes_as_thick_as_the_person(found: tuple[Track, Array]) -> None:
    result, _ = found

    def thickness(body: Body) -> float:
        return float(np.sum([np.min(g.size) for g in body.segment("thigh_left").shapes]))

    assert thickness(result.body) > 1.02 * thickness(BODY)


def test_blurred_difference_grows_with_the_distance_that_counts_of_cells_do_not_see() -> None:
    masks = np.zeros((1, 40, 64), np.bool_)
    masks[0, 10:30, 10:14] = True
    grid = blur_grid(pack(masks), 64, ((6.0, 3.0),))
    squares = []
    for shift in (0, 4, 8, 12):
        moved = np.roll(masks, shift, axis=2)
        squares.append(float(np.sum(grid.differences(pack(moved), pack(masks), np.zeros(1, np.int64)) ** 2)))
    assert squares[0] == 0.0
    assert squares[1] < squares[2] < squares[3]


def test_blurred_difference_is_linear_and_signed() -> None:
    rng = np.random.default_rng(1)
    masks = rng.random((3, 30, 100)) < 0.3
    a, b, c = (pack(masks[i : i + 1]) for i in range(3))
    grid, frame = blur_grid(pack(masks), 100, FINE), np.zeros(1, np.int64)
    whole = grid.differences(a, c, frame)
    assert np.allclose(whole, grid.differences(a, b, frame) + grid.differences(b, c, frame), atol=1e-4)
    assert np.allclose(whole, -grid.differences(c, a, frame), atol=1e-5)
    assert np.abs(whole).max() > 0.01


@pytest.mark.parametrize("name", ["walk", "identity"])
def test_slopes_of_likely_poses_are_their_derivatives(name: str) -> None:
    terms = likely(model_for(name, BODY))
    pose = _rough(_stepping(3)[1])[None]
    slopes = terms.slopes(pose)[0]
    for i in range(3, pose.shape[1] - 1):
        step = np.zeros(pose.shape[1] - 1)
        step[i] = 1e-5
        numeric = (terms.residuals(move(pose, step)) - terms.residuals(move(pose, -step)))[0] / 2e-5
        assert np.allclose(slopes[:, i], numeric, atol=1e-3 * max(1.0, float(np.abs(numeric).max())))


def test_equations_have_the_slope_of_the_cost_where_masks_say_nothing() -> None:
    poses = np.stack([_rough(pose, seed) for seed, pose in enumerate(_stepping(4))])
    poses[:, 2] -= 0.05  # feet in the ground
    terms, frames = _terms_of(_stepping(4)), np.arange(4)
    terms = replace(terms, views=tuple(replace(v, weight=0.0 * v.weight) for v in terms.views))
    held = terms.held(poses)
    slope = terms.equations(poses, frames).slope
    for t, i in ((0, 0), (1, 2), (2, 1), (3, 2), (1, 6 + BODY.axis_index("knee_left_flexion"))):
        step = np.zeros((4, poses.shape[1] - 1))
        step[t, i] = 1e-6
        costs = [terms.cost(move(poses, sign * step), frames, held) for sign in (1.0, -1.0)]
        assert slope[t, i] == pytest.approx((costs[0] - costs[1]) / 2e-6, rel=2e-2, abs=1.0)


def test_descending_keeps_fixed_frames_and_never_costs_more() -> None:
    truth = _stepping(5)
    terms, frames = _terms_of(truth), np.arange(5)
    start = np.stack([_rough(pose, seed) for seed, pose in enumerate(truth)])
    start[:, 7:] = np.clip(start[:, 7:], *tree_of(BODY).limits)
    better = descend(terms, start, frames, steps=3, fixed=2)
    assert np.array_equal(better[:2], start[:2])
    assert terms.cost(better, frames) < 0.7 * terms.cost(start, frames)


def test_exchanging_twice_changes_nothing() -> None:
    tree, poses = tree_of(BODY), _stepping(6)
    once = exchanged(tree, poses, "foot_left", 2, 5)
    assert np.array_equal(once[:2], poses[:2])
    assert np.allclose(
        once[2:5, 7 + BODY.axis_index("hip_right_flexion")], poses[2:5, 7 + BODY.axis_index("hip_left_flexion")]
    )
    assert np.array_equal(exchanged(tree, once, "foot_left", 2, 5), poses)


def test_refuses_what_cannot_be_tracked() -> None:
    truth = _stepping(4)
    seen, model = _seen(truth), model_for("walk", BODY)
    with pytest.raises(InputError, match="no camera"):
        track(BODY, [], RATE, truth[0], model)
    with pytest.raises(InputError, match="three or more"):
        track(BODY, [replace(seen, masks=seen.masks[:2])], RATE, truth[0], model)
    with pytest.raises(InputError, match="nobody is in the first mask"):
        track(BODY, [replace(seen, masks=np.zeros_like(seen.masks))], RATE, truth[0], model)
    with pytest.raises(InputError, match="first pose"):
        track(BODY, [seen], RATE, truth[0][:-1], model)
    with pytest.raises(InputError, match="window"):
        Settings(window=2)
