"""The body at rest: where its segments stand, how low its sole and how high its top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reenact.body.body import Body, Segment, Shape
from reenact.geometry import rotation
from reenact.geometry.rotation import Array


def rest_origins(segments: Sequence[Segment]) -> dict[str, Array]:
    """Joint centres (3,) in the world by segment name, all angles zero [m]."""
    origins: dict[str, Array] = {}
    for s in segments:
        origins[s.name] = s.offset if s.parent is None else origins[s.parent] + s.offset
    return origins


def sole_height(segments: Sequence[Segment]) -> float:
    """Height of the lowest point of any shape at rest [m]."""
    origins = rest_origins(segments)
    return min(float(origins[s.name][2]) + lowest(s) for s in segments if s.shapes)


def lowest(segment: Segment) -> float:
    """Height of the lowest point of a segment's shapes above its joint at rest [m]."""
    return min(float(g.position[2]) - _reach(g) for g in segment.shapes)


def top_height(segments: Sequence[Segment], landmarks: dict[str, tuple[str, Array]]) -> float:
    """Height of the landmark "vertex" at rest, or of the highest point of any shape where there is none [m]."""
    origins = rest_origins(segments)
    if "vertex" in landmarks:
        name, point = landmarks["vertex"]
        return float(origins[name][2] + point[2])
    return max(float(origins[s.name][2] + g.position[2] + _reach(g)) for s in segments for g in s.shapes)


def stands_at(body: Body) -> float:
    """Stature as its segments give it: vertex above sole in the rest pose [m]."""
    return top_height(body.segments, body.landmarks) - sole_height(body.segments)


def _reach(shape: Shape) -> float:
    """How far a shape reaches up and down from its centre [m]."""
    up = rotation.to_matrix(shape.orientation)[2]  # the vertical's components along the shape's axes
    size = shape.size
    match shape.kind:
        case "sphere":
            return float(size[0])
        case "capsule":
            return float(size[0] + size[1] * abs(up[2]))
        case "box":
            return float(np.abs(up) @ size)
        case "ellipsoid":
            return float(np.linalg.norm(up * size))
