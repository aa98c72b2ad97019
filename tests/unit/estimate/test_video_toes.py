"""Toes of a track lie on the ground where the ball of their foot does."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.adult import adult
from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.estimate.video.toes import toes_laid
from reenact.geometry import rotation
from reenact.motion.floor import depths
from reenact.motion.kinematics import forward
from reenact.motion.tree import tree_of

BODY = adult()
TREE = tree_of(BODY)
TOES = 7 + BODY.axis_index("toe_left_flexion")


def _standing(pitch: float = 0.0, height: float = 0.0, *, toes: float = -1.1) -> np.ndarray:
    """One frame: the left foot's toes bent so far [rad], its ankle pitched, the soles so high over the floor [m]."""
    pose = bare_model(BODY).qpos0[None].copy()
    pose[0, 7 + BODY.axis_index("ankle_left_flexion")] = pitch
    pose[0, TOES] = min(pitch, 0.0)  # level, as they are while the ball is put onto the floor
    pose[0, 2] += depths(BODY, TREE, pose)[0] + height
    pose[0, TOES] = toes
    return pose


def _rise(pose: np.ndarray) -> float:
    """How far toes point up, as a sine."""
    return float(forward(TREE, pose)[1][0, TREE.names.index("toes_left"), 2, 0])


def test_toes_of_a_foot_that_stands_are_laid_level() -> None:
    pose = _standing()
    laid = toes_laid(BODY, TREE, pose)
    assert _rise(pose) > 0.8
    assert abs(_rise(laid)) < 0.05
    assert set(np.flatnonzero(laid != pose)) == {TOES}, "and nothing else"


def test_toes_of_a_foot_on_its_ball_stay_bent_as_the_foot_is_pitched() -> None:
    pose = _standing(pitch=-0.4)  # the heel is up: level toes are bent up against the foot
    laid = toes_laid(BODY, TREE, pose)
    assert abs(_rise(laid)) < 0.1
    assert -0.55 < laid[0, TOES] < -0.25


@pytest.mark.parametrize("turn", [0.7, -2.0])
def test_whichever_way_one_faces(turn: float) -> None:
    pose = _standing()
    pose[0, 3:7] = rotation.from_rotvec(np.array([0.0, 0.0, turn]))
    assert abs(_rise(toes_laid(BODY, TREE, pose))) < 0.05


def test_toes_in_the_air_or_pointing_down_stay() -> None:
    aloft = _standing(height=0.2)
    np.testing.assert_allclose(toes_laid(BODY, TREE, aloft), aloft, atol=1e-9)
    down = _standing(toes=0.4)
    np.testing.assert_array_equal(toes_laid(BODY, TREE, down), down)


def test_toes_of_a_foot_that_stands_on_end_stay() -> None:
    for pitch in (1.5, 1.65):  # to either side of upright
        pose = _standing(toes=-0.9)
        pose[0, 3:7] = rotation.from_rotvec(np.array([0.0, pitch, 0.0]))
        pose[0, 2] -= forward(TREE, pose)[0][0, TREE.names.index("toes_left"), 2]
        laid = toes_laid(BODY, TREE, pose)
        assert laid[0, TOES] == pytest.approx(-0.9, abs=0.2)


def test_a_body_without_toes_stays() -> None:
    body = load_body("laikago")
    pose = bare_model(body).qpos0[None].copy()
    np.testing.assert_array_equal(toes_laid(body, tree_of(body), pose), pose)
