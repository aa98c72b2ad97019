"""One frame of a video, by its time."""

from __future__ import annotations

from typing import Final

from reenact.errors import InputError
from reenact.formats.video import Video, VideoFrame, read_frames

_BEFORE: Final = 0.25  # [s] that are decoded before the time asked for, so that the frame before is known too
_FARTHER: Final = 8.0  # times as many where no frame is in them


def frame_at(video: Video, time: float) -> VideoFrame:
    """The frame nearest to a time [s]; times past the last frame by more than a frame's length are refused."""
    patience = 1.5 / video.rate
    late = video.duration is not None and time > video.duration + patience
    if not time >= 0.0 or late:
        raise _missing(video, time, video.duration)
    back = max(_BEFORE, 2.0 * patience)
    while True:
        begin = max(0.0, time - back)
        if video.duration is not None:
            begin = min(begin, max(0.0, video.duration - back))
        before, after = _around(video, time, begin)
        if before is not None or begin == 0.0:
            break
        back *= _FARTHER  # nothing for long before it
    if after is None and (before is None or time - before.time > patience):
        raise _missing(video, time, None if before is None else before.time)
    known = [frame for frame in (before, after) if frame is not None]
    return min(known, key=lambda frame: abs(frame.time - time))


def _around(video: Video, time: float, begin: float) -> tuple[VideoFrame | None, VideoFrame | None]:
    """The last frame before a time and the first one at it or after it, of those from `begin` on."""
    before: VideoFrame | None = None
    for frame in read_frames(video, begin=begin):
        if frame.time >= time:
            return before, frame
        before = frame
    return before, None


def _missing(video: Video, time: float, end: float | None) -> InputError:
    runs = "" if end is None else f"; it runs from 0 to {end:.3f} s"
    return InputError(f"has no frame at {time:g} s{runs}", path=video.path)
