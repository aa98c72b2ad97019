"""Landmarks of the person whom masks are of: the network is told where to look, nobody need be found first.

Where others are in the picture, a detector's sightings may pass from one to another; masks of one person do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.formats.video import Video, VideoFrame, open_video, read_frames
from reenact.measure import Progress
from reenact.observe.mask import Mask, empty_mask
from reenact.observe.network.engine import Network
from reenact.observe.network.keypoints import Keypoints
from reenact.observe.network.landmarks import Landmarks
from reenact.observe.network.look import best_look, together
from reenact.observe.network.region import MARGIN, Region
from reenact.observe.silhouettes import Silhouettes

WIDER: Final = 1.1  # than the farthest part of a mask from its middle: how far the circle around a person reaches
ASTRAY: Final = 0.5  # of its radius by which a look may be off the mask's middle
TURNS: Final = (0.0, np.pi, 0.5 * np.pi, -0.5 * np.pi)  # [rad]: upright, on the head, lying


def keypoints_along(
    path: Path | str, masks: Silhouettes, *, long_side: int, progress: Progress | None = None
) -> Keypoints:
    """Landmarks in the frames of a video that masks are of, looked at where they are.

    Needs the extra `network` and its weights. Nobody is seen where a mask is empty.
    """
    network = Network()
    video = open_video(path)
    if (video.width, video.height) != masks.video_size:
        raise InputError(f"masks of a video of {masks.video_size} px, expected {(video.width, video.height)}")
    seen: list[Landmarks | None] = []
    times: list[float] = []
    shapes: list[Mask] = []
    ahead: Region | None = None
    for frame, mask in _paired(video, masks, long_side, progress):
        found = None
        if not mask.empty:
            there = region_of(mask, frame.image.shape[1] / mask.shape[1])
            found = best_look(network, frame, _places(ahead, there))
        ahead = None if found is None else found[0].ahead
        seen.append(None if found is None else found[0])
        times.append(frame.time)
        shapes.append(empty_mask((frame.image.shape[0], frame.image.shape[1])))
    if not any(seen):
        cause = "the network sees nobody where the masks are; it does where the person is larger, in better light"
        raise InputError(cause, path=video.path)
    factor = video.width / video.scaled(long_side)[0]
    return together(video, np.array(times), seen, shapes, factor, ())


def region_of(mask: Mask, scale: float, turn: float = 0.0) -> Region:
    """The upright square around a mask of a person, in a picture `scale` times as large."""
    left, top, right, bottom = mask.box
    x, y = mask.centre
    radius = WIDER * max(x - left, right - x, y - top, bottom - y)
    return Region(x=scale * x, y=scale * y, side=2.0 * MARGIN * scale * max(1.0, radius), angle=turn)


def _places(ahead: Region | None, there: Region) -> list[Region]:
    """Where to look, the likeliest first: as the frame before says, if on the mask, then upright and turned."""
    turned = [Region(x=there.x, y=there.y, side=there.side, angle=turn) for turn in TURNS]
    if ahead is None or np.hypot(ahead.x - there.x, ahead.y - there.y) > ASTRAY * there.side / (2.0 * MARGIN):
        return turned
    return [ahead, *turned]


def _paired(
    video: Video, masks: Silhouettes, long_side: int, progress: Progress | None
) -> Iterator[tuple[VideoFrame, Mask]]:
    """Frames and their masks."""
    first, last = float(masks.time[0]), float(masks.time[-1])
    half = 0.4 * float(np.median(np.diff(masks.time))) if masks.frames > 1 else 0.01
    ends = video.duration is not None and last + half >= video.duration  # whatever the header says of its rate
    for frame in read_frames(
        video, begin=max(0.0, first - half), end=None if ends else last + half, long_side=long_side
    ):
        near = int(np.abs(masks.time - frame.time).argmin())
        if abs(masks.time[near] - frame.time) <= half:
            yield frame, masks.masks[near]
        if progress is not None:
            progress(min(1.0, (frame.time - first) / max(1e-6, last - first)), "looking closely")
