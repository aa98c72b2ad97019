"""A simulated motion filtered for the eye [L10] §5: no longer what the physics did, and marked so."""

from __future__ import annotations

import numpy as np
from scipy.signal import butter, sosfiltfilt

from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

CUTOFF = 6.0  # [Hz]
_ORDER = 4


def check_cutoff(cutoff: float, rate: float) -> None:
    """Refuse a frequency [Hz] that a motion at `rate` Hz cannot be filtered at."""
    if not 0.0 < cutoff < 0.5 * rate:
        raise InputError(f"cannot smooth at {cutoff:g} Hz, expected more than 0 and less than {0.5 * rate:g}")


def smoothed(qpos: Array, rate: float, cutoff: float = CUTOFF) -> Array:
    """Poses (T, 7+A) at `rate` Hz through a Butterworth low-pass, forwards and backwards so that nothing lags."""
    check_cutoff(cutoff, rate)
    even = np.concatenate([qpos[:, :3], rotation.unroll(qpos[:, 3:7]), qpos[:, 7:]], axis=1)
    filter_ = butter(_ORDER, cutoff, fs=rate, output="sos")
    pad = min(len(even) - 1, round(rate))
    out = np.asarray(sosfiltfilt(filter_, even, axis=0, padlen=pad))
    out[:, 3:7] = rotation.normalize(out[:, 3:7])
    return out
