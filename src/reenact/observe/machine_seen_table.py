"""The numbers by which a machine is held against videos while it runs: which frame of which view falls on which step.

Every frame of every view counts once, at its own time. A frame that falls between two steps is held against the pose
between the two, so neither rates nor odd times are rounded, and nothing drifts. The block stands in a program's table
behind that of the markers (`control/machine/watch.py`):

| place | numbers | meaning |
| --- | --- | --- |
| STEPS | 1 | steps K that have an entry below |
| CAP | 1 | the weighed sum of mismatches at which a run is given up |
| from HEAD on | K + 1 | the first event of each step; the last number: how many there are |
| then | EVENT each | the events, step by step, see below |
| then | | the blocks of the views, see `projection_table.py` |

Of an event: where its view's block begins, from this block's beginning; its frame; the share of the pose one step
before; its weight; and whether it lies beyond the video's end, where the last frame is held against each pose that
follows at the video's pace, which is what stability means ([V12] Eq. 11).

The memory behind the machine's own, from `layout.memory_size` on:

| place | numbers | meaning |
| --- | --- | --- |
| SUM, COUNTED | 1, 1 | sum of weight × mismatch ([V12] Eq. 9) up to the end, and of the weights |
| BEYOND, COUNTED_BEYOND | 1, 1 | the same beyond the end |
| LOST | 1 | step at which it was given up for its silhouettes, or 0 |
| BEFORE | 12·S | origins and matrices of the segments one step before |
| BETWEEN | 12·S | the pose between two steps, while a frame is held against it |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.observe.projection import Projection
from reenact.observe.projection_table import Words

STEPS, CAP, HEAD = 0, 1, 2
VIEW, FRAME, SHARE, WEIGHT, PAST = range(5)
EVENT = 5  # numbers of one

SUM, COUNTED, BEYOND, COUNTED_BEYOND, LOST, BEFORE = range(6)
NEVER = 1e9  # a sum that is not reached
_ON_A_STEP = 1e-6  # of a step: nearer frames fall on it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Look:
    """What one camera saw: masks at their own times, and how far each is to be trusted."""

    projection: Projection
    masks: Words  # (T, rows, words)
    times: Array  # (T,) [s] from the start of the simulation on, rising
    quality: Array  # (T,) at least 0; 0: says nothing

    def __post_init__(self) -> None:
        """Refuse what does not belong together."""
        name, count = self.projection.camera.name, len(self.masks)
        if self.times.shape != (count,) or self.quality.shape != (count,):
            got = f"{count} masks, times {self.times.shape} and quality {self.quality.shape}"
            raise InputError(f"camera '{name}': {got}, expected as many of each")
        if not np.isfinite(self.times).all() or (count > 1 and np.diff(self.times).min() <= 0.0):
            raise InputError(f"camera '{name}': the times of its frames do not rise")
        if not np.isfinite(self.quality).all() or (self.quality < 0.0).any():
            raise InputError(f"camera '{name}': the quality of a mask must be 0 or more")

    def weights(self) -> Array:
        """How much each frame counts, (T,): its quality, nothing where the mask is empty."""
        return np.asarray(np.where(self.masks.any(axis=(1, 2)), self.quality, 0.0))


def memory_of(segments: int) -> int:
    """Numbers of memory behind the machine's own."""
    return BEFORE + 24 * segments


def seen_block(looks: Sequence[Look], timestep: float, *, last: int, past: int = 0, cap: float = NEVER) -> Array:
    """The block of some views for steps up to `last`, and of `past` steps beyond it.

    Weights add up to 1 over all frames from step 0 to the last one, and beyond it too, so sums are means.
    """
    events = _events(looks, timestep, last, past)
    for far in (0.0, 1.0):
        own = events[:, 1 + PAST] == far
        total = events[own, 1 + WEIGHT].sum()
        if total > 0.0:
            events[own, 1 + WEIGHT] /= total
        elif far == 0.0:
            raise InputError(f"no mask that tells anything in the first {last * timestep:.2f} s")
    views = [look.projection.block(look.masks) for look in looks]
    steps = last + past + 1
    first = HEAD + steps + 1 + EVENT * len(events)
    begins = first + np.cumsum([0, *[len(view) for view in views[:-1]]])
    events[:, 1 + VIEW] = begins[events[:, 1 + VIEW].astype(np.int64)]
    index = np.searchsorted(events[:, 0], np.arange(steps + 1))
    return np.concatenate([[steps, cap], index, events[:, 1:].ravel(), *views])


def _events(looks: Sequence[Look], timestep: float, last: int, past: int) -> Array:
    """Rows of step, then EVENT numbers with the view's number for its block; by step, then by view."""
    rows: list[Array] = []
    for number, look in enumerate(looks):
        at, weights = look.times / timestep, look.weights()
        known = (at > -_ON_A_STEP) & (at < last + _ON_A_STEP) & (weights > 0.0)
        rows += [_event(at[i], number, int(i), weights[i], 0.0) for i in np.flatnonzero(known)]
        if past and known.any():
            end = int(np.flatnonzero(known)[-1])
            pace = float(np.median(np.diff(at))) if len(at) > 1 else 1.0
            later = np.arange(1, 1 + int(past / pace)) * pace + last
            rows += [_event(x, number, end, 1.0, 1.0) for x in later]
    found = np.array(rows).reshape(-1, 1 + EVENT)
    return np.asarray(found[np.argsort(found[:, 0], kind="stable")])


def _event(at: float, view: int, frame: int, weight: float, past: float) -> Array:
    """At `at` steps; it is counted at the step that it falls on, or the next."""
    nearest = round(at)
    if abs(at - nearest) < _ON_A_STEP:
        return np.array([nearest, view, frame, 0.0, weight, past])
    step = int(np.ceil(at))
    return np.array([step, view, frame, step - at, weight, past])
