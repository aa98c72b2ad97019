"""A camera as data: where it stands, where it looks, how its lens draws the world.

World: metres, z up, gravity along −z. Camera frame: x right, y down, z ahead. Picture: pixels from the upper left
corner of the picture, u right and v down, so that the first pixel's centre is (0.5, 0.5) and a picture resized by a
factor has its points at that factor. (OpenCV counts from the first pixel's centre; files are converted when read.)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from reenact.errors import InputError
from reenact.formats.camera.calibration import LENS_COUNTS
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.observe import camera_lens

BLOCK = 16  # [px] to whose multiples encoders fill pictures up
SAME_SHAPE = 0.002  # by which width and height may scale apart: rounding to whole pixels
MOST_PIXELS = 100_000  # on a side


class CameraError(InputError):
    """A camera that does not hold together or does not belong to the picture."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Camera:
    """A pinhole with a lens in front of it, above level ground."""

    size: tuple[int, int]  # width and height of the picture [px]
    focal: Array  # (2,) along u and v [px]
    centre: Array  # (2,) where the optical axis meets the picture [px]
    position: Array  # (3,) of the pinhole in the world [m]
    orientation: Array  # (4,) of the camera's axes in the world
    distortion: Array = field(default_factory=lambda: np.zeros(0))  # OpenCV's k1 k2 p1 p2 k3 k4 k5 k6, or fewer
    ground: float = 0.0  # height of the ground in the world [m]
    name: str = "camera"

    def __post_init__(self) -> None:
        """Refuse what cannot be a camera."""
        for key, count in (("focal", 2), ("centre", 2), ("position", 3), ("orientation", 4)):
            values = np.asarray(getattr(self, key), float)
            if values.shape != (count,) or not np.isfinite(values).all():
                raise CameraError(f"camera '{self.name}': {key} is {values.tolist()}, expected {count} finite numbers")
            object.__setattr__(self, key, values)
        if len(self.size) != 2 or not all(1 <= side <= MOST_PIXELS for side in self.size):
            raise CameraError(f"camera '{self.name}': size is {self.size}, expected width and height in pixels")
        if not (self.focal > 0).all():
            raise CameraError(f"camera '{self.name}': focal is {self.focal.tolist()} px, expected more than 0")
        if abs(np.linalg.norm(self.orientation) - 1.0) > 1e-6:
            raise CameraError(f"camera '{self.name}': orientation {self.orientation.tolist()} is not a unit quaternion")
        lens = np.asarray(self.distortion, float)
        if lens.ndim != 1 or len(lens) not in LENS_COUNTS or not np.isfinite(lens).all():
            counts = ", ".join(map(str, LENS_COUNTS))
            raise CameraError(
                f"camera '{self.name}': distortion is {lens.tolist()}, expected so many finite numbers: {counts}"
            )
        object.__setattr__(self, "distortion", lens)
        if not np.isfinite(self.ground):
            raise CameraError(f"camera '{self.name}': ground is {self.ground}, expected a height in metres")

    @property
    def turn(self) -> Array:
        """Matrix (3, 3) from world to camera directions."""
        return rotation.to_matrix(rotation.conjugate(self.orientation))

    @property
    def shift(self) -> Array:
        """The world's origin in the camera's frame (3,) [m]: x_camera = turn · x_world + shift."""
        return -self.turn @ self.position

    @property
    def gravity(self) -> Array:
        """Which way is down, in the camera's frame: a unit vector (3,)."""
        return -self.turn[:, 2]

    @property
    def height(self) -> float:
        """Of the pinhole above the ground [m]."""
        return float(self.position[2] - self.ground)

    @property
    def tilt(self) -> float:
        """Angle by which the optical axis points below the horizon [rad]."""
        return float(np.arcsin(np.clip(self.gravity[2], -1.0, 1.0)))

    @property
    def roll(self) -> float:
        """Angle by which the camera is turned clockwise about its optical axis [rad]; 0 looking straight down."""
        return float(np.arctan2(self.gravity[0], self.gravity[1]))

    def project(self, points: ArrayLike) -> Array:
        """Pixels (*batch, 2) of points (*batch, 3) in the world [m]; NaN for those not in front of the camera."""
        seen = np.asarray(points, float) @ self.turn.T + self.shift
        with np.errstate(all="ignore"):
            flat = np.where(seen[..., 2:] > 0, seen[..., :2] / seen[..., 2:], np.nan)
        return self.focal * camera_lens.distorted(flat, self.distortion) + self.centre

    def depth(self, points: ArrayLike) -> Array:
        """Distance (*batch,) of points (*batch, 3) ahead of the camera, along its optical axis [m]."""
        return np.asarray(np.asarray(points, float) @ self.turn[2] + self.shift[2])

    def rays(self, pixels: ArrayLike) -> Array:
        """Unit directions (*batch, 3) in the world from the pinhole through pixels (*batch, 2)."""
        flat = camera_lens.undistorted((np.asarray(pixels, float) - self.centre) / self.focal, self.distortion)
        ahead = np.concatenate([flat, np.ones((*flat.shape[:-1], 1))], axis=-1)
        return np.asarray((ahead / np.linalg.norm(ahead, axis=-1, keepdims=True)) @ self.turn)

    def on_ground(self, pixels: ArrayLike, height: float = 0.0) -> Array:
        """Points (*batch, 3) of the world `height` [m] above the ground that are seen at pixels (*batch, 2).

        NaN where the ray does not come down (or up) to that height.
        """
        rays = self.rays(pixels)
        with np.errstate(all="ignore"):
            reach = (self.ground + height - self.position[2]) / rays[..., 2]
        reach = np.where(np.isfinite(reach) & (reach > 0), reach, np.nan)
        return np.asarray(self.position + reach[..., None] * rays)

    def without_lens(self) -> Camera:
        """The same camera with a perfect lens: what a picture shows once its distortion is taken out."""
        return replace(self, distortion=np.zeros(0))

    def resized(self, width: int, height: int) -> Camera:
        """The camera of the picture shrunk or grown to this size; width and height may scale by different factors."""
        scale = np.array([width / self.size[0], height / self.size[1]])
        return replace(self, size=(width, height), focal=scale * self.focal, centre=scale * self.centre)

    def cropped(self, left: float, top: float, width: int, height: int) -> Camera:
        """The camera of a part of the picture that begins `left` and `top` pixels in."""
        return replace(self, size=(width, height), centre=self.centre - [left, top])

    def for_video(self, width: int, height: int) -> Camera:
        """The camera of a video of this size, which must show the same picture at any scale.

        Encoders fill pictures up to whole blocks; what a calibration of such pictures has beyond the video is cut off.
        """
        beyond = (self.size[0] - width, self.size[1] - height)
        if any(beyond) and all(
            0 <= b < BLOCK and (b == 0 or s % BLOCK == 0) for b, s in zip(beyond, self.size, strict=True)
        ):
            return self.cropped(0.0, 0.0, width, height)
        return self.at_size(width, height)

    def at_size(self, width: int, height: int) -> Camera:
        """The camera of the same picture at another size; one of another shape is refused."""
        across, down = width / self.size[0], height / self.size[1]
        if abs(across / down - 1.0) > SAME_SHAPE:
            turned = abs(height / self.size[0] / (width / self.size[1]) - 1.0) <= SAME_SHAPE
            hint = "the video is turned by a quarter" if turned else "if the video was cut, cut the camera alike"
            raise CameraError(
                f"camera '{self.name}' is for pictures of {self.size[0]} × {self.size[1]} pixels (or the same shape), "
                f"the video has {width} × {height}; {hint}"
            )
        return self if self.size == (width, height) else self.resized(width, height)

    def moved(self, turn: ArrayLike, shift: ArrayLike) -> Camera:
        """The same camera in another world: x_new = turn (4,) · x_old + shift (3,)."""
        return replace(
            self,
            position=rotation.rotate(turn, self.position) + np.asarray(shift, float),
            orientation=rotation.multiply(turn, self.orientation),
        )

    def levelled(self, up: ArrayLike, on_ground: ArrayLike = (0.0, 0.0, 0.0)) -> Camera:
        """The camera in a world whose z axis is `up` (3,) and whose ground, at height 0, holds the point `on_ground`.

        For calibrations whose world is not ours: both are given in the old world.
        """
        turn = rotation.between(up, [0.0, 0.0, 1.0])
        point = rotation.rotate(turn, on_ground)
        return replace(self.moved(turn, [0.0, 0.0, -point[2]]), ground=0.0)
