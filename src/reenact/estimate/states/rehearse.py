"""Many runs of a gait under pushes, compared with the recording by phase: what robustness is bought with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.control.machine import watch
from reenact.control.machine.limbs import Limbs
from reenact.control.machine.machine import Machine
from reenact.estimate.states.reference import Clock, Reference
from reenact.estimate.states.scored import scored
from reenact.estimate.states.window import LIMIT, SQUARE_CM, Tried
from reenact.geometry.rotation import Array
from reenact.physics.model import Model
from reenact.physics.outcome import Fall
from reenact.physics.prepare import Wrenches
from reenact.physics.rollout import rollout_batch
from reenact.physics.state import row_width

EVERY = 12  # steps between those whose offsets are kept


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rehearsal:
    """A gait from one start for some steps, once under each of the plans of pushes."""

    model: Model
    limbs: Limbs
    reference: Reference
    start: Array  # (X,) state row
    begins: tuple[int, ...]  # frame of the reference at which each state begins
    steps: int
    plans: tuple[Wrenches, ...]
    fall: Fall | None = None
    speed_weight: float = 0.1  # [s]
    threads: int | None = None

    @property
    def clock(self) -> Clock:
        """By phase, with the COM's velocity."""
        return Clock(last=self.steps, limit=LIMIT, begins=self.begins, every=EVERY, speed_weight=self.speed_weight)

    def try_out(self, machine: Machine, params: Array) -> Tried:
        """Run candidates with params (n, M·W), each under every plan; costs are means over the plans."""
        segments, plans = len(self.model.segment_body), max(1, len(self.plans))
        weighed = scored(machine, self.model, self.limbs, self.reference, self.clock)
        row = weighed.start_row(self.start[: row_width(self.model)], self.model)
        count = len(params) * plans
        result = rollout_batch(
            self.model,
            weighed.program,
            row[None],
            self.steps + 1,
            params=np.repeat(params, plans, axis=0),
            start_of=np.zeros(count, np.int64),
            fall=self.fall,
            external=self.plans or None,
            external_of=np.tile(np.arange(plans), len(params)) if self.plans else None,
            threads=self.threads,
        )
        _, score, kept = weighed.memory(result.final)
        upright = np.nan_to_num(score[:, watch.COUNTED])
        missing = self.steps - upright
        squared = np.nan_to_num(score[:, watch.SQUARED]) + LIMIT * missing
        offsets = np.sqrt(SQUARE_CM * EVERY / (self.steps * 3.0 * segments)) * kept
        offsets[missing > 0] = np.nan
        return Tried(
            cost=(SQUARE_CM * squared / self.steps).reshape(-1, plans).mean(axis=1),
            joints=(upright / self.steps).reshape(-1, plans).mean(axis=1),  # share of the time it stays up
            offsets=offsets.reshape(len(params), -1) / np.sqrt(plans),
            final=result.final,
        )
