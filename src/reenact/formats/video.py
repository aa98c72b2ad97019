"""Video files: what a file holds, and its frames one after the other, upright and with their true times.

Any file that PyAV opens is read. Frames are decoded as they are asked for, so a long file needs no more memory than a
short one. Times are the file's own presentation times, counted from its first frame, so a variable frame rate stays
what it is; the tags for rotation, mirroring and pixel shape are honoured.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError, MissingExtraError
from reenact.formats.video_turn import UPRIGHT, Turn, turn_of

if TYPE_CHECKING:
    from av.container import InputContainer

Picture = NDArray[np.uint8]  # (height, width, 3) red, green, blue

MAX_SIDE: Final = 16384  # pixels; more is a broken header
MAX_BROKEN: Final = 0.5  # share of packets that may be unreadable in a file that is still used
_SEEK_FROM: Final = 2.0  # [s]; shorter waits are decoded through
_TICK: Final = 1e-6  # [s] by which times may be rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoFrame:
    """One picture of a video."""

    time: float  # [s] from the file's first frame
    image: Picture  # (height, width, 3), upright


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """What a file says of its (first) video stream; sizes are those of the upright picture with square pixels."""

    path: Path
    width: int
    height: int
    rate: float  # mean frames per second
    duration: float | None  # [s]; None where the file does not say
    turn: Turn = UPRIGHT
    codec: str = ""
    declared: int | None = None  # frames, as its header says

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            raise InputError(f"pictures of {self.width} × {self.height} pixels cannot be read", path=self.path)

    def scaled(self, long_side: int | None) -> tuple[int, int]:
        """Width and height [px] when the longer side is at most `long_side`."""
        if long_side is None or max(self.width, self.height) <= long_side:
            return self.width, self.height
        share = long_side / max(self.width, self.height)
        return max(1, round(self.width * share)), max(1, round(self.height * share))


def open_video(path: Path | str) -> Video:
    """Look into a file and decode its first frame; errors say what is wrong with it."""
    path = Path(path)
    with _opened(path) as container:
        stream = _stream(container, path)
        first = next(_decoded(container, stream, path), None)
        if first is None:
            raise InputError(f"its video stream ({stream.codec_context.name}) holds no frame", path=path)
        turn = turn_of(first)
        wide = max(1, round(first.width * float(stream.sample_aspect_ratio or 1)))
        width, height = turn.size(wide, first.height)
        return Video(
            path=path,
            width=width,
            height=height,
            rate=_rate(stream),
            duration=_duration(container, stream),
            turn=turn,
            codec=stream.codec_context.name,
            declared=stream.frames or None,
        )


def read_frames(
    video: Video, *, begin: float | None = None, end: float | None = None, long_side: int | None = None
) -> Iterator[VideoFrame]:
    """Frames with begin ≤ time ≤ end [s], in order, scaled by area so that the longer side is at most `long_side`.

    Frames without a time of their own follow at the mean rate; frames that do not come later than the one before are
    dropped.
    """
    start, stop = check_range(video, begin, end)
    wide, high = video.turn.size(*video.scaled(long_side))  # of the picture as it is stored
    found, last = False, 0.0
    for time, frame in _timed(video, start):
        last = time
        if time > stop + _TICK:
            break
        if time >= start - _TICK:
            found = True
            small = frame.reformat(width=wide, height=high, format="rgb24", interpolation="AREA")
            yield VideoFrame(time=time, image=video.turn.applied(small.to_ndarray()))
    if not found:
        raise InputError(
            f"has no frame between {start:g} and {stop:g} s; it runs from 0 to {last:.3f} s", path=video.path
        )


def check_range(video: Video, begin: float | None, end: float | None) -> tuple[float, float]:
    """Where a part of a video begins and ends [s]; an error where that is not within it."""
    start, stop = 0.0 if begin is None else begin, math.inf if end is None else end
    length = math.inf if video.duration is None else video.duration
    late = end is not None and end > length + 1.0 / video.rate
    if not 0.0 <= start < stop or start >= length or late:
        known = "" if math.isinf(length) else f"'s 0 to {length:.3f} s"
        asked = f"--from {start:g}" + ("" if end is None else f" --to {end:g}")
        raise InputError(f"{asked} is not within the video{known}", path=video.path)
    return start, stop


def _timed(video: Video, start: float) -> Iterator[tuple[float, Any]]:
    """Decoded frames with their times from shortly before `start` on, found by seeking where the file allows it."""
    if start >= _SEEK_FROM:
        reached = _sought(video, start)
        first = next(reached, None)
        if first is not None and first[0] <= start + _TICK:
            yield first
            yield from reached
            return
    yield from _from_first(video)


def _from_first(video: Video) -> Iterator[tuple[float, Any]]:
    with _opened(video.path) as container:
        stream = _stream(container, video.path)
        origin, before, index = None, -math.inf, -1
        for frame in _decoded(container, stream, video.path):
            index += 1
            own = _seconds(frame)
            if origin is None:
                origin = own
            time = index / video.rate if own is None or origin is None else own - origin
            if time > before:
                before = time
                yield time, frame


def _sought(video: Video, start: float) -> Iterator[tuple[float, Any]]:
    """As `_from_first`, from the key frame before `start`; nothing where the file cannot be sought."""
    import av

    with _opened(video.path) as container:
        stream = _stream(container, video.path)
        first = next(_decoded(container, stream, video.path), None)
        origin = None if first is None else _seconds(first)
        if origin is None:
            return
        try:
            container.seek(int((origin + start) / stream.time_base), stream=stream)
        except av.FFmpegError:
            return
        before = -math.inf
        for frame in _decoded(container, stream, video.path):
            own = _seconds(frame)
            if own is None:
                return
            if own > before:
                before = own
                yield own - origin, frame


def _decoded(container: InputContainer, stream: Any, path: Path) -> Iterator[Any]:
    """Decoded frames; unreadable packets are passed over as long as most can be read."""
    import av

    packets = broken = 0
    cause = ""
    demuxed = container.demux(stream)
    while True:
        try:
            packet = next(demuxed, None)
            if packet is None:
                break
            packets += 1
            yield from packet.decode()
        except av.error.EOFError:
            continue
        except av.FFmpegError as error:
            broken, cause = broken + 1, _cause(error)
            if broken > max(10, MAX_BROKEN * packets) or isinstance(error, av.error.MemoryError):
                break
    if broken and broken >= MAX_BROKEN * packets:
        raise InputError(f"is broken: {broken} of {packets} packets cannot be decoded ({cause})", path=path)


def _opened(path: Path) -> InputContainer:
    try:
        import av
    except ImportError:
        raise MissingExtraError("video", "reading a video") from None
    if not path.exists():
        raise InputError("there is no such file", path=path)
    if path.is_dir():
        raise InputError("is a folder, expected a video file", path=path)
    if path.stat().st_size == 0:
        raise InputError("is empty, expected a video file", path=path)
    try:
        return av.open(str(path), metadata_errors="ignore")
    except av.FFmpegError as error:
        raise InputError(f"is not a video that can be read: {_cause(error)}", path=path) from None


def _stream(container: InputContainer, path: Path) -> Any:
    """The first video stream that is not the cover of a recording."""
    for stream in container.streams.video:
        if "attached_pic" not in str(stream.disposition).lower():
            stream.thread_type = "AUTO"
            return stream
    kinds = sorted({stream.type for stream in container.streams})
    raise InputError(f"has no video stream; it holds {', '.join(kinds) or 'nothing'}", path=path)


def _rate(stream: Any) -> float:
    for rate in (stream.average_rate, stream.guessed_rate, stream.base_rate):
        if rate and 0.1 <= float(rate) <= 10_000:
            return float(rate)
    return 25.0  # of a bare stream without times, the usual assumption


def _duration(container: InputContainer, stream: Any) -> float | None:
    if stream.duration and stream.time_base:
        return float(stream.duration * stream.time_base)
    return None if not container.duration else float(Fraction(container.duration, 1_000_000))


def _seconds(frame: Any) -> float | None:
    return None if frame.pts is None or frame.time_base is None else float(frame.pts * frame.time_base)


def _cause(error: Exception) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return str(text).splitlines()[0] if text else type(error).__name__
