"""A body as data: rigid segments in a tree, hinged axes at each joint, shapes that touch, strength that drives.

Rest pose: every joint angle is zero, the body stands with arms hanging, faces +x with +y to its left and +z up, and
every segment's frame is parallel to the world with its origin at the joint to its parent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from reenact.errors import BodyError
from reenact.geometry.rotation import Array

ShapeKind = Literal["sphere", "capsule", "box", "ellipsoid"]
PartKind = Literal["foot", "hand", "knee", "trunk", "head", "limb"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A collision shape in the frame of its segment; also what the viewer and the silhouette draw."""

    name: str
    kind: ShapeKind
    position: Array  # (3,) centre [m]
    orientation: Array  # (4,) of the shape's axes; a capsule lies along its z
    size: Array  # sphere (r), capsule (r, half length), box and ellipsoid (half x, half y, half z) [m]


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One actuated hinge; the axes of a joint turn in the order listed, the first outermost."""

    name: str  # e.g. "hip_left_flexion"
    direction: Array  # (3,) unit vector in the segment's frame
    range: tuple[float, float]  # [rad]
    torque_limit: float  # [N·m]
    stiffness: float  # kp of the servo [N·m/rad]
    damping: float  # kd of the servo [N·m·s/rad]
    window: float = 0.0  # half width of the sampling window [rad], [L10] Tables 2–3
    contact_scale: float = 1.0  # servo gains times this while the limb bears weight, [L10]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A rigid part and the joint that holds it to its parent."""

    name: str
    parent: str | None  # None: the root, free in space
    joint: str  # name of the joint to the parent, e.g. "hip_left"; "root" at the root
    offset: Array  # (3,) joint centre in the parent's frame [m]; the root's: its height at rest
    mass: float  # [kg]
    com: Array  # (3,) centre of mass in the segment's frame [m]
    inertia: Array  # (3,) principal moments about the centre of mass [kg·m²]
    inertia_orientation: Array  # (4,) principal axes in the segment's frame
    axes: tuple[Axis, ...]  # empty at the root
    shapes: tuple[Shape, ...]
    part: PartKind  # what it counts as when it touches


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """Who moves. Segments stand parents first; the root is the first."""

    name: str
    segments: tuple[Segment, ...]
    stature: float  # vertex to sole in the rest pose [m]
    mirror: tuple[tuple[str, str], ...]  # pairs of (left, right) segment names
    landmarks: dict[str, tuple[str, Array]]  # point name -> (segment, (3,) in its frame), e.g. "vertex", "heel_left"
    end_effectors: tuple[str, ...]  # segment names, [L10] Eq. 4–5

    def __post_init__(self) -> None:
        """Refuse a body that cannot be simulated; the cause names the segment and the value."""
        from reenact.body.check import check_body

        check_body(self)

    @property
    def mass(self) -> float:
        """Total mass [kg]."""
        return sum(s.mass for s in self.segments)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """All hinges in the order of the simulation's degrees of freedom 6 … 5+A."""
        return tuple(a for s in self.segments for a in s.axes)

    @property
    def dofs(self) -> int:
        """Degrees of freedom: six of the root and one per hinge."""
        return 6 + len(self.axes)

    @property
    def segment_names(self) -> tuple[str, ...]:
        """Names in order, which is also the order of bodies 1 … S in the simulation."""
        return tuple(s.name for s in self.segments)

    def segment(self, name: str) -> Segment:
        """One segment by name."""
        for s in self.segments:
            if s.name == name:
                return s
        raise BodyError(f"body '{self.name}' has no segment '{name}'; there are: {', '.join(self.segment_names)}")

    def axis_index(self, name: str) -> int:
        """Position of a hinge among all hinges."""
        names = [a.name for a in self.axes]
        try:
            return names.index(name)
        except ValueError:
            raise BodyError(f"body '{self.name}' has no axis '{name}'; there are: {', '.join(names)}") from None

    def with_rest_height(self, height: float) -> Body:
        """The same body with its root `height` [m] above the origin at rest."""
        from dataclasses import replace

        root = replace(self.segments[0], offset=np.array([0.0, 0.0, height]))
        return replace(self, segments=(root, *self.segments[1:]))
