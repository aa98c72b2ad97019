"""The lowest point of each collision shape, exactly, for all frames; compiled."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.compiled import compiled
from reenact.motion.kinematics import forward
from reenact.motion.tree import Indices, Tree

KINDS: Final = ("sphere", "capsule", "box", "ellipsoid")


class ShapeArrays(NamedTuple):
    """What compiled code reads of G shapes."""

    segment: Indices  # (G,)
    kind: Indices  # (G,) index into KINDS
    position: Array  # (G, 3) in the segment's frame [m]
    frame: Array  # (G, 3, 3) in the segment's frame
    size: Array  # (G, 3), zeros where a kind has fewer numbers [m]


def shapes_of(body: Body) -> ShapeArrays:
    """All shapes of a body, segment by segment."""
    shapes = [(s, shape) for s, segment in enumerate(body.segments) for shape in segment.shapes]
    return ShapeArrays(
        segment=np.array([s for s, _ in shapes], dtype=np.int64),
        kind=np.array([KINDS.index(g.kind) for _, g in shapes], dtype=np.int64),
        position=np.array([g.position for _, g in shapes], dtype=float).reshape(-1, 3),
        frame=rotation.to_matrix(np.array([g.orientation for _, g in shapes], dtype=float).reshape(-1, 4)),
        size=np.array([np.pad(np.asarray(g.size, float), (0, 3 - len(g.size))) for _, g in shapes]).reshape(-1, 3),
    )


@compiled
def lowest_of_shapes(shapes: ShapeArrays, position: Array, frame: Array, height: Array, point: Array) -> None:
    """Height (T, G) and place in the segment's frame (T, G, 3) of each shape's lowest point."""
    centre, down, local = np.empty(3), np.empty(3), np.empty(3)
    for t in range(len(position)):
        for g in range(len(shapes.segment)):
            s = shapes.segment[g]
            for i in range(3):  # the shape's axes' vertical parts, and its centre
                down[i] = 0.0
                centre[i] = position[t, s, i]
                for j in range(3):
                    down[i] += frame[t, s, 2, j] * shapes.frame[g, j, i]
                    centre[i] += frame[t, s, i, j] * shapes.position[g, j]
            size = shapes.size[g]
            kind = shapes.kind[g]
            if kind == 0 or kind == 1:  # from the centre (or the lower end of the axis) straight down by the radius
                for i in range(3):
                    local[i] = -size[0] * down[i]
                if kind == 1:
                    local[2] -= size[1] * (1.0 if down[2] > 0 else -1.0)
            elif kind == 2:
                for i in range(3):
                    local[i] = -size[i] * (1.0 if down[i] > 0 else -1.0)
            else:
                reach = 0.0
                for i in range(3):
                    reach += (size[i] * down[i]) ** 2
                reach = max(np.sqrt(reach), 1e-12)
                for i in range(3):
                    local[i] = -size[i] * size[i] * down[i] / reach
            height[t, g] = centre[2]
            for i in range(3):
                height[t, g] += down[i] * local[i]
                point[t, g, i] = shapes.position[g, i]
                for j in range(3):
                    point[t, g, i] += shapes.frame[g, i, j] * local[j]


def lowest_points(tree: Tree, shapes: ShapeArrays, poses: Array) -> tuple[Array, Array]:
    """Height (T, G) [m] of each shape's lowest point over z = 0, and that point in its segment's frame (T, G, 3)."""
    position, frame = forward(tree, poses)
    count = (len(poses), len(shapes.segment))
    height, point = np.empty(count), np.empty((*count, 3))
    lowest_of_shapes(shapes, position, frame, height, point)
    return height, point


@compiled
def speeds_of_points(segment: Indices, position: Array, frame: Array, point: Array, rate: float, speed: Array) -> None:
    """Speed (T, G) of the material points `point` (T, G, 3) of segments, by differences over neighbouring frames."""
    last = len(position) - 1
    for t in range(len(position)):
        a, b = max(t - 1, 0), min(t + 1, last)
        for g in range(len(segment)):
            s = segment[g]
            square = 0.0
            for i in range(3):
                d = position[b, s, i] - position[a, s, i]
                for j in range(3):
                    d += (frame[b, s, i, j] - frame[a, s, i, j]) * point[t, g, j]
                square += d * d
            speed[t, g] = np.sqrt(square) * rate / max(b - a, 1)


class Lowest(NamedTuple):
    """Of each segment that has shapes, its lowest point over time."""

    segments: NDArray[np.int64]  # (P,)
    height: Array  # (T, P) over z = 0 [m]
    speed: Array  # (T, P) of the material point [m/s]
    place: Array  # (T, P, 2) where it is on the ground [m]


def lowest_by_segment(body: Body, tree: Tree, poses: Array, rate: float) -> Lowest:
    """The lowest point of every segment: height, speed and place."""
    shapes = shapes_of(body)
    position, frame = forward(tree, poses)
    count = (len(poses), len(shapes.segment))
    height, point, speed = np.empty(count), np.empty((*count, 3)), np.empty(count)
    lowest_of_shapes(shapes, position, frame, height, point)
    speeds_of_points(shapes.segment, position, frame, point, rate, speed)
    world = position[:, shapes.segment, :2] + np.einsum("tgij,tgj->tgi", frame[:, shapes.segment, :2], point)
    segments = np.unique(shapes.segment)
    best = np.stack([_lowest_shape(height, shapes.segment, s) for s in segments], axis=1)  # (T, P) index of the shape
    pick = np.arange(len(poses))[:, None]
    return Lowest(segments, height[pick, best], speed[pick, best], world[pick, best])


def _lowest_shape(height: Array, owners: Indices, segment: int) -> NDArray[np.int64]:
    own = np.flatnonzero(owners == segment)
    return np.asarray(own[np.argmin(height[:, own], axis=1)])
