"""A request cut into parts that travel: by candidate, each part with only the start states it uses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.sampling.evaluate import Request
from reenact.geometry.rotation import Array

MESSAGE = 96_000  # bytes; Ray sends what is below 100 KiB with the call, all else by way of a store, which is slower
PARTS_EACH = 3  # per worker, so that the fast ones take over from the slow
WAVES = 4  # candidates per thread in the least part: less work than that is not worth a message


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Some candidates of a request."""

    which: NDArray[np.int64]  # (k,) their numbers in the request
    starts: Array  # (r, X) the state rows they use
    start_of: NDArray[np.int32]  # (k,) row of each
    displacement: Array  # (k, A) [rad]
    steps: int

    @property
    def message(self) -> tuple[Array, NDArray[np.int32], Array, int]:
        """What is sent."""
        return self.starts, self.start_of, self.displacement, self.steps

    @property
    def bytes_out(self) -> int:
        """Size of the arrays sent."""
        return self.starts.nbytes + self.start_of.nbytes + self.displacement.nbytes

    @property
    def bytes_back(self) -> int:
        """Size of the end states."""
        return 8 * len(self.which) * int(self.starts.shape[1])


def size_of_part(candidates: int, row_bytes: int, workers: int, threads: int) -> int:
    """How many candidates a part has at most; threads: of all workers together."""
    each = math.ceil(threads / workers)
    fair = math.ceil(candidates / (PARTS_EACH * workers))
    size = max(1, min(max(fair, WAVES * each), MESSAGE // row_bytes))
    return size - size % each if size > each else size  # all threads of a worker end together


def parts_of(request: Request, size: int) -> Iterator[Part]:
    """All candidates, at most `size` in a part and evenly spread; those with the same start state side by side."""
    order = np.argsort(request.start_of, kind="stable")
    for which in np.array_split(order, math.ceil(len(order) / size)):
        rows, start_of = np.unique(request.start_of[which], return_inverse=True)
        yield Part(
            which=which,
            starts=request.starts[rows],
            start_of=start_of.astype(np.int32),
            displacement=request.displacement[which],
            steps=request.steps,
        )
