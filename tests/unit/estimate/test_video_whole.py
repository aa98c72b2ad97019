"""Ways of a whole track that no descent finds: less deep, turned the other way, and the better of two in each part."""

from __future__ import annotations

import numpy as np
from side_walk import BODY, GRID, RATE, side_view, side_walk

from reenact.estimate.video.fold import folded, places, without_folds
from reenact.estimate.video.level import level_of
from reenact.estimate.video.responses import limbs_of
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.splice import spliced
from reenact.estimate.video.terms import Terms
from reenact.estimate.video.track import Seen, terms_of
from reenact.estimate.video.whole import pressed
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import move, tree_of
from reenact.observe.projection import projection_of
from reenact.priors.load import model_for

TREE = tree_of(BODY)


def _terms(poses: Array) -> Terms:
    camera = side_view()
    seen = Seen(camera=camera, masks=projection_of(BODY, camera, GRID).drawn(poses), size=GRID)
    return terms_of(BODY, [seen], RATE, model_for("identity", BODY), Settings())


def _error(poses: Array, truth: Array) -> Array:
    """Of each frame [m]."""
    return np.asarray(np.linalg.norm(forward(TREE, poses)[0] - forward(TREE, truth)[0], axis=-1).mean(axis=1))


def _turning(frames: int = 15) -> Array:
    """Someone who faces the camera and turns away from it, with the arms lifted aside."""
    poses = np.repeat(side_walk()[:1], frames, axis=0)
    poses[:, 7:] = 0.0
    poses[:, 7 + BODY.axis_index("shoulder_left_abduction")] = 0.5
    poses[:, 7 + BODY.axis_index("shoulder_right_abduction")] = 0.5
    poses[:, :2] = 0.0
    for pose, angle in zip(poses, np.linspace(0.45 * np.pi, -0.45 * np.pi, frames), strict=True):
        pose[3:7] = rotation.from_axis_angle([0.0, 0.0, 1.0], -angle)
    return poses


def test_level_parts_cost_nothing_deep_ones_something_and_still_deeper_ones_little_more() -> None:
    level = level_of(TREE, [side_view()], Settings())
    upright = _turning()[:1]
    upright[:, 7:] = 0.0
    leaning = [upright.copy() for _ in range(3)]
    for pose, angle in zip(leaning, (0.0, 0.3, 0.6), strict=True):
        pose[0, 3:7] = rotation.multiply(rotation.from_axis_angle([1.0, 0.0, 0.0], angle), pose[0, 3:7])
    none, some, more = (float(level.costs(pose)[0]) for pose in leaning)
    assert none < 0.5
    assert some > 5.0
    assert some < more < 3.0 * some


def test_slopes_of_level_parts_are_derivatives_of_their_cost() -> None:
    level, poses = level_of(TREE, [side_view()], Settings()), side_walk()[4:6]
    _, slope = level.equations(poses, limbs_of(TREE))
    for v in range(0, poses.shape[1] - 1, 3):
        step = np.zeros((2, poses.shape[1] - 1))
        step[:, v] = 1e-5
        ahead, back = (0.5 * level.costs(move(poses, sign * step)) for sign in (1.0, -1.0))
        assert np.allclose((ahead - back) / 2e-5, slope[:, v], atol=1e-3)


def test_two_views_ask_for_nothing_level() -> None:
    level = level_of(TREE, [side_view(), side_view()], Settings())
    assert not len(level.ends)
    assert not level.costs(side_walk()[:2]).any()


def test_a_track_that_leans_along_the_line_of_sight_is_pressed_flat() -> None:
    truth = side_walk()[:8]
    terms, leaning = _terms(truth), truth.copy()
    leaning[:, 3:7] = rotation.multiply(rotation.from_axis_angle([1.0, 0.0, 0.0], 0.35), truth[:, 3:7])
    assert _error(pressed(terms, leaning), truth).mean() < 0.5 * _error(leaning, truth).mean()


def test_a_turn_that_was_taken_for_its_mirror_image_is_found() -> None:
    truth = _turning()
    terms = _terms(truth)
    (place,) = [at for at in places(terms, truth) if 0 < at < len(truth) - 1]
    assert abs(place - (len(truth) - 1) / 2) <= 1
    assert not places(terms, truth[:3])
    wrong = folded(terms, truth, place + 1, len(truth))
    assert _error(wrong, truth).max() > 0.2
    found, count = without_folds(terms, wrong)
    assert count == 1
    assert _error(found, truth).mean() < 0.05


def test_of_two_tracks_the_better_part_of_each_is_kept() -> None:
    truth = side_walk()[:20]
    terms, flexion = _terms(truth), 7 + BODY.axis_index("hip_left_flexion")
    first, last = truth.copy(), truth.copy()
    first[2:6, flexion] += 1.2
    last[12:18, flexion] += 1.2
    for found in (spliced(terms, first, last), spliced(terms, last, first)):
        assert _error(found, truth).max() < 0.05
    assert np.array_equal(spliced(terms, truth, truth), truth)
