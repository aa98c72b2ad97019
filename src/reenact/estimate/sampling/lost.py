"""Has a search lost its motion? Then going on is in vain and it is better to go back.

What has turned or sunk too far is often mended by trying the same stretch again. A foot beside the beam is not: it was
on its way there for a second or more, so the search goes back farther, and farther each time.
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import minimum_filter1d

from reenact.estimate.sampling.features import Features
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

SUNK = 0.12  # of stature: a centre of mass that far below or above the reference's
TURNED = 1.0  # [rad]: a root turned that far from the reference's
OFF = 0.06  # [m]: an end effector that far below any that the reference has about then, beside a beam or a ledge
ABOUT = 0.5  # [s] before and after


def astray(sample: Features, reference: Features, floor: float, stature: float) -> Array:
    """How far samples (n,) are from where a motion can still be followed: lost above 1.

    floor: height of the reference's lowest end effector about then [m].
    """
    height = np.abs(sample.com[:, 2] - reference.com[:, 2]) / (SUNK * stature)
    turn = rotation.to_rotvec(rotation.multiply(sample.root, rotation.conjugate(reference.root)))
    off = off_ground(sample, floor)
    return np.asarray(np.maximum(np.maximum(height, off), np.linalg.norm(turn, axis=-1) / TURNED))


def off_ground(sample: Features, floor: float) -> Array:
    """How far samples (n,) have a part below the ground that there is for the motion, beside a beam: off it above 1."""
    return np.asarray((floor - sample.tips[..., 2].min(axis=-1)) / OFF)


def floors(tips: Array, rate: float) -> Array:
    """Height (T,) [m] of the lowest of the reference's end effectors (T, k, 3) within `ABOUT` of each frame."""
    return np.asarray(minimum_filter1d(tips[..., 2].min(axis=-1), 2 * round(ABOUT * rate) + 1, mode="nearest"))
