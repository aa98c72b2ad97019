"""Poses as vectors that can be averaged, and back; [V12] §4.1.2 with its footnote 3.

"sine_cosine": the world's up seen from the root (3), then sine and cosine of every hinge (2A). Angles do not wrap and
nothing is singular, upside down included. Deviation: the paper has the root's whole orientation in its pose; here the
heading is left out, for a walk to the north is the same walk.
"plain": the root's tilt about its own x and y (2), as a rotation vector [rad], then the angles (A) [rad]. For the model
that knows no activity, whose coefficients are to be read as angles.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.priors.hinges import Hinges
from reenact.priors.root import VANISHED, tilt_of, up_of

Encoding = Literal["sine_cosine", "plain"]
ENCODINGS: Final[tuple[Encoding, ...]] = get_args(Encoding)
_UNIT = 1e-6  # how far a root quaternion's length may be off 1


class Pose(NamedTuple):
    """How a body is bent and leans; where it is and which way it faces is left open."""

    angles: Array  # (*batch, A) [rad], within the limits
    tilt: Array  # (*batch, 4) orientation of the root at heading zero, see `root`


def feature_names(hinges: Hinges, encoding: Encoding) -> tuple[str, ...]:
    """What the D numbers of an encoded pose are."""
    if encoding == "plain":
        return ("root_tilt_x", "root_tilt_y", *hinges.names)
    return ("root_up_x", "root_up_y", "root_up_z", *(f"{n}_{f}" for n in hinges.names for f in ("sin", "cos")))


def encode(qpos: ArrayLike, encoding: Encoding, hinges: Hinges) -> Array:
    """Vectors (*batch, D) of poses (*batch, 7 + A): root position (unused), root quaternion wxyz, angles."""
    poses = np.asarray(qpos, float)
    _check_poses(poses, len(hinges.names))
    up, angles = up_of(poses[..., 3:7]), poses[..., 7:]
    if encoding == "plain":
        return np.concatenate([rotation.to_rotvec(tilt_of(up))[..., :2], angles], axis=-1)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return np.concatenate([up, pairs.reshape(*angles.shape[:-1], -1)], axis=-1)


def decode(vectors: ArrayLike, encoding: Encoding, hinges: Hinges) -> Pose:
    """The poses that vectors (*batch, D) mean, angles brought within the hinges' limits.

    A sine and a cosine need not lie on the unit circle: their direction is the angle, and where both vanish the
    angle is zero. Angles come out within half a turn of the middle of their range, so that a limit that is passed
    is the limit that clamps.
    """
    values = np.asarray(vectors, float)
    low, high = hinges.limits.T
    if encoding == "plain":
        flat = np.zeros((*values.shape[:-1], 1))
        lean = rotation.from_rotvec(np.concatenate([values[..., :2], flat], axis=-1))
        return Pose(angles=np.clip(values[..., 2:], low, high), tilt=tilt_of(up_of(lean)))
    pairs = values[..., 3:].reshape(*values.shape[:-1], -1, 2)
    sine, cosine = pairs[..., 0], pairs[..., 1]
    middle = 0.5 * (low + high)
    away = np.where(np.hypot(sine, cosine) > VANISHED, np.arctan2(sine, cosine), 0.0) - middle
    angles = middle + away - 2.0 * np.pi * np.round(away / (2.0 * np.pi))
    return Pose(angles=np.clip(angles, low, high), tilt=tilt_of(values[..., :3]))


def _check_poses(poses: Array, hinges: int) -> None:
    if poses.shape[-1:] != (7 + hinges,):
        raise InputError(f"poses have shape {poses.shape}, expected (..., {7 + hinges}) for {hinges} hinges")
    if not np.isfinite(poses).all():
        raise InputError("poses hold values that are not finite")
    if poses.size and np.abs(np.linalg.norm(poses[..., 3:7], axis=-1) - 1.0).max() > _UNIT:
        raise InputError("root quaternions of poses must have length 1")
