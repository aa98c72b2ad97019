"""Has a search lost its motion? Then going on is in vain and it is better to go back."""

from __future__ import annotations

import numpy as np

from reenact.estimate.sampling.features import Features
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

SUNK = 0.12  # of stature: a centre of mass that far below or above the reference's
TURNED = 1.0  # [rad]: a root turned that far from the reference's


def astray(sample: Features, reference: Features, stature: float) -> Array:
    """How far samples (n,) are from where a motion can still be followed: lost above 1."""
    height = np.abs(sample.com[:, 2] - reference.com[:, 2]) / (SUNK * stature)
    turn = rotation.to_rotvec(rotation.multiply(sample.root, rotation.conjugate(reference.root)))
    return np.asarray(np.maximum(height, np.linalg.norm(turn, axis=-1) / TURNED))
