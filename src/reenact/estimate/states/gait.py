"""Steps of a gait in a recording: when feet strike, and whether they do so in turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.control.machine.limbs import Limbs
from reenact.estimate.states.reference import Reference
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion

SHORTEST_STEP = 0.2  # [s]
LONGEST_STEP = 1.2  # [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike:
    """A foot comes down."""

    frame: int
    leg: int  # of `Limbs.legs`


def strikes_of(motion: Motion, limbs: Limbs, rate: float) -> tuple[Strike, ...]:
    """Frames, at a rate, at which feet come down after having been up, in order."""
    names = motion.body.segment_names
    found = []
    for number, leg in enumerate(limbs.legs):
        own = {names[i] for i, part in enumerate(limbs.part_of) if part == leg.part}
        spans = sorted((c.start, c.end) for c in motion.contacts if c.segment in own)
        end = 0.0
        for start, stop in spans:
            if start > end + 0.05 and start > 0.0:  # up for longer than a flicker
                found.append(Strike(frame=round(start * rate), leg=number))
            end = max(end, stop)
    return tuple(sorted(found, key=lambda strike: strike.frame))


def stride(strikes: tuple[Strike, ...], rate: float) -> tuple[Strike, Strike, Strike] | None:
    """The first two steps in turn: a foot, the other, the first again; None where the recording holds no such gait."""
    for a, b, c in zip(strikes, strikes[1:], strikes[2:], strict=False):
        steps = (b.frame - a.frame) / rate, (c.frame - b.frame) / rate
        if a.leg == c.leg != b.leg and all(SHORTEST_STEP <= s <= LONGEST_STEP for s in steps):
            return a, b, c
    return None


def is_gait(reference: Reference, a: int, b: int) -> bool:
    """Whether the poses at two frames are alike, so that what lies between may be repeated."""
    off: Array = reference.qpos[a, 7:] - reference.qpos[b, 7:]
    return bool(np.sqrt(np.mean(off**2)) < 0.2)
