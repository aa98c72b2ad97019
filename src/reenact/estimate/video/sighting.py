"""What one camera saw of a person, ready for a track: masks at even times, with the true time of each.

A track wants even times; videos have the times they have. Frames are therefore chosen, never blended: each even moment
takes the frame nearest to it within half a frame, and keeps that frame's own time, so that the poses found from it
stand at the right moment (`motion_of`). Where no frame is that near, the mask is empty, which says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.estimate.video.keypoints import SeenMarks
from reenact.estimate.video.track import FINER, Seen
from reenact.geometry.rotation import Array
from reenact.observe.camera import Camera
from reenact.observe.mask import Mask
from reenact.observe.projection_masks import packed_masks
from reenact.observe.projection_table import Words
from reenact.observe.reduce import grid_size
from reenact.observe.silhouettes import TRUSTED, Silhouettes

USUAL_RATE: Final = 30.0  # frames per second that a track is found at, about; faster videos are thinned out
SLOWEST: Final = 9.5  # frames per second, below which steps are lost between frames
EVEN: Final = 0.2  # of a frame's length, by which frames may come early or late and still count as even


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sighting:
    """Masks of one camera at (nearly) even times."""

    video: Path
    name: str
    camera: Camera  # of the video at its own size
    times: Array  # (T,) [s] in the video: those of the frames chosen
    masks: Words  # (T, rows, words), see `packed_masks`
    size: tuple[int, int]  # columns and rows of their grid
    quality: Array  # (T,) 0 … 1; 0 where there is no frame
    marks: SeenMarks | None = None  # landmarks in the same frames, where a detector saw some
    fine: Words | None = None  # (T, rows, words) the masks on a grid FINER times as fine

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong together."""
        count = len(self.times)
        if len(self.masks) != count or self.quality.shape != (count,) or self.times.shape != (count,):
            got = f"times {self.times.shape}, masks {self.masks.shape}, quality {self.quality.shape}"
            raise InputError(f"view '{self.name}': {got}, expected as many of each")
        if not np.all(np.diff(self.times) > 0):
            raise InputError(f"view '{self.name}': times must rise")
        if self.marks is not None and len(self.marks.pixels) != count:
            raise InputError(f"view '{self.name}': landmarks in {len(self.marks.pixels)} frames, expected {count}")

    @property
    def seen(self) -> Seen:
        """What a track follows: masks that are not trusted are left out."""
        trusted = (self.quality >= TRUSTED)[:, None, None]
        masks = np.where(trusted, self.masks, np.uint64(0))
        fine = None if self.fine is None else np.where(trusted, self.fine, np.uint64(0))
        return Seen(camera=self.camera, masks=masks, size=self.size, marks=self.marks, fine=fine)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice:
    """Which frames of each view stand for even moments."""

    rate: float  # moments per second
    frames: tuple[NDArray[np.int64], ...]  # of each view (T,): the frame chosen, −1 for none
    moments: Array  # (T,) [s] even
    words: str  # what was done


def choose_frames(times: Sequence[Array], begin: float, end: float) -> Choice:
    """Frames for even moments between two times [s], of views whose frames are at `times` (one array each)."""
    inside = [np.flatnonzero((t >= begin - 1e-6) & (t <= end + 1e-6)) for t in times]
    if min(len(each) for each in inside) < 3:
        raise InputError(f"from {begin:.2f} to {end:.2f} s there are fewer than three frames")
    ticks = [_ticks(t[i]) for t, i in zip(times, inside, strict=True)]
    native, phase = min(ticks)
    if native < SLOWEST:
        raise InputError(f"{native:.1f} frames a second are too few to follow a person, expected {SLOWEST:g} or more")
    every = max(1, round(native / USUAL_RATE))
    if len(times) == 1 and _even(own := times[0][inside[0]]):
        chosen = inside[0][::every]
        rate = (len(own) - 1) / float(own[-1] - own[0]) / every
        taken = "every frame" if every == 1 else f"one frame in {every} of {rate * every:.4g} a second"
        moments = times[0][chosen[0]] + np.arange(len(chosen)) / rate
        return Choice(rate=rate, frames=(chosen,), moments=moments, words=f"{taken}, {rate:.4g} Hz")
    rate = native / every
    first = max(float(t[i[0]]) for t, i in zip(times, inside, strict=True))
    last = min(float(t[i[-1]]) for t, i in zip(times, inside, strict=True))
    first = phase + np.ceil((first - phase) * native - 0.499) / native  # the first moment that has a frame nearby
    moments = first + np.arange(int((last - first) * rate + 0.499) + 1) / rate
    frames = tuple(nearest_times(t, moments, 0.499 / native) for t in times)
    missing = sum(int((f < 0).sum()) for f in frames)
    what = "frames come unevenly" if len(times) == 1 else f"frames of {len(times)} views"
    words = f"{what}: at {rate:.4g} Hz the nearest within half a frame, each at its own time"
    if missing:
        words += f"; {missing} moment{'s have' if missing > 1 else ' has'} none"
    return Choice(rate=rate, frames=frames, moments=moments, words=words)


