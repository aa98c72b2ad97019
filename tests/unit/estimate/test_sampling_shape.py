"""The noise's shape follows the spread of good samples."""

from __future__ import annotations

import numpy as np

from reenact.estimate.sampling.learning import NARROWEST, shape_of
from reenact.estimate.sampling.response import Tried


def test_noise_is_narrow_where_good_samples_lie_close_together() -> None:
    rng = np.random.default_rng(0)
    displacement = rng.uniform(-1.0, 1.0, (400, 3))
    cost = np.abs(displacement[:, 0])  # only the first axis matters
    tried = Tried(start=np.zeros((400, 2)), displacement=displacement, end=np.zeros((400, 2)), cost=cost)
    shape = shape_of(tried)
    assert shape[0] < 0.6 * shape[1:].min()
    np.testing.assert_allclose(np.mean(shape**2), 1.0)


def test_few_or_equal_samples_keep_the_noise_within_bounds() -> None:
    tried = Tried(start=np.zeros((3, 1)), displacement=np.zeros((3, 2)), end=np.zeros((3, 1)), cost=np.zeros(3))
    shape = shape_of(tried)
    assert np.isfinite(shape).all()
    assert (shape >= NARROWEST).all()
