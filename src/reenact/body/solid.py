"""Shapes by where they reach and how much they hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from reenact.body.body import Shape
from reenact.geometry import rotation
from reenact.geometry.rotation import Array


def capsule(name: str, start: ArrayLike, end: ArrayLike, radius: float) -> Shape:
    """A capsule whose end spheres are centred at `start` and `end` (3,)."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = end - start
    length = float(np.linalg.norm(along))
    turn = rotation.IDENTITY.copy() if length == 0 else rotation.between([0.0, 0.0, 1.0], along)
    return Shape(
        name=name,
        kind="capsule",
        position=0.5 * (start + end),
        orientation=turn,
        size=np.array([radius, 0.5 * length]),
    )


def box(name: str, centre: ArrayLike, half: ArrayLike) -> Shape:
    """A box parallel to the segment's frame."""
    return _upright(name, "box", centre, half)


def ellipsoid(name: str, centre: ArrayLike, half: ArrayLike) -> Shape:
    """An ellipsoid parallel to the segment's frame."""
    return _upright(name, "ellipsoid", centre, half)


def capsule_radius(volume: float, length: float) -> float:
    """Radius [m] of a capsule that holds `volume` [m³] with end centres `length` [m] apart: πr²l + 4/3·πr³ = V."""
    roots = np.roots([4 / 3 * np.pi, np.pi * length, 0.0, -volume])
    return float(max(r.real for r in roots if abs(r.imag) < 1e-9 * abs(r)))


def volume(shape: Shape) -> float:
    """What a shape holds [m³]."""
    size = shape.size
    match shape.kind:
        case "sphere":
            return float(4 / 3 * np.pi * size[0] ** 3)
        case "capsule":
            return float(2 * np.pi * size[0] ** 2 * size[1] + 4 / 3 * np.pi * size[0] ** 3)
        case "box":
            return float(8 * np.prod(size))
        case "ellipsoid":
            return float(4 / 3 * np.pi * np.prod(size))


def reflected(shape: Shape, name: str) -> Shape:
    """The shape's image across the sagittal plane y = 0, under another name."""
    return Shape(
        name=name,
        kind=shape.kind,
        position=reflect_point(shape.position),
        orientation=reflect_rotation(shape.orientation),
        size=shape.size.copy(),
    )


def reflect_point(point: ArrayLike) -> Array:
    """Points (*batch, 3) across the plane y = 0."""
    return np.asarray(np.asarray(point, float) * np.array([1.0, -1.0, 1.0]) + 0.0)


def reflect_rotation(q: ArrayLike) -> Array:
    """Rotations (*batch, 4) across the plane y = 0: the turn about y stays, those about x and z change sense."""
    return np.asarray(np.asarray(q, float) * np.array([1.0, -1.0, 1.0, -1.0]) + 0.0)


def _upright(name: str, kind: str, centre: ArrayLike, half: ArrayLike) -> Shape:
    return Shape(
        name=name,
        kind="box" if kind == "box" else "ellipsoid",
        position=np.asarray(centre, float),
        orientation=rotation.IDENTITY.copy(),
        size=np.asarray(half, float),
    )
