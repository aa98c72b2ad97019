"""The video that a take was made from with the simulated body drawn over it, as a movie: the eye's check of a capture.

Every frame of an mp4 is the video's own, at its own size and time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.formats.video import Picture, Video, VideoFrame, open_video, read_frames
from reenact.formats.video_write import MovieWriter
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.observe.take_views import find_videos, take_views
from reenact.view.overlay_frame import Overlay, OverlayStyle
from reenact.view.recording import recording_of
from reenact.view.render import captioned, write_gif, write_png
from reenact.view.seen import NEAR

KINDS: Final = (".mp4", ".gif", ".png")
GIF_SIDE: Final = 480  # [px] of a gif's longer side
GIF_FPS: Final = 15.0
STRIP_WIDTH: Final = 2400  # [px] of a png with all its pictures, at most
STRIP_MARGIN: Final = 0.3  # of the body's height or width, around it in a png


def render_overlay(
    take: Path | str,
    out: Path | str,
    *,
    videos: Sequence[Path] = (),
    style: OverlayStyle | None = None,
    speed: float = 1.0,
    fps: float | None = None,
    poses: int = 6,
    progress: Progress | None = None,
) -> tuple[Path, ...]:
    """Draw a take over the video it was made from: an mp4 or gif movie, or a png with `poses` frames side by side.

    Of several videos a file each, with the view's name in the name of the file. `videos` says where they are, where
    they have moved; `speed` below 1 is slow motion; `fps` is that of a gif.
    """
    path = Path(out)
    _check(path, speed, fps, poses)
    recording = recording_of(take)
    if recording.observed is None:
        raise InputError("was not made from video, so there is none to draw over; leave out --overlay", path=take)
    views = take_views(recording.observed, recording.folder)
    found = find_videos(views, recording.folder, videos)
    written = []
    for i, (view, video) in enumerate(zip(views, found, strict=True)):
        file = path if len(views) == 1 else path.with_name(f"{path.stem}-{view.name}{path.suffix}")
        film = _Film(Overlay(recording, view, style), open_video(video), speed, _part(progress, i, len(views)))
        unfinished = file.with_name(f".{file.stem}-unfinished{file.suffix}")
        try:
            film.write(unfinished, fps or GIF_FPS, poses)
            os.replace(unfinished, file)
        finally:
            unfinished.unlink(missing_ok=True)
        written.append(file)
    return tuple(written)


class _Film:
    """Frames of one video with a take over them, on their way to a file."""

    def __init__(self, overlay: Overlay, video: Video, speed: float, progress: Progress) -> None:
        self._overlay, self._video, self._speed, self._progress = overlay, video, speed, progress

    def write(self, path: Path, fps: float, poses: int) -> None:
        kind = path.suffix.lower()
        seconds, start = self._overlay.seconds, self._overlay.view.start
        if kind == ".mp4":
            with MovieWriter(path) as writer:
                for frame in self._frames(None):
                    writer.add(frame.time / self._speed, self._overlay.drawn(frame))
        elif kind == ".gif":
            times = start + np.arange(0.0, seconds + NEAR, self._speed / fps)
            write_gif(path, (self._overlay.drawn(frame) for frame in self._nearest(times, GIF_SIDE)), fps)
        else:
            chosen = list(self._nearest(start + np.linspace(0.0, seconds, poses), None))
            said = [f"{frame.time - start:.2f} s" for frame in chosen]
            write_png(path, captioned(self._cut(chosen), said), 1.0)

    def _cut(self, frames: Sequence[VideoFrame]) -> Iterator[Picture]:
        """Frames cut to where the body is, all to one size, and made small enough to stand side by side."""
        from PIL import Image

        boxes = [self._overlay.box(frame.time) for frame in frames]
        most = np.array([self._video.width, self._video.height])
        room = np.max([high - low for low, high in boxes], axis=0)
        size = np.minimum(np.ceil(room + STRIP_MARGIN * room.max()).astype(int), most)
        share = min(1.0, STRIP_WIDTH / len(frames) / size[0])
        small = (max(16, round(share * size[0])), max(16, round(share * size[1])))
        for frame, (low, high) in zip(frames, boxes, strict=True):
            left, top = np.clip(np.rint(0.5 * (low + high - size)).astype(int), 0, most - size).tolist()
            whole = self._overlay.drawn(frame)
            part = Image.fromarray(whole[top : top + size[1], left : left + size[0]])
            yield np.asarray(part.resize(small, Image.Resampling.LANCZOS))

    def _frames(self, long_side: int | None) -> Iterator[VideoFrame]:
        """Frames of the video within the take."""
        start, seconds = self._overlay.view.start, self._overlay.seconds
        last = start + seconds + NEAR
        if self._video.duration is not None:
            last = min(last, self._video.duration)  # a take may go on after the video
        for frame in read_frames(self._video, begin=max(0.0, start - NEAR), end=last, long_side=long_side):
            yield frame
            self._progress(min(1.0, (frame.time - start) / max(seconds, NEAR)), f"{frame.time:.2f} s of the video")

    def _nearest(self, times: Array, long_side: int | None) -> Iterator[VideoFrame]:
        """For each of rising times the frame nearest to it."""
        before: VideoFrame | None = None
        wanted = list(times)
        for frame in self._frames(long_side):
            while wanted and before is not None and wanted[0] <= 0.5 * (before.time + frame.time):
                yield before
                wanted.pop(0)
            before = frame
        if before is not None:
            yield from [before for _ in wanted]


def _check(path: Path, speed: float, fps: float | None, poses: int) -> None:
    if path.suffix.lower() not in KINDS:
        raise InputError(f"cannot render to '{path.suffix}'; the endings are {', '.join(KINDS)}", path=path)
    if not path.parent.is_dir():
        raise InputError("no such folder to write to", path=path.parent)
    if fps is not None and path.suffix.lower() != ".gif":
        raise InputError("--fps goes with a gif: over a video, an mp4 has the video's own times", path=path)
    if fps is not None and not 1 <= fps <= 50:
        raise InputError(f"fps is {fps:g}, expected 1 to 50")
    if not 0.01 <= speed <= 100:
        raise InputError(f"speed is {speed:g}, expected 0.01 to 100")
    if not 1 <= poses <= 64:
        raise InputError(f"poses is {poses}, expected 1 to 64")


def _part(progress: Progress | None, i: int, count: int) -> Progress:
    """The progress of one of several movies."""
    if progress is None:
        return lambda done, what: None
    return lambda done, what: progress((i + done) / count, what)
