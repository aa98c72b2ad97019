"""Outlines of shapes seen from the side, without perspective, as paths of SVG.

A ball, a capsule and an ellipsoid keep a round outline whichever way they are turned, and these are exact; anything
else is drawn as the hull of its corners. Cheap enough for a page that is made anew every other second of a search.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.view.colours import RGB
from reenact.view.pieces import colour_of

Array = NDArray[np.float64]

PER_METRE: Final = 250.0  # units of a drawing's coordinates; whole ones, so that the text is short
SIDES: Final = 16  # corners that stand for the rim of a cylinder
DIMMED: Final = 0.3  # how much darker what is far from the viewer is than what is near
UNSHADED: Final = 0.02  # nearer together than this, nothing is dimmed [m]

_SPHERE: Final = int(mujoco.mjtGeom.mjGEOM_SPHERE)
_CAPSULE: Final = int(mujoco.mjtGeom.mjGEOM_CAPSULE)
_ELLIPSOID: Final = int(mujoco.mjtGeom.mjGEOM_ELLIPSOID)
_CYLINDER: Final = int(mujoco.mjtGeom.mjGEOM_CYLINDER)
_MESH: Final = int(mujoco.mjtGeom.mjGEOM_MESH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """From where one looks: level, from far away."""

    right: Array  # (3,) level unit vector that points to the right in the picture
    along: Array  # (3,) level unit vector, to the right too, along which the ground is cut open

    @property
    def toward(self) -> Array:
        """Unit vector (3,) to the viewer."""
        return np.array([self.right[1], -self.right[0], 0.0])

    def flat(self, points: Array) -> Array:
        """Points (..., 3) [m] in the picture (..., 2), y downwards, in units of the drawing."""
        return np.asarray(PER_METRE * (points @ np.column_stack([self.right, [0.0, 0.0, -1.0]])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """One shape of a figure."""

    path: str  # the d of an SVG path
    colour: RGB
    depth: float  # towards the viewer [m]


class Shapes:
    """Some geoms of a model, ready to be drawn in many poses."""

    def __init__(self, model: mujoco.MjModel, geoms: Sequence[int]) -> None:
        self.geoms = list(geoms)
        self._kinds = [int(model.geom_type[geom]) for geom in geoms]
        self._sizes = [model.geom_size[geom].tolist() for geom in geoms]
        self._colours = [colour_of(model, geom) for geom in geoms]
        round_ = (_SPHERE, _CAPSULE, _ELLIPSOID)
        self._corners = [
            None if kind in round_ else _corners(model, geom) for kind, geom in zip(self._kinds, geoms, strict=True)
        ]

    def outlines(self, data: mujoco.MjData, look: Look) -> list[Outline]:
        """The shapes as `data` poses them, the farthest first."""
        centres = data.geom_xpos[self.geoms]  # (G, 3)
        turns = data.geom_xmat[self.geoms].reshape(-1, 3, 3)
        middles, depths = look.flat(centres).tolist(), (centres @ look.toward).tolist()
        axes = look.flat(turns.transpose(0, 2, 1)).tolist()  # (G, 3, 2): where each shape's own axes point
        out = []
        for i, (kind, size, at) in enumerate(zip(self._kinds, self._sizes, middles, strict=True)):
            corners = self._corners[i]
            if corners is not None:
                path = path_through(hull(corners @ np.array(axes[i]) + at))
            elif kind == _CAPSULE:
                path = _capsule(at, size[1] * axes[i][2][0], size[1] * axes[i][2][1], size[0] * PER_METRE)
            elif kind == _ELLIPSOID:
                path = _ellipsoid(at, [(s * x, s * y) for s, (x, y) in zip(size, axes[i], strict=True)])
            else:
                path = _ellipse(at, size[0] * PER_METRE, size[0] * PER_METRE, 0.0)
            out.append(Outline(path=path, colour=self._colours[i], depth=depths[i]))
        return sorted(out, key=lambda outline: outline.depth)


def dimmed(shapes: Sequence[Outline]) -> list[Outline]:
    """The same outlines, darker the farther away, so that the near limbs can be told from the far ones."""
    if not shapes:
        return []
    near, far = shapes[-1].depth, shapes[0].depth
    reach = max(near - far, UNSHADED)
    out = []
    for shape in shapes:
        light = 1.0 - DIMMED * round(4.0 * (near - shape.depth) / reach) / 4.0
        red, green, blue = (light * channel for channel in shape.colour)
        out.append(replace(shape, colour=(red, green, blue)))
    return out


def hull(points: Array) -> list[tuple[float, float]]:
    """Corners of the convex hull of points (P, 2), in turn, the way round that the other outlines go."""
    order = sorted({(x, y) for x, y in points.tolist()})
    if len(order) < 3:
        return order
    corners: list[tuple[float, float]] = []
    for run in (order, order[::-1]):
        half: list[tuple[float, float]] = []
        for point in run:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= 0.0:
                half.pop()
            half.append(point)
        corners += half[:-1]
    return corners[::-1]


def path_through(points: Sequence[Sequence[float]]) -> str:
    """A closed path of straight lines through points in units of the drawing."""
    return f"M{' '.join(f'{round(x)} {round(y)}' for x, y in points)}Z"


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _corners(model: mujoco.MjModel, geom: int) -> Array:
    """Points (P, 3) in a geom's frame whose hull has its outline [m]."""
    kind, size = int(model.geom_type[geom]), np.asarray(model.geom_size[geom], float)
    if kind == _MESH:
        mesh = int(model.geom_dataid[geom])
        first = int(model.mesh_vertadr[mesh])
        return np.asarray(model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])], float)
    if kind == _CYLINDER:
        angle = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
        rim = np.stack([np.cos(angle), np.sin(angle), np.zeros(SIDES)], axis=-1) * size[0]
        half = np.array([0.0, 0.0, size[1]])
        return np.concatenate([rim - half, rim + half])
    return np.asarray(size * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]))


