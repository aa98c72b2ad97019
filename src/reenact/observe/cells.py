"""A frame at a glance: small square cells, in each how unlike the empty scene it is and where edges are.

Who is where is found on cells, which is quick; the silhouette itself is then cut at full size inside that place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numba
import numpy as np
from numpy.typing import NDArray

from reenact.formats.video import Picture
from reenact.observe.background import LUMA, Background, Image32, rise

LONG_SIDE: Final = 480  # cells along the longer side, about
CAP: Final = 300.0  # squared distance from which on a pixel counts as certainly not the empty scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Cells:
    """Cell means of one frame, each (h, w); the last pixels of a side that fill no cell are left out."""

    side: int  # [px] of a cell
    unlike: Image32  # squared Mahalanobis distance, each pixel's cut at CAP
    edge_now: Image32  # |∇I| of the frame [grey levels per pixel]
    edge_empty: Image32  # |∇I| of the empty scene, at the same pixels

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of cells."""
        return self.unlike.shape[0], self.unlike.shape[1]


def cell_side(width: int, height: int) -> int:
    """Pixels along a cell's side for pictures of this size."""
    return max(1, round(max(width, height) / LONG_SIDE))


def cells_of(background: Background, image: Picture, gain: NDArray[np.float64]) -> Cells:
    """Cells of a frame whose light is `gain` (3,) times the model's."""
    side = cell_side(*background.size)
    distance = background.distance(image, gain)
    shape = image.shape[0] // side, image.shape[1] // side
    unlike, now, empty = (np.empty(shape, np.float32) for _ in range(3))
    _average(distance, image, background.gradient, side, unlike, now, empty)
    return Cells(side=side, unlike=unlike, edge_now=now, edge_empty=empty)


@numba.njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _average(
    distance: Image32, image: Picture, gradient: Image32, side: int, unlike: Image32, now: Image32, empty: Image32
) -> None:
    height, width = distance.shape
    a, b, c = np.float32(LUMA[0]), np.float32(LUMA[1]), np.float32(LUMA[2])
    for v in range(unlike.shape[0]):
        for u in range(unlike.shape[1]):
            total = edge = before = np.float32(0)
            for y in range(v * side, (v + 1) * side):
                for x in range(u * side, (u + 1) * side):
                    total += min(distance[y, x], np.float32(CAP))
                    before += np.sqrt(gradient[y, x, 0] ** 2 + gradient[y, x, 1] ** 2)
                    left, right = max(x - 1, 0), min(x + 1, width - 1)
                    up, down = max(y - 1, 0), min(y + 1, height - 1)
                    gx = rise(image, y, right, y, left, a, b, c)
                    gy = rise(image, down, x, up, x, a, b, c)
                    edge += np.float32(0.5) * np.sqrt(gx * gx + gy * gy)
            unlike[v, u] = total / (side * side)
            now[v, u] = edge / (side * side)
            empty[v, u] = before / (side * side)
