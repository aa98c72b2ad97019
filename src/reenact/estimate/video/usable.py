"""Which part of a video's masks can be used, and in one line why not where none can."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.observe.quality import ADVICE
from reenact.observe.silhouettes import DOUBTS, TRUSTED, Silhouettes

BRIDGED: Final = 0.25  # [s] of masks that cannot be trusted, between others that can, are passed over
SHORTEST: Final = 0.4  # [s] that are worth a capture
Span = tuple[float, float]


def usable_span(found: Sequence[Silhouettes]) -> Span:
    """The longest time [s] in which the masks of every view can be trusted, short gaps aside."""
    spans = trusted_spans(found[0])
    for other in found[1:]:
        theirs = trusted_spans(other)
        spans = [(max(a, c), min(b, d)) for a, b in spans for c, d in theirs if min(b, d) > max(a, c)]
    best = max(spans, key=lambda span: span[1] - span[0], default=(0.0, 0.0))
    if best[1] - best[0] < SHORTEST:
        raise InputError(_why_not(found, best))
    return best


def trusted_spans(found: Silhouettes) -> list[Span]:
    """Stretches of time [s] in which masks can be trusted, gaps of up to BRIDGED passed over."""
    out: list[Span] = []
    for time in found.time[found.quality >= TRUSTED].tolist():
        if out and time - out[-1][1] <= BRIDGED:
            out[-1] = out[-1][0], time
        else:
            out.append((time, time))
    return out


def _why_not(found: Sequence[Silhouettes], best: Span) -> str:
    worst = min(found, key=lambda each: max((b - a for a, b in trusted_spans(each)), default=0.0))
    length = float(worst.time[-1] - worst.time[0])
    if length < SHORTEST:
        return f"{worst.name}: {length:.2f} s are too short to capture a motion from, expected {SHORTEST:g} s or more"
    doubted = [doubts for doubts, quality in zip(worst.doubts, worst.quality, strict=True) if quality < TRUSTED]
    counted = Counter(doubt for doubts in doubted for doubt in doubts)
    if not counted:
        many = " in all views together" if len(found) > 1 else ""
        return f"{worst.name}: the person is seen well for {best[1] - best[0]:.2f} s{many}, {SHORTEST:g} s are needed"
    share = len(doubted) / worst.frames
    name, times = counted.most_common(1)[0]
    advice = f"; {ADVICE[name]}" if name in ADVICE else ""
    return (
        f"{worst.name}: the masks cannot be trusted in {share:.0%} of the frames, mostly because {DOUBTS[name]} "
        f"({times} frames){advice}; `reenact silhouettes` shows them"
    )


def doubted_frames(found: Silhouettes, span: Span) -> int:
    """How many masks within a time cannot be trusted."""
    inside = (found.time >= span[0] - 1e-6) & (found.time <= span[1] + 1e-6)
    return int(np.count_nonzero(found.quality[inside] < TRUSTED))
