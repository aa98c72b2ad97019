"""A track whose feet rest above or below the floor is set down on it."""

from __future__ import annotations

import numpy as np

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


def test_who_is_in_the_air_or_on_a_step_is_not() -> None:
    jump = np.zeros(120)
    jump[40:80] = 0.5 * 9.81 * (20 / RATE) ** 2 - 0.5 * 9.81 * (np.linspace(-20, 20, 40) / RATE) ** 2
    np.testing.assert_allclose(off_the_floor(BODY, TREE, _standing(jump), RATE), 0.0, atol=3e-3)
    step = np.full(60, 2.0 * MOST)
    np.testing.assert_array_equal(off_the_floor(BODY, TREE, _standing(step), RATE), 0.0)
