"""What motions from video are measured by, on points whose figures are known."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.estimate.video.measures import (
    aligned_error_cm,
    error_cm,
    jerk,
    resting,
    slide_cm_s,
    strikes,
    sunk_cm,
)

RATE = 60.0


def _standing(frames: int = 60) -> np.ndarray:
    """Two points of feet at rest, 0.2 m apart."""
    return np.tile(np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]]), (frames, 1, 1))


def test_errors_are_distances_in_the_world_and_without_the_root() -> None:
    true = np.random.default_rng(1).normal(0.0, 1.0, (5, 4, 3))
    moved = true + np.array([0.03, 0.0, 0.04])
    assert error_cm(moved, true) == pytest.approx(5.0)
    assert aligned_error_cm(moved, true, [0]) == pytest.approx(0.0, abs=1e-9)
    moved[:, 1] += [0.0, 0.1, 0.0]
    assert aligned_error_cm(moved, true, [0]) == pytest.approx(10.0 / 4)
    assert aligned_error_cm(moved, true, [0, 1]) == pytest.approx((5.0 * 4) / 4)


def test_points_that_are_not_known_do_not_count() -> None:
    true = np.zeros((3, 2, 3))
    found = true + np.array([0.01, 0.0, 0.0])
    found[1, 0] = np.nan
    assert error_cm(found, true) == pytest.approx(1.0)


def test_a_foot_rests_where_it_is_low_and_slow_for_long_enough() -> None:
    feet = _standing()
    feet[20:40, 0, 0] += np.arange(20) * 0.05  # 3 m/s
    feet[40:, 0, 0] += 0.95
    feet[:, 1, 2] += 0.2
    feet[:3, 1, 2] = 0.0  # low for three frames alone
    rest = resting(feet, RATE)
    assert rest[2:18, 0].all()
    assert rest[42:, 0].all()
    assert not rest[22:38, 0].any()
    assert not rest[:, 1].any()


def test_slide_is_the_speed_of_points_at_rest() -> None:
    feet = _standing()
    feet[:, 0, 0] += 0.1 * np.arange(60) / RATE  # 10 cm/s
    rest = np.ones((60, 2), bool)
    assert slide_cm_s(feet, rest, RATE) == pytest.approx(5.0)
    rest[:, 1] = False
    assert slide_cm_s(feet, rest, RATE) == pytest.approx(10.0)
    assert slide_cm_s(feet, np.zeros((60, 2), bool), RATE) == 0.0


def test_sinking_is_that_of_the_lowest_point() -> None:
    feet = _standing(4)
    feet[1, 0, 2] = -0.02
    feet[3, 1, 2] = 0.5
    assert sunk_cm(feet) == pytest.approx((0.5, 2.0))
    assert sunk_cm(feet, ground=-0.01) == pytest.approx((0.25, 1.0))


def test_jerk_of_a_cubic() -> None:
    time = np.arange(30) / RATE
    points = np.zeros((30, 1, 3))
    points[:, 0, 2] = 2.0 * time**3
    assert jerk(points, RATE) == pytest.approx(12.0)
    assert np.isnan(jerk(points[:3], RATE))


def test_strikes_are_told_in_order_of_time() -> None:
    feet = _standing(120)
    feet[:50, 0, 2] = 0.3
    feet[70:, 1, 2] = 0.3
    found = strikes(feet, RATE)
    assert [foot for foot, _, _ in found] == [1, 0]
    assert found[1][1] == pytest.approx(51 / RATE, abs=2 / RATE)
    assert found[0][2] == pytest.approx(69 / RATE, abs=2 / RATE)
