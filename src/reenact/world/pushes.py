"""Pushes on the body: a force at the centre of mass of one segment, for a while, once or again and again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from reenact.geometry.rotation import Array, from_axis_angle, rotate
from reenact.world.parts import Point3
from reenact.world.values import BadValueError, above_zero, finite_point, one_of, within

# Where a push comes from, as the direction of its force in the body's heading frame (x forward, y left, z up).
COMES_FROM: Final[dict[str, Point3]] = {
    "front": (-1.0, 0.0, 0.0),
    "rear": (1.0, 0.0, 0.0),
    "left": (0.0, -1.0, 0.0),
    "right": (0.0, 1.0, 0.0),
    "above": (0.0, 0.0, -1.0),
    "below": (0.0, 0.0, 1.0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """A force on a segment; give either where it comes from or its direction."""

    name: str = ""
    segment: str
    newtons: float
    origin: str | None = None  # "front", "rear", "left", "right", "above", "below" of the body as it stood at the start
    direction: Point3 | None = None  # of the force, any length
    frame: Literal["world", "heading"] = "world"  # of `direction`; heading: x is where the body faced at the start
    start: float = 1.0  # [s]
    duration: float = 0.1  # [s]
    every: float | None = None  # from one start to the next [s]; None: once
    until: float | None = None  # no push starts at or after this time [s]; None: to the end

    def __post_init__(self) -> None:
        """Refuse values out of range and pushes without a single direction."""
        if not self.segment:
            raise BadValueError("segment", self.segment, "the name of a segment of the body")
        above_zero("newtons", self.newtons, 1e5, "N")
        within("start", self.start, 0.0, 3600.0, "s")
        above_zero("duration", self.duration, 3600.0, "s")
        one_of("frame", self.frame, ("world", "heading"))
        self._check_direction()
        if self.every is not None and not (math.isfinite(self.every) and self.duration <= self.every <= 3600.0):
            raise BadValueError("every", self.every, f"from the duration of {self.duration:g} to 3600 s")
        if self.until is not None:
            if self.every is None:
                raise BadValueError("until", self.until, "the key 'every' beside it, or no 'until' for a single push")
            within("until", self.until, self.start, 7200.0, "s, not before the start")

    def _check_direction(self) -> None:
        if (self.origin is None) == (self.direction is None):
            got = "neither" if self.origin is None else "both"
            raise BadValueError("direction", f"{got} of 'from' and 'direction'", "exactly one of them")
        if self.origin is not None:
            one_of("from", self.origin, COMES_FROM)
            if self.frame == "world":
                return
            raise BadValueError("frame", self.frame, "no frame beside 'from', which always follows the heading")
        assert self.direction is not None
        finite_point("direction", self.direction)
        if np.linalg.norm(self.direction) < 1e-9:
            raise BadValueError("direction", list(self.direction), "a vector longer than 0")

    def force(self, heading: float) -> Array:
        """The force in the world (3,) [N] for a body that faced `heading` [rad] from +x towards +y at the start."""
        if self.origin is not None:
            vector, turned = np.array(COMES_FROM[self.origin]), True
        else:
            vector, turned = np.array(self.direction, float), self.frame == "heading"
        if turned:
            vector = rotate(from_axis_angle(np.array([0.0, 0.0, 1.0]), heading), vector)
        return np.asarray(self.newtons * vector / np.linalg.norm(vector))

    def starts(self, seconds: float) -> list[float]:
        """When it starts within the first `seconds` of a simulation [s]."""
        if self.every is None:
            return [self.start] if self.start < seconds else []
        end = seconds if self.until is None else min(seconds, self.until)
        count = max(0, math.ceil((end - self.start) / self.every - 1e-9))
        return [self.start + i * self.every for i in range(count)]
