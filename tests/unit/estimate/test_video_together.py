"""Poses, flesh and ground solved together: what differs from the body is found, and with it how far off somebody is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from side_walk import BODY, GRID, RATE, side_view, side_walk

from reenact.body.body import Body
from reenact.body.girth import with_girths
from reenact.errors import InputError
from reenact.estimate.video.feet import feet_of
from reenact.estimate.video.flesh import CROWN, GROUND, SIZE, flesh_of, with_crown
from reenact.estimate.video.settings import Settings
from reenact.estimate.video.stature import stature_of
from reenact.estimate.video.terms import Terms
from reenact.estimate.video.together import Solved, solve_together
from reenact.estimate.video.track import FINER, Attempt, Seen, Track, close_terms, finished
from reenact.geometry.rotation import Array
from reenact.motion.floor import find_floor
from reenact.motion.kinematics import forward
from reenact.motion.lowest import lowest_points, shapes_of
from reenact.motion.tree import tree_of
from reenact.observe.projection import projection_of
from reenact.priors.load import model_for

CAMERA = side_view()
SHIFT = 0.08  # [m] by which the track is too near


def _person() -> Body:
    """Thicker, with a lower crown."""
    thick = {"thigh_left": 1.15, "thigh_right": 1.15, "thorax": 1.15, "pelvis": 1.15}
    return with_crown(with_girths(BODY, thick), 0.85)


def _seen(poses: Array) -> Seen:
    fine = (FINER * GRID[0], FINER * GRID[1])
    coarse, close = (projection_of(_person(), CAMERA, size).drawn(poses) for size in (GRID, fine))
    return Seen(camera=CAMERA, masks=coarse, size=GRID, fine=close)


def _terms(body: Body, poses: Array) -> Terms:
    model, settings = model_for("walk", BODY), Settings().sharpened()
    return close_terms(body, seen=[_seen(poses)], rate=RATE, model=model, settings=settings)


def _nearer(poses: Array) -> Array:
    out = poses.copy()
    out[:, 1] -= SHIFT
    return out


@pytest.fixture(scope="module")
def truth() -> Array:
    return side_walk()[4:22]


@pytest.fixture(scope="module")
def found(truth: Array) -> Solved:
    return solve_together(flesh_of(BODY, size=None), _nearer(truth), partial(_terms, poses=truth), steps=8)


def _depth(poses: Array, truth: Array, body: Body = BODY) -> float:
    """Mean error along the line of sight, +y."""
    return float((forward(tree_of(body), poses)[0] - forward(tree_of(BODY), truth)[0])[..., 1].mean())


def test_depth_comes_back_with_the_flesh(found: Solved, truth: Array) -> None:
    assert abs(_depth(found.poses, truth)) < 0.4 * SHIFT


def test_flesh_and_crown_are_found(found: Solved) -> None:
    factors = dict(zip(flesh_of(BODY, size=None).names, np.exp(found.values), strict=True))
    assert factors["thigh"] == pytest.approx(1.15, abs=0.05)
    assert factors["pelvis"] == pytest.approx(1.15, abs=0.07)
    assert factors["shank"] == pytest.approx(1.0, abs=0.07)
    assert factors["head"] * factors[CROWN] == pytest.approx(0.85, abs=0.06)
    assert (found.doubt > 0).all()


def test_costs_less_than_before(found: Solved, truth: Array) -> None:
    frames = np.arange(len(truth))
    assert found.cost < 0.5 * _terms(BODY, truth).cost(_nearer(truth), frames)


def test_a_track_ends_with_a_close_look(truth: Array) -> None:
    attempt = Attempt(body=BODY, model=model_for("walk", BODY), start=truth[0], poses=_nearer(truth))
    seen = _seen(truth)
    settings = Settings()
    close = finished(attempt, [seen], RATE, settings)
    coarse = finished(attempt, [replace(seen, fine=None)], RATE, settings)
    assert abs(_depth(close.poses, truth)) < 0.4 * SHIFT
    assert abs(_depth(close.poses, truth)) < 0.8 * abs(_depth(coarse.poses, truth))
    assert close.mismatch.mean() < 0.7 * coarse.mismatch.mean()
    assert coarse.body is BODY


def test_soles_may_rest_above_the_ground(truth: Array) -> None:
    flesh = flesh_of(BODY, size=None)
    flesh = replace(flesh, spread=np.where([name == GROUND for name in flesh.names], 0.02, flesh.spread))
    lifted = truth.copy()
    lifted[:, 2] += 0.015
    levels = [
        flesh.level(solve_together(flesh, poses, partial(_terms, poses=poses), steps=3).values)
        for poses in (truth, lifted)
    ]
    assert levels[1] - levels[0] == pytest.approx(0.015, abs=0.007)


def test_size_keeps_the_feet_where_they_are(truth: Array) -> None:
    flesh = flesh_of(BODY, size=0.02)
    assert flesh.names[-2:] == (GROUND, SIZE)
    values = np.zeros(len(flesh.names))
    values[-1] = np.log(1.05)
    taller = flesh.made(values)
    assert taller.stature == pytest.approx(1.05 * BODY.stature, rel=1e-6)
    assert taller.mass == pytest.approx(BODY.mass)
    levels = [find_floor(BODY, tree_of(BODY), truth, RATE).height]
    levels.append(find_floor(taller, tree_of(taller), flesh.moved(truth, values, 0.0), RATE).height)
    assert levels[1] == pytest.approx(1.05 * levels[0], abs=0.004)


def test_stature_is_told_by_the_ground(truth: Array) -> None:
    flesh = flesh_of(BODY)
    values = np.zeros(len(flesh.names))
    values[-1] = np.log(1.04)
    wrong = Track(
        body=flesh.made(values), rate=RATE, poses=flesh.moved(truth, values, 0.0), mismatch=np.zeros(len(truth)),
        cost=0.0, swaps=0,
    )  # fmt: skip
    found = stature_of(wrong, [_seen(truth)], model_for("walk", BODY), weighed=False)
    assert found.track.body.mass == pytest.approx(BODY.mass * (found.height / wrong.body.stature) ** 2, rel=1e-6)
    assert found.height == pytest.approx(BODY.stature, rel=0.015)
    assert 0.01 * BODY.stature < found.doubt < 0.05 * BODY.stature
    assert abs(_depth(found.track.poses, truth, found.track.body)) < 0.06


def test_stature_needs_fine_masks(truth: Array) -> None:
    track = Track(body=BODY, rate=RATE, poses=truth, mismatch=np.zeros(len(truth)), cost=0.0, swaps=0)
    with pytest.raises(InputError, match="fine masks"):
        stature_of(track, [replace(_seen(truth), fine=None)], model_for("walk", BODY))


def test_nothing_changes_a_body_by_zeros() -> None:
    flesh = flesh_of(BODY)
    made = flesh.made(np.zeros(len(flesh.names)))
    for one, other in zip(made.segments, BODY.segments, strict=True):
        for a, b in zip(one.shapes, other.shapes, strict=True):
            assert a.size == pytest.approx(b.size)
    assert flesh.cost(flesh.spread) == pytest.approx(0.5 * len(flesh.names))


def test_feet_are_the_soles_not_the_landmarks() -> None:
    tree, feet = tree_of(BODY), feet_of(BODY, 0.0, RATE, Settings())
    rest = np.zeros((1, 7 + len(tree.hinges)))
    rest[0, 3] = 1.0
    lowest = lowest_points(tree, shapes_of(BODY), rest)[0].min()
    assert feet.places(rest)[0, :, 2] == pytest.approx(np.full(4, lowest), abs=1e-9)
    segment, point = BODY.landmarks["heel_left"]
    landmark = tree.rest()[tree.names.index(segment), 2] + point[2]
    assert landmark - lowest > 0.005  # within the flesh
