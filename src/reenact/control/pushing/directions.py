"""Where a push comes from: an angle around the body, with the words for the common ones and the paper's figures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.world.pushes import Push

MOST: Final = 360
_NAMES: Final = ("front", "front left", "left", "rear left", "rear", "rear right", "right", "front right")
# Greatest forces of [V12] §6.1 [N], by the share of its joint torque limits.
PAPER: Final[dict[float, dict[str, float]]] = {
    1.0: {"front": 210.0, "rear": 294.0, "right": 273.0, "left": 294.0},
    0.75: {"front": 42.0, "rear": 67.0, "right": 33.0, "left": 42.0},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Direction:
    """A push comes from `angle` [rad], counted from the front of the body towards its left."""

    angle: float

    @property
    def degrees(self) -> float:
        """The angle [°], 0 … 360."""
        return round(math.degrees(self.angle), 6)

    @property
    def name(self) -> str:
        """ "front", "front left", … or the angle in degrees."""
        eighth = self.degrees / 45.0
        return _NAMES[int(eighth)] if eighth == int(eighth) else f"{self.degrees:g}°"

    def push(self, newtons: float, heading: float, segment: str, *, duration: float, name: str = "") -> Push:
        """A push as a world holds it, on a body that faces `heading` [rad] from +x towards +y; when is left to set."""
        towards = heading + self.angle + math.pi
        way = (round(math.cos(towards), 9), round(math.sin(towards), 9), 0.0)
        return Push(name=name, segment=segment, newtons=newtons, direction=way, duration=duration)

    def force(self, newtons: float, heading: float) -> Array:
        """The force in the world (3,) [N] on a body that faces `heading` [rad]; the same bits as the push's."""
        return self.push(newtons, heading, "any", duration=1.0).force(0.0)


def directions_of(count: int) -> tuple[Direction, ...]:
    """Evenly around the body, from the front on towards the left."""
    if not 1 <= count <= MOST:
        raise InputError(f"directions is {count}, expected a whole number from 1 to {MOST}")
    return tuple(Direction(angle=2.0 * math.pi * i / count) for i in range(count))


def paper_newtons(direction: Direction, torque: float) -> float | None:
    """What [V12]'s walker resisted from there with this share of its torque limits; None where it was not measured."""
    return PAPER.get(torque, {}).get(direction.name)
