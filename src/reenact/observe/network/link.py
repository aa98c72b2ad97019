"""Who is meant: people found in single frames become tracks, and one track is chosen by a hint or by size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.observe.network.detection import Person
from reenact.observe.network.region import MARGIN, Region
from reenact.observe.person import RIVAL, SHORT, Hint

SURE: Final = 0.8  # mean score of close looks from which on a track is a person: bushes and walls are found too
PERHAPS: Final = 0.5  # the same where a hint says so, or there is no better one
SAME: Final = 0.6  # of the radius within which two tracks are found on one person
GAP: Final = 1.0  # [s] for which somebody may go unseen
REACH: Final = 0.25  # of a person's radius by which the hips may be off from one frame to the next
SPEED: Final = 3.5  # radii a second at which somebody may move
GROWTH: Final = 1.8  # ratio of sizes that can still be one person
NEAR: Final = 1.0  # of the radius by which a hint may lie off the hips
AT: Final = 0.2  # [s] by which the time of a hint may be off


@dataclass(slots=True, kw_only=True)
class Track:
    """One person through time, as the detector found them."""

    frames: list[int] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    people: list[Person] = field(default_factory=list)

    @property
    def presence(self) -> float:
        """How much of the picture for how long, weighed by how sure."""
        return self.sure * sum(each.region.side**2 for each in self.people)

    @property
    def sure(self) -> float:
        """Mean score of close looks, of the detector where there was none; 0 … 1."""
        looks = [each.sure for each in self.people if each.sure is not None]
        return float(np.mean(looks or [each.score for each in self.people]))

    @property
    def span(self) -> float:
        """Time from first to last sighting [s]."""
        return self.times[-1] - self.times[0]

    def where(self, size: tuple[int, int]) -> str:
        """Where and when, for messages; the point serves as a hint."""
        middle = len(self.frames) // 2
        at = self.people[middle].region
        point = f"{np.clip(at.x / size[0], 0, 1):.2f},{np.clip(at.y / size[1], 0, 1):.2f},{self.times[middle]:.1f}"
        return f"{point} (seen {self.times[0]:.1f}–{self.times[-1]:.1f} s)"


def tracks_of(found: Sequence[Sequence[Person]], times: Sequence[float]) -> list[Track]:
    """Tracks of the people found in each frame; each goes on with whoever is nearest, the nearest pairs first."""
    tracks: list[Track] = []
    for frame, (time, people) in enumerate(zip(times, found, strict=True)):
        alive = [track for track in tracks if time - track.times[-1] <= GAP]
        pairs = sorted(
            (away, i, j)
            for i, track in enumerate(alive)
            for j, person in enumerate(people)
            if (away := _apart(track.people[-1].region, person.region, time - track.times[-1])) <= 1.0
        )
        taken: set[int] = set()
        used: set[int] = set()
        for _, i, j in pairs:
            if i not in used and j not in taken:
                used.add(i)
                taken.add(j)
                _add(alive[i], frame, time, people[j])
        for j, person in enumerate(people):
            if j not in taken:
                tracks.append(Track())
                _add(tracks[-1], frame, time, person)
    return tracks


def chosen(tracks: Sequence[Track], hint: Hint | None, size: tuple[int, int]) -> tuple[Track, list[Track]]:
    """The track that is meant in pictures of a size (width, height), and others that might have been."""
    perhaps = [track for track in tracks if track.sure >= PERHAPS]
    people = perhaps if hint is not None else [track for track in perhaps if track.sure >= SURE] or perhaps
    lasting = [track for track in people if track.span >= SHORT] or people
    lasting.sort(key=lambda track: -track.presence)
    if not lasting:
        raise InputError("the network sees nobody in it")
    if hint is None:
        best = lasting[0]
    else:
        hits = [track for track in lasting if _misses(track, hint, size) <= NEAR]
        if not hits:
            when = "" if hint.time is None else f" at {hint.time:g} s"
            seen = "; ".join(track.where(size) for track in lasting[:4])
            raise InputError(f"nobody is at --person {hint.x:g},{hint.y:g}{when}; the network sees: {seen}")
        best = min(hits, key=lambda track: _misses(track, hint, size))
    others = [track for track in lasting if track is not best and track.sure >= SURE and not _together(best, track)]
    return best, [track for track in others if track.presence > RIVAL * best.presence]


def radius_of(region: Region) -> float:
    """Radius [px] of the circle around a person."""
    return region.side / (2.0 * MARGIN)


def _add(track: Track, frame: int, time: float, person: Person) -> None:
    track.frames.append(frame)
    track.times.append(time)
    track.people.append(person)


def _apart(first: Region, second: Region, seconds: float) -> float:
    """How far apart two regions are, 1 where they can only just be the same person after so long."""
    radius = max(radius_of(first), radius_of(second))
    if max(first.side, second.side) > GROWTH * min(first.side, second.side):
        return np.inf
    return float(np.hypot(first.x - second.x, first.y - second.y) / (radius * (REACH + SPEED * seconds)))


def _together(first: Track, second: Track) -> bool:
    """Whether the second track is mostly where the first one is at the same time."""
    x, y = (np.interp(second.times, first.times, [getattr(p.region, axis) for p in first.people]) for axis in "xy")
    radius = np.interp(second.times, first.times, [radius_of(p.region) for p in first.people])
    at = np.array([(p.region.x, p.region.y) for p in second.people])
    return bool(np.median(np.hypot(at[:, 0] - x, at[:, 1] - y) / radius) < SAME)


def _misses(track: Track, hint: Hint, size: tuple[int, int]) -> float:
    """Distance of a hint from the person in radii, the least over time."""
    x, y = hint.x * size[0], hint.y * size[1]
    away = [
        float(np.hypot(each.region.x - x, each.region.y - y)) / radius_of(each.region)
        for time, each in zip(track.times, track.people, strict=True)
        if hint.time is None or abs(time - hint.time) <= AT
    ]
    return min(away, default=np.inf)
