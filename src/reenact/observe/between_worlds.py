"""Poses seen by a camera, in the world of another that stands elsewhere."""

from __future__ import annotations

import numpy as np

from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.observe.camera import Camera


def between_worlds(poses: Array, one: Camera, other: Camera) -> Array:
    """Poses (T, 7 + A) of the world of one camera in that of another, such that both see the same."""
    out = np.array(poses, float)
    out[:, :3] = points_between_worlds(out[:, :3], one, other)
    out[:, 3:7] = rotation.normalize(rotation.multiply(_turn(one, other), out[:, 3:7]))
    return out


def points_between_worlds(points: Array, one: Camera, other: Camera) -> Array:
    """The same of points (…, 3) [m]."""
    return np.asarray(other.position + rotation.rotate(_turn(one, other), points - one.position))


def _turn(one: Camera, other: Camera) -> Array:
    return rotation.multiply(other.orientation, rotation.conjugate(one.orientation))
