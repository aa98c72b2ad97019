"""When a foot that comes down is early or late: where in a state's time a way out of it belongs.

A machine's states follow each other as they did where it was found. A foot that comes down at another time tells that
things are otherwise now: after a push, on other ground, with a load. `early` of a state says where to go then, and
`early_after` and `early_due` when that is not otherwise.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

MARGIN: Final = 1  # frames by which a foot may be early or late
SCUFF: Final = 0.15  # [s] after a foot has left the ground, in which it does not come down but scuffs
ABOUT, EARLY, LATE = range(3)  # what a foot is that comes down at some time


@dataclass(frozen=True, slots=True)
class WayOut:
    """When a foot that comes down in a state is early or late, in frames of the state."""

    leg: int
    after: int  # before that it does not count
    due: tuple[int, int] | None  # from, to: when it comes down as it should

    def seconds(self, timestep: float) -> tuple[float, tuple[float, float] | None]:
        """`early_after` and `early_due` of the state [s]; a frame counts until half-way to the next."""
        after = max(0.0, (self.after - 0.5) * timestep)
        return after, None if self.due is None else ((self.due[0] - 0.5) * timestep, (self.due[1] + 0.5) * timestep)


def way_out(
    begin: int, end: int, down: NDArray[np.bool_], scuff: int, *, awaited: int | None = None, late: bool = True
) -> WayOut | None:
    """When a state that goes from frame `begin` to `end` is to be left by a foot; None where no foot tells anything.

    awaited: the leg whose foot comes down at the end. late: a foot that comes down late is one to leave it by, too.
    """
    pieces = list(watched(begin, end, awaited, down, scuff))
    telling = [piece for piece in pieces if piece[3] == EARLY or (piece[3] == LATE and late)]
    if not telling:
        return None
    first, last = telling[0], telling[-1]
    due = (first[1] - begin, (last[0] if last is not first else end) - begin)
    return WayOut(leg=first[2], after=first[0] - begin, due=due if due[0] < end - begin else None)


def watched(
    begin: int, end: int, awaited: int | None, down: NDArray[np.bool_], scuff: int
) -> Iterator[tuple[int, int, int, int]]:
    """A state's frames in pieces: from, to, the leg whose foot is watched there, and what it is if it comes down.

    awaited: the leg whose foot comes down at the end. A foot that comes down in the state may be too early; one that is
    off the ground all along comes down at no time; one that stands all along can come down only late.
    """
    landing = [(k, leg) for leg in (0, 1) for k in range(begin + 1, end) if down[k, leg] and not down[k - 1, leg]]
    landing += [] if awaited is None else [(end, awaited)]
    swings = [leg for leg in (0, 1) if not down[begin:end, leg].any()]
    stands = [leg for leg in (0, 1) if down[begin:end, leg].all()]
    if landing:
        frame, leg = min(landing)
    elif swings:
        frame, leg = end + MARGIN, swings[0]
    elif stands:
        frame, leg = max((_landed(down[:, leg], begin), leg) for leg in stands)
    else:
        frame, leg = end, 0
    swung = _left(down[:, leg], min(frame, end)) + scuff
    cuts = {swung, frame - MARGIN, frame + MARGIN}
    for first, last in itertools.pairwise([begin, *sorted(cut for cut in cuts if begin < cut < end), end]):
        kind = ABOUT
        if first >= swung and last <= frame - MARGIN and not down[first:last, leg].any():
            kind = EARLY
        elif first >= frame and down[first:last, leg].all():
            kind = LATE
        yield first, last, leg, kind


def _left(down: NDArray[np.bool_], frame: int) -> int:
    """The frame at which a foot that is off the ground before `frame` left it; long ago where it was off at first."""
    standing = np.flatnonzero(down[:frame])
    return int(standing[-1]) + 1 if len(standing) else -len(down)


def _landed(down: NDArray[np.bool_], frame: int) -> int:
    """The frame at which a foot that stands at `frame` came down; long ago where it stood at first."""
    flying = np.flatnonzero(~down[:frame])
    return int(flying[-1]) + 1 if len(flying) else -len(down)
