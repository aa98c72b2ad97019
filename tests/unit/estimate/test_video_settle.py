"""A track whose feet rest above or below the floor is set down on it."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.mjcf import bare_model
from reenact.estimate.video.settle import MOST, off_the_floor
from reenact.motion.floor import depths
from reenact.motion.tree import tree_of

BODY = adult()
TREE = tree_of(BODY)
RATE = 60.0


def _standing(heights: np.ndarray) -> np.ndarray:
    """Somebody who stands, so high over the floor (T,) [m]."""
    poses = np.tile(bare_model(BODY).qpos0, (len(heights), 1))
    poses[:, 2] += depths(BODY, TREE, poses)[0] + heights
    return poses


def test_feet_that_rest_off_the_floor_are_set_down_smoothly() -> None:
    heights = np.concatenate([np.full(60, -0.03), np.full(60, 0.03)])
    off = off_the_floor(BODY, TREE, _standing(heights), RATE)
    np.testing.assert_allclose(off[[0, 30, 90, 119]], [-0.03, -0.03, 0.03, 0.03], atol=2e-3)
    assert np.abs(np.diff(off)).max() < 0.006, "a quarter of a metre a second at most"


@pytest.mark.parametrize("height", [0.03, 0.05, 0.5])
def test_who_is_in_the_air_is_not(height: float) -> None:
    since = np.arange(-60, 60) / RATE
    jump = np.maximum(0.0, height - 0.5 * 9.81 * since**2)
    np.testing.assert_allclose(off_the_floor(BODY, TREE, _standing(jump), RATE), 0.0, atol=3e-3)


def test_toes_bent_into_the_floor_raise_nobody() -> None:
    poses = _standing(np.zeros(60))
    poses[:, 7 + BODY.axis_index("toe_left_flexion")] = 0.4
    np.testing.assert_allclose(off_the_floor(BODY, TREE, poses, RATE), 0.0, atol=1e-3)


def test_who_stands_on_a_step_stays_there() -> None:
    step = np.full(60, 2.0 * MOST)
    np.testing.assert_array_equal(off_the_floor(BODY, TREE, _standing(step), RATE), 0.0)
