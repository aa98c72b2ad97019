"""The ground plane: through the origin, tilted by `slope_deg` so that it rises towards `uphill_deg`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from reenact.geometry.rotation import Array, from_axis_angle
from reenact.world.parts import Ground


def plane_orientation(ground: Ground) -> Array:
    """Rotation from the plane's frame (z along its normal) to the world, (4,)."""
    uphill = math.radians(ground.uphill_deg)
    axis = np.array([math.sin(uphill), -math.cos(uphill), 0.0])  # level line; turning about it lifts the uphill side
    return from_axis_angle(axis, math.radians(ground.slope_deg))


def plane_normal(ground: Ground) -> Array:
    """Unit normal in the world, (3,)."""
    slope, uphill = math.radians(ground.slope_deg), math.radians(ground.uphill_deg)
    return np.array([-math.sin(slope) * math.cos(uphill), -math.sin(slope) * math.sin(uphill), math.cos(slope)])


def plane_height(ground: Ground, x: ArrayLike, y: ArrayLike) -> Array:
    """Height of the plane [m] at points of the floor plan, broadcast over x and y."""
    uphill = math.radians(ground.uphill_deg)
    along = np.asarray(x, float) * math.cos(uphill) + np.asarray(y, float) * math.sin(uphill)
    return np.asarray(along * math.tan(math.radians(ground.slope_deg)))
