"""An executor that keeps count of what a search costs."""

from __future__ import annotations

import time

from reenact.estimate.sampling.evaluate import Executor, Request
from reenact.estimate.spent import Clock, Spent
from reenact.geometry.rotation import Array


class Meter:
    """An executor that passes requests on and counts."""

    def __init__(self, executor: Executor, before: Spent) -> None:
        self._executor = executor
        self._clock = Clock(before, self._processor)
        self._asked = self._counted = 0

    def evaluate(self, request: Request) -> Array:
        """See `Executor`."""
        self._asked += len(request.displacement)
        return self._executor.evaluate(request)

    def count(self) -> None:
        """Count the samples so far; those of a visit that was broken off are simulated again, and counted then."""
        self._counted = self._asked

    @property
    def spent(self) -> Spent:
        """Up to now; samples up to the last count."""
        return self._clock.spent(self._counted)

    def _processor(self) -> float:
        """Processor time of this process and of those that work for the executor [s]."""
        return time.process_time() + float(getattr(self._executor, "core_seconds", 0.0))
