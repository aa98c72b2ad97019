"""Outlines of a body's shapes as a camera sees them, for drawing over a picture: lens and perspective included."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from reenact.body.body import Body, Shape
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import tree_of
from reenact.observe.camera import Camera

ROUND, RINGS = 24, 13  # points around a ball and from pole to pole


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenShape:
    """One shape of a body in a picture."""

    segment: str
    corners: Array  # (K, 2) of its outline in turn [px]
    depth: float  # ahead of the camera [m]


def outlines(body: Body, camera: Camera, pose: Array) -> list[SeenShape]:
    """Outlines of all shapes in a pose (7 + A,), the farthest first; those not wholly before the camera are left out.

    An outline is the convex hull of points on the shape: within a hundredth of its radius.
    """
    position, frame = (each[0] for each in forward(tree_of(body), np.asarray(pose, float)[None]))
    seen = []
    for i, segment in enumerate(body.segments):
        for shape in segment.shapes:
            points = _surface(shape) @ frame[i].T + position[i]
            pixels = camera.project(points)
            if not np.isfinite(pixels).all():
                continue
            try:
                corners = pixels[ConvexHull(pixels).vertices]
            except QhullError:  # too small to have an outline
                continue
            seen.append(
                SeenShape(segment=segment.name, corners=corners, depth=float(camera.depth(points.mean(axis=0))))
            )
    return sorted(seen, key=lambda shape: -shape.depth)


def _surface(shape: Shape) -> Array:
    """Points (P, 3) on a shape in its segment's frame, whose hull is nearly the shape [m]."""
    if shape.kind == "box":
        points = shape.size * np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
    elif shape.kind == "ellipsoid":
        points = shape.size * _ball()
    else:
        points = shape.size[0] * _ball()
        if shape.kind == "capsule":
            half = np.array([0.0, 0.0, shape.size[1]])
            points = np.concatenate([points - half, points + half])
    return np.asarray(rotation.rotate(shape.orientation, points) + shape.position)


def _ball() -> Array:
    around, down = np.meshgrid(np.arange(ROUND) * 2.0 * np.pi / ROUND, np.linspace(0.0, np.pi, RINGS))
    return np.stack(
        [np.sin(down) * np.cos(around), np.sin(down) * np.sin(around), np.cos(down)], axis=-1
    ).reshape(-1, 3)  # fmt: skip
