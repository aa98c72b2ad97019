"""What is known of a camera before anything is clicked, and where a search for it begins."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.observe.camera import Camera

# Places in the row of numbers that stand for a camera: log of the focal length [px], tilt and roll [rad], height [m].
FOCAL, TILT, ROLL, HEIGHT = range(4)
COUNT = 4
# Videos of people: phones see 60° to 75° across their longer side, cameras less; held level, at a person's height.
LONG_SIDES = 0.95  # usual focal length, in longer sides of the picture
USUAL = np.array([0.0, 0.05, 0.0, 1.3])  # the first is set by the picture
SPREAD = np.array([0.3, 0.25, 0.06, 0.5])
KNOWN_SPREAD = np.array([0.01, 0.005, 0.005, 0.01])
EXACT_SPREAD = np.full(COUNT, 1e-5)
LEVEL = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])  # columns: right, down, ahead along +y


# What numbers of a camera may be, and their units.
LIMITS: Final = {
    "focal": (1.0, 1e6, " px"), "tilt": (-86.0, 86.0, "°"), "roll": (-183.0, 183.0, "°"), "height": (-5.0, 100.0, " m"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Known:
    """What the user knows; None is found out."""

    focal: float | None = None  # [px]
    tilt: float | None = None  # below the horizon [rad]
    roll: float | None = None  # clockwise [rad]
    height: float | None = None  # above the ground [m]
    centre: Array | None = None  # (2,) [px]; the picture's middle unless given
    distortion: Array = field(default_factory=lambda: np.zeros(0))
    usual_focal: tuple[float, float] = (LONG_SIDES, float(SPREAD[FOCAL]))  # in longer sides, and its spread [share]
    exact: bool = False  # what is given is not to be changed at all

    def __post_init__(self) -> None:
        """Refuse numbers that no camera has."""
        for name, (low, high, unit) in LIMITS.items():
            value = getattr(self, name)
            if value is None:
                continue
            said = math.degrees(value) if unit == "°" else value
            if not low <= said <= high:
                raise InputError(f"the camera's {name} is {said:g}{unit}, expected {low:g} to {high:g}{unit}")

    def expected(self, size: tuple[int, int]) -> tuple[Array, Array]:
        """Middle and spread (4,) of what the camera's numbers may be."""
        middle, spread = USUAL.copy(), SPREAD.copy()
        middle[FOCAL], spread[FOCAL] = np.log(self.usual_focal[0] * max(size)), self.usual_focal[1]
        sure = EXACT_SPREAD if self.exact else KNOWN_SPREAD
        for i, value in enumerate((self.focal, self.tilt, self.roll, self.height)):
            if value is not None:
                middle[i], spread[i] = (np.log(value) if i == FOCAL else value), sure[i]
        return middle, spread

    def camera(self, numbers: Array, size: tuple[int, int]) -> Camera:
        """The camera of a row of numbers, above the world's origin, looking along +y."""
        tilt = rotation.from_axis_angle([1.0, 0.0, 0.0], -numbers[TILT])
        roll = rotation.from_axis_angle([0.0, 0.0, 1.0], numbers[ROLL])
        turn = rotation.multiply(rotation.multiply(rotation.from_matrix(LEVEL), tilt), roll)
        middle = np.array([0.5 * size[0], 0.5 * size[1]])
        return Camera(
            size=size,
            focal=np.full(2, np.exp(numbers[FOCAL])),
            centre=middle if self.centre is None else np.asarray(self.centre, float),
            distortion=self.distortion,
            position=np.array([0.0, 0.0, numbers[HEIGHT]]),
            orientation=turn,
        )


def all_known(camera: Camera) -> Known:
    """A camera as what is known exactly of the one to be solved."""
    return Known(
        focal=float(camera.focal.mean()),
        tilt=camera.tilt,
        roll=camera.roll,
        height=camera.height,
        centre=camera.centre,
        distortion=camera.distortion,
        exact=True,
    )