def _capsule(at: Sequence[float], x: float, y: float, radius: float) -> str:
    """A stadium: half circles around the ends at ± (x, y), and the straight sides between them."""
    length = math.hypot(x, y)
    if length < 0.5:
        return _ellipse(at, radius, radius, 0.0)
    u, v = -radius * y / length, radius * x / length
    a, b, c, d = (
        f"{round(at[0] + p)} {round(at[1] + q)}"
        for p, q in ((u - x, v - y), (u + x, v + y), (x - u, y - v), (-x - u, -y - v))
    )
    arc = f"A{round(radius)} {round(radius)} 0 0 0"
    return f"M{a}L{b}{arc} {c}L{d}{arc} {a}Z"


def _ellipsoid(at: Sequence[float], axes: Sequence[tuple[float, float]]) -> str:
    """Half axes as they appear in the picture: the outline is the ellipse of their squares' sum."""
    xx, yy, xy = sum(x * x for x, _ in axes), sum(y * y for _, y in axes), sum(x * y for x, y in axes)
    middle, reach = 0.5 * (xx + yy), math.hypot(0.5 * (xx - yy), xy)
    angle = 0.5 * math.degrees(math.atan2(2.0 * xy, xx - yy))
    return _ellipse(at, math.sqrt(middle + reach), math.sqrt(max(middle - reach, 0.0)), angle)


def _ellipse(at: Sequence[float], along: float, across: float, angle_deg: float) -> str:
    turn = math.radians(angle_deg)
    x, y = along * math.cos(turn), along * math.sin(turn)
    one, other = f"{round(at[0] + x)} {round(at[1] + y)}", f"{round(at[0] - x)} {round(at[1] - y)}"
    arc = f"A{round(along)} {round(across)} {round(angle_deg)} 1 0"
    return f"M{one}{arc} {other}{arc} {one}Z"
