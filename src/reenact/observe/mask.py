"""A binary picture, kept as the packed bits of its bounding box."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.errors import InputError

Bits = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mask:
    """Which pixels of a picture belong to something; the box is (left, top, right, bottom), the last two exclusive."""

    shape: tuple[int, int]  # height and width of the whole picture
    box: tuple[int, int, int, int]
    packed: NDArray[np.uint8]  # of the box, row after row
    area: int  # pixels that belong
    centre: tuple[float, float]  # (x, y) mean of their centres [px]; NaN where there are none

    def __post_init__(self) -> None:
        left, top, right, bottom = self.box
        if not (0 <= left <= right <= self.shape[1] and 0 <= top <= bottom <= self.shape[0]):
            raise InputError(f"a box {self.box} does not lie within a picture of {self.shape[1]} × {self.shape[0]}")
        if len(self.packed) != -(-(right - left) * (bottom - top) // 8):
            raise InputError(f"{len(self.packed)} bytes do not fill the box {self.box}")

    @property
    def empty(self) -> bool:
        """Whether nothing belongs."""
        return self.area == 0

    @property
    def height(self) -> int:
        """Rows of the box."""
        return self.box[3] - self.box[1]

    @property
    def width(self) -> int:
        """Columns of the box."""
        return self.box[2] - self.box[0]

    def crop(self) -> Bits:
        """The box alone, (height, width)."""
        flat = np.unpackbits(self.packed, count=self.width * self.height)
        return flat.reshape(self.height, self.width).astype(bool)

    def full(self) -> Bits:
        """The whole picture, (H, W)."""
        out = np.zeros(self.shape, bool)
        left, top, right, bottom = self.box
        out[top:bottom, left:right] = self.crop()
        return out


def empty_mask(shape: tuple[int, int]) -> Mask:
    """The mask of a picture (height, width) to which nothing belongs."""
    nowhere = float("nan"), float("nan")
    return Mask(shape=shape, box=(0, 0, 0, 0), packed=np.empty(0, np.uint8), area=0, centre=nowhere)


def mask_of(bits: Bits, *, shape: tuple[int, int] | None = None, at: tuple[int, int] = (0, 0)) -> Mask:
    """The mask of a binary picture (h, w), or of a part of a picture of `shape` whose corner lies `at` (x, y)."""
    shape = (bits.shape[0], bits.shape[1]) if shape is None else shape
    rows, columns = np.flatnonzero(bits.any(axis=1)), np.flatnonzero(bits.any(axis=0))
    if not len(rows):
        return empty_mask(shape)
    top, bottom, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    part = bits[top:bottom, left:right]
    down, along = np.nonzero(part)
    return Mask(
        shape=shape,
        box=(left + at[0], top + at[1], right + at[0], bottom + at[1]),
        packed=np.packbits(part),
        area=len(down),
        centre=(float(along.mean()) + left + at[0] + 0.5, float(down.mean()) + top + at[1] + 0.5),
    )


def overlap(first: Mask, second: Mask, shift: tuple[int, int] = (0, 0)) -> int:
    """Pixels that belong to both, the first one moved by `shift` (x, y)."""
    dx, dy = shift
    a, b = first.box, second.box
    left, right = max(a[0] + dx, b[0]), min(a[2] + dx, b[2])
    top, bottom = max(a[1] + dy, b[1]), min(a[3] + dy, b[3])
    if left >= right or top >= bottom:
        return 0
    one = first.crop()[top - dy - a[1] : bottom - dy - a[1], left - dx - a[0] : right - dx - a[0]]
    other = second.crop()[top - b[1] : bottom - b[1], left - b[0] : right - b[0]]
    return int(np.count_nonzero(one & other))
