"""The root's orientation without its heading: how a body leans, whichever way it faces.

An orientation is a heading about the world's z after a tilt: q_WR = turn(z, heading) · tilt. What all headings share is
the world's up seen from the root, a unit vector without any singular place; it decides the tilt, and the tilt chosen
here is the shortest one, whose axis is horizontal. Upside down no choice of tilt is continuous (the hairy ball), so
what follows a motion through a handstand asks for the orientation `nearest` to one it knows, not for a heading.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from reenact.geometry import rotation
from reenact.geometry.rotation import Array

_UP = rotation.AXES["z"]
VANISHED = 1e-9  # a vector this short tells no direction


def up_of(orientation: ArrayLike) -> Array:
    """The world's up in the frame of a root with orientation q_WR (*batch, 4): unit vectors (*batch, 3)."""
    return rotation.rotate(rotation.conjugate(orientation), _UP)


def tilt_of(up: ArrayLike) -> Array:
    """The shortest rotation (*batch, 4) with this up (*batch, 3), of any length; upright where it has none."""
    vector = np.asarray(up, float)
    length = np.linalg.norm(vector, axis=-1, keepdims=True)
    tilt = rotation.between(np.where(length > VANISHED, vector, _UP), _UP)
    return np.where(tilt[..., :1] < 0, -tilt, tilt)


def heading_of(orientation: ArrayLike) -> Array:
    """The turn about the world's z (*batch,) [rad] that is left of an orientation (*batch, 4) without its tilt."""
    q = np.asarray(orientation, float)
    return np.asarray(2.0 * np.arctan2(q[..., 3], q[..., 0]))


def turned(tilt: ArrayLike, heading: ArrayLike) -> Array:
    """A tilt (*batch, 4) facing a heading (*batch,) [rad]: orientations (*batch, 4)."""
    return rotation.multiply(rotation.from_axis_angle(_UP, heading), tilt)


def nearest(tilt: ArrayLike, reference: ArrayLike) -> Array:
    """The orientation (*batch, 4) with this tilt that is the least rotation away from a reference (*batch, 4)."""
    return turned(tilt, heading_of(rotation.multiply(reference, rotation.conjugate(tilt))))
