"""The gait of a run: when each foot comes down, and the cycle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from reenact.control.bearing import ground_load
from reenact.geometry.rotation import Array
from reenact.physics.trace import Trace

Side = Literal["left", "right"]

LOAD = 0.05  # of body weight: a foot that bears more is down
SWING = 0.15  # [s]: a foot that was up for less has only scuffed or bounced
FEWEST = 3  # strikes of a foot that make a cycle


@dataclass(frozen=True, slots=True, kw_only=True)
class Gait:
    """Foot strikes of an undisturbed run; a body that stands has none."""

    left: Array  # (n,) times at which the foot comes down [s]
    right: Array  # (m,)

    @property
    def cycle(self) -> float | None:
        """Median time from a foot's strike to its next [s]; None where neither foot came down often enough."""
        gaps = [np.diff(times) for times in (self.left, self.right) if len(times) >= FEWEST]
        return float(np.median(np.concatenate(gaps))) if gaps else None

    def strikes(self, side: Side) -> Array:
        """When the foot of a side comes down [s]."""
        return self.left if side == "left" else self.right


def gait_of(trace: Trace) -> Gait:
    """The foot strikes of a run."""
    load = ground_load(trace)
    threshold = LOAD * trace.model.mass * float(np.linalg.norm(trace.model.mj.opt.gravity))
    body, times = trace.model.body, trace.time[1:]  # a force acts over the step that leads to a state
    sides = [
        [i for i, s in enumerate(body.segments) if s.part == "foot" and side in s.name.split("_")]
        for side in ("left", "right")
    ]
    left, right = (
        times[_strikes(load[:, own].sum(axis=1) > threshold, round(SWING / trace.model.timestep))] for own in sides
    )
    return Gait(left=left, right=right)


def _strikes(down: NDArray[np.bool_], least: int) -> NDArray[np.int64]:
    """Steps (n,) at which a foot comes down after it was up for at least that many; not one that is down at first."""
    change = np.flatnonzero(np.diff(down.astype(np.int8)))
    landings = [int(i) + 1 for i in change if not down[i]]
    found = []
    for step in landings:
        since = np.flatnonzero(down[:step])
        if len(since) and step - 1 - int(since[-1]) >= least:
            found.append(step)
    return np.array(found, np.int64)
