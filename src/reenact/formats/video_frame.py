"""One frame of a video, by its time."""

from __future__ import annotations

from typing import Final

from reenact.errors import InputError
from reenact.formats.video import Video, VideoFrame, read_frames

_BEFORE: Final = 0.25  # [s] that are decoded before the time asked for, so that the frame before is known too


def frame_at(video: Video, time: float) -> VideoFrame:
    """The frame nearest to a time [s]; times past the last frame by more than a frame's length are refused."""
    patience = 1.5 / video.rate
    late = video.duration is not None and time > video.duration + patience
    if not time >= 0.0 or late:
        raise _missing(video, time, video.duration)
    best: VideoFrame | None = None
    begin = max(0.0, time - max(_BEFORE, 2.0 * patience))
    if video.duration is not None:
        begin = min(begin, max(0.0, video.duration - 2.0 * patience))
    for frame in read_frames(video, begin=begin):
        if best is None or abs(frame.time - time) < abs(best.time - time):
            best = frame
        if frame.time >= time:
            break
    if best is None or time - best.time > patience:
        raise _missing(video, time, None if best is None else best.time)
    return best


def _missing(video: Video, time: float, end: float | None) -> InputError:
    runs = "" if end is None else f"; it runs from 0 to {end:.3f} s"
    return InputError(f"has no frame at {time:g} s{runs}", path=video.path)
