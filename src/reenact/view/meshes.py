"""Triangles for the shapes of a model: what the report, the page and later features draw.

One generator serves most kinds: a ball swept over a box (Minkowski sum) is a sphere, a capsule or a box with
rounded edges, depending on which of the two is small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int32]

BEVEL = 0.012  # greatest rounding of a drawn box's edges [m]; outer sizes stay exact


@dataclass(frozen=True, slots=True, kw_only=True)
class Mesh:
    """Triangles in the frame of their shape, counter-clockwise seen from outside."""

    vertices: FloatArray  # (V, 3) [m]
    normals: FloatArray  # (V, 3) unit
    faces: IntArray  # (F, 3)


def swept_ball(inner: ArrayLike, radii: ArrayLike, steps: int = 6) -> Mesh:
    """An ellipsoid of `radii` (3,) swept over a box of half sizes `inner` (3,) [m]; `steps` arcs per quarter turn."""
    inner, radii = np.asarray(inner, float), np.asarray(radii, float)
    quarter = np.linspace(0.0, 0.5 * np.pi, steps + 1)
    longitude = np.concatenate([quarter + 0.5 * np.pi * k for k in range(4)])  # each octant owns its border
    latitude = np.concatenate([quarter, quarter + 0.5 * np.pi])  # from the pole at +z down
    theta, phi = np.meshgrid(latitude, longitude, indexing="ij")
    direction = np.stack([np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)], -1)
    octant = np.repeat(np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]]), steps + 1, axis=0)
    signs = np.zeros_like(direction)
    signs[..., :2] = octant
    signs[..., 2] = np.repeat([1.0, -1.0], steps + 1)[:, None]
    vertices = direction * radii + signs * inner
    normals = direction / radii
    rows, columns = theta.shape
    top, bottom = _cap(0, columns, steps), _cap((rows - 1) * columns, columns, steps)[:, ::-1]
    faces = np.concatenate([_grid_faces(rows, columns, closed=True), top, bottom])
    return _mesh(vertices.reshape(-1, 3), normals.reshape(-1, 3), faces)


def sphere(radius: float) -> Mesh:
    """A ball of `radius` [m]; stretched along its axes it serves as an ellipsoid."""
    return swept_ball(np.zeros(3), np.full(3, radius), steps=7)


def capsule(radius: float, half_length: float) -> Mesh:
    """A capsule along z; `half_length` [m] of its straight part."""
    return swept_ball([0.0, 0.0, half_length], np.full(3, radius))


def box(half_sizes: ArrayLike) -> Mesh:
    """A box with half sizes (3,) [m], its edges rounded by at most `BEVEL`."""
    half = np.asarray(half_sizes, float)
    bevel = min(BEVEL, 0.3 * float(half.min()))
    return swept_ball(half - bevel, np.full(3, bevel), steps=3)


def cylinder(radius: float, half_length: float, bottom_radius: float | None = None, sectors: int = 32) -> Mesh:
    """A cylinder along z, or a cone frustum where `bottom_radius` differs from the top's `radius` [m]."""
    low = radius if bottom_radius is None else bottom_radius
    phi = np.linspace(0.0, 2.0 * np.pi, sectors + 1)
    ring = np.stack([np.cos(phi), np.sin(phi), np.zeros_like(phi)], -1)
    up = np.array([0.0, 0.0, 1.0])
    slope = (low - radius) / (2.0 * half_length)
    vertices = [ring * radius + up * half_length, ring * low - up * half_length]
    normals = [ring + up * slope, ring + up * slope]
    faces = [_grid_faces(2, sectors + 1, closed=False)]
    for side, size in ((1.0, radius), (-1.0, low)):
        first = sum(len(v) for v in vertices)
        vertices.append(np.concatenate([ring * size, np.zeros((1, 3))]) + side * up * half_length)
        normals.append(np.broadcast_to(side * up, (sectors + 2, 3)))
        fan = np.stack([np.full(sectors, sectors + 1), np.arange(sectors), np.arange(1, sectors + 1)], -1) + first
        faces.append(fan if side > 0 else fan[:, ::-1])
    return _mesh(np.concatenate(vertices), np.concatenate(normals), np.concatenate(faces))


def rectangle(half_x: float, half_y: float) -> Mesh:
    """A flat rectangle in the xy plane, facing +z."""
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * [half_x, half_y, 0.0]
    return _mesh(corners, np.broadcast_to([0.0, 0.0, 1.0], (4, 3)), np.array([[0, 1, 2], [0, 2, 3]]))


def height_field(heights: ArrayLike, half_x: float, half_y: float) -> Mesh:
    """A surface over x (columns) and y (rows) from `heights` (rows, columns) [m]."""
    z = np.asarray(heights, float)
    y, x = np.linspace(-half_y, half_y, z.shape[0]), np.linspace(-half_x, half_x, z.shape[1])
    dz_dy, dz_dx = np.gradient(z, y, x)
    normals = np.stack([-dz_dx, -dz_dy, np.ones_like(z)], -1)
    vertices = np.stack([*np.meshgrid(x, y), z], -1)
    faces = _grid_faces(*z.shape, closed=False)[:, ::-1]  # rows run along +y here: the other way round
    return _mesh(vertices.reshape(-1, 3), normals.reshape(-1, 3), faces)


def triangles(vertices: ArrayLike, faces: ArrayLike) -> Mesh:
    """A mesh from bare triangles, each vertex's normal the area-weighted mean of its faces'."""
    points, corners = np.asarray(vertices, float), np.asarray(faces, np.int32)
    a, b, c = (points[corners[:, i]] for i in range(3))
    normals = np.zeros_like(points)
    for i in range(3):
        np.add.at(normals, corners[:, i], np.cross(b - a, c - a))
    return _mesh(points, normals, corners)


def _grid_faces(rows: int, columns: int, *, closed: bool) -> IntArray:
    """Two triangles per cell of a (rows, columns) grid of vertices; `closed` joins the last column to the first."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns if closed else columns - 1), indexing="ij")
    a, b = i * columns + j, i * columns + (j + 1) % columns
    c, d = a + columns, b + columns
    return np.concatenate([np.stack([a, c, b], -1), np.stack([b, c, d], -1)]).reshape(-1, 3).astype(np.int32)


def _cap(first: int, columns: int, steps: int) -> IntArray:
    """Two triangles over the four corners that a pole's row of vertices has."""
    a, b, c, d = (first + k * (steps + 1) for k in range(4))
    return np.array([[a, b, c], [a, c, d]], np.int32)


def _mesh(vertices: ArrayLike, normals: ArrayLike, faces: ArrayLike) -> Mesh:
    """A mesh in single precision, without triangles that have no area."""
    points, corners = np.asarray(vertices, float), np.asarray(faces, np.int32)
    a, b, c = (points[corners[:, i]] for i in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=-1)
    normal = np.asarray(normals, float)
    length = np.linalg.norm(normal, axis=-1, keepdims=True)
    return Mesh(
        vertices=points.astype(np.float32),
        normals=(normal / np.where(length > 0, length, 1.0)).astype(np.float32),
        faces=np.ascontiguousarray(corners[area > 1e-12]),
    )
