"""A movie written picture by picture, each with its own time, so that a variable frame rate stays what it is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import numpy as np

from reenact.errors import InputError, MissingExtraError
from reenact.formats.video import Picture

TICKS: Final = 90_000  # per second, the resolution of the times written
QUALITY: Final = "23"  # x264's constant rate factor, lower is finer


class MovieWriter:
    """Writes H.264 in an mp4 file; the first picture sets the size. Use it as a context."""

    def __init__(self, path: Path | str, *, quality: str = QUALITY, threads: int = 0) -> None:
        """threads: of the encoder, 0 as many as it likes; with 1 the file is the same on every machine."""
        try:
            import av
        except ImportError:
            raise MissingExtraError("video", "writing a movie") from None
        self._path, self._quality, self._threads = Path(path), quality, threads
        self._av = av
        self._container: Any = av.open(str(path), "w", options={"movflags": "+faststart"})
        self._stream: Any = None
        self._first = 0.0
        self._last = -1

    def __enter__(self) -> MovieWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None and kind is None:
            self._container.mux(self._stream.encode(None))
        self._container.close()

    def add(self, time: float, picture: Picture) -> None:
        """The next picture (height, width, 3) and when it is shown [s]; the movie begins with the first."""
        even = picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2]  # halved colour needs even sides
        if self._stream is None:
            self._first = time
            self._stream = self._container.add_stream("libx264", rate=30)
            self._stream.height, self._stream.width = even.shape[:2]
            self._stream.pix_fmt = "yuv420p"
            self._stream.time_base = self._stream.codec_context.time_base = Fraction(1, TICKS)
            self._stream.options = {"crf": self._quality, "preset": "veryfast"}
            self._stream.codec_context.thread_count = self._threads
        tick = round((time - self._first) * TICKS)
        if tick <= self._last:
            raise InputError(f"a picture at {time:g} s does not come after the one before it", path=self._path)
        self._last = tick
        frame = self._av.VideoFrame.from_ndarray(np.ascontiguousarray(even), format="rgb24")
        frame.pts, frame.time_base = tick, Fraction(1, TICKS)
        self._container.mux(self._stream.encode(frame))
