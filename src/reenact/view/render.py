"""A take as a movie (mp4, gif) or a strip of poses (png), drawn without a screen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reenact.errors import InputError, MissingExtraError
from reenact.measure import Progress
from reenact.view.film import Film, Picture, Shot
from reenact.view.poses import LEEWAY
from reenact.view.recording import recording_of

if TYPE_CHECKING:
    from PIL.Image import Image

DEFAULT_SIZE: Final = {".mp4": (1280, 720), ".gif": (480, 360), ".png": (1800, 620)}
DEFAULT_FPS: Final = {".mp4": 30.0, ".gif": 25.0}
MAX_SIDE: Final = 4096
QUALITY: Final = "20"  # x264's constant rate factor, lower is finer
SMALLEST: Final = 8  # pixels of a caption
LABEL: Final = (72, 80, 90)
LABEL_EDGE: Final = (240, 242, 245)  # reads on dark ground too


def render_take(
    take: Path | str,
    out: Path | str,
    *,
    size: tuple[int, int] | None = None,
    fps: float | None = None,
    speed: float = 1.0,
    poses: int = 6,
    shot: Shot | None = None,
    progress: Progress | None = None,
) -> Path:
    """Draw a take to `out`: its ending chooses mp4, gif, or png (`poses` of them side by side with their times).

    `size` is width and height in pixels, of the whole strip for a png; `speed` below 1 is slow motion.
    """
    path = Path(out)
    kind = path.suffix.lower()
    if kind not in DEFAULT_SIZE:
        raise InputError(f"cannot render to '{path.suffix}'; the endings are {', '.join(DEFAULT_SIZE)}", path=path)
    width, height = size or DEFAULT_SIZE[kind]
    rate = fps if fps is not None else DEFAULT_FPS.get(kind, 1.0)
    _check(width, height, rate, speed, poses)
    if not path.parent.is_dir():
        raise InputError("no such folder to write to", path=path.parent)
    _need_video(kind)
    recording = recording_of(take)
    seconds = float(recording.motion["time"][-1] - recording.motion["time"][0])
    unfinished = path.with_name(f".{path.stem}-unfinished{kind}")
    columns = poses if kind == ".png" else 1
    with Film(recording, width // columns, height, shot or Shot()) as film:
        spacing = speed / rate
        times = np.linspace(0, seconds, poses) if kind == ".png" else np.arange(0, seconds + LEEWAY * spacing, spacing)
        captions = [film.caption(time) for time in times.tolist()]
        pictures = _reported(film.pictures(times.tolist()), len(times), progress)
        if kind == ".png":
            captions = [
                f"{time:.2f} s{caption and ', '}{caption}" for time, caption in zip(times, captions, strict=True)
            ]
        try:
            _WRITERS[kind](unfinished, captioned(pictures, captions), rate)
            os.replace(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)
    return path


def _write_mp4(path: Path, pictures: Iterator[Picture], rate: float) -> None:
    import av

    with av.open(str(path), "w", options={"movflags": "+faststart"}) as container:
        stream: Any = None
        for picture in pictures:
            even = picture[: picture.shape[0] // 2 * 2, : picture.shape[1] // 2 * 2]  # halved colour needs even sides
            if stream is None:
                stream = container.add_stream("libx264", rate=Fraction(rate).limit_denominator(1001))
                stream.height, stream.width = even.shape[:2]
                stream.pix_fmt = "yuv420p"
                stream.options = {"crf": QUALITY, "preset": "medium"}
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(even), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def write_gif(path: Path, pictures: Iterator[Picture], rate: float) -> None:
    """A movie of pictures of one size at an even rate [1/s]."""
    from PIL import Image

    frames = [Image.fromarray(picture) for picture in pictures]
    palette = _shared_palette(frames)
    indexed = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    hundredths = max(2, round(100 / rate))  # the format counts in these
    indexed[0].save(
        path, save_all=True, append_images=indexed[1:], duration=10 * hundredths, loop=0, optimize=True, disposal=1
    )


def _shared_palette(frames: list[Image]) -> Image:
    """256 colours that serve the whole movie, from a few of its frames."""
    from PIL import Image

    chosen = frames[:: max(1, len(frames) // 6)][:8]
    width, height = chosen[0].size
    sheet = Image.new("RGB", (width, height * len(chosen)))
    for i, frame in enumerate(chosen):
        sheet.paste(frame, (0, i * height))
    return sheet.quantize(256, method=Image.Quantize.MEDIANCUT)


def write_png(path: Path, pictures: Iterator[Picture], rate: float) -> None:
    """Pictures of one height side by side."""
    from PIL import Image

    Image.fromarray(np.concatenate(list(pictures), axis=1)).save(path, optimize=True)


def captioned(pictures: Iterator[Picture], captions: list[str]) -> Iterator[Picture]:
    """Pictures with words at their foot, small enough to fit; as they are where there is nothing to say."""
    from PIL import Image, ImageDraw, ImageFont

    for picture, caption in zip(pictures, captions, strict=True):
        if not caption:
            yield picture
            continue
        image = Image.fromarray(picture)
        pen, size = ImageDraw.Draw(image), max(12, image.height // 30)
        font = ImageFont.load_default(size=size)
        while size > SMALLEST and pen.textlength(caption, font) > 0.95 * image.width:
            size -= 1
            font = ImageFont.load_default(size=size)
        outline = max(2, image.height // 200)
        at = (0.5 * image.width, image.height * 0.95)
        pen.text(at, caption, fill=LABEL, font=font, anchor="mm", stroke_width=outline, stroke_fill=LABEL_EDGE)
        yield np.asarray(image)


_WRITERS: Final = {".mp4": _write_mp4, ".gif": write_gif, ".png": write_png}


def _reported(pictures: Iterator[Picture], count: int, progress: Progress | None) -> Iterator[Picture]:
    for i, picture in enumerate(pictures):
        yield picture
        if progress is not None:
            progress((i + 1) / count, f"frame {i + 1} of {count}")


def _check(width: int, height: int, rate: float, speed: float, poses: int) -> None:
    if not (16 <= width <= MAX_SIDE and 16 <= height <= MAX_SIDE):
        raise InputError(f"size is {width} × {height} pixels, expected 16 to {MAX_SIDE} each")
    if not 1 <= rate <= 240:
        raise InputError(f"fps is {rate:g}, expected 1 to 240")
    if not 0.01 <= speed <= 100:
        raise InputError(f"speed is {speed:g}, expected 0.01 to 100")
    if not 1 <= poses <= 64 or width // poses < 16:
        raise InputError(f"poses is {poses}, expected 1 to {min(64, width // 16)} at a width of {width} pixels")


def _need_video(kind: str) -> None:
    try:
        import PIL.Image  # noqa: F401

        if kind == ".mp4":
            import av  # noqa: F401
    except ImportError:
        raise MissingExtraError("video", f"rendering to {kind}") from None
