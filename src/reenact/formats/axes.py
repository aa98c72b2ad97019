"""Between the axes of a file and the z-up axes used inside, by whole right angles: no digit is lost."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from reenact.errors import InputError
from reenact.geometry.rotation import Array

Up = Literal["x", "y", "z"]

# Which component of the file, with which sign, becomes x, y, z inside: y up turns (x, y, z) into (x, −z, y).
_FROM: Final[dict[str, tuple[tuple[int, int, int], tuple[float, float, float]]]] = {
    "x": ((1, 2, 0), (1.0, 1.0, 1.0)),
    "y": ((0, 2, 1), (1.0, -1.0, 1.0)),
    "z": ((0, 1, 2), (1.0, 1.0, 1.0)),
}


def check_overrides(units: float | None, up: str | None) -> None:
    """Refuse a length unit [m] or an up axis, given by the user, that means nothing."""
    if up is not None and up not in _FROM:
        raise InputError(f"up axis {up!r} is not known, expected one of: {', '.join(_FROM)}")
    if units is not None and not 1e-9 < units < 1e9:
        raise InputError(f"length unit {units} m is not usable, expected metres per unit, e.g. 0.01 for centimetres")


def vectors_to_z_up(vectors: ArrayLike, up: Up) -> Array:
    """Vectors (*batch, 3) of a file whose `up` axis is given, in z-up axes."""
    which, signs = _FROM[up]
    return np.asarray(np.asarray(vectors, float)[..., list(which)] * np.array(signs))


def vectors_from_z_up(vectors: ArrayLike, up: Up) -> Array:
    """Inverse of `vectors_to_z_up`."""
    which, signs = _FROM[up]
    return np.asarray((np.asarray(vectors, float) * np.array(signs))[..., np.argsort(which)])


def quaternions_to_z_up(quaternions: ArrayLike, up: Up) -> Array:
    """Rotations (*batch, 4) expressed in z-up axes: their vector part turns like a vector."""
    q = np.asarray(quaternions, float)
    return np.concatenate([q[..., :1], vectors_to_z_up(q[..., 1:], up)], axis=-1)


def quaternions_from_z_up(quaternions: ArrayLike, up: Up) -> Array:
    """Inverse of `quaternions_to_z_up`."""
    q = np.asarray(quaternions, float)
    return np.concatenate([q[..., :1], vectors_from_z_up(q[..., 1:], up)], axis=-1)
