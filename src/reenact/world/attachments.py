"""What a body wears or carries: rigid, fixed to one segment, adding its mass and inertia to that segment.

Positions are in the segment's frame, which at rest is parallel to the world: x forward, y left, z up. An attachment
touches the world and thrown things but passes through the body that carries it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from reenact.body.body import Segment, Shape
from reenact.geometry.rotation import IDENTITY, Array, from_matrix, rotate, to_matrix
from reenact.world.parts import Point3
from reenact.world.surface import check_surface
from reenact.world.values import BadValueError, above_zero, all_above_zero, finite_point, within

CARRIED_DENSITY: Final = 4000.0  # [kg/m³] of a carried ball without a radius, between stone and iron


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """What every attachment has."""

    name: str = ""
    segment: str
    mass: float  # [kg]
    friction: float | None = None  # None: what it touches decides

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        if not self.segment:
            raise BadValueError("segment", self.segment, "the name of a segment of the body")
        above_zero("mass", self.mass, 500.0, "kg")
        check_surface(self.friction, None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Load(Attachment):
    """A solid box fixed to a segment, such as a backpack or a weight belt."""

    size: Point3 = (0.2, 0.3, 0.4)
    position: Point3 = (0.0, 0.0, 0.0)  # of its centre in the segment's frame

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Attachment.__post_init__(self)
        all_above_zero("size", self.size, 10.0, "m")
        finite_point("position", self.position, reach=10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ski(Attachment):
    """A board under the sole of a foot segment; [V12] §6 puts 3.5 kg on each foot."""

    mass: float = 3.5
    friction: float | None = 0.05  # waxed base on snow; overrides the ground's
    length: float = 1.7
    width: float = 0.1
    thickness: float = 0.02
    forward: float = 0.1  # how far its middle lies ahead of the segment's origin

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Attachment.__post_init__(self)
        if self.friction is None:
            raise BadValueError("friction", None, "a number: a ski has a friction of its own")
        above_zero("length", self.length, 5.0, "m")
        above_zero("width", self.width, 1.0, "m")
        above_zero("thickness", self.thickness, 0.5, "m")
        within("forward", self.forward, -3.0, 3.0, "m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried(Attachment):
    """A solid ball held in a hand; [V12] §6 has 13 kg carried in the right one."""

    segment: str = "hand_right"
    radius: float | None = None  # None: of a ball of 4000 kg/m³
    position: Point3 | None = None  # None: the segment's own centre of mass

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Attachment.__post_init__(self)
        if self.radius is not None:
            above_zero("radius", self.radius, 2.0, "m")
        if self.position is not None:
            finite_point("position", self.position, reach=10.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lump:
    """A rigid mass in a segment's frame, its axes parallel to that frame."""

    name: str
    kind: Literal["box", "ball"]
    centre: Array  # (3,) [m]
    half: Array  # (3,) half lengths of a box, or the radius three times [m]
    mass: float  # [kg]
    friction: float | None

    @property
    def inertia(self) -> Array:
        """About its own centre [kg·m²], (3,)."""
        squares = self.half**2
        if self.kind == "ball":
            return 0.4 * self.mass * squares
        return self.mass / 3.0 * np.array([squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]])


def lump_of(attachment: Attachment, segment: Segment) -> Lump:
    """Where an attachment sits on its segment and how its mass is spread."""
    kind: Literal["box", "ball"] = "box"
    match attachment:
        case Load():
            centre, half = np.array(attachment.position), 0.5 * np.array(attachment.size)
        case Ski():
            half = 0.5 * np.array([attachment.length, attachment.width, attachment.thickness])
            centre = np.array([attachment.forward, segment.com[1], sole(segment.shapes) - half[2]])
        case Carried():
            kind, radius = "ball", attachment.radius
            if radius is None:
                radius = (attachment.mass / CARRIED_DENSITY * 3.0 / (4.0 * math.pi)) ** (1.0 / 3.0)
            centre = np.array(segment.com if attachment.position is None else attachment.position, float)
            half = np.full(3, radius)
        case _:
            raise TypeError(f"no such attachment: {type(attachment).__name__}")
    return Lump(
        name=attachment.name, kind=kind, centre=centre, half=half, mass=attachment.mass, friction=attachment.friction
    )


def combined_inertia(segment: Segment, lumps: Iterable[Lump]) -> tuple[float, Array, Array, Array]:
    """Mass [kg], centre of mass (3,), principal moments (3,) and axes (4,) of a segment with lumps fixed to it."""
    turn = to_matrix(segment.inertia_orientation)
    bodies = [(segment.mass, np.asarray(segment.com, float), turn @ np.diag(segment.inertia) @ turn.T)]
    bodies += [(lump.mass, lump.centre, np.diag(lump.inertia)) for lump in lumps]
    mass = sum(m for m, _, _ in bodies)
    com = np.asarray(sum(m * c for m, c, _ in bodies) / mass)
    about_com = np.zeros((3, 3))
    for m, c, inertia in bodies:
        d = c - com
        about_com += inertia + m * (d @ d * np.eye(3) - np.outer(d, d))  # parallel axes
    moments, axes = np.linalg.eigh(about_com)
    if np.linalg.det(axes) < 0:
        axes[:, 0] = -axes[:, 0]
    return mass, com, moments, from_matrix(axes)


def sole(shapes: Iterable[Shape]) -> float:
    """The lowest point of a segment's shapes at rest, z in the segment's frame [m]."""
    lowest = [float(shape.position[2]) - _reach_down(shape) for shape in shapes]
    if not lowest:
        raise BadValueError("segment", "without shapes", "a segment with a sole to put a ski under")
    return min(lowest)


def _reach_down(shape: Shape) -> float:
    q = np.asarray(shape.orientation if shape.orientation is not None else IDENTITY)
    down = np.abs([rotate(q, axis)[2] for axis in np.eye(3)])  # vertical share of each of the shape's axes
    match shape.kind:
        case "sphere":
            return float(shape.size[0])
        case "capsule":
            return float(shape.size[0] + down[2] * shape.size[1])
        case "box":
            return float(down @ shape.size)
        case "ellipsoid":
            return float(np.linalg.norm(down * shape.size))
