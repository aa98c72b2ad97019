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
    found = []
    for number in range(len(limbs.legs)):
        end = 0.0
        for start, stop in _spans(motion, limbs, number):
            if start > end + 0.05 and start > 0.0:  # up for longer than a flicker
                found.append(Strike(frame=round(start * rate), leg=number))
            end = max(end, stop)
    return tuple(sorted(found, key=lambda strike: strike.frame))


def aloft_of(motion: Motion, limbs: Limbs) -> float:
    """Share of the time in which no foot is on the ground: none of a walk."""
    spans = sorted(span for number in range(len(limbs.legs)) for span in _spans(motion, limbs, number))
    length, frame = (motion.frames - 1) / motion.rate, 1.0 / motion.rate
    down, end = 0.0, 0.0
    for start, stop in spans:
        until = min(stop + frame, length)  # up to the frame in which it no longer touches
        down += max(0.0, until - max(start, end))
        end = max(end, until)
    return min(1.0, max(0.0, 1.0 - down / length))


def _spans(motion: Motion, limbs: Limbs, leg: int) -> list[tuple[float, float]]:
    """From when to when [s] parts of a leg's foot are on the ground, in order."""
    own = {
        name
        for name, part in zip(motion.body.segment_names, limbs.part_of, strict=True)
        if part == limbs.legs[leg].part
    }
    return sorted((c.start, c.end) for c in motion.contacts if c.segment in own)


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
