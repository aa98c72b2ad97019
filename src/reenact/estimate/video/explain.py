"""How well a simulated motion explains a video: its silhouettes against the masks, at the masks' own times.

The track, which no physics binds, tells how near a body of this shape can come; a simulation that stays far behind it
has found no cause for what is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.estimate.video.sighting import Sighting
from reenact.geometry.rotation import Array
from reenact.motion.resample import resample_poses
from reenact.observe.projection import mismatches, projection_of
from reenact.observe.silhouettes import TRUSTED

FAR: Final = 2.0  # times the track's mismatch, and
BEYOND: Final = 0.25  # so much more than it: there the simulation does not explain the video
SMOOTHED: Final = 5  # frames over which a stretch that is not explained is looked for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Explained:
    """Terms of [V12] Eq. 9, 0 … 2, of each moment, mean over the views that can be trusted then."""

    time: Array  # (T,) [s] of the take
    simulated: Array  # (T,) NaN where no view can be trusted, or the simulation was over
    track: Array  # (T,) the same of the track

    @property
    def mean(self) -> float:
        """Of the simulation, over what it lasted; NaN where nothing can be said."""
        return _mean(self.simulated[self._both])

    @property
    def track_mean(self) -> float:
        """Of the track, over the same moments."""
        return _mean(self.track[self._both])

    @property
    def by_physics(self) -> bool:
        """Whether the simulation explains what the track does, about."""
        return not (self.mean > FAR * self.track_mean and self.mean > self.track_mean + BEYOND)

    def worst(self) -> tuple[float, float]:
        """When [s] the simulation is farthest behind the track: the longest stretch where it does not explain it."""
        behind = np.where(self._both, self.simulated - self.track, 0.0)
        smooth = np.convolve(behind, np.full(SMOOTHED, 1.0 / SMOOTHED), mode="same")
        far = smooth > max(BEYOND, 0.5 * float(smooth.max()))
        edges = np.flatnonzero(np.diff(np.concatenate([[False], far, [False]]))).reshape(-1, 2)
        if not len(edges):
            at = float(self.time[int(np.argmax(smooth))])
            return at, at
        begin, end = edges[np.argmax(edges[:, 1] - edges[:, 0])]
        return float(self.time[begin]), float(self.time[end - 1])

    @property
    def _both(self) -> NDArray[np.bool_]:
        return np.isfinite(self.simulated) & np.isfinite(self.track)


def explained(
    body: Body, sightings: Sequence[Sighting], start: float, qpos: Array, rate: float, track: Array
) -> Explained:
    """Hold a simulation against the masks.

    qpos: (N, 7 + A) at `rate` from `start` [s] in the videos on; track: (T, 7 + A), a pose for each mask. Poses between
    two steps are read off by splines at each mask's own time.
    """
    last = (len(qpos) - 1) / rate
    both = []
    for seen in sightings:
        own = np.clip(seen.times - start, 0.0, last)
        there = seen.times - start <= last + 0.5 / rate
        projection = projection_of(body, seen.camera, seen.size)
        trusted = seen.quality >= TRUSTED
        simulated = mismatches(projection.overlaps(resample_poses(qpos, rate, own), seen.masks))
        tracked = mismatches(projection.overlaps(track, seen.masks))
        both.append((np.where(trusted & there, simulated, np.nan), np.where(trusted, tracked, np.nan)))
    time = np.mean([seen.times - start for seen in sightings], axis=0)
    simulated, tracked = (_over_views([pair[i] for pair in both]) for i in range(2))
    return Explained(time=time, simulated=simulated, track=tracked)


def mismatch_of(body: Body, sightings: Sequence[Sighting], poses: Array, frames: Sequence[int] | None = None) -> Array:
    """Terms of [V12] Eq. 9 of poses in some frames, all unless said; mean over the views."""
    which = np.arange(len(sightings[0].times)) if frames is None else np.asarray(frames, int)
    terms = [
        mismatches(projection_of(body, seen.camera, seen.size).overlaps(poses, seen.masks[which])) for seen in sightings
    ]
    return np.asarray(np.mean(terms, axis=0))


def tallness(body: Body, seen: Sighting, poses: Array) -> float:
    """Height of a body in the picture as a multiple of the person's: median over poses (T, 7 + A) and their masks."""
    drawn = projection_of(body, seen.camera, seen.size).drawn(poses)
    heights = []
    for words, mask, quality in zip(drawn, seen.masks, seen.quality, strict=True):
        own, person = (np.flatnonzero(each.any(axis=1)) for each in (words, mask))
        if len(own) and len(person) and quality >= TRUSTED:
            heights.append((own[-1] - own[0] + 1) / (person[-1] - person[0] + 1))
    return float(np.median(heights)) if heights else 1.0


def _over_views(terms: Sequence[Array]) -> Array:
    stacked = np.stack(terms)
    count = np.isfinite(stacked).sum(axis=0)
    total = np.where(np.isfinite(stacked), stacked, 0.0).sum(axis=0)
    return np.asarray(np.where(count > 0, total / np.maximum(count, 1), np.nan))


def _mean(values: Array) -> float:
    return float(values.mean()) if len(values) else float("nan")
