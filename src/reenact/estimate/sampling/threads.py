"""Candidates on the cores of this machine."""

from __future__ import annotations

from reenact.estimate.sampling.evaluate import Request, Stage
from reenact.geometry.rotation import Array
from reenact.physics.rollout import rollout_batch


class Threads:
    """An executor of this process: one thread per core unless told otherwise."""

    def __init__(self, stage: Stage, *, threads: int | None = None) -> None:
        self._stage = stage
        self._threads = threads

    def evaluate(self, request: Request) -> Array:
        """End state rows (n, X); NaN where the simulation diverged."""
        batch = rollout_batch(
            self._stage.model,
            self._stage.program,
            request.starts,
            request.steps,
            params=request.displacement,
            start_of=request.start_of,
            threads=self._threads,
            external=self._stage.external,
        )
        return batch.final
