"""Heels and toes over the ground: that they neither sink nor slide while they are down.

A foot is down as far as it is near the ground and slow; both are read off the poses themselves. The pull against
sliding fades with speed, or the foot that swings low over the ground would be held by it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.estimate.video.settings import Settings
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.lowest import lowest_points, shapes_of
from reenact.motion.tree import Tree, tree_of

POINTS = ("heel_left", "toe_tip_left", "heel_right", "toe_tip_right")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Feet:
    """Points under the soles, and what is asked of them."""

    tree: Tree
    segments: NDArray[np.int64]  # (F,)
    points: Array  # (F, 3) in the segments' frames [m]
    ground: float  # height [m]
    rate: float  # frames per second
    settings: Settings

    def places(self, poses: Array) -> Array:
        """Where they are, (T, F, 3) [m], heights over the ground."""
        position, frame = forward(self.tree, poses)
        world = position[:, self.segments] + np.einsum("tfij,fj->tfi", frame[:, self.segments], self.points)
        return np.asarray(world - [0.0, 0.0, self.ground])

    def touching(self, places: Array) -> Array:
        """How far each is down from one frame to the next by its height, (T − 1, F), 0 … 1."""
        down = np.exp(-((np.maximum(places[..., 2], 0.0) / self.settings.near) ** 2))
        return np.asarray(np.minimum(down[:-1], down[1:]))

    def cost(self, places: Array, touching: Array, resting: Array) -> float:
        """Of sliding, which levels off with speed, of sinking, and of hovering, which levels off with height."""
        square = np.sum((self.rate * np.diff(places[..., :2], axis=0)) ** 2, axis=-1)
        slid = touching * square / (1.0 + square / self.settings.slipping**2) / self.settings.slip**2
        sunk = np.minimum(places[..., 2], 0.0) ** 2 / self.settings.sink**2
        above = np.maximum(places[..., 2], 0.0) ** 2 / self.settings.hover**2
        hovers = resting * (self.settings.hover / self.settings.rest) ** 2 * -np.expm1(-above)
        return 0.5 * float(slid.sum() + sunk.sum() + hovers.sum())

    def resting(self, places: Array) -> Array:
        """How slow each is, (T, F), 0 … 1: what is slow and near the ground rests on it."""
        if len(places) < 2:
            return np.ones(places.shape[:2])
        square = np.sum((self.rate * np.diff(places, axis=0)) ** 2, axis=-1)
        slow = 1.0 / (1.0 + square / self.settings.slipping**2)
        return np.asarray(np.minimum(np.concatenate([slow[:1], slow]), np.concatenate([slow, slow[-1:]])))

    def weights(self, places: Array) -> Array:
        """Of half squares of heights, (T, F) [1/m²]: under the ground, and hovering over it."""
        height = places[..., 2]
        hover = self.resting(places) * np.exp(-((np.maximum(height, 0.0) / self.settings.hover) ** 2))
        return np.where(height < 0.0, 1.0 / self.settings.sink**2, hover / self.settings.rest**2)

    def stiffness(self, places: Array, touching: Array) -> Array:
        """What pulls against a step over the ground, (T − 1, F) [1/m²]: the cost's slope, divided by the step."""
        square = np.sum((self.rate * np.diff(places[..., :2], axis=0)) ** 2, axis=-1)
        fading = (1.0 + square / self.settings.slipping**2) ** 2
        return np.asarray(touching * (self.rate / self.settings.slip) ** 2 / fading)


def feet_of(body: Body, ground: float, rate: float, settings: Settings) -> Feet:
    """The feet of a body: its landmarks of heels and toes, brought down to where its soles touch the ground at rest.

    Landmarks lie within the flesh; points as high as they are would sink the soles by a centimetre, which from the side
    looks like some five centimetres of depth.
    """
    tree = tree_of(body)
    marks = [body.landmarks[name] for name in POINTS if name in body.landmarks]
    segments = np.array([tree.names.index(segment) for segment, _ in marks], np.int64)
    points = np.array([point for _, point in marks], float).reshape(-1, 3)
    if len(points):
        height = tree.rest()[segments, 2] + points[:, 2]
        points[:, 2] -= height - min(height.min(), _sole(body, tree, segments))
    return Feet(tree=tree, segments=segments, points=points, ground=ground, rate=rate, settings=settings)


def _sole(body: Body, tree: Tree, segments: NDArray[np.int64]) -> float:
    """How high the lowest point of some segments' shapes is at rest, over the root [m]."""
    rest = np.zeros((1, 7 + len(tree.hinges)))
    rest[0, 3] = 1.0
    shapes = shapes_of(body)
    height, _ = lowest_points(tree, shapes, rest)
    return float(height[0, np.isin(shapes.segment, segments)].min(initial=np.inf))
