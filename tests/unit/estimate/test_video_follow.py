"""The contest for a track: mirror images of first poses, many ways at once, and first poses from masks alone."""

from __future__ import annotations

import numpy as np
import pytest
from side_walk import BODY, GRID, RATE, side_view, side_walk

from reenact.errors import InputError
from reenact.estimate.video.balance import balance_of
from reenact.estimate.video.first_search import first_pose_by_search
from reenact.estimate.video.follow import follow
from reenact.estimate.video.grow import begun, grown
from reenact.estimate.video.responses import limbs_of, point_responses
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.smooth import smooth_of
from reenact.estimate.video.track import Seen, terms_of
from reenact.estimate.video.variants import AS_IS, BOTH, EXCHANGED, MIRRORED, VARIANTS, mirrored_in_depth, variant
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import move, tree_of
from reenact.observe.projection import mismatches, projection_of
from reenact.priors.load import model_for

QUICK = Settings(ways=1, later_ways=1, rounds=1, last_steps=2)


def _seen(poses: Array) -> Seen:
    camera = side_view()
    return Seen(camera=camera, masks=projection_of(BODY, camera, GRID).drawn(poses), size=GRID)


def _error(poses: Array, truth: Array) -> float:
    tree = tree_of(BODY)
    return float(np.linalg.norm(forward(tree, poses)[0] - forward(tree, truth)[0], axis=-1).mean())


def _rough(pose: Array, scale: float = 1.0, seed: int = 0) -> Array:
    rng = np.random.default_rng(seed)
    spread = np.concatenate([np.full(3, 0.05), np.full(3, 0.08), np.full(len(pose) - 7, 0.15)])
    return move(pose, scale * spread * rng.standard_normal(len(spread)))


def test_mirrored_in_depth_looks_the_same_from_far_and_is_its_own_inverse() -> None:
    turned = side_walk()[3].copy()
    turned[3:7] = rotation.multiply(rotation.from_axis_angle([0.0, 0.0, 1.0], 0.7), turned[3:7])
    camera = side_view(200.0)
    image = mirrored_in_depth(BODY, turned, camera)
    assert _error(image[None], turned[None]) > 0.1
    drawn = projection_of(BODY, camera, GRID).drawn(np.stack([turned, image]))
    shared = np.bitwise_count(drawn[0] & drawn[1]).sum() / np.bitwise_count(drawn[0] | drawn[1]).sum()
    assert shared > 0.98
    assert _error(mirrored_in_depth(BODY, image, camera)[None], turned[None]) < 1e-9


def test_variants_differ_and_one_is_the_pose_itself() -> None:
    pose, camera = side_walk()[3], side_view()
    made = {name: variant(BODY, pose, camera, name) for name in VARIANTS}
    assert np.array_equal(made[AS_IS], pose)
    for name in (EXCHANGED, MIRRORED, BOTH):
        assert _error(made[name][None], pose[None]) > 0.02, name


def test_points_answer_to_unknowns_by_their_derivatives() -> None:
    tree, pose = tree_of(BODY), _rough(side_walk()[5])
    limbs = limbs_of(tree)
    on, points = np.array([3, 9, 12]), np.array([[0.0, 0.1, 0.2], [0.05, 0.0, -0.1], [0.1, 0.0, 0.0]])
    found = point_responses(tree.arrays, limbs.below, limbs.moved, pose[None], on, points)[0]

    def places(at: Array) -> Array:
        position, frame = forward(tree, at[None])
        return np.asarray(position[0, on] + np.einsum("fij,fj->fi", frame[0, on], points))

    for v in range(tree.dofs):
        step = np.zeros(tree.dofs)
        step[v] = 1e-6
        assert np.allclose(found[v], (places(move(pose, step)) - places(move(pose, -step))) / 2e-6, atol=1e-6)


def test_sudden_accelerations_cost_less_than_their_squares() -> None:
    smooth = smooth_of(tree_of(BODY), [side_view()], RATE, Settings())
    bend = np.zeros((1, tree_of(BODY).dofs))
    bend[0, 1] = 1e-4  # along the line of sight
    small = smooth.levelled(bend).sum()
    assert smooth.levelled(10.0 * bend).sum() == pytest.approx(100.0 * small, rel=0.05)
    assert smooth.levelled(1e4 * bend).sum() < 1e-3 * 1e8 * small
    across = np.zeros_like(bend)
    across[0, 0] = 1e-4
    assert smooth.levelled(across).sum() < small


