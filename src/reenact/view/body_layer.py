"""A body drawn over a picture as the camera sees it: a veil over its shapes, left and right in two colours, an outline.

Shapes come from `observe.outlines`, so perspective and lens are those of the camera, to a fraction of a pixel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.errors import MissingExtraError
from reenact.geometry.rotation import Array
from reenact.observe.outlines import SeenShape
from reenact.view.colours import RGB, side_colour

Picture = NDArray[np.uint8]

FINER: Final = 3  # points drawn along each side of a pixel, so that edges are smooth
VEIL: Final = 0.45  # how much the colours cover
RIM: Final[RGB] = (1.0, 1.0, 1.0)  # colour of the outline
SEAM: Final = 0.72  # brightness of the lines between shapes
THIN: Final = 600.0  # pixels of height per pixel of the outline's width


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layer:
    """What is drawn over a part of a picture."""

    left: int  # of the part [px]
    top: int
    colour: NDArray[np.float32]  # (h, w, 3) 0 … 255
    inside: NDArray[np.float32]  # (h, w) share of each pixel that the body covers
    rim: NDArray[np.float32]  # (h, w) share that its outline covers, outside of the body

    def over(self, picture: Picture, *, veil: float = VEIL, rim: RGB | None = RIM) -> Picture:
        """A copy of a picture (H, W, 3) with the body over it; no outline where its colour is None."""
        out = picture.copy()
        high, wide = self.inside.shape
        part = out[self.top : self.top + high, self.left : self.left + wide]
        cover = veil * self.inside[..., None]
        mixed = (1.0 - cover) * part + cover * self.colour
        if rim is not None:
            line = self.rim[..., None]
            mixed = (1.0 - line) * mixed + line * (255.0 * np.array(rim, np.float32))
        part[:] = np.rint(mixed).astype(np.uint8)
        return out


def layer_of(
    shapes: Sequence[SeenShape], size: tuple[int, int], *, colour: Callable[[str], RGB] = side_colour,
    width: int | None = None,
) -> Layer | None:  # fmt: skip
    """The shapes of a body, the farthest first, over a picture of `size` (width, height); None where none is in it.

    `colour` is that of a segment by name, `width` that of the outline [px].
    """
    try:
        from PIL import Image, ImageDraw, ImageFilter
    except ImportError:
        raise MissingExtraError("video", "drawing over a video") from None
    line = max(1, round(size[1] / THIN)) if width is None else width
    box = _box(shapes, size, margin=line + 1)
    if box is None:
        return None
    left, top, right, bottom = box
    shape = (FINER * (right - left), FINER * (bottom - top))
    colours, inside = Image.new("RGB", shape), Image.new("L", shape)
    paint, cut = ImageDraw.Draw(colours), ImageDraw.Draw(inside)
    for each in shapes:
        points = _whole(FINER * (each.corners - [left, top]))
        red, green, blue = (round(255 * channel) for channel in colour(each.segment))
        seam = (round(SEAM * red), round(SEAM * green), round(SEAM * blue))
        paint.polygon(points, fill=(red, green, blue), outline=seam)
        cut.polygon(points, fill=255)
    cover = inside.reduce(FINER)
    painted = Image.composite(colours, Image.new("RGB", shape), inside).reduce(FINER)
    share = np.asarray(cover, np.float32) / 255.0
    return Layer(
        left=left,
        top=top,
        colour=np.asarray(painted, np.float32) / np.maximum(share, 1e-2)[..., None],
        inside=share,
        rim=np.asarray(cover.filter(ImageFilter.MaxFilter(2 * line + 1)), np.float32) / 255.0 - share,
    )


def _box(shapes: Sequence[SeenShape], size: tuple[int, int], margin: int) -> tuple[int, int, int, int] | None:
    """The part (left, top, right, bottom) of a picture in which shapes are."""
    if not shapes:
        return None
    corners = np.concatenate([shape.corners for shape in shapes])
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int) - margin, 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + margin, size)
    return (int(low[0]), int(low[1]), int(high[0]), int(high[1])) if (low < high).all() else None


def _whole(corners: Array) -> list[tuple[int, int]]:
    """Corners (K, 2) as numbers of points, a half nearer to their middle: what an edge touches is filled too."""
    out = corners - corners.mean(axis=0)
    inset = corners - 0.5 - 0.5 * out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 0.5)
    return [(x, y) for x, y in np.rint(inset).astype(int).tolist()]
