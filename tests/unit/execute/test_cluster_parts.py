"""Requests cut into parts."""

from __future__ import annotations

import numpy as np
import pytest

from reenact.estimate.sampling.evaluate import Request
from reenact.execute.crew import shares
from reenact.execute.parts import MESSAGE, parts_of, size_of_part


def request(candidates: int, starts: int) -> Request:
    return Request(
        starts=np.arange(5.0 * starts).reshape(starts, 5),
        start_of=np.arange(candidates) % starts,
        displacement=np.arange(3.0 * candidates).reshape(candidates, 3),
        steps=12,
    )


@pytest.mark.parametrize(("candidates", "starts", "size"), [(1, 1, 4), (20, 7, 4), (23, 50, 6), (24, 3, 100)])
def test_every_candidate_is_in_one_part_with_its_own_start(candidates: int, starts: int, size: int) -> None:
    asked = request(candidates, starts)
    parts = list(parts_of(asked, size))
    which = np.concatenate([part.which for part in parts])
    assert sorted(which) == list(range(candidates))
    assert max(len(part.which) for part in parts) <= size
    for part in parts:
        np.testing.assert_array_equal(part.starts[part.start_of], asked.starts[asked.start_of[part.which]])
        np.testing.assert_array_equal(part.displacement, asked.displacement[part.which])


def test_a_part_carries_only_the_starts_it_uses() -> None:
    asked = request(350, 50)
    sent = sum(part.starts.nbytes for part in parts_of(asked, 35))
    assert sent <= 2 * asked.starts.nbytes
    assert all(len(part.starts) == len(np.unique(part.start_of)) for part in parts_of(asked, 35))


def test_parts_are_several_per_worker_and_fit_a_message() -> None:
    assert size_of_part(300, 1500, workers=2, threads=2) == 50  # three each
    assert size_of_part(14000, 1500, workers=2, threads=2) == MESSAGE // 1500
    assert size_of_part(350, 1500, workers=60, threads=960) == 64  # four candidates per thread, not one
    assert size_of_part(3, 10 * MESSAGE, workers=1, threads=1) == 1


def test_processors_are_shared_out_evenly() -> None:
    assert shares(0, 16) == []
    assert shares(2, 16) == [2]
    assert shares(40, 16) == [13, 13, 14]
    assert sum(shares(129, 16)) == 129
