"""Pictures of poses over the video's frames, for the eye before a long search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PIL.Image import Image

    from reenact.body.body import Body
    from reenact.formats.video import Video
    from reenact.geometry.rotation import Array
    from reenact.observe.camera import Camera

COLOURS: Final = {"left": (60, 150, 255), "right": (255, 120, 40)}  # the person's own sides
TRUNK: Final = (90, 220, 120)
AROUND: Final = 0.35  # of the person's greater side, shown to all sides
TALL: Final = 540  # [px] of a picture
MOST: Final = 6  # pictures side by side


def write_poses(path: Path, video: Video, camera: Camera, body: Body, poses: Array, times: Sequence[float]) -> None:
    """Poses (K, 7 + A) drawn over the frames at `times` (K,) [s], side by side; left is blue, right orange."""
    from PIL import Image

    from reenact.formats.video_frame import frame_at

    shown = [_framed(frame_at(video, time).image, camera, body, pose) for pose, time in zip(poses, times, strict=True)]
    sheet = Image.new("RGB", (sum(each.width for each in shown) + 4 * (len(shown) - 1), TALL), (255, 255, 255))
    left = 0
    for each in shown:
        sheet.paste(each, (left, 0))
        left += each.width + 4
    sheet.save(path)


def spread_out(count: int) -> list[int]:
    """Some of so many frames, the first and the last among them."""
    return sorted({round(i) for i in np.linspace(0, count - 1, min(count, MOST))})


def _framed(image: NDArray[np.uint8], camera: Camera, body: Body, pose: Array) -> Image:
    """The part of a frame around a body, with its outlines."""
    from PIL import Image, ImageDraw

    from reenact.observe.outlines import outlines

    seen = outlines(body, camera, pose)
    picture = Image.fromarray(image)
    pen = ImageDraw.Draw(picture)
    for shape in seen:
        side = shape.segment.rsplit("_", 1)[-1]
        corners = [(u, v) for u, v in shape.corners.tolist()]
        pen.line([*corners, corners[0]], fill=COLOURS.get(side, TRUNK), width=max(1, round(image.shape[0] / 500)))
    box = _around(np.concatenate([shape.corners for shape in seen]) if seen else np.zeros((0, 2)), image.shape)
    part = picture.crop(box)
    return part.resize((max(1, round(part.width * TALL / part.height)), TALL))


def _around(points: Array, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a picture's part that holds all points and something around them."""
    height, width = shape[:2]
    inside = points[((points >= 0) & (points < [width, height])).all(axis=1)]
    if not len(inside):
        return 0, 0, width, height
    low, high = inside.min(axis=0), inside.max(axis=0)
    margin = AROUND * float((high - low).max())
    left, top = (int(max(0, v)) for v in low - margin)
    return left, top, int(min(width, high[0] + margin)) or 1, int(min(height, high[1] + margin)) or 1
