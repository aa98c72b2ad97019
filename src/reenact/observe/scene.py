"""Learning the empty scene of a video: frames gathered, the camera checked, the plate and its spread found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError
from reenact.formats.video import Picture, Video, VideoFrame, check_range, read_frames
from reenact.observe.background import Background, background_of
from reenact.observe.light import gain_of
from reenact.observe.plate import Thinned, learned_plate, read_plate
from reenact.observe.steady import STILL, WIDTH, Drift, Reference

AROUND: Final = 10.0  # [s] before and after the asked range from which the empty scene is learned too
FEWEST: Final = 8  # frames from which an empty scene can be learned
MOVED: Final = 3.0 * STILL  # shift beyond which masks are no masks
DRIFTED: Final = 10.0 * STILL  # the same of a shift that is summed up from frame to frame, with its errors
RESTLESS: Final = 18.0  # grey levels, standard deviation of the quiet most of all pixels
MOST_MOVED: Final = 0.3  # share of frames that may be shifted so far


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """The empty scene as the camera sees it."""

    background: Background
    reference: Reference
    learned: bool  # from the video itself, not from a plate
    frames: int  # that were looked at


def learn_scene(
    video: Video,
    *,
    begin: float | None,
    end: float | None,
    plate: Path | None,
    long_side: int,
    seen: Callable[[VideoFrame], None],
) -> Scene:
    """The empty scene behind the frames from `begin` to `end`; `seen` is called with each frame that is read.

    Raises where the camera moves, where a plate was filmed from elsewhere, and where there are too few frames.
    """
    check_range(video, begin, end)
    first = max(0.0, (begin or 0.0) - AROUND)
    last = None if end is None else end + AROUND
    if last is not None and video.duration is not None and last >= video.duration:
        last = None
    thinned = Thinned()
    for frame in read_frames(video, begin=first, end=last, long_side=long_side):
        thinned.add(frame.time, frame.image)
        seen(frame)
    images, times = thinned.images, np.array(thinned.times)
    if len(images) < FEWEST and plate is None:
        raise InputError(
            f"{len(images)} frames are too few to learn the background from, expected {FEWEST} or more; "
            "a picture of the empty scene can be given as --plate",
            path=video.path,
        )
    asked = (times >= (begin or 0.0)) & (times <= (np.inf if end is None else end))
    images = _from_one_place(images, asked if asked.any() else np.ones(len(times), bool), video)
    samples = np.stack([_in_light_of(images[len(images) // 2], image) for image in images])
    if plate is None:
        colour = learned_plate(samples)[0]
    else:
        colour = read_plate(plate, video.scaled(long_side))
        _same_place(plate, Reference(colour), samples[len(samples) // 2])
    background = background_of(colour, samples)
    spread = float(np.sqrt(np.diag(background.covariance)[:3].max()))
    if spread > RESTLESS:
        raise InputError(
            f"the picture does not hold still: most pixels change by {spread:.0f} grey levels of 255, expected at "
            f"most {RESTLESS:.0f}; the camera moves, or the light changes: choose a range --from … --to … in which "
            "neither does, or let the pose network cut the person out, --by network",
            path=video.path,
        )
    reference = Reference(colour)
    return Scene(background=background, reference=reference, learned=plate is None, frames=thinned.seen)


def refuse_moving(
    video: Video,
    *,
    begin: float | None,
    end: float | None,
    seen: Callable[[VideoFrame], None] | None = None,
) -> None:
    """Refuse a video whose camera moves, where no background is learned that would tell; `seen` is shown each frame."""
    thinned, drift = Thinned(), Drift()
    places: dict[float, NDArray[np.float64]] = {}
    for frame in read_frames(video, begin=begin, end=end, long_side=WIDTH):
        thinned.add(frame.time, frame.image)
        places[frame.time] = drift.add(frame.image)
        if seen is not None:
            seen(frame)
    if not thinned.images:
        return
    middle = len(thinned.images) // 2
    gone = np.array([places[time] - places[thinned.times[middle]] for time in thinned.times])
    far = np.hypot(gone[:, 0], gone[:, 1])
    shifts = _shifts(thinned.images, middle)
    shifts = np.where(np.isfinite(shifts) | (far <= DRIFTED), shifts, far)
    _refuse_moved(shifts, np.ones(len(shifts), bool), video)


def _shifts(images: list[Picture], middle: int) -> NDArray[np.float64]:
    """How far each frame is shifted against one of them, as a share of the longer side; NaN where it is not known."""
    reference = Reference(images[middle])
    return np.array([np.hypot(*reference.shift(image)) for image in images])


def _from_one_place(images: list[Picture], asked: NDArray[np.bool_], video: Video) -> list[Picture]:
    """Frames taken from where the middle one of the asked range was; those outside the range may be from elsewhere."""
    shifts = _shifts(images, int(np.flatnonzero(asked)[np.count_nonzero(asked) // 2]))
    _refuse_moved(shifts, asked, video)
    return [image for image, far in zip(images, shifts > MOVED, strict=True) if not far]  # not where it is not known


def _refuse_moved(shifts: NDArray[np.float64], asked: NDArray[np.bool_], video: Video) -> None:
    """Refuse shifts that are too great in too many of the frames that are asked for and known."""
    moved = shifts > MOVED  # False where it is not known
    known = np.isfinite(shifts) & asked
    share = float(moved[known].mean()) if known.any() else 0.0
    if np.count_nonzero(known) > 2 and share > MOST_MOVED:
        pixels = float(np.median(shifts[moved & known])) * max(video.width, video.height)
        raise InputError(
            f"the camera moves: {share:.0%} of the frames are shifted, typically by {pixels:.0f} px; this needs a "
            "camera that stands still, or a range --from … --to … in which it does",
            path=video.path,
        )


def _in_light_of(one: Picture, image: Picture) -> Picture:
    """A frame as it would look in another's light."""
    gain = gain_of(image, one.astype(np.float32))
    if np.all(np.abs(gain - 1.0) < 0.01):
        return image
    return np.asarray(np.clip(np.rint(image / gain), 0, 255), np.uint8)


def _same_place(plate: Path, reference: Reference, image: Picture) -> None:
    shift = float(np.hypot(*reference.shift(image)))
    if shift > MOVED:
        raise InputError(
            f"the plate is shifted against the video by {shift * max(image.shape):.0f} px; "
            "expected a picture from the very same place, or none",
            path=plate,
        )
