"""Samples that correct: the fitted linear model, and the displacements that undo an error."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.body.load import load_body
from reenact.body.mjcf import bare_model
from reenact.estimate.sampling.cost import Weights
from reenact.estimate.sampling.features import anatomy_of
from reenact.estimate.sampling.learning import EXPLORERS, around
from reenact.estimate.sampling.offset import offset_of
from reenact.estimate.sampling.smooth import smoothed
from reenact.estimate.sampling.steering import corrections, effect_of, errors


def test_the_fit_finds_a_linear_effect() -> None:
    rng = np.random.default_rng(0)
    true = rng.normal(size=(12, 9))
    moves = rng.uniform(-1, 1, (4000, 12))
    found = effect_of(moves, moves @ true)
    np.testing.assert_allclose(found, true / (1 + 0.1 * 3), rtol=0.1, atol=0.05)  # ridge shrinks: variance is 1/3


def test_a_correction_undoes_most_of_a_small_error_and_keeps_to_the_window() -> None:
    rng = np.random.default_rng(1)
    effect = 3.0 * rng.normal(size=(30, 9))
    error = rng.normal(size=(5, 9))
    moves = corrections(effect, error)
    left = error + moves @ effect
    assert np.linalg.norm(left) < 0.1 * np.linalg.norm(error)
    assert np.abs(corrections(effect, 1000.0 * error)).max() <= 1.0


def test_errors_are_in_units_of_cost_and_limited() -> None:
    body = load_body("human50")
    anatomy = anatomy_of(body)
    qpos = np.tile(bare_model(body).qpos0, (3, 1))
    qpos[1, 0] += 0.01
    qpos[2, 0] += 5.0
    features = anatomy.features(qpos, np.zeros((3, 6 + len(body.axes))))
    weights = Weights(place=10.0, balance=7.0)
    found = errors(features, features.at(0), weights, body.stature)
    np.testing.assert_allclose(found[0], 0.0, atol=1e-9)
    assert found[1, 0] == pytest.approx(17.0 * 0.01 / body.stature)
    assert found[2, 0] == pytest.approx(17.0 * 0.05)


def test_most_samples_of_a_later_pass_lie_around_the_guide() -> None:
    guide, window = np.array([1.0, -1.0]), np.array([0.1, 0.2])
    noise = np.random.default_rng(0).uniform(-1, 1, (80, 2))
    noise[:10] = 0.0
    found = around(guide, window, noise, 10)
    assert len(found.which) == 80 * (EXPLORERS - 1) // EXPLORERS
    np.testing.assert_array_equal(found.displacement[:10], np.tile(guide, (10, 1)))
    assert (np.abs(found.displacement - guide) <= window).all()


def test_the_offset_is_what_tracking_missed_within_limits() -> None:
    reached = np.array([[0.1, 0.0, -3.0], [np.nan, np.nan, np.nan]])
    np.testing.assert_allclose(offset_of(reached, np.array([0.3, 0.0, 0.0])), [[0.2, 0.0, 0.5], [0.0, 0.0, 0.0]])


def test_smoothing_keeps_slow_motion_and_takes_out_jitter() -> None:
    time = np.arange(240) / 120.0
    qpos = np.zeros((240, 9))
    qpos[:, 3] = 1.0
    qpos[:, 7] = np.sin(2 * np.pi * time)
    qpos[:, 8] = np.sin(2 * np.pi * 30.0 * time)
    out = smoothed(qpos, 120.0, 6.0)
    inner = slice(48, -48)
    np.testing.assert_allclose(out[inner, 7], qpos[inner, 7], atol=0.01)
    assert np.abs(out[inner, 8]).max() < 0.01
    np.testing.assert_allclose(np.linalg.norm(out[:, 3:7], axis=1), 1.0)
