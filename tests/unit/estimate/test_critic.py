"""The worth of moments: what is learned of it, and how much better something went than usual."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reenact.estimate.critic import DISCOUNT, TRUST, Course, advantages, error_slopes, new_critic
from reenact.estimate.exact_json import dumps, loads

T, N, F = 6, 3, 4


def test_it_learns_what_comes_of_moments() -> None:
    rng = np.random.default_rng(0)
    moments = rng.normal(size=(3000, F)) * [1.0, 10.0, 0.1, 1.0] + [0.0, 5.0, 1.0, 0.0]
    worth = np.tanh(moments[:, 0]) - 0.05 * moments[:, 1] + 0.2 * rng.normal(size=3000)
    critic = begun = new_critic(moments, rng)
    before = np.mean((critic(moments) - worth) ** 2)
    for _ in range(5):
        critic = critic.learned(moments, worth, rng)
    assert np.mean((begun(moments) - worth) ** 2) == before, "what it was stays as it was"
    after = np.mean((critic(moments) - worth) ** 2)
    assert after < 0.07 < 0.3 < before
    assert critic(moments.reshape(3, 1000, F)).shape == (3, 1000)


def test_slopes_are_those_of_the_error() -> None:
    rng = np.random.default_rng(1)
    seen, worth = rng.normal(size=(8, F)), rng.normal(size=8)
    critic = new_critic(seen, rng)
    slopes = error_slopes(critic.weights, critic.biases, seen, worth)
    numbers = [*critic.weights, *critic.biases]
    assert [slope.shape for slope in slopes] == [own.shape for own in numbers]

    def error() -> float:
        by_itself = replace(critic, mean=np.zeros(F), std=np.ones(F))
        return float(np.mean((by_itself(seen) - worth) ** 2))

    for own, slope in zip(numbers, slopes, strict=True):
        place = tuple(rng.integers(size) for size in own.shape)
        kept = own[place]
        own[place] = kept + 1e-5
        more = error()
        own[place] = kept - 1e-5
        less = error()
        own[place] = kept
        assert slope[place] == pytest.approx((more - less) / 2e-5, rel=1e-4, abs=1e-8)


def test_one_that_was_written_down_goes_on_to_the_same_bits() -> None:
    moments = np.random.default_rng(2).normal(size=(700, F))
    found = []
    for kept in (False, True):
        rng = np.random.default_rng(3)
        critic = new_critic(moments, rng).learned(moments, moments[:, 0], rng)
        critic = loads(dumps(critic)) if kept else critic
        found.append(critic.learned(moments, moments[:, 1], rng)(moments))
    np.testing.assert_array_equal(found[0], found[1])


def course(**changes: np.ndarray) -> Course:
    rng = np.random.default_rng(4)
    given = {
        "moments": rng.normal(size=(T, N, F)),
        "last": rng.normal(size=(N, F)),
        "rewards": rng.normal(size=(T, N)),
        "fell": np.zeros((T, N), bool),
        "left": np.zeros((T, N), bool),
    }
    return Course(**{**given, **changes})


def test_what_came_of_a_moment_is_the_sum_of_what_followed() -> None:
    """By the definition: a weighed sum of what is heard after one tenth, two, three …"""
    seen, critic = course(), new_critic(np.random.default_rng(5).normal(size=(50, F)), np.random.default_rng(6))
    better, worth = advantages(seen, critic)
    values = np.concatenate([critic(seen.moments), critic(seen.last)[None]])
    for t in range(T):
        surprises = [seen.rewards[k] + DISCOUNT * values[k + 1] - values[k] for k in range(t, T)]
        sums = sum((DISCOUNT * TRUST) ** k * one for k, one in enumerate(surprises))
        np.testing.assert_allclose(better[t], sums, atol=1e-12)
        np.testing.assert_allclose(worth[t], sums + values[t], atol=1e-12)


def test_nothing_comes_after_a_fall_and_what_is_left_is_worth_what_it_was() -> None:
    critic = new_critic(np.random.default_rng(5).normal(size=(50, F)), np.random.default_rng(6))
    fell, left = np.zeros((T, N), bool), np.zeros((T, N), bool)
    fell[2, 0], left[3, 1] = True, True
    seen = course(fell=fell, left=left)
    better, _ = advantages(seen, critic)
    values = critic(seen.moments)
    assert better[2, 0] == pytest.approx(seen.rewards[2, 0] - values[2, 0])
    assert better[3, 1] == pytest.approx(seen.rewards[3, 1] + (DISCOUNT - 1.0) * values[3, 1])
    other = course(fell=fell, left=left, rewards=seen.rewards + np.where(np.arange(T)[:, None] > 3, 9.0, 0.0))
    np.testing.assert_array_equal(advantages(other, critic)[0][:3, :2], better[:3, :2])
    assert np.all(advantages(other, critic)[0][:4, 2] > better[:4, 2])
