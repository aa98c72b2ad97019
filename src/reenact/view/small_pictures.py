"""Pictures of a video small enough to lie inside a page, and masks of the same size."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np

from reenact.errors import MissingExtraError
from reenact.formats.video import Picture, open_video, read_frames
from reenact.geometry.rotation import Array
from reenact.measure import Progress
from reenact.observe.mask import Mask

PictureFormat = Literal["webp", "jpeg"]

LONG_SIDE: Final = 480  # [px]
MOST_RATE: Final = 15.0  # pictures a second
MOST_BYTES: Final = 5_000_000  # of all pictures and masks of a take; a third more as text
QUALITY: Final = 62
NEAR: Final = 1e-3  # [s] within which a frame counts as the one asked for


def shown_size(width: int, height: int) -> tuple[int, int]:
    """Width and height of the small pictures of a video [px]."""
    share = min(1.0, LONG_SIDE / max(width, height))
    return max(1, round(width * share)), max(1, round(height * share))


def encoded(
    video: Path, times: Array, size: tuple[int, int], progress: Progress | None = None
) -> tuple[tuple[bytes, ...], PictureFormat]:
    """Frames of a video at its own times (K,) [s], scaled to `size` and encoded; and in which format."""
    pillow = _pillow()
    from PIL import features

    kind: PictureFormat = "webp" if features.check("webp") else "jpeg"
    opened, out, last = open_video(video), [], np.zeros((size[1], size[0], 3), np.uint8)
    wanted = list(times)
    for frame in read_frames(
        opened, begin=max(0.0, float(times[0]) - NEAR), end=float(times[-1]) + NEAR, long_side=max(size)
    ):
        while wanted and wanted[0] < frame.time - NEAR:  # the file no longer gives that frame
            out.append(_coded(last, size, kind, pillow))
            wanted.pop(0)
        last = frame.image
        if wanted and wanted[0] <= frame.time + NEAR:
            out.append(_coded(last, size, kind, pillow))
            wanted.pop(0)
            if progress is not None:
                progress(len(out) / len(times), "reading the video")
    out += [_coded(last, size, kind, pillow) for _ in wanted]
    return tuple(out), kind


def small_masks(masks: Sequence[Mask], size: tuple[int, int]) -> tuple[bytes, ...]:
    """Masks as PNG of `size`, transparent but for the mask."""
    pillow = _pillow()
    out = []
    for mask in masks:
        whole = pillow.fromarray(np.uint8(255) * mask.full()).resize(size, pillow.Resampling.BOX)
        bits = pillow.fromarray((np.asarray(whole) > 127).astype(np.uint8), "P")
        bits.putpalette([0, 0, 0, 255, 255, 255])
        content = io.BytesIO()
        bits.save(content, "PNG", bits=1, transparency=0, optimize=True)
        out.append(content.getvalue())
    return tuple(out)


def decoded(content: bytes) -> Picture:
    """A small picture (height, width, 3) again."""
    return np.asarray(_pillow().open(io.BytesIO(content)).convert("RGB"))


def decoded_mask(content: bytes) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """A small mask (height, width) again."""
    return np.asarray(_pillow().open(io.BytesIO(content)).convert("RGBA"))[..., 3] > 0


def _coded(image: Picture, size: tuple[int, int], kind: PictureFormat, pillow: Any) -> bytes:
    picture = pillow.fromarray(image)
    if picture.size != size:
        picture = picture.resize(size, pillow.Resampling.BOX)
    content = io.BytesIO()
    picture.save(content, kind, quality=QUALITY)
    return content.getvalue()


def _pillow() -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("video", "showing a video") from None
    return Image
