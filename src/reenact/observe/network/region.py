"""Turned squares of a picture: what the network looks at, and the way from there back to the picture.

Positions in a picture are in pixels from its upper left corner, so that the first pixel's centre is at (0.5, 0.5);
positions in a region are shares 0 … 1 of its side, from its own upper left corner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from reenact.errors import InputError
from reenact.formats.video import Picture
from reenact.observe.mask import Mask, empty_mask, mask_of

Floats = NDArray[np.float64]

MARGIN: Final = 1.25  # side of a region relative to the circle around the person, as in the network's training


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A square of a picture, turned about its centre."""

    x: float  # centre [px]
    y: float  # centre [px]
    side: float  # [px]
    angle: float = 0.0  # [rad] of its own x axis in the picture, from the picture's x to its y (clockwise to the eye)

    def __post_init__(self) -> None:
        if not (np.isfinite([self.x, self.y, self.side, self.angle]).all() and self.side > 0):
            raise InputError(f"a region at {self.x:g}, {self.y:g} of {self.side:g} px is none")

    def to_picture(self, shares: Floats) -> Floats:
        """Positions in the picture [px] of shares of the region, (…, 2)."""
        return (shares - 0.5) @ self.turn().T * self.side + (self.x, self.y)

    def to_shares(self, points: Floats) -> Floats:
        """Shares of the region of positions in the picture [px], (…, 2)."""
        return (points - (self.x, self.y)) @ self.turn() / self.side + 0.5

    def turn(self) -> Floats:
        """The rotation (2, 2) from the region's axes to the picture's."""
        cos, sin = np.cos(self.angle), np.sin(self.angle)
        return np.array([[cos, -sin], [sin, cos]])

    def scaled(self, factor: float) -> Region:
        """The same region of a picture `factor` times as large."""
        return Region(x=self.x * factor, y=self.y * factor, side=self.side * factor, angle=self.angle)


def whole(width: int, height: int) -> Region:
    """The upright square around a whole picture."""
    return Region(x=width / 2, y=height / 2, side=max(width, height))


def around(middle: Floats, end: Floats) -> Region:
    """The region of a person with the hips at `middle`; `end` [px] lies above the head on the circle around them.

    In the region the person stands upright.
    """
    along = end - middle
    angle = float(np.arctan2(along[0], -along[1]))
    return Region(x=float(middle[0]), y=float(middle[1]), side=float(2.0 * np.hypot(*along) * MARGIN), angle=angle)


def cropped(image: Picture, region: Region, cells: int, *, beyond: str = "nearest") -> NDArray[np.float32]:
    """A region as a picture (cells, cells, 3) of values 0 … 1; `beyond` the border: "nearest", or "constant" for black.

    Deviation: MediaPipe samples the picture at one place per cell; where cells are larger than two pixels we average
    the pixels first, so that fine patterns do not flicker.
    """
    step = max(1, int(region.side / cells))
    height, width = image.shape[:2]
    left, top, right, bottom = _box(region, width, height, 2 * step)
    if left >= right or top >= bottom:  # wholly beyond the border
        left, top = min(left, width - 1), min(top, height - 1)
        right, bottom = left + 1, top + 1
    part = _averaged(image[top:bottom, left:right], step)
    turn = _swapped(region.turn()) * (region.side / (cells * step))  # cells to averaged pixels, (row, column)
    first = (region.to_picture(np.full(2, 0.5 / cells)) - (left, top)) / step - 0.5
    out = np.empty((cells, cells, 3), np.float32)
    for channel in range(3):
        ndimage.affine_transform(
            part[..., channel], turn, first[::-1], (cells, cells), out[..., channel], order=1, mode=beyond
        )
    return out / np.float32(255.0)


def _averaged(part: Picture, step: int) -> NDArray[np.float32]:
    """Means of squares of `step` pixels; the last ones are filled up with the border's colour."""
    if step == 1:
        return part.astype(np.float32)
    height, width = part.shape[:2]
    padded = np.pad(part, ((0, -height % step), (0, -width % step), (0, 0)), mode="edge")
    high, wide = padded.shape[0] // step, padded.shape[1] // step
    rows = padded.reshape(high, step, -1).sum(axis=1, dtype=np.uint32)
    return np.asarray(rows.reshape(high, wide, step, 3).sum(axis=2, dtype=np.uint32) / np.float32(step**2), np.float32)


def _box(region: Region, width: int, height: int, margin: int) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the part of a picture that a region may touch; empty where it touches none."""
    corners = region.to_picture(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    low = np.clip(np.floor(corners.min(axis=0)) - margin, 0, (width, height)).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0)) + margin, 0, (width, height)).astype(int)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _swapped(turn: Floats) -> Floats:
    """A map of (x, y) as one of (row, column)."""
    return turn[::-1, ::-1]


def mask_in_picture(share: NDArray[np.float32], region: Region, shape: tuple[int, int]) -> Mask:
    """The mask in a picture (height, width) of a region's (n, n) chances 0 … 1, where they are above one half."""
    left, top, right, bottom = _box(region, shape[1], shape[0], 0)
    if left >= right or top >= bottom:
        return empty_mask(shape)
    scale = len(share) / region.side
    first = region.to_shares(np.array([left + 0.5, top + 0.5])) * len(share) - 0.5
    chance = ndimage.affine_transform(
        share, _swapped(region.turn().T) * scale, first[::-1], (bottom - top, right - left), order=1, mode="constant"
    )
    return mask_of(chance > 0.5, shape=shape, at=(left, top))
