"""Rotations over time as Euler angles that run smoothly, for formats that store angles."""

from __future__ import annotations

import numpy as np

from reenact.geometry import rotation
from reenact.geometry.rotation import Array


def smooth_euler(order: str, turns: Array) -> Array:
    """Angles (T, J, 3) [rad] of rotations (T, J, 4) about the three distinct moving axes of `order`.

    Of all triples that mean a frame's rotation it takes the one next to the frame before.
    """
    angles = rotation.to_euler(order, turns)
    flipped = np.stack([angles[..., 0] + np.pi, np.pi - angles[..., 1], angles[..., 2] + np.pi], axis=-1)
    for frame in range(1, len(angles)):
        before = angles[frame - 1]
        straight = _nearest_turn(angles[frame], before)
        other = _nearest_turn(flipped[frame], before)
        better = np.abs(other - before).sum(axis=-1) < np.abs(straight - before).sum(axis=-1)
        angles[frame] = np.where(better[..., None], other, straight)
    return angles


def single_axis_angles(axis: str, turns: Array) -> Array:
    """Angles (T, J) [rad] of rotations (T, J, 4) that turn about one `axis` only, running smoothly."""
    component = 1 + "xyz".index(axis)
    return np.unwrap(2.0 * np.arctan2(turns[..., component], turns[..., 0]), axis=0)


def turns_about(axis: str, turns: Array, tolerance: float = 1e-9) -> bool:
    """Whether rotations (..., 4) turn about `axis` alone."""
    others = [1 + i for i, letter in enumerate("xyz") if letter != axis]
    return bool(np.all(np.abs(turns[..., others]) <= tolerance))


def _nearest_turn(angles: Array, target: Array) -> Array:
    return np.asarray(angles + 2.0 * np.pi * np.round((target - angles) / (2.0 * np.pi)))
