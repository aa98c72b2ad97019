"""Ascent by pairs of runs, and the strengths that are kept up to date while it goes on."""

from __future__ import annotations

import math

import numpy as np
import pytest

from reenact.estimate.ascent import MOMENTUM, STRIDE, Ascent
from reenact.estimate.staircase import STEP, WEAK, Staircase

STRENGTHS = np.array([[100.0, 200.0], [300.0, 50.0], [80.0, 120.0]])  # (sides, kinds)
USUAL = np.array([210.0, 294.0, 283.5])


def climbed(worth: object, *, size: int, generations: int, pairs: int, seed: int = 0) -> Ascent:
    ascent = Ascent(size, np.random.default_rng(seed), spread=0.2)
    for _ in range(generations):
        ascent.climb(worth(ascent.pairs(pairs)))  # type: ignore[operator]
    return ascent


def test_every_pair_has_a_direction_of_its_own_and_goes_both_ways_along_it() -> None:
    ascent = Ascent(5, np.random.default_rng(0), spread=0.2)
    there, back = ascent.pairs(400)
    np.testing.assert_allclose(there + back, 0.0, atol=1e-12)
    assert np.linalg.matrix_rank(there) == 5
    assert there.std() == pytest.approx(0.2, rel=0.05)


def test_scenes_that_each_see_one_pair_teach_what_they_have_in_common() -> None:
    """Hundreds of numbers, and every pair in a scene of its own: what all want is found, what each wants is not."""
    rng, top = np.random.default_rng(1), np.full(200, 0.3)

    def worth(vectors: np.ndarray) -> np.ndarray:
        own = 0.3 * rng.standard_normal(vectors.shape[1:])
        return np.asarray(-((vectors - top - own) ** 2).sum(axis=2))

    ascent = climbed(worth, size=200, generations=60, pairs=200)
    assert np.linalg.norm(ascent.mean - top) < 0.4 * np.linalg.norm(top)


def test_steps_are_bounded_whatever_is_gained() -> None:
    longest = STRIDE * 0.2 * math.sqrt(30)
    sizes = []
    for scale in (1e-9, 1e9):
        ascent = Ascent(30, np.random.default_rng(0), spread=0.2)
        before = ascent.mean
        for _ in range(20):
            ascent.climb(scale * ascent.pairs(10).sum(axis=2))
            sizes.append(float(np.linalg.norm(ascent.mean - before)))
            before = ascent.mean
    assert max(sizes) <= longest * (1.0 + 1e-9)
    assert sizes[0] == pytest.approx(0.5 * longest)
    assert sizes[:20] == pytest.approx(sizes[20:])


def test_it_stays_where_it_is_while_nothing_is_gained() -> None:
    ascent = climbed(lambda vectors: np.zeros(vectors.shape[:2]), size=4, generations=3, pairs=5)
    np.testing.assert_array_equal(ascent.mean, 0.0)
    assert 0.0 < MOMENTUM < 1.0


def test_the_strength_goes_to_where_every_second_run_stays_up() -> None:
    stairs = Staircase(STRENGTHS, USUAL)
    rng = np.random.default_rng(0)
    for _ in range(400):
        for side in range(3):
            bears = 1.0 / (1.0 + (stairs.strength(side, 1) / 150.0) ** 12)
            stairs.tell(side, 1, int(rng.binomial(2, bears)))
    for side in range(3):
        assert stairs.strength(side, 1) == pytest.approx(150.0, rel=0.15)
    assert [stairs.strength(side, 0) for side in range(3)] == pytest.approx([100.0, 300.0, 80.0])
    stairs.tell(0, 0, 2)
    assert stairs.strength(0, 0) == pytest.approx(100.0 * math.exp(STEP))


def test_what_is_weak_beside_the_usual_is_drawn_more_often() -> None:
    stairs = Staircase(STRENGTHS, USUAL)
    drawn = stairs.drawn(np.random.default_rng(0), 20000, 2)
    counts = np.zeros((3, 2))
    np.add.at(counts, tuple(drawn.T), 1)
    likely = (STRENGTHS / USUAL[:, None]) ** -WEAK
    np.testing.assert_allclose(counts / 20000, likely / likely.sum(), atol=0.01)
    only = stairs.drawn(np.random.default_rng(0), 50, 1)
    assert set(only[:, 1]) == {0}
    sides = stairs.sides(np.random.default_rng(0), 20000, slice(1, None))
    likely = likely[:, 1]
    np.testing.assert_allclose(np.bincount(sides) / 20000, likely / likely.sum(), atol=0.01)
