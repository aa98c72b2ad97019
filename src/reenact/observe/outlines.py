"""Outlines of a body's shapes as a camera sees them, for drawing over a picture: lens and perspective included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.body.body import Body, Shape
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import tree_of
from reenact.observe.camera import Camera

AROUND: Final = 64  # points of a round outline
_ANGLES: Final = np.arange(AROUND) * (2.0 * np.pi / AROUND)
_CORNERS: Final = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_WAYS: Final = np.stack([f(np.arange(2 * AROUND) * (np.pi / AROUND)) for f in (np.cos, np.sin)])  # (2, 2 · AROUND)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeenShape:
    """One shape of a body in a picture."""

    segment: str
    corners: Array  # (K, 2) of its outline in turn [px]
    depth: float  # ahead of the camera [m]


def outlines(body: Body, camera: Camera, pose: Array) -> list[SeenShape]:
    """Outlines of all shapes in a pose (7 + A,), the farthest first; those not wholly before the camera are left out.

    Corners lie on the outline itself, so many that the lines between them are within 1/500 of its radius.
    """
    position, frame = (each[0] for each in forward(tree_of(body), np.asarray(pose, float)[None]))
    rims, centres, names = [], [], []
    for i, segment in enumerate(body.segments):
        for shape in segment.shapes:
            turn = frame[i] @ rotation.to_matrix(shape.orientation)
            centre = position[i] + frame[i] @ shape.position
            rim = _rim(shape, (camera.position - centre) @ turn)
            if rim is not None:
                rims.append(rim @ turn.T + centre)
                centres.append(centre)
                names.append(segment.name)
    if not rims:
        return []
    pixels = np.split(camera.project(np.concatenate(rims)), np.cumsum([len(rim) for rim in rims])[:-1])
    seen = [
        SeenShape(segment=name, corners=corners, depth=depth)
        for name, depth, points in zip(names, camera.depth(np.array(centres)).tolist(), pixels, strict=True)
        if np.isfinite(points).all() and len(corners := _hull(points)) > 2
    ]
    return sorted(seen, key=lambda shape: -shape.depth)


def _rim(shape: Shape, eye: Array) -> Array | None:
    """Points (P, 3) whose hull in a picture is the outline, in the shape's frame [m]; None where the eye is inside.

    `eye` is where the camera is, in the shape's frame.
    """
    if shape.kind == "box":
        return np.asarray(shape.size * _CORNERS)
    if shape.kind == "ellipsoid":
        return _tangent(shape.size, eye)
    radii = np.full(3, shape.size[0])
    if shape.kind != "capsule":
        return _tangent(radii, eye)
    half = np.array([0.0, 0.0, shape.size[1]])
    ends = [_tangent(radii, eye - end) for end in (half, -half)]
    return None if ends[0] is None or ends[1] is None else np.concatenate([ends[0] + half, ends[1] - half])


def _tangent(radii: Array, eye: Array) -> Array | None:
    """Where rays from `eye` touch an ellipsoid of half axes `radii` (3,): AROUND points of an ellipse in turn.

    Divided by the radii the ellipsoid is a unit ball, and the points are a circle at the height 1/distance towards the
    eye.
    """
    away = eye / radii
    distance = float(np.linalg.norm(away))
    if distance <= 1.0:
        return None
    ahead = away / distance
    across = np.cross(ahead, np.eye(3)[int(np.abs(ahead).argmin())])
    across /= np.linalg.norm(across)
    circle = np.outer(np.cos(_ANGLES), across) + np.outer(np.sin(_ANGLES), np.cross(ahead, across))
    return np.asarray(radii * (ahead / distance + np.sqrt(1.0 - 1.0 / distance**2) * circle))


def _hull(points: Array) -> Array:
    """Corners (K, 2) of the hull of points (P, 2) in turn: those farthest to each of many sides.

    Points of one ellipse are that already.
    """
    if len(points) == AROUND:
        return points
    farthest = (points @ _WAYS).argmax(axis=0)
    return np.asarray(points[farthest[farthest != np.roll(farthest, 1)]])
