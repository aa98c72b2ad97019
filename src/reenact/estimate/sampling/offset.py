"""The seed that samples are drawn around: the reference's pose offset by what plain tracking misses [L10] §3.2.3."""

from __future__ import annotations

import numpy as np

from reenact.geometry.rotation import Array

LIMIT = 0.5  # [rad]; a limb that is held back by the ground would ask for any offset


def offset_of(reached: Array, wanted: Array, *, gain: float = 1.0, limit: float = LIMIT) -> Array:
    """Offsets (m, A) [rad] of the target angles, from the angles (m, A) that tracking reached and those wanted (A,).

    Approximates the torque against gravity that a servo cannot give without an error. Zero where tracking diverged.
    """
    missed = np.where(np.isfinite(reached), wanted - reached, 0.0)
    return gain * np.clip(missed, -limit, limit)
