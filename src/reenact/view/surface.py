"""The outer surface of each body as many small patches: where pressure is summed and where the page shows it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import rotate
from reenact.view.meshes import Mesh
from reenact.view.pieces import Piece

Array = NDArray[np.float64]

SPACING = 0.025  # longest edge of a patch [m]; sums over footprints are then within 2 % of the exact ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """Patches in the frame of their body; what lies within another shape of the same body is left out."""

    point: Array  # (P, 3) middle of each patch [m]
    outward: Array  # (P, 3) unit normal
    area: Array  # (P,) [m²]


def surfaces_of(
    pieces: Sequence[Piece], meshes: Sequence[Mesh], bodies: Collection[int], spacing: float = SPACING
) -> dict[int, Surface]:
    """Surface of each of `bodies`, the engine's ids, that has a shape."""
    by_body: dict[int, list[tuple[Array, Array]]] = {}
    for piece in pieces:
        if piece.body in bodies:
            by_body.setdefault(piece.body, []).append(_corners(piece, meshes[piece.mesh]))
    return {body: _surface(shapes, spacing) for body, shapes in by_body.items()}


def _corners(piece: Piece, mesh: Mesh) -> tuple[Array, Array]:
    """Corners and normals (T, 3, 3) of a piece's triangles in its body's frame."""
    vertices = rotate(piece.orientation, mesh.vertices.astype(float) * piece.stretch) + piece.position
    normals = rotate(piece.orientation, mesh.normals.astype(float) / piece.stretch)
    return vertices[mesh.faces], normals[mesh.faces]


def _surface(shapes: list[tuple[Array, Array]], spacing: float) -> Surface:
    points, normals, areas = [], [], []
    for i, (corners, directions) in enumerate(shapes):
        small, turned = _subdivided(corners, directions, spacing)
        middle = small.mean(axis=1)
        size = 0.5 * np.linalg.norm(np.cross(small[:, 1] - small[:, 0], small[:, 2] - small[:, 0]), axis=-1)
        seen = np.ones(len(middle), bool)
        for j, (other, _) in enumerate(shapes):
            if i != j:
                seen &= ~_inside(middle, other)
        points.append(middle[seen])
        normals.append(turned.sum(axis=1)[seen])
        areas.append(size[seen])
    outward = np.concatenate(normals)
    outward /= np.maximum(np.linalg.norm(outward, axis=-1, keepdims=True), 1e-12)
    return Surface(point=np.concatenate(points), outward=outward, area=np.concatenate(areas))


def _subdivided(corners: Array, normals: Array, spacing: float) -> tuple[Array, Array]:
    """The same triangles, each halved across its longest edge until no edge exceeds `spacing` [m]."""
    done: list[tuple[Array, Array]] = []
    while len(corners):
        edge = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=-1)  # (T, 3): from corner k to k+1
        long = edge.max(axis=1) > spacing
        done.append((corners[~long], normals[~long]))
        corners, normals, first = corners[long], normals[long], edge[long].argmax(axis=1)
        order = (first[:, None] + np.arange(3)) % 3  # the longest edge first
        rows = np.arange(len(corners))[:, None]
        corners, normals = corners[rows, order], normals[rows, order]
        corners, normals = _halved(corners), _halved(normals)
    return np.concatenate([c for c, _ in done]), np.concatenate([n for _, n in done])


def _halved(values: Array) -> Array:
    """Two triangles for each, split between its first two corners."""
    a, b, c = values[:, 0], values[:, 1], values[:, 2]
    middle = 0.5 * (a + b)
    return np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])


def _inside(points: Array, corners: Array) -> NDArray[np.bool_]:
    """Whether each point lies within the convex shape of these triangles."""
    out = ((points > corners.min(axis=(0, 1))) & (points < corners.max(axis=(0, 1)))).all(axis=1)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-12)
    height = points[out] @ normal.T - np.sum(corners[:, 0] * normal, axis=-1)  # (P, T)
    out[out] = (height < -1e-6).all(axis=1)
    return np.asarray(out)