def sighting_of(
    silhouettes: Silhouettes, frames: NDArray[np.int64], moments: Array, camera: Camera, video: Path, name: str
) -> Sighting:
    """The chosen frames (T,) of one view on the grid on which bodies are drawn."""
    there = frames >= 0
    grid = grid_size(*camera.size)
    used = np.flatnonzero(there)
    chosen = [silhouettes.masks[i] for i in frames[used]]
    coarse, fine = (_packed(chosen, used, len(frames), camera, (k * grid[0], k * grid[1])) for k in (1, FINER))
    return Sighting(
        video=video,
        name=name,
        camera=camera,
        times=np.where(there, silhouettes.time[frames], moments),
        masks=coarse,
        size=grid,
        quality=np.where(there, silhouettes.quality[frames], 0.0),
        fine=fine,
    )


def _packed(masks: Sequence[Mask], at: NDArray[np.int64], count: int, camera: Camera, size: tuple[int, int]) -> Words:
    """Masks of frames `at` among so many (count, rows, words), the others empty."""
    packed = packed_masks(masks, camera, size)
    out = np.zeros((count, *packed.shape[1:]), np.uint64)
    out[at] = packed
    return out


def trimmed(sightings: Sequence[Sighting]) -> tuple[Sighting, ...]:
    """The same from the first to the last moment at which every view can be trusted."""
    good = np.flatnonzero(np.all([each.quality >= TRUSTED for each in sightings], axis=0))
    if len(good) < 3:
        raise InputError(f"all views can be trusted at {len(good)} moments, expected three or more")
    part = slice(int(good[0]), int(good[-1]) + 1)
    return tuple(
        replace(
            each,
            times=each.times[part],
            masks=each.masks[part],
            quality=each.quality[part],
            marks=None if each.marks is None else each.marks.at(part),
            fine=None if each.fine is None else each.fine[part],
        )
        for each in sightings
    )


def mean_times(sightings: Sequence[Sighting]) -> Array:
    """When the poses of a track stand, (T,) [s] in the videos: mean over the views."""
    return np.asarray(np.mean([each.times for each in sightings], axis=0))


def _even(times: Array) -> bool:
    steps = np.diff(times)
    return bool(np.abs(steps / np.median(steps) - 1.0).max() <= EVEN)


def _ticks(times: Array) -> tuple[float, float]:
    """Frames per second of uneven times (n,) with gaps, and a time [s] at which a frame is due: by least squares."""
    step = float(np.median(np.diff(times)))
    for _ in range(2):
        count = np.concatenate([[0.0], np.cumsum(np.maximum(1.0, np.rint(np.diff(times) / step)))])
        step, first = np.polyfit(count, times, 1)
    return 1.0 / float(step), float(first)


def nearest_times(times: Array, moments: Array, within: float) -> NDArray[np.int64]:
    """Index of the time nearest to each moment, −1 where none is within so many seconds."""
    after = np.clip(np.searchsorted(times, moments), 1, len(times) - 1)
    near = np.where(moments - times[after - 1] <= times[after] - moments, after - 1, after)
    return np.asarray(np.where(np.abs(times[near] - moments) <= within, near, -1), np.int64)
