"""What stands on the ground, as a user describes it: lengths in metres, headings in degrees from +x towards +y.

Positions `at` are on the floor plan; heights count from the ground below. Sloping ground carries everything with it:
fields of bumps, mats and loose boxes lie on the slope, the rest stands upright with its foot buried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from reenact.world.surface import check_surface
from reenact.world.values import BadValueError, above_zero, all_above_zero, finite_point, within

Point2 = tuple[float, float]
Point3 = tuple[float, float, float]
MOST_CELLS: Final = 40_000  # of a height field: more makes files and collisions slow
MOST_PEBBLES: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """The endless plane through the origin, tilted about it."""

    friction: float = 1.0
    softness: float = 0.0
    damping_ratio: float = 1.0
    slope_deg: float = 0.0
    uphill_deg: float = 0.0  # heading in which it rises; 0 is +x, 90 is +y

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        check_surface(self.friction, self.softness, self.damping_ratio)
        within("slope_deg", self.slope_deg, 0.0, 60.0, "degrees")
        within("uphill_deg", self.uphill_deg, -360.0, 360.0, "degrees")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What every part has: a name and, where it differs from the ground's, a surface."""

    name: str = ""  # empty: numbered by kind, e.g. "stairs_1"
    at: Point2 = (0.0, 0.0)  # [m]; what it marks is said by each kind
    friction: float | None = None
    softness: float | None = None
    damping_ratio: float | None = None

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        finite_point("at", self.at)
        check_surface(self.friction, self.softness, self.damping_ratio)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stairs(Part):
    """A flight that climbs from `at`, the middle of its first edge, towards `direction_deg`."""

    direction_deg: float = 0.0
    rise: float = 0.17
    run: float = 0.28
    count: int = 5
    width: float = 2.0
    landing: float = 1.0  # how far the last step goes on beyond its run

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Part.__post_init__(self)
        within("direction_deg", self.direction_deg, -360.0, 360.0, "degrees")
        above_zero("rise", self.rise, 1.0, "m")
        above_zero("run", self.run, 10.0, "m")
        within("count", self.count, 1, 200)
        above_zero("width", self.width, 100.0, "m")
        within("landing", self.landing, 0.0, 100.0, "m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ramp(Part):
    """A solid wedge that climbs from `at`, the middle of its foot, towards `direction_deg`; its far end leans out."""

    direction_deg: float = 0.0
    length: float = 2.0  # along the floor
    rise: float = 0.3
    width: float = 2.0

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Part.__post_init__(self)
        within("direction_deg", self.direction_deg, -360.0, 360.0, "degrees")
        above_zero("length", self.length, 100.0, "m")
        above_zero("rise", self.rise, min(100.0, 1.75 * self.length), "m (60 degrees)")
        above_zero("width", self.width, 100.0, "m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised(Part):
    """What is level and runs from `at`, the middle of its near end, towards `direction_deg`."""

    direction_deg: float = 0.0
    length: float = 2.0
    width: float = 2.0
    height: float = 0.1

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Part.__post_init__(self)
        within("direction_deg", self.direction_deg, -360.0, 360.0, "degrees")
        above_zero("length", self.length, 100.0, "m")
        above_zero("width", self.width, 100.0, "m")
        above_zero("height", self.height, 100.0, "m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Beam(Raised):
    """A narrow bar."""

    length: float = 5.0
    width: float = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform(Raised):
    """A raised floor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(Part):
    """A box on the ground, its middle at `at`; without a mass it cannot be moved."""

    size: Point3 = (0.4, 0.4, 0.4)  # whole lengths
    yaw_deg: float = 0.0
    mass: float = 0.0  # [kg]; 0 is fixed

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Part.__post_init__(self)
        all_above_zero("size", self.size, 100.0, "m")
        within("yaw_deg", self.yaw_deg, -360.0, 360.0, "degrees")
        within("mass", self.mass, 0.0, 10_000.0, "kg")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mat(Part):
    """A soft pad over the hard ground, its middle at `at`; what sinks through it meets the ground."""

    size: Point3 = (2.0, 2.0, 0.3)  # length, width, thickness
    yaw_deg: float = 0.0
    softness: float | None = 0.8

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Part.__post_init__(self)
        if self.softness is None:
            raise BadValueError("softness", None, "a number: a mat has a softness of its own")
        all_above_zero("size", self.size, 100.0, "m")
        within("yaw_deg", self.yaw_deg, -360.0, 360.0, "degrees")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bumps(Part):
    """Smooth random bumps around `at`, level with the ground at their edge."""

    size: Point2 = (6.0, 2.0)
    height: float = 0.05  # greatest
    spacing: float = 0.45  # from bump to bump
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Part.__post_init__(self)
        all_above_zero("size", self.size, 200.0, "m")
        above_zero("height", self.height, 5.0, "m")
        within("spacing", self.spacing, 0.05, min(self.size) / 2, "m (at least two bumps each way)")
        within("seed", self.seed, 0, 2**63 - 1)
        cells = 9.0 * self.size[0] * self.size[1] / self.spacing**2
        if cells > MOST_CELLS:
            least = (9.0 * self.size[0] * self.size[1] / MOST_CELLS) ** 0.5
            raise BadValueError("spacing", self.spacing, f"at least {least:.3g} m on a field of this size")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeightField(Part):
    """Given heights over a rectangle around `at`: rows go along y, columns along x, both from low to high."""

    size: Point2 = (4.0, 4.0)
    heights: tuple[tuple[float, ...], ...]  # [m] above the ground, none below it

    def __post_init__(self) -> None:
        """Refuse values out of range and ragged rows."""
        Part.__post_init__(self)
        all_above_zero("size", self.size, 200.0, "m")
        rows, columns = len(self.heights), len(self.heights[0]) if self.heights else 0
        if rows < 2 or columns < 2 or any(len(row) != columns for row in self.heights):
            lengths = sorted({len(row) for row in self.heights})
            raise BadValueError(
                "heights", f"{rows} rows of {lengths} numbers", "at least 2 rows of the same 2 or more numbers"
            )
        if rows * columns > MOST_CELLS:
            raise BadValueError("heights", f"{rows} × {columns} numbers", f"at most {MOST_CELLS}")
        for row in self.heights:
            for value in row:
                within("heights", value, 0.0, 100.0, "m above the ground")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pebbles(Part):
    """Half-buried round stones, fixed, scattered over a rectangle around `at`."""

    size: Point2 = (6.0, 1.5)
    count: int = 150
    radius: Point2 = (0.01, 0.03)  # least and greatest, evenly drawn; also how far they stand out
    clear: float = 0.0  # no stone within this distance of the origin
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Part.__post_init__(self)
        all_above_zero("size", self.size, 200.0, "m")
        within("count", self.count, 1, MOST_PEBBLES)
        all_above_zero("radius", self.radius, 1.0, "m")
        if self.radius[0] > self.radius[1]:
            raise BadValueError("radius", list(self.radius), "the least first, then the greatest")
        within("clear", self.clear, 0.0, 0.45 * max(self.size), "m (the area must keep room for stones)")
        within("seed", self.seed, 0, 2**63 - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trampoline(Part):
    """A plate around `at` that slides up and down on a spring and a damper inside a fixed rim."""

    size: Point2 = (3.0, 2.0)
    height: float = 0.7  # of the plate's top, unloaded
    stiffness: float = 6000.0  # [N/m]
    damping: float = 60.0  # [N·s/m]
    mass: float = 6.0  # of the plate [kg]

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        Part.__post_init__(self)
        all_above_zero("size", self.size, 50.0, "m")
        within("height", self.height, 0.1, 5.0, "m")
        above_zero("mass", self.mass, 1000.0, "kg")
        least = self.mass * 9.81 / self.height
        within("stiffness", self.stiffness, least, 1e6, "N/m (softer would let the bare plate sink to the floor)")
        within("damping", self.damping, 0.0, 1e5, "N·s/m")
