"""Soft shadows of a body on whatever a camera sees behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from reenact.body.body import Body
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.observe.camera import Camera
from reenact.observe.projection import Projection, projection_of

Singles = NDArray[np.float32]
CELLS: Final = 256  # along a side of what a lamp sees
COARSE: Final = 8  # [px] between the pixels by which a shadow is looked for
Box = tuple[int, int, int, int]  # left, top, right, bottom


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lamp:
    """A light that a body shades: what of the picture it lights, and how much of the light is its own."""

    seen: Projection  # the body as the lamp sees it
    cells: Singles  # (height, width, 2) cell of the lamp's view that each pixel lies in
    blur: float  # of a shadow's edge [cells]
    share: float  # of the light that a full shadow takes, 0 … 1

    def shadow(self, pose: Array) -> tuple[Singles, Box]:
        """How much of the light is left (h, w) in a box of the picture, of a pose (7 + A,); full light elsewhere."""
        shaded = gaussian_filter(self.seen.silhouettes(pose[None])[0].astype(np.float32), self.blur)
        box = self._box(shaded > 0.01)
        left, top, right, bottom = box
        place = np.clip(self.cells[top:bottom, left:right], 0.0, CELLS - 1.001)
        whole = place.astype(np.int32)
        part = place - whole
        column, row, x, y = whole[..., 0], whole[..., 1], part[..., 0], part[..., 1]
        value = (1 - y) * ((1 - x) * shaded[row, column] + x * shaded[row, column + 1]) + y * (
            (1 - x) * shaded[row + 1, column] + x * shaded[row + 1, column + 1]
        )
        return np.asarray(1.0 - self.share * value, np.float32), box

    def _box(self, on: NDArray[np.bool_]) -> Box:
        """The part of the picture in which a shadow lies; empty where there is none."""
        rows, columns = np.flatnonzero(on.any(axis=1)), np.flatnonzero(on.any(axis=0))
        coarse = self.cells[::COARSE, ::COARSE]
        height, width = self.cells.shape[:2]
        if not len(rows):
            return 0, 0, 0, 0
        inside = (
            (coarse[..., 0] >= columns[0] - 2) & (coarse[..., 0] <= columns[-1] + 2)
            & (coarse[..., 1] >= rows[0] - 2) & (coarse[..., 1] <= rows[-1] + 2)
        )  # fmt: skip
        down, across = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
        if not len(down):
            return 0, 0, 0, 0
        left, top = max(0, COARSE * (across[0] - 1)), max(0, COARSE * (down[0] - 1))
        return left, top, min(width, COARSE * (across[-1] + 2)), min(height, COARSE * (down[-1] + 2))


def lamp_at(
    position: Array, looks_at: Array, reach: float, body: Body, points: Singles, *, blur: float, share: float
) -> Lamp:
    """A lamp at `position` (3,) that lights what lies within `reach` [m] of `looks_at` (3,) in a picture of `points`.

    blur: of a shadow's edge on the ground [m].
    """
    ahead = looks_at - position
    distance = float(np.linalg.norm(ahead))
    ahead = ahead / distance
    right = np.cross(ahead, [0.0, 1.0, 0.0] if abs(ahead[2]) > 0.9 else [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    focal = 0.5 * CELLS * distance / reach
    camera = Camera(
        name="lamp",
        size=(CELLS, CELLS),
        focal=np.array([focal, focal]),
        centre=np.array([0.5 * CELLS, 0.5 * CELLS]),
        position=position,
        orientation=rotation.from_matrix(np.stack([right, np.cross(ahead, right), ahead], axis=1)),
    )
    cells = np.nan_to_num(camera.project(points) - 0.5, nan=-1e4).astype(np.float32)
    seen = projection_of(body, camera, (CELLS, CELLS))
    return Lamp(seen=seen, cells=cells, blur=blur * focal / distance, share=share)
