"""What a body is asked to meet in each frame: points on its segments at places, and segments turned so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array
from reenact.motion.tree import Indices

SIGMA: Final = 0.01  # typical distance of a point to its target [m]; weights are relative to 1/SIGMA²
LEVER: Final = 0.1  # a segment turned wrong by an angle costs as much as points this far from its axis [m]


class AimArrays(NamedTuple):
    """What compiled code reads of aims over T frames."""

    segment: Indices  # (N,) of each point
    local: Array  # (N, 3) in the segment's frame [m]
    target: Array  # (T, N, 3) world [m]
    weight: Array  # (T, N) [1/m²], zero where unseen
    turn_segment: Indices  # (Q,) of each orientation
    turn_target: Array  # (T, Q, 3, 3) frame in the world
    turn_weight: Array  # (T, Q)


@dataclass(frozen=True, slots=True, kw_only=True)
class Aims:
    """Points with targets (NaN where unseen) and segments with orientations, over T frames."""

    sites: tuple[str, ...]  # (N,) what each point is, e.g. "knee_left"
    segment: Indices  # (N,)
    local: Array  # (N, 3) in the segment's frame [m]
    spread: Array  # (N,) how uncertain `local` is [m]: zero for a joint centre, which defines its segment's origin
    weight: Array  # (N,) relative, 1 for a joint centre
    target: Array  # (T, N, 3) world [m], NaN where unseen
    turn_segment: Indices  # (Q,)
    turn_weight: Array  # (Q,) relative
    turn_target: Array  # (T, Q, 3, 3) frame of the segment in the world

    @property
    def frames(self) -> int:
        """Number of frames T."""
        return len(self.target)

    def at(self, frames: Indices | NDArray[np.bool_] | slice) -> Aims:
        """The same aims in some of the frames."""
        return replace(self, target=self.target[frames], turn_target=self.turn_target[frames])

    def with_local(self, local: Array) -> Aims:
        """The same aims with points elsewhere on their segments (N, 3) [m]."""
        return replace(self, local=local)

    def without_turns(self) -> Aims:
        """The points alone."""
        return self.with_turns(np.empty(0, np.int64), np.empty(0), np.empty((self.frames, 0, 3, 3)))

    def with_turns(self, segment: Indices, weight: Array, target: Array) -> Aims:
        """The same points with these orientations."""
        return replace(self, turn_segment=segment, turn_weight=weight, turn_target=target)

    def arrays(self) -> AimArrays:
        """The form compiled code reads."""
        seen = np.isfinite(self.target).all(axis=-1)
        return AimArrays(
            segment=self.segment,
            local=np.ascontiguousarray(self.local),
            target=np.nan_to_num(self.target, nan=0.0),
            weight=np.where(seen, self.weight / SIGMA**2, 0.0),
            turn_segment=self.turn_segment,
            turn_target=np.ascontiguousarray(self.turn_target),
            turn_weight=np.broadcast_to(self.turn_weight * (LEVER / SIGMA) ** 2, self.turn_target.shape[:2]).copy(),
        )
