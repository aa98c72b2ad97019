"""Things followed through time: regions of successive frames that are the same thing, joined to tracks.

A track foresees where its region will be from its velocity; regions that lie there continue it, several pieces
together. Where two large tracks meet in one region, the region is divided between them by nearness. Where one comes
apart into regions that stand beside each other, each as tall as it is, it has been two: it goes on as the one that is
where it was going before they met.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from reenact.observe.blobs import Blob
from reenact.observe.mask import Mask, mask_of, overlap

LOST: Final = 1.0  # [s] for which a thing may be out of sight and still be the same
SMALL: Final = 0.35  # share of the larger one's area up to which a piece that meets it is part of it
YOUNG: Final = 0.4  # [s] for which a small thing that meets a large one may be a piece of it
ALIKE: Final = 0.5  # difference of velocity, as a share of it, up to which two things move as one
MET: Final = 2.0  # [s] for which two things may touch and still go on as they did before
TALL: Final = 0.7  # share of a thing's height from which on a region is one by itself
REACH: Final = 3  # cells by which a region may be off from where it was foreseen


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sighting:
    """A thing in one frame."""

    frame: int
    time: float  # [s]
    mask: Mask  # on cells
    edge: float  # as of `Blob`
    shared: bool = False  # whether it touches another thing that is followed


@dataclass(slots=True, kw_only=True, eq=False)
class Track:
    """One thing through time."""

    sightings: list[Sighting] = field(default_factory=list)
    absorbed: bool = False  # turned out to be a piece of another

    @property
    def last(self) -> Sighting:
        """Where it was seen last."""
        return self.sightings[-1]

    def velocity(self) -> tuple[float, float]:
        """Mean velocity over its last quarter of a second (x, y) [cells/s]."""
        last = self.last
        recent = [s for s in self.sightings[-30:] if last.time - s.time <= 0.25]
        span = last.time - recent[0].time
        if span <= 0:
            return 0.0, 0.0
        (x0, y0), (x1, y1) = recent[0].mask.centre, last.mask.centre
        return (x1 - x0) / span, (y1 - y0) / span

    def alone(self) -> list[Sighting]:
        """When it last touched nothing else, and a quarter of a second before that."""
        own = [s for s in self.sightings[-90:] if not s.shared]
        return [s for s in own if own[-1].time - s.time <= 0.25]

    def going_to(self, time: float) -> float:
        """Where across the picture it would be by `time` had it gone on as it did alone [cells]."""
        own = self.alone() or [self.last]
        first, last = own[0], own[-1]
        span = last.time - first.time
        speed = (last.mask.centre[0] - first.mask.centre[0]) / span if span > 0 else 0.0
        return last.mask.centre[0] + speed * (time - last.time)

    def foreseen(self, time: float) -> tuple[Mask, tuple[int, int]]:
        """Its region by `time`: as it was seen last, or as it was before it met another; and how far that has moved.

        What it is while two touch is told by nearness, and says nothing of where it goes.
        """
        own = self.alone()
        if not self.last.shared or not own or time - own[-1].time > MET:
            return self.last.mask, self.shift(time)
        return own[-1].mask, (round(self.going_to(time) - own[-1].mask.centre[0]), 0)

    def shift(self, time: float) -> tuple[int, int]:
        """How far it will have moved by `time` since it was seen last (x, y) [cells]."""
        ahead = min(time - self.last.time, LOST)
        vx, vy = self.velocity()
        return round(vx * ahead), round(vy * ahead)


_Claim = tuple[Mask, float, bool]  # a region of a frame, its edge, and whether it touches another thing


class Follower:
    """Takes the regions of one frame after the other and keeps tracks of them."""

    def __init__(self) -> None:
        self.tracks: list[Track] = []

    def add(self, frame: int, time: float, blobs: Sequence[Blob]) -> None:
        """Show it the next frame's regions."""
        live = [t for t in self.tracks if not t.absorbed and time - t.last.time <= LOST]
        claims: dict[int, list[_Claim]] = {}
        unclaimed: list[Blob] = []
        foreseen = [(*t.foreseen(time), t) for t in live]
        foreseen = [(_grown(mask), shift, t) for mask, shift, t in foreseen]
        for blob in blobs:
            near = [(overlap(grown, blob.mask, shift), t) for grown, shift, t in foreseen]
            mine = sorted(((a, t) for a, t in near if a > 0), key=lambda each: -each[0])
            if not mine:
                unclaimed.append(blob)
                continue
            for track, mask, shared in _divided(blob.mask, [t for _, t in mine], time):
                claims.setdefault(id(track), []).append((mask, blob.edge, shared))
        for track in live:
            if id(track) in claims:
                claims[id(track)], others = _apart(track, claims[id(track)], time)
                unclaimed += others
                track.sightings.append(_joined(frame, time, claims[id(track)]))
        self._begin(frame, time, unclaimed, [t for t in live if t.last.frame != frame])

    def _begin(self, frame: int, time: float, blobs: Sequence[Blob], missing: list[Track]) -> None:
        """New tracks, or old ones that were out of sight for a moment and come back near where they are expected."""
        for blob in blobs:
            back = min(missing, key=lambda t: _distance(t, blob.mask, time), default=None)
            known = back is not None and _distance(back, blob.mask, time) < 1.0
            track = back if known and back is not None else Track()
            if known and back is not None:
                missing.remove(back)
            else:
                self.tracks.append(track)
            track.sightings.append(Sighting(frame=frame, time=time, mask=blob.mask, edge=blob.edge))


