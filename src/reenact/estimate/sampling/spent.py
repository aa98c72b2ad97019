"""What a search has cost so far, over all its runs: one that was stopped and gone on with counts as one."""

from __future__ import annotations

import time
from dataclasses import dataclass

from reenact.estimate.sampling.evaluate import Executor, Request
from reenact.geometry.rotation import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Of all runs together, as far as they were saved."""

    wall_seconds: float = 0.0
    core_seconds: float = 0.0  # processor time of all cores; with those of other machines where the executor can tell
    samples: int = 0  # candidates simulated


class Meter:
    """An executor that passes requests on and counts."""

    def __init__(self, executor: Executor, before: Spent) -> None:
        self._executor = executor
        self._before = before
        self._wall, self._core = time.perf_counter(), self._processor()
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
        return Spent(
            wall_seconds=self._before.wall_seconds + time.perf_counter() - self._wall,
            core_seconds=self._before.core_seconds + self._processor() - self._core,
            samples=self._before.samples + self._counted,
        )

    def _processor(self) -> float:
        """Processor time of this process and of those that work for the executor [s]."""
        return time.process_time() + float(getattr(self._executor, "core_seconds", 0.0))
