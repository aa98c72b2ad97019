"""The sliding window: every step has its turns, first ones only after those before it."""

from __future__ import annotations

from itertools import pairwise

import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest

from reenact.errors import InputError
from reenact.estimate.sampling.settings import Settings
from reenact.estimate.sampling.sweeps import Sweep, sweeps_of

steps = st.integers(1, 60)


@st.composite
def settings(draw: st.DrawFn) -> tuple[int, int]:
    """Horizon and visits as `Settings` lets them pass."""
    horizon = draw(st.integers(1, 30))
    return horizon, draw(st.integers(1, horizon))


def visits_to(steps: int, sweeps: tuple[Sweep, ...]) -> np.ndarray:
    """How often each step is visited (steps,)."""
    count = np.zeros(steps, int)
    for begin, end in sweeps:
        count[begin:end] += 1
    return count


@hypothesis.given(steps, st.integers(1, 8), st.integers(1, 8))
def test_each_step_is_visited_as_often_as_asked_where_the_horizon_divides(n: int, stride: int, visits: int) -> None:
    assert (visits_to(n, sweeps_of(n, stride * visits, visits)) == visits).all()


@hypothesis.given(steps, settings())
def test_elsewhere_all_steps_are_visited_about_that_often(n: int, given: tuple[int, int]) -> None:
    horizon, visits = given
    count = visits_to(n, sweeps_of(n, horizon, visits))
    assert count.min() >= 1
    assert count.max() - count.min() <= 1
    stride = max(1, round(horizon / visits))
    assert abs(count - horizon / stride).max() < 1.0


@hypothesis.given(steps, settings())
def test_windows_slide_forward_without_gaps(n: int, given: tuple[int, int]) -> None:
    horizon, visits = given
    sweeps = sweeps_of(n, horizon, visits)
    assert sweeps[0].begin == 0
    assert sweeps[-1].end == n
    for begin, end in sweeps:
        assert 0 <= begin < end <= n
        assert end - begin <= horizon
    for before, after in pairwise(sweeps):
        assert before.begin <= after.begin <= before.end  # the tree is cut back to a layer that exists
        assert after.end >= before.end
        assert after != before or after == Sweep(0, n)  # only a motion that fits the window is gone through again


def test_an_example() -> None:
    assert sweeps_of(5, 4, 2) == ((0, 2), (0, 4), (2, 5), (4, 5))


@pytest.mark.parametrize(("visits", "horizon"), [(0, 12), (7, 6)])
def test_visits_that_do_not_fit_the_horizon_are_refused(visits: int, horizon: int) -> None:
    with pytest.raises(InputError, match=f"{visits} visits with a horizon of {horizon} steps"):
        Settings(visits=visits, horizon=horizon)