def test_balance_asks_for_the_centre_of_mass_above_the_feet_in_depth_alone() -> None:
    balance = balance_of(BODY, [side_view()], Settings())
    upright = tree_of(BODY).neutral()
    upright[2] = -tree_of(BODY).rest()[:, 2].min() + 0.05

    def off(pose: Array) -> float:
        return float(balance.residuals(pose[None], balance.bearing(pose[None]))[0])

    def leaning(axis: list[float]) -> float:
        pose = upright.copy()
        pose[3:7] = rotation.from_axis_angle(axis, 0.3)
        return abs(off(pose))

    assert abs(off(upright)) < 0.3
    assert leaning([1.0, 0.0, 0.0]) > 1.5  # towards the camera
    assert leaning([0.0, 1.0, 0.0]) < 0.3  # across the picture
    assert abs(off(upright + np.eye(len(upright))[2])) < 1e-6  # in flight
    bearing = balance.bearing(upright[None])
    slope = balance.slopes(upright[None], bearing, limbs_of(tree_of(BODY)))[0]
    step = np.zeros(tree_of(BODY).dofs)
    step[3] = 1e-5
    ways = [balance.residuals(move(upright, sign * step)[None], bearing)[0] for sign in (1.0, -1.0)]
    assert slope[3] == pytest.approx((ways[0] - ways[1]) / 2e-5, rel=1e-4)


def test_ways_from_several_first_poses_go_on_until_one_is_cheapest() -> None:
    truth = side_walk()[:6]
    terms = terms_of(BODY, [_seen(truth)], RATE, model_for("walk", BODY), QUICK)
    exchanged = variant(BODY, truth[0], side_view(), EXCHANGED)
    start = begun(terms, [_rough(exchanged, 0.2), _rough(truth[0], 0.2)])
    assert sorted(way.origin for way in start) == [0, 1]
    each = grown(terms, start, QUICK, to=4, keep=1, each=True)
    assert sorted(way.origin for way in each) == [0, 1]
    best = grown(terms, each, QUICK, to=6, keep=1)
    assert len(best) == 1
    assert best[0].origin == 1
    assert best[0].cost == pytest.approx(terms.cost(best[0].poses, np.arange(6)), rel=0.02)


def test_contest_chooses_the_pose_that_the_masks_begin_with() -> None:
    truth = side_walk()[:6]
    camera = side_view()
    wrong = variant(BODY, truth[0], camera, EXCHANGED)
    models = [model_for("walk", BODY), model_for("cartwheel", BODY)]
    told: list[float] = []
    result = follow(
        BODY, [_seen(truth)], RATE, [_rough(wrong, 0.2)], models, settings=QUICK,
        progress=lambda done, what: told.append(done),
    )  # fmt: skip
    assert result.tried[0].variant in (EXCHANGED, MIRRORED)
    assert result.tried[0].frames == len(truth)
    assert _error(result.best.poses, truth) < 0.05
    assert {one.model for one in result.tried} == {"walk", "cartwheel"}
    assert told == sorted(told)
    assert told[-1] == 1.0
    with pytest.raises(InputError, match="0 first poses"):
        follow(BODY, [_seen(truth)], RATE, [], models)


def test_first_poses_from_a_mask_alone_look_like_it_and_differ() -> None:
    truth = side_walk()[4:5]
    seen = _seen(truth)
    found = first_pose_by_search(BODY, [seen], [model_for("walk", BODY)], count=3)
    assert 1 < len(found) <= 3
    off = mismatches(projection_of(BODY, seen.camera, GRID).overlaps(np.stack(found), np.repeat(seen.masks, 3, axis=0)))
    assert off.max() < 0.4
    assert off[0] < 0.2
    assert _error(found[0][None], found[1][None]) > 0.08
    assert min(_error(pose[None], truth) for pose in found) < 0.3
    again = first_pose_by_search(BODY, [seen], [model_for("walk", BODY)], count=3)
    assert all(np.array_equal(a, b) for a, b in zip(found, again, strict=True))
