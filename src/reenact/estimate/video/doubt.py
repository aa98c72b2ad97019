"""Whether a track may be another one than the masks tell of, read off the track itself.

A contest ends in one of several hollows of the cost, and for hard motions it is luck in which. Two signs go with those
motions, and with neither walks nor jumps:

- The body turns quickly, about whatever axis: it spins, goes over, or kicks. Then poses change by more from frame to
  frame than guesses reach, sides change, and a turn may have been made the other way, or with limbs exchanged.
- For a while the masks are explained worse than in the rest of the clip: a turn that was lost altogether leaves no
  turn, but silhouettes that do not fit. They are held against the clip's own median, for how well silhouettes can fit
  at all is a matter of clothes and cameras; where they fit well, a little more is no sign yet. A track that is lost
  from early on has no better rest: its level tells it.

Of recordings drawn from the side, roots of walks and runs turn at up to 2.1 rad/s, of jumps at up to 2.3, of
cartwheels, handsprings, butterfly kicks and twist jumps at 4.7 or more. A lost turn is not always seen by the masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.estimate.video.spins import LEAST, QUICK, WORSE, beside_usual, runs, smoothed
from reenact.estimate.video.track import Seen, Track
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

FARTHER: Final = 0.08  # mismatch beyond the usual: what a body does that is 10 % too thick
POOR: Final = 0.6  # mean mismatch, of at most 2, from which on a track does not match the masks


def doubts(track: Track, seen: Sequence[Seen]) -> tuple[str, ...]:
    """Why a track of these masks may not be the right one, in words; none where nothing says so."""
    told = np.all([each.masks.any(axis=(1, 2)) for each in seen], axis=0)
    speed, share, found = turning(track.poses, track.rate), beside_usual(track.mismatch, told), []
    if frames := _longest(speed > QUICK, track.rate):
        part = speed[slice(*frames)]
        found.append(f"the body turns quickly for {len(part) / track.rate:.1f} s, at up to {part.max():.1f} rad/s")
    beyond = (share - 1.0) * float(np.median(track.mismatch[told]))
    if frames := _longest((share > WORSE) & (beyond > FARTHER), track.rate):
        part = share[slice(*frames)]
        most, seconds = part.max(), len(part) / track.rate
        found.append(f"silhouettes differ up to {most:.1f} times as much as usual for {seconds:.1f} s")
    mean = float(track.mismatch[told].mean())
    if mean > POOR:
        found.append(f"silhouettes differ by {mean:.2f} on average")
    return tuple(found)


def turning(poses: Array, rate: float) -> Array:
    """How quickly roots of poses (T, 7 + A) turn in the world about whatever axis, (T,) [rad/s], smoothed."""
    step = rotation.to_rotvec(rotation.multiply(poses[1:, 3:7], rotation.conjugate(poses[:-1, 3:7])))
    padded = np.concatenate([np.zeros((1, 3)), step])
    return np.asarray(rate * np.linalg.norm(np.stack([smoothed(each) for each in padded.T]), axis=0))


def _longest(marked: NDArray[np.bool_], rate: float) -> tuple[int, int] | None:
    """From … to before … of the longest stretch that lasts long enough."""
    found = [(begin, end) for begin, end in runs(marked) if end - begin >= LEAST * rate]
    return max(found, key=lambda part: part[1] - part[0], default=None)
