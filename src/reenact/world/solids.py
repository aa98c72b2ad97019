"""Plain shapes that parts are made of: one description for the simulation and for the height of the ground.

`top(x, y)` is the height of the highest point above a point of the floor plan [m], −inf where the shape is not there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reenact.geometry.rotation import Array, to_matrix
from reenact.world.surface import Surface


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxSolid:
    """A box at any tilt."""

    name: str
    look: str
    surface: Surface
    centre: Array  # (3,) [m]
    orientation: Array  # (4,)
    half: Array  # (3,) half lengths [m]

    def top(self, x: Array, y: Array) -> Array:
        """Where the vertical line through each point leaves the box."""
        turn = to_matrix(self.orientation).T  # world to box
        offset = np.stack([x - self.centre[0], y - self.centre[1], np.full(np.shape(x), -self.centre[2])], axis=-1)
        start, step = offset @ turn.T, turn[:, 2]  # the line in the box's frame: start + z · step
        low, high = np.full(np.shape(x), -np.inf), np.full(np.shape(x), np.inf)
        for i in range(3):
            if abs(step[i]) < 1e-12:  # parallel to this pair of faces
                inside = np.abs(start[..., i]) <= self.half[i]
                low, high = np.where(inside, low, np.inf), np.where(inside, high, -np.inf)
                continue
            a, b = (-self.half[i] - start[..., i]) / step[i], (self.half[i] - start[..., i]) / step[i]
            low, high = np.maximum(low, np.minimum(a, b)), np.minimum(high, np.maximum(a, b))
        return np.where(low <= high, high, -np.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class BallSolid:
    """A sphere."""

    name: str
    look: str
    surface: Surface
    centre: Array  # (3,) [m]
    radius: float

    def top(self, x: Array, y: Array) -> Array:
        """The upper cap."""
        left = self.radius**2 - (x - self.centre[0]) ** 2 - (y - self.centre[1]) ** 2
        return np.where(left >= 0.0, self.centre[2] + np.sqrt(np.maximum(left, 0.0)), -np.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostSolid:
    """An upright cylinder."""

    name: str
    look: str
    surface: Surface
    centre: Array  # (3,) [m]
    radius: float
    half_height: float
    slippery: bool = False  # without any friction: what it holds up leaves it freely

    def top(self, x: Array, y: Array) -> Array:
        """The flat end."""
        inside = (x - self.centre[0]) ** 2 + (y - self.centre[1]) ** 2 <= self.radius**2
        return np.where(inside, self.centre[2] + self.half_height, -np.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSolid:
    """A height field over an upright rectangle, two triangles to a cell."""

    name: str
    look: str
    surface: Surface
    at: Array  # (2,) its middle [m]
    half: Array  # (2,) half lengths [m]
    heights: Array  # (rows along y, columns along x) in the world [m]

    def top(self, x: Array, y: Array) -> Array:
        """The triangle above each point; cells are cut along the diagonal from (low x, low y) to (high x, high y)."""
        rows, columns = self.heights.shape
        u = (x - self.at[0] + self.half[0]) / (2.0 * self.half[0]) * (columns - 1)
        v = (y - self.at[1] + self.half[1]) / (2.0 * self.half[1]) * (rows - 1)
        inside = (u >= 0) & (u <= columns - 1) & (v >= 0) & (v <= rows - 1)
        i = np.clip(np.floor(np.where(inside, u, 0.0)).astype(int), 0, columns - 2)
        j = np.clip(np.floor(np.where(inside, v, 0.0)).astype(int), 0, rows - 2)
        u, v = u - i, v - j
        z00, z10 = self.heights[j, i], self.heights[j, i + 1]
        z01, z11 = self.heights[j + 1, i], self.heights[j + 1, i + 1]
        below = z00 + u * (z10 - z00) + v * (z11 - z10)
        over = z00 + u * (z11 - z01) + v * (z01 - z00)
        return np.where(inside, np.where(u >= v, below, over), -np.inf)


Solid = BoxSolid | BallSolid | PostSolid | FieldSolid
