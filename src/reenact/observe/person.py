"""Who is meant among the things that move: the one at a point, or the largest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.observe.follow import Track
from reenact.observe.mask import overlap

NEAR: Final = 0.04  # share of the longer side by which a point may miss the person
MOVES: Final = 0.12  # least motion of a person, see `motion_of`
SHORT: Final = 0.15  # [s]; what is seen for less is noise
RIVAL: Final = 0.5  # share of the largest one's presence from which on another is worth a word


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A point on the person, as shares 0 … 1 of the picture's width and height, and when [s] if that matters."""

    x: float
    y: float
    time: float | None = None

    def __post_init__(self) -> None:
        if not (0.0 <= self.x <= 1.0 and 0.0 <= self.y <= 1.0):
            raise InputError(
                f"--person {self.x:g},{self.y:g}: expected x and y between 0 and 1, from the top left corner"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The track of the person, and others that were seen."""

    track: Track
    others: tuple[Track, ...]  # whatever else is seen, largest first
    rivals: tuple[Track, ...]  # those among them that might have been meant


def choose(tracks: Sequence[Track], hint: Hint | None) -> Choice:
    """The person among all that was seen; an error says who there is where the hint points at nobody."""
    lasting = [t for t in tracks if not t.absorbed and t.last.time - t.sightings[0].time >= SHORT]
    lasting.sort(key=lambda t: -presence_of(t))
    movers = [t for t in lasting if motion_of(t) >= MOVES]
    if hint is None:
        if not movers:
            raise InputError(
                "nobody moves in it: nothing that stands out from the background moves. Film the empty scene too and "
                "give it as --plate, or start the video before the person comes in"
            )
        chosen = movers[0]
    else:
        chosen = _at(lasting, hint)
    others = tuple(t for t in lasting if t is not chosen)
    rivals = tuple(t for t in others if t in movers and presence_of(t) > RIVAL * presence_of(chosen))
    return Choice(track=chosen, others=others, rivals=rivals)


def presence_of(track: Track) -> float:
    """How much of the picture for how long, weighed by how much it moves."""
    return sum(s.mask.area for s in track.sightings) * min(1.0, motion_of(track))


def motion_of(track: Track) -> float:
    """How far a thing travels in units of its own size, or how much its shape changes in a fifth of a second."""
    centres = np.array([s.mask.centre for s in track.sightings])
    size = np.median([max(s.mask.height, s.mask.width) for s in track.sightings])
    travel = float(np.hypot(*np.ptp(centres, axis=0)) / size)
    return max(travel, _change(track))


def where(track: Track) -> str:
    """Where and when a thing is, for messages: the point serves as a hint."""
    middle = track.sightings[len(track.sightings) // 2]
    height, width = middle.mask.shape
    x, y = middle.mask.centre
    span = f"{track.sightings[0].time:.1f}–{track.last.time:.1f} s"
    return f"{x / width:.2f},{y / height:.2f},{middle.time:.1f} (seen {span})"


def _change(track: Track) -> float:
    seen = track.sightings[:: max(1, len(track.sightings) // 40)]
    changes = []
    for first, second in pairwise(seen):
        both = overlap(first.mask, second.mask)
        changes.append(1.0 - both / (first.mask.area + second.mask.area - both))
    return float(np.median(changes)) if changes else 0.0


def _at(tracks: Sequence[Track], hint: Hint) -> Track:
    scored = [(_misses(t, hint), t) for t in tracks]
    hits = [(-presence_of(t), i, t) for i, (miss, t) in enumerate(scored) if miss <= NEAR]
    if hits:
        return min(hits)[2]
    when = "" if hint.time is None else f" at {hint.time:g} s"
    seen = "; ".join(where(t) for t in tracks[:4]) or "nothing"
    raise InputError(f"nobody is at --person {hint.x:g},{hint.y:g}{when}; what stands out: {seen}")


def _misses(track: Track, hint: Hint) -> float:
    """Distance of the point from a thing, as a share of the picture's longer side; the least over time."""
    seen = track.sightings
    if hint.time is not None:
        seen = [s for s in seen if abs(s.time - hint.time) <= 0.2]
    best = np.inf
    for sighting in seen:
        height, width = sighting.mask.shape
        x, y = hint.x * width, hint.y * height
        left, top, right, bottom = sighting.mask.box
        if np.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) > NEAR * max(height, width):
            continue
        down, along = np.nonzero(sighting.mask.crop())
        away = np.hypot(along + left + 0.5 - x, down + top + 0.5 - y).min()
        best = min(best, max(0.0, away - 0.75) / max(height, width))
    return float(best)
