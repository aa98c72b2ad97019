"""A motion's clock edited: a part slowed down or hurried, or all of it run backwards."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.motion.contact import Contact
from reenact.motion.motion import Motion
from reenact.motion.resample import read_at

EASE: Final = 0.25  # share of the slowed stretch over which the clock changes its pace, at each end
MOST: Final = 20.0  # a motion slowed more, or hurried more, is another motion


def slow(motion: Motion, start: float, end: float, factor: float) -> Motion:
    """The motion with the part from `start` to `end` [s] made slower, `factor` times at its middle.

    The pace changes smoothly at both ends of the part, within it. A factor below 1 hurries. [L10] §4 slows the dive of
    a roll so that the body lands on its hands.
    """
    if not 0.0 <= start < end <= motion.duration + 0.5 / motion.rate:
        raise InputError(f"cannot slow '{motion.name}' from {start:g} to {end:g} s: it lasts {motion.duration:.3f} s")
    if not 1.0 / MOST <= factor <= MOST:
        raise InputError(f"factor is {factor:g}, expected {1.0 / MOST:g} to {MOST:g}")
    clock = np.arange(0.0, motion.duration, 0.05 / motion.rate)  # fine enough to be inverted by straight lines
    clock = np.append(clock, motion.duration)
    pace = 1.0 + (factor - 1.0) * _plateau((clock - start) / (end - start))  # new seconds per old second
    later = np.concatenate([[0.0], np.cumsum(np.diff(clock) * 0.5 * (pace[1:] + pace[:-1]))])
    frames = int(np.floor(later[-1] * motion.rate + 1e-6)) + 1
    time = np.interp(np.arange(frames) / motion.rate, later, clock)
    contacts = tuple(
        Contact(segment=c.segment, start=_read(c.start, clock, later), end=_read(c.end, clock, later))
        for c in motion.contacts
    )
    return replace(read_at(motion, time), contacts=contacts)


def reverse(motion: Motion) -> Motion:
    """The motion from its end to its beginning; accelerations, and so the forces behind them, stay what they were."""
    last = motion.duration
    contacts = tuple(Contact(segment=c.segment, start=last - c.end, end=last - c.start) for c in motion.contacts)
    return replace(
        motion,
        qpos=motion.qpos[::-1].copy(),
        joints=motion.joints[::-1].copy(),
        lift=motion.lift[::-1].copy(),
        contacts=tuple(sorted(contacts, key=lambda c: (c.start, c.segment))),
    )


def _plateau(share: Array) -> Array:
    """Zero before 0 and after 1, one in the middle, risen and fallen smoothly over EASE."""
    ramp = np.clip(np.minimum(share, 1.0 - share) / EASE, 0.0, 1.0)
    return np.asarray(0.5 - 0.5 * np.cos(np.pi * ramp))


def _read(time: float, clock: Array, later: Array) -> float:
    return float(np.interp(time, clock, later))