def _apart(track: Track, claims: list[_Claim], time: float) -> tuple[list[_Claim], list[Blob]]:
    """What of a track's regions is its own, and what has turned out to be something else beside it."""
    height = float(np.median([s.mask.height for s in track.alone() or [track.last]]))
    tall = [claim for claim in claims if claim[0].height >= TALL * height]
    kept: list[_Claim] = []
    for claim in sorted(tall, key=lambda each: abs(each[0].centre[0] - track.going_to(time))):
        if not any(_beside(claim[0], other[0]) for other in kept):
            kept.append(claim)
    gone = [claim for claim in tall if not any(claim is own for own in kept)]
    if not gone:
        return claims, []
    own = [claim for claim in claims if not any(claim is other for other in gone)]
    return [(mask, edge, True) for mask, edge, _ in own], [Blob(mask=mask, edge=edge) for mask, edge, _ in gone]


def _beside(one: Mask, other: Mask) -> bool:
    """Whether two regions stand beside each other: no column holds both."""
    return one.box[2] <= other.box[0] or other.box[2] <= one.box[0]


def _grown(mask: Mask) -> Mask:
    """A region widened by what it may be off."""
    padded = np.pad(mask.crop(), REACH)
    grown = ndimage.binary_dilation(padded, iterations=REACH)
    left, top = mask.box[0] - REACH, mask.box[1] - REACH
    inside = grown[max(0, -top) : mask.shape[0] - top, max(0, -left) : mask.shape[1] - left]
    return mask_of(inside, shape=mask.shape, at=(max(0, left), max(0, top)))


def _divided(mask: Mask, tracks: list[Track], time: float) -> list[tuple[Track, Mask, bool]]:
    """Whose a region is: of the track it continues, or of several by nearness; small ones are pieces of the largest."""
    largest = max(tracks, key=lambda t: t.last.mask.area)
    whole = [largest]
    for track in tracks:
        if track is largest:
            continue
        alike = _move_alike(track, largest)
        small = track.last.mask.area <= SMALL * largest.last.mask.area
        if alike or (small and time - track.sightings[0].time < YOUNG):
            _absorb(track, largest, time if alike else None)
        else:
            whole.append(track)
    if len(whole) == 1:
        return [(largest, mask, False)]
    away = np.stack([_away(*t.foreseen(time), mask) for t in whole])
    nearest = np.argmin(away, axis=0)
    bits = mask.crop()
    parts = [mask_of(bits & (nearest == i), shape=mask.shape, at=mask.box[:2]) for i in range(len(whole))]
    rival = any(SMALL * largest.last.mask.area < t.last.mask.area for t in whole[1:])
    return [(t, part, rival or t is not largest) for t, part in zip(whole, parts, strict=True) if not part.empty]


def _move_alike(track: Track, other: Track) -> bool:
    """Whether two things move as parts of one do: about as fast, measured by the larger one's size."""
    (a, b), (c, d) = track.velocity(), other.velocity()
    speed = max(np.hypot(a, b), np.hypot(c, d))
    size = max(other.last.mask.height, other.last.mask.width)
    return bool(np.hypot(a - c, b - d) < ALIKE * max(speed, 0.5 * size))


def _absorb(track: Track, into: Track, time: float | None) -> None:
    """A track ends as part of another; from the moment before `time` on the other has been both."""
    track.absorbed = True
    if time is None:
        return
    pieces = {s.frame: s for s in track.sightings if time - s.time <= LOST}
    for i in range(len(into.sightings) - 1, -1, -1):
        own = into.sightings[i]
        if time - own.time > LOST:
            break
        piece = pieces.get(own.frame)
        if piece is not None:
            both = [(own.mask, own.edge, own.shared), (piece.mask, piece.edge, False)]
            into.sightings[i] = _joined(own.frame, own.time, both)


def _away(mask: Mask, shift: tuple[int, int], within: Mask) -> NDArray[np.float64]:
    """Distance of each cell of a box from a shifted region [cells]."""
    moved = np.zeros((within.height, within.width), bool)
    down, along = np.nonzero(mask.crop())
    x, y = along + mask.box[0] + shift[0] - within.box[0], down + mask.box[1] + shift[1] - within.box[1]
    inside = (x >= 0) & (x < within.width) & (y >= 0) & (y < within.height)
    moved[y[inside], x[inside]] = True
    if not moved.any():
        return np.full(moved.shape, np.inf)
    return np.asarray(ndimage.distance_transform_edt(~moved))


def _joined(frame: int, time: float, pieces: list[_Claim]) -> Sighting:
    if len(pieces) == 1:
        mask, edge, shared = pieces[0]
        return Sighting(frame=frame, time=time, mask=mask, edge=edge, shared=shared)
    bits = np.zeros(pieces[0][0].shape, bool)
    for mask, _, _ in pieces:
        left, top, right, bottom = mask.box
        bits[top:bottom, left:right] |= mask.crop()
    weights = np.array([mask.area for mask, _, _ in pieces], float)
    edge = float(np.average([edge for _, edge, _ in pieces], weights=weights))
    return Sighting(
        frame=frame, time=time, mask=mask_of(bits), edge=edge, shared=any(shared for _, _, shared in pieces)
    )


def _distance(track: Track, mask: Mask, time: float) -> float:
    """How far a region is from where a lost track is expected, in units of what may be; also by size."""
    (x, y), (dx, dy) = track.last.mask.centre, track.shift(time)
    away = np.hypot(mask.centre[0] - x - dx, mask.centre[1] - y - dy)
    reach = max(track.last.mask.height, track.last.mask.width)
    ratio = mask.area / track.last.mask.area
    return float(max(away / reach, abs(np.log(ratio)) / np.log(3.0)))
