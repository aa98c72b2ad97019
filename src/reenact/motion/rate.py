"""Frames per second: put right where a file says the wrong number, and told wrong by how fast bodies fall."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final, overload

import numpy as np

from reenact.errors import InputError
from reenact.motion.clip import Clip, MarkerClip, SkeletonClip, Table
from reenact.motion.free_fall import GRAVITY, FreeFall, find_free_falls

SLOWEST, QUICKEST = 1.0, 10_000.0  # frames per second that somebody may mean
NOT_GRAVITY: Final = (0.5, 1.8)  # g; joint centres tell the centre of mass of a tucked body to about half of g
USUAL_RATES: Final = (10, 12, 15, 20, 24, 25, 30, 48, 50, 60, 72, 75, 90, 100, 120, 150, 180, 200, 240, 250, 300, 500)
_SKIPPED: Final = (2.0, 3.0, 4.0)  # every second, third or fourth frame kept, or the number of it
_NEAR_SKIPPED: Final = 0.18  # relative
_NEAR_USUAL: Final = 0.08
_ASSUMED: Final = "Hz assumed"  # how readers of files without a rate end their note


@overload
def with_rate(clip: SkeletonClip, rate: float) -> SkeletonClip: ...
@overload
def with_rate(clip: MarkerClip, rate: float) -> MarkerClip: ...
@overload
def with_rate(clip: Table, rate: float) -> Table: ...
def with_rate(clip: SkeletonClip | MarkerClip | Table, rate: float) -> SkeletonClip | MarkerClip | Table:
    """The same frames at another rate [Hz]: they last as much longer or shorter, none is added or left out."""
    check_rate(rate)
    if isinstance(clip, Table):
        return replace(clip, time=clip.time[0] + np.arange(clip.frames) / rate)
    notes = tuple(note for note in clip.notes if not note.endswith(_ASSUMED))
    said = MappingProxyType({**clip.source, "rate": f"given: {rate:g} Hz, the file's was {clip.rate:g}"})
    if isinstance(clip, MarkerClip):
        return replace(clip, rate=rate, start=clip.start * clip.rate / rate, source=said, notes=notes)
    return replace(clip, rate=rate, source=said, notes=notes)


def check_rate(rate: float) -> None:
    """Refuse a rate [Hz] that nobody can mean."""
    if not (np.isfinite(rate) and SLOWEST <= rate <= QUICKEST):
        raise InputError(f"a rate of {rate:g} is not usable, expected {SLOWEST:g} to {QUICKEST:g} frames per second")


def rate_remarks(clip: Clip) -> tuple[str, ...]:
    """One line where bodies in flight fall at clearly another acceleration than g, with the rate that would mend it."""
    falls = find_free_falls(clip)
    if not falls:
        return ()
    gs = _typical(falls)
    if NOT_GRAVITY[0] < gs < NOT_GRAVITY[1]:
        return ()
    longest = max(falls, key=lambda fall: fall.arc)
    rate = likely_rate(clip.rate, gs)
    return (
        f"in flight from {longest.start:.2f} to {longest.end:.2f} s the body falls at "
        f"{longest.acceleration / GRAVITY:.1f} g: the rate of {clip.rate:g} is probably {rate:g}; try --rate {rate:g}",
    )


def likely_rate(rate: float, gs: float) -> float:
    """The rate [Hz] at which a body that falls at `gs` times g would fall at g, as a number that people use."""
    exact = rate / np.sqrt(gs)
    skipped = [rate / n for n in _SKIPPED] + [rate * n for n in _SKIPPED]
    for candidates, near in ((skipped, _NEAR_SKIPPED), (USUAL_RATES, _NEAR_USUAL)):
        best = min(candidates, key=lambda candidate: abs(np.log(candidate / exact)))
        if abs(np.log(best / exact)) < near:
            return float(best)
    return float(f"{exact:.2g}")


def _typical(falls: tuple[FreeFall, ...]) -> float:
    """The median acceleration in g, each flight weighed by its arc: long ones tell it best."""
    ordered = sorted(falls, key=lambda fall: fall.acceleration)
    weight = np.cumsum([fall.arc for fall in ordered])
    return ordered[int(np.searchsorted(weight, 0.5 * weight[-1]))].acceleration / GRAVITY
