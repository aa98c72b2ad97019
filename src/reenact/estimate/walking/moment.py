"""A moment of a walk as its critic sees it: where the body's parts are, how they move, and what pushes it.

Seen along the way, with the first of the two mirrored steps of the cycle standing for both: in the second one left and
right change places.
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reenact.body.mirror import mirror_angles, mirror_pose, other_side
from reenact.control.machine import layout as at
from reenact.estimate.walking.walk import Walk
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.physics.state import row_width

SPIN, RATE, CLOCK, FORCE = 0.3, 0.1, 0.05, 0.6  # what numbers are multiplied by; force: per newton and kilogram


class Eye:
    """What is looked at of a walk's state rows."""

    def __init__(self, walk: Walk, half: int) -> None:
        """half: states of a step."""
        self._walk, self._half = walk, half
        self._model = walk.task.model
        self._memory = row_width(self._model)

    @cached_property
    def _feet(self) -> tuple[list[int], list[int]]:
        """Segments of the feet, and the place of each one's twin among them."""
        body = self._model.body
        names = [segment.name for segment in body.segments if segment.part == "foot"]
        return [body.segment_names.index(name) for name in names], [names.index(other_side(name)) for name in names]

    def state(self, rows: Array) -> NDArray[np.int64]:
        """State of the cycle (n,) in which each row is; negative before the cycle."""
        return np.asarray(rows[:, self._memory + at.STATE].astype(np.int64) - self._walk.first)

    def memory(self, rows: Array, place: int, count: int = 1) -> Array:
        """Numbers (n, count) of the machine's memory."""
        return rows[:, self._memory + place : self._memory + place + count]

    def steps(self, rows: Array) -> NDArray[np.int64]:
        """Steps (n,) since the beginning."""
        return np.rint(rows[:, 0] / self._model.timestep).astype(np.int64)

    def see(self, rows: Array, points: Array, force: Array, left: Array) -> Array:
        """Moments (n, F) of rows (n, X).

        points: (n, S+1, 3) joint centres and COM; force: (n, 2) that pushes from now on, in the world [N]; left: share
        (n,) of the push that is still to come.
        """
        model, state = self._model, self.state(rows)
        nq, hinges, way = model.mj.nq, len(model.body.axes), self._walk.way
        qpos, qvel = rows[:, 1 : 1 + nq], rows[:, 1 + nq : 1 + nq + model.mj.nv]
        other = state >= self._half
        side = np.where(other, -1.0, 1.0)
        turn = rotation.multiply(rotation.from_axis_angle(rotation.AXES["z"], -way), qpos[:, 3:7])
        pose = np.concatenate([np.zeros((len(rows), 3)), turn, qpos[:, 7 : 7 + hinges]], axis=1)
        pose = np.where(other[:, None], mirror_pose(model.body, pose), pose)
        rates = qvel[:, 6 : 6 + hinges]
        rates = np.where(other[:, None], mirror_angles(model.body, rates), rates)
        velocity = _along(qvel[:, :3], way, side)
        spin = qvel[:, 3:6] * np.stack([side, np.ones_like(side), side], axis=1)
        push = _along(force, way, side) * (FORCE / model.mass) * (left > 0.0)[:, None]
        clock = CLOCK * self.memory(rows, at.CLOCK)
        which = np.eye(self._half)[state % self._half]
        return np.concatenate(
            [
                rotation.to_matrix(pose[:, 3:7]).reshape(len(rows), 9), velocity, SPIN * spin, pose[:, 7:],
                RATE * rates, self._under(points, way, side, other), push, push * left[:, None],
                self._standing(rows, other), which, which * clock,
            ],
            axis=1,
        )  # fmt: skip

    def _under(self, points: Array, way: float, side: Array, other: NDArray[np.bool_]) -> Array:
        """Where the feet's segments are (n, 3·segments), from the COM."""
        segments, twins = self._feet
        feet = _along(points[:, segments] - points[:, -1:], way, side[:, None])
        feet = np.where(other[:, None, None], feet[:, twins], feet)
        return np.asarray(feet.reshape(len(points), -1))

    def _standing(self, rows: Array, other: NDArray[np.bool_]) -> Array:
        """Which feet bear, and which leg stands, (n, 3)."""
        touching = self.memory(rows, at.TOUCHING)[:, 0].astype(np.int64)
        bears = [(touching >> leg.part) & 1 for leg in self._walk.task.limbs.legs]
        stance = self.memory(rows, at.STANCE)[:, 0]
        first, second = np.where(other, bears[1], bears[0]), np.where(other, bears[0], bears[1])
        return np.stack([first, second, np.where(other, 3.0 - stance, stance) - 1.5], axis=1)


def _along(vectors: Array, way: float, side: Array) -> Array:
    """Vectors (…, 2 or 3) of the world, seen along a direction; to the side mirrored where `side` is −1."""
    c, s = math.cos(way), math.sin(way)
    x, y = vectors[..., 0], vectors[..., 1]
    return np.stack([c * x + s * y, side * (c * y - s * x), *np.moveaxis(vectors[..., 2:], -1, 0)], axis=-1)
