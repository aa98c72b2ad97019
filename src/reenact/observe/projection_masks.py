"""Masks of a video's size brought to the grid on which bodies are drawn, the lens's distortion taken out on the way.

A cell of the grid stands for a patch of the undistorted picture. It is sampled at several points spread evenly over it;
each is looked up in the video where the lens puts it, and the cell is on where at least half of its points are. So a
mask is undistorted once, however often bodies are compared with it; the error is that of the sampling, below
1/(2·SAMPLES) of a cell at a straight edge. Points that fall outside of the video are off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.observe import projection_table as part
from reenact.observe.camera import Camera, CameraError
from reenact.observe.camera_lens import distorted
from reenact.observe.mask import Mask
from reenact.observe.reduce import grid_size

SAMPLES: Final = 6  # points along each side of a cell


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MaskGrid:
    """Where each cell of a grid lies in a video."""

    camera: Camera  # of the video
    size: tuple[int, int]  # columns and rows of the grid
    lookup: NDArray[np.int64]  # (rows, columns, SAMPLES²) flat pixel numbers, the last one where outside

    def reduced(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """A mask of the video's size (height, width) on the grid, (rows, columns)."""
        width, height = self.camera.size
        if mask.shape != (height, width):
            got = " × ".join(map(str, mask.shape[::-1]))
            raise CameraError(f"a mask of {got} pixels, expected the camera's {width} × {height}")
        flat = np.append(np.asarray(mask, np.bool_).ravel(), False)
        share = np.count_nonzero(flat[self.lookup], axis=-1)
        return np.asarray(2 * share >= self.lookup.shape[-1])

    def packed(self, mask: NDArray[np.bool_]) -> part.Words:
        """As `reduced`, packed (rows, words) for the overlap."""
        return part.pack(self.reduced(mask))

    def outside(self) -> NDArray[np.bool_]:
        """Cells (rows, columns) of which the video shows less than half."""
        lost = np.count_nonzero(self.lookup == self.camera.size[0] * self.camera.size[1], axis=-1)
        return np.asarray(2 * lost > self.lookup.shape[-1])


def mask_grid(camera: Camera, size: tuple[int, int] | None = None) -> MaskGrid:
    """The grid of `size` (columns, rows) for masks of the camera's video; unless said 160 cells on the longer side."""
    columns, rows = size or grid_size(*camera.size)
    width, height = camera.size
    steps = (np.arange(SAMPLES) + 0.5) / SAMPLES
    u = ((np.arange(columns)[:, None] + steps) * (width / columns)).ravel()
    v = ((np.arange(rows)[:, None] + steps) * (height / rows)).ravel()
    points = np.stack(np.meshgrid(u, v), axis=-1)  # (rows·n, columns·n, 2) of the undistorted picture
    if camera.distortion.any():
        points = camera.focal * distorted((points - camera.centre) / camera.focal, camera.distortion) + camera.centre
    pixel = np.floor(points).astype(np.int64)
    inside = ((pixel >= 0) & (pixel < [width, height])).all(axis=-1)
    flat = np.where(inside, pixel[..., 1] * width + pixel[..., 0], width * height)
    spread = flat.reshape(rows, SAMPLES, columns, SAMPLES).swapaxes(1, 2).reshape(rows, columns, SAMPLES**2)
    return MaskGrid(camera=camera, size=(columns, rows), lookup=np.ascontiguousarray(spread))


def packed_masks(masks: Sequence[Mask], camera: Camera, size: tuple[int, int] | None = None) -> part.Words:
    """Masks of a video, at the size at which it was worked on, packed (T, rows, words) for the overlap."""
    if not masks:
        raise CameraError("no masks to bring to a grid")
    grid = mask_grid(camera.at_size(masks[0].shape[1], masks[0].shape[0]), size)
    return np.stack([grid.packed(mask.full()) for mask in masks])
