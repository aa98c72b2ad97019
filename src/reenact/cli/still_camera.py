"""A camera that moves, refused before anything is solved or followed from its pictures; progress shown meanwhile."""

from __future__ import annotations

from math import isinf
from typing import TYPE_CHECKING

from reenact.cli import terminal

if TYPE_CHECKING:
    from reenact.formats.video import Video, VideoFrame


def check_still(video: Video, begin: float | None, end: float | None) -> None:
    """Refuse a video whose camera moves between two times [s], None or infinity for where it ends."""
    from reenact.observe.scene import refuse_moving

    stop = None if end is None or isinf(end) else end
    first, last = begin or 0.0, video.duration if stop is None else stop
    with terminal.progress(f"watching {video.path.name}") as advance:

        def seen(frame: VideoFrame) -> None:
            done = 0.0 if last is None else (frame.time - first) / max(1e-6, last - first)
            advance(min(1.0, max(0.0, done)), "whether the camera stands still")

        refuse_moving(video, begin=begin, end=stop, seen=seen)
