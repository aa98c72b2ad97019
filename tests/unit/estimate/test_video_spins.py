"""Whole turns that a track has missed, or made to the wrong side."""

from __future__ import annotations

import math

import numpy as np
import pytest
from side_walk import BODY, GRID, RATE, side_view, side_walk

from reenact.estimate.video.settings import Settings
from reenact.estimate.video.spins import Spin, stretches, turns, without_missed_turns
from reenact.estimate.video.terms import Terms
from reenact.estimate.video.track import Seen, terms_of
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.observe.projection import projection_of
from reenact.priors.load import model_for

SETTINGS = Settings(ways=2, last_steps=3)


def spun(frames: int, begin: int, last: int, angle: float) -> Array:
    """The first pose of the walk, turned about the vertical by an angle from one frame to another, arms apart."""
    pose = side_walk()[0].copy()
    pose[7 + BODY.axis_index("shoulder_left_flexion")] = 1.3
    share = np.clip((np.arange(frames) - begin) / (last - begin), 0.0, 1.0)
    poses = np.tile(pose, (frames, 1))
    turn = rotation.from_axis_angle(np.array([0.0, 0.0, 1.0]), angle * share * share * (3.0 - 2.0 * share))
    poses[:, 3:7] = rotation.multiply(turn, poses[:, 3:7])
    return poses


def terms_for(truth: Array, settings: Settings) -> Terms:
    camera = side_view()
    seen = Seen(camera=camera, masks=projection_of(BODY, camera, GRID).drawn(truth), size=GRID)
    return terms_of(BODY, [seen], RATE, model_for("identity", BODY), settings)


def test_turns_are_about_the_vertical() -> None:
    poses = spun(9, 2, 6, 1.2)
    assert turns(poses).sum() == pytest.approx(1.2)
    assert turns(poses, 3).sum() == pytest.approx(3.0 * 1.2, rel=0.4)
    fallen = poses.copy()
    fallen[:, 3:7] = rotation.multiply(
        rotation.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.linspace(0.0, 1.0, len(poses))), poses[:1, 3:7]
    )
    assert np.abs(turns(fallen)).max() < 1e-9, "who falls does not turn"


def test_a_way_has_to_turn_to_its_side_until_it_has() -> None:
    poses, spin = spun(12, 2, 8, 0.6), Spin(begin=2, frames=9, sense=1.0)
    still, right, left = poses[-1], poses[-1].copy(), poses[-1].copy()
    for pose, angle in ((right, -1.0), (left, 2.9)):
        step = rotation.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.array(angle))
        pose[3:7] = rotation.multiply(step, pose[3:7])
    assert spin(poses[:10], np.stack([still, right, left])).tolist() == [False, False, True]
    assert Spin(begin=2, frames=9, sense=-1.0)(poses[:10], np.stack([still, left])).tolist() == [False, False]
    done = spun(12, 2, 8, 5.5)
    assert spin(done, np.stack([done[-1], right])).all(), "then it goes as it likes"


def test_who_stands_where_the_masks_are_is_left_alone() -> None:
    truth = spun(24, 0, 1, 0.0)
    terms = terms_for(truth, SETTINGS)
    assert stretches(terms, truth, RATE) == []
    assert without_missed_turns(terms, terms, truth, RATE, SETTINGS, lambda _: None) is truth


def test_a_turn_to_the_wrong_side_is_made_to_the_right_one() -> None:
    truth, wrong = spun(22, 4, 17, 2.0 * math.pi), spun(22, 4, 17, -2.0 * math.pi)
    usual, sharp = terms_for(truth, SETTINGS), terms_for(truth, SETTINGS.sharpened())
    assert stretches(sharp, wrong, RATE)
    found = without_missed_turns(usual, sharp, wrong, RATE, SETTINGS, lambda _: None)
    frames = np.arange(len(truth))
    assert sharp.cost(found, frames) < 0.5 * sharp.cost(wrong, frames)
    assert turns(found).sum() == pytest.approx(2.0 * math.pi, abs=0.5)
