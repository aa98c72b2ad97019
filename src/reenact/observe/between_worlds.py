"""Poses seen by a camera, in the world of another that stands elsewhere."""

from __future__ import annotations

import numpy as np

from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.observe.camera import Camera


def between_worlds(poses: Array, one: Camera, other: Camera) -> Array:
    """Poses (T, 7 + A) of the world of one camera in that of another, such that both see the same."""
    turn = rotation.multiply(other.orientation, rotation.conjugate(one.orientation))
    out = np.array(poses, float)
    out[:, :3] = other.position + rotation.rotate(turn, out[:, :3] - one.position)
    out[:, 3:7] = rotation.normalize(rotation.multiply(turn, out[:, 3:7]))
    return out
