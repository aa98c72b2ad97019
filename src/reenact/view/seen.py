"""A take beside the video it came from: small pictures, masks, the body as the camera sees it, and how well they agree.

The single source of what the report and the browser page show of a video; movies are drawn at full size from the video
itself (`overlay_movie`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.body.toml import parse_body
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.observe.camera import Camera
from reenact.observe.outlines import SeenShape, outlines
from reenact.observe.projection import mismatches, projection_of
from reenact.observe.projection_masks import packed_masks
from reenact.observe.take_views import TakeView, find_videos, take_views
from reenact.view.curves import Curve, Curves, Group, Plot
from reenact.view.poses import character_states, interpolated
from reenact.view.recording import Recording
from reenact.view.small_pictures import MOST_BYTES, MOST_RATE, PictureFormat, encoded, shown_size, small_masks

MOST_COMPARED: Final = 600  # masks of a view that the take is compared with; a longer video is thinned out
NEAR: Final = 1e-3  # [s] within which a frame and a mask are of one time
AGREEMENT: Final = "Silhouette mismatch"  # name of the group of curves


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenView:
    """One video of a take at K of its own times; pixels are those of the small pictures."""

    name: str
    camera: Camera  # of the small pictures, lens included
    time: Array  # (K,) [s] since the take's first instant
    pictures: tuple[bytes, ...]  # (K) encoded; none where the video cannot be shown
    kind: PictureFormat  # of the pictures
    masks: tuple[bytes, ...]  # (K) as PNG: opaque where the mask is
    shapes: tuple[tuple[SeenShape, ...], ...]  # (K) the simulated body, the farthest shape first
    mismatch: Array  # (K,) terms of [V12] Eq. 9 of the simulated body, NaN without a mask
    remark: str = ""  # why there are no pictures

    def at(self, time: float) -> int:
        """Which of the K is shown at `time` [s] since the take's first instant: the nearest."""
        return int(np.abs(self.time - time).argmin())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seen:
    """All that was seen, and [V12] Eq. 9 over time, mean over the views; times are since the take's first instant."""

    views: tuple[SeenView, ...]
    time: Array  # (M,) [s]
    mismatch: Array  # (M,) of the simulated body
    track_time: Array  # (T,) [s]
    track_mismatch: Array  # (T,) of the track that the search began from


