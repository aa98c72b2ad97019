"""What a search has cost so far, over all its runs: one that was stopped and gone on with counts as one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """Of all runs together, as far as they were saved."""

    wall_seconds: float = 0.0
    core_seconds: float = 0.0  # processor time of all cores; with those of other machines where the executor can tell
    samples: int = 0  # candidates simulated, where the search counts them


class Clock:
    """Runs from when it is made, on top of what was spent before."""

    def __init__(self, before: Spent, processor: Callable[[], float] = time.process_time) -> None:
        self._before, self._processor = before, processor
        self._wall, self._core = time.perf_counter(), processor()

    def spent(self, samples: int = 0) -> Spent:
        """Up to now; samples: of this run."""
        return Spent(
            wall_seconds=self._before.wall_seconds + time.perf_counter() - self._wall,
            core_seconds=self._before.core_seconds + self._processor() - self._core,
            samples=self._before.samples + samples,
        )
