"""A calibrated camera in the terms that all calibration files share: OpenCV's.

Pixels are counted from the centre of the first pixel; a point of the world is at `rotation · x + translation` in the
camera's frame (x right, y down, z ahead) [m].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from reenact.errors import InputError
from reenact.geometry import rotation as turns
from reenact.geometry.rotation import Array

LENS_COUNTS = (0, 4, 5, 8)  # of coefficients that files hold


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibration:
    """One camera of a file."""

    name: str
    size: tuple[int, int] | None  # width and height [px]; None where the file does not say
    matrix: Array  # (3, 3) [px]
    distortion: Array = field(default_factory=lambda: np.zeros(0))  # k1 k2 p1 p2 k3 k4 k5 k6, or fewer
    rotation: Array | None = None  # (3, 3) world to camera; None where the file holds the lens alone
    translation: Array | None = None  # (3,) [m]
    ground: float = 0.0  # height of the ground in the file's world [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """The values of one camera in a file, taken out one by one with errors that say where."""

    label: str  # "camera 'cam_01'"
    path: Path
    line: int | None = None

    def error(self, cause: str) -> InputError:
        """What is wrong with this camera."""
        return InputError(f"{self.label}: {cause}", path=self.path, line=self.line)

    def numbers(self, key: str, value: object, *shapes: tuple[int, ...]) -> Array:
        """Finite numbers of one of the shapes."""
        try:
            array = np.asarray(value, float)
        except (TypeError, ValueError):
            raise self.error(f"{key} is {_short(value)}, expected numbers") from None
        if array.shape not in shapes or not np.isfinite(array).all():
            wanted = " or ".join("×".join(map(str, shape)) for shape in shapes)
            raise self.error(f"{key} is {_short(value)}, expected {wanted} finite numbers")
        return array

    def size(self, value: object) -> tuple[int, int]:
        """Width and height in whole pixels."""
        width, height = self.numbers("size", value, (2,)).tolist()
        if min(width, height) < 1 or width % 1 or height % 1:
            raise self.error(f"size is {_short(value)}, expected width and height in whole pixels")
        return int(width), int(height)

    def matrix(self, value: object) -> Array:
        """A camera matrix: focal lengths above zero, no skew."""
        matrix = self.numbers("matrix", value, (3, 3))
        if not (matrix[0, 0] > 0 and matrix[1, 1] > 0):
            raise self.error(f"matrix has focal lengths {matrix[0, 0]:g} and {matrix[1, 1]:g}, expected more than 0")
        if abs(matrix[0, 1]) > 1e-3 * matrix[0, 0] or np.abs(matrix[[1, 2, 2], [0, 0, 1]]).max() > 1e-9:
            raise self.error("matrix is not of the form [[fx, 0, cx], [0, fy, cy], [0, 0, 1]]")
        return matrix

    def distortion(self, value: object) -> Array:
        """Lens coefficients in OpenCV's order; trailing zeros beyond eight are dropped."""
        try:
            row = np.asarray(value, float).ravel()
        except (TypeError, ValueError):
            raise self.error(f"distortions are {_short(value)}, expected numbers") from None
        if len(row) > 8 and not row[8:].any():
            row = row[:8]
        if len(row) not in LENS_COUNTS or not np.isfinite(row).all():
            raise self.error(f"distortions are {_short(value)}, expected 4, 5 or 8 finite numbers")
        return row

    def rotation(self, value: object) -> Array:
        """A rotation matrix (3, 3) from itself or from a rotation vector [rad]."""
        given = self.numbers("rotation", value, (3,), (3, 3), (1, 3), (3, 1))
        if given.shape != (3, 3):
            return turns.to_matrix(turns.from_rotvec(given.ravel()))
        if np.abs(given @ given.T - np.eye(3)).max() > 1e-3 or np.linalg.det(given) < 0:
            raise self.error("rotation is not a rotation matrix: its rows are not at right angles, or it mirrors")
        return turns.to_matrix(turns.from_matrix(given))


def _short(value: ArrayLike | object) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"