def seen_of(recording: Recording, videos: Sequence[Path] = (), *, progress: Progress | None = None) -> Seen:
    """What a recording from video was made from; `videos` says where videos are that have moved.

    A video that is not there any more, or not the same, is left out with a remark; masks and body are still shown.
    """
    observed = recording.observed
    if observed is None:
        raise InputError("was not made from video: it has no folder observed/", path=recording.folder)
    body = parse_body(recording.body_toml)
    views = take_views(observed, recording.folder)
    given = find_given(views, recording.folder, videos)
    shown, compared = [], []
    for i, (view, found) in enumerate(zip(views, given, strict=True)):
        told = None if progress is None else _part(progress, i, len(views), view.name)
        compared.append(_mismatch(recording, body, view))
        shown.append(_view(recording, body, view, found, compared[-1], MOST_BYTES // len(views), told))
    time, mismatch = _mean(compared)
    return Seen(
        views=tuple(shown),
        time=time,
        mismatch=mismatch,
        track_time=observed.time - float(recording.motion["time"][0]),
        track_mismatch=observed.mismatch,
    )


def find_given(views: Sequence[TakeView], folder: Path, videos: Sequence[Path]) -> list[Path | str]:
    """Of each view its video, or why it cannot be shown; a file in `videos` that is none of them is an error."""
    if videos:
        return list(find_videos(views, folder, videos))
    out: list[Path | str] = []
    for view in views:
        try:
            out += find_videos([view], folder)
        except InputError as error:
            out.append(str(error))
    return out


def within(times: Array, seconds: float) -> NDArray[np.intp]:
    """Which of times [s] lie within a take of so many seconds."""
    return np.flatnonzero((times >= -NEAR) & (times <= seconds + NEAR))


def states_at(recording: Recording, body: Body, times: Array) -> Array:
    """Simulated poses (K, 7 + A) at times [s] since the first instant."""
    recorded = np.asarray(recording.motion["time"], float)
    return character_states(recorded - recorded[0], recording.motion["qpos"], times, 7 + len(body.axes))


def with_agreement(curves: Curves, seen: Seen, start: float) -> Curves:
    """Curves of a take that begins at `start` [s], with those of its silhouettes before them."""
    since = curves.time - start
    plotted = [
        Curve(label="take", style="take", values=_spread(seen.time, seen.mismatch, since)),
        Curve(label="track", style="reference", values=_spread(seen.track_time, seen.track_mismatch, since)),
    ]
    plot = Plot(title="Mismatch of mask and body, Eq. 9", unit="0 … 2", curves=tuple(plotted))
    return replace(curves, groups=(Group(name=AGREEMENT, plots=(plot,)), *curves.groups))


def _view(
    recording: Recording, body: Body, view: TakeView, video: Path | str, known: tuple[Array, Array], most_bytes: int,
    tell: Progress | None,
) -> SeenView:  # fmt: skip
    """Of one view what is shown; `known` are times and mismatches of its masks."""
    times = view.times()
    chosen = _thinned(times, within(times, recording.seconds))
    size = shown_size(*view.camera.size)
    small = view.camera.resized(*size)
    pictures: tuple[bytes, ...] = ()
    kind: PictureFormat = "webp"
    masks = small_masks([view.silhouettes.masks[i] for i in chosen], size)
    if isinstance(video, Path) and len(chosen):
        wanted = np.asarray(view.silhouettes.time[chosen])
        pictures, kind = encoded(video, wanted, size, tell)
    fewer = -(-sum(map(len, (*pictures, *masks))) // most_bytes) if masks else 1
    chosen, masks, pictures = chosen[::fewer], masks[::fewer], pictures[::fewer]
    poses = states_at(recording, body, times[chosen])
    return SeenView(
        name=view.name,
        camera=small,
        time=times[chosen],
        pictures=pictures,
        kind=kind,
        masks=masks,
        shapes=tuple(tuple(outlines(body, small, pose)) for pose in poses),
        mismatch=known[1][[int(np.abs(known[0] - time).argmin()) for time in times[chosen]]],
        remark="" if isinstance(video, Path) else video,
    )


def _mismatch(recording: Recording, body: Body, view: TakeView) -> tuple[Array, Array]:
    """Times (M,) [s] since the first instant, and terms of [V12] Eq. 9 (M,) of the simulated body, NaN without mask."""
    times = view.times()
    chosen = within(times, recording.seconds)
    chosen = chosen[:: max(1, -(-len(chosen) // MOST_COMPARED))]
    masks = [view.silhouettes.masks[i] for i in chosen]
    if not masks:
        return np.zeros(0), np.zeros(0)
    poses = states_at(recording, body, times[chosen])
    found = mismatches(projection_of(body, view.camera).overlaps(poses, packed_masks(masks, view.camera)))
    return times[chosen], np.where([mask.empty for mask in masks], np.nan, found)


def _thinned(times: Array, inside: NDArray[np.intp]) -> NDArray[np.intp]:
    """Frames at no more than MOST_RATE a second."""
    if len(inside) < 2:
        return inside
    own = (len(inside) - 1) / float(times[inside[-1]] - times[inside[0]])
    return inside[:: max(1, int(np.ceil(own / MOST_RATE - 0.01)))]


def _mean(views: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Over views, at the first one's times."""
    time = views[0][0]
    if len(views) == 1 or not len(time):
        return views[0]
    return time, np.mean([_spread(at, values, time) for at, values in views], axis=0)


def _spread(at: Array, values: Array, time: Array) -> Array:
    """Values at `time`, straight between samples, NaN outside."""
    if not len(at):
        return np.full(len(time), np.nan)
    inside = (time >= at[0] - NEAR) & (time <= at[-1] + NEAR)
    return np.where(inside, interpolated(at, values, time), np.nan)


def _part(progress: Progress, i: int, count: int, name: str) -> Progress:
    return lambda done, what: progress((i + done) / count, f"{name}: {what}")
