"""The root's path from the poses alone: what touches the ground bears the body and does not slide.

A body that stands, rolls or crawls moves where its contacts let it: its lowest point is on the floor, and the points it
stands on stay where they are. In flight the centre of mass falls freely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.motion.floor import depths, smooth_lift
from reenact.motion.kinematics import forward
from reenact.motion.lowest import lowest_of_shapes, shapes_of
from reenact.motion.tree import Tree, tree_of

GRAVITY: Final = 9.81  # [m/s²]
BEARING: Final = 0.015  # parts at most this much above the lowest point bear weight too [m]
ROUND: Final = 0.03  # a height that follows the lowest point is smoothed over about this time [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class Flight:
    """A stretch of time [s] in which nothing touches the ground."""

    start: float
    end: float

    def __post_init__(self) -> None:
        """Refuse a flight that ends before it begins."""
        if not 0.0 <= self.start < self.end:
            raise InputError(f"a flight from {self.start:g} s to {self.end:g} s does not make sense")


def carried(body: Body, poses: Array, rate: float, flights: Sequence[Flight] = ()) -> Array:
    """Poses (T, 7 + A) with the root moved to where the ground puts it, from the first one's place on.

    The orientation and angles stay; the root's position is computed anew. During a flight the centre of mass keeps
    the horizontal velocity it left the ground with and rises as far as it must to come down in time.
    """
    tree = tree_of(body)
    out = np.array(poses, float)
    out[1:, :2] = out[:1, :2]
    out[:, 2] = 0.0
    out[:, 2] = _heights(body, tree, out, rate)
    out[:, 2] += smooth_lift(depths(body, tree, out), rate)  # before flights, whose ends it sets
    out[:, 0:2] += _way(body, tree, out)
    for flight in flights:
        out = _fly(body, tree, out, rate, flight)
    out[:, 2] += smooth_lift(depths(body, tree, out), rate)
    return out


def centre_of_mass(body: Body, tree: Tree, poses: Array) -> Array:
    """Centre of mass (T, 3) [m] of poses (T, 7 + A)."""
    position, frame = forward(tree, poses)
    mass = np.array([s.mass for s in body.segments])
    centres = position + np.einsum("tsij,sj->tsi", frame, np.array([s.com for s in body.segments], float))
    return np.asarray(np.einsum("tsi,s->ti", centres, mass / mass.sum()))


def _heights(body: Body, tree: Tree, poses: Array, rate: float) -> Array:
    """Height of the root (T,) [m] at which the lowest point is on the floor, without kinks."""
    height, _, _, _ = _low_points(body, tree, poses)
    return np.asarray(gaussian_filter1d(poses[:, 2] - height.min(axis=1), ROUND * rate, mode="nearest"))


def _way(body: Body, tree: Tree, poses: Array) -> Array:
    """How far the root goes on the ground (T, 2) [m] while the points that bear weight stay in place."""
    height, point, position, frame = _low_points(body, tree, poses)
    owner = shapes_of(body).segment
    weight = np.clip(1.0 - (height - height.min(axis=1, keepdims=True)) / BEARING, 0.0, 1.0)[:-1]  # (T − 1, G)
    weight /= weight.sum(axis=1, keepdims=True)
    before = position[:-1, owner] + np.einsum("tgij,tgj->tgi", frame[:-1, owner], point[:-1])
    after = position[1:, owner] + np.einsum("tgij,tgj->tgi", frame[1:, owner], point[:-1])
    slip = np.einsum("tg,tgi->ti", weight, (after - before)[..., :2])
    return np.concatenate([np.zeros((1, 2)), -np.cumsum(slip, axis=0)])


def _low_points(body: Body, tree: Tree, poses: Array) -> tuple[Array, Array, Array, Array]:
    """Height (T, G) and place in its segment (T, G, 3) of each shape's lowest point; places and frames of segments."""
    shapes = shapes_of(body)
    position, frame = forward(tree, poses)
    count = (len(poses), len(shapes.segment))
    height, point = np.empty(count), np.empty((*count, 3))
    lowest_of_shapes(shapes, position, frame, height, point)
    return height, point, position, frame


def _fly(body: Body, tree: Tree, poses: Array, rate: float, flight: Flight) -> Array:
    """The poses with one flight's path replaced by free fall, and what comes after it moved along."""
    first, last = round(flight.start * rate), round(flight.end * rate)
    if not 1 <= first < last < len(poses):
        raise InputError(f"a flight from {flight.start:g} s to {flight.end:g} s is not within the motion")
    com = centre_of_mass(body, tree, poses)
    duration = (last - first) / rate
    time = np.arange(last - first + 1) / rate
    leaving = (com[first] - com[max(0, first - 3)]) * rate / min(3, first)
    rise = (com[last, 2] - com[first, 2]) / duration + 0.5 * GRAVITY * duration  # upward velocity at take-off [m/s]
    fall = com[first] + np.outer(time, [leaving[0], leaving[1], rise])
    fall[:, 2] -= 0.5 * GRAVITY * time**2
    out = poses.copy()
    shift = fall - com[first : last + 1]
    out[first : last + 1, :3] += shift
    out[last + 1 :, :2] += shift[-1, :2]
    return out
