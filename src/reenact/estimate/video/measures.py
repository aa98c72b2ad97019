"""How good a motion found from video is: distances from the truth, feet that slide or sink, jerk.

All take points in the world, (T, J, 3) [m] at an even rate, z up, whatever they come from, so that a simulation, a
network's landmarks and a triangulated reference are measured by the same code. Points that are not known are NaN and do
not count.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import uniform_filter1d

from reenact.geometry.rotation import Array

SLOW: Final = 0.25  # [m/s] of a foot's point below which it is taken to rest
LOW: Final = 0.04  # [m] over its lowest place within which it may rest
SHORTEST: Final = 0.1  # [s] for which it must


def error_cm(found: Array, true: Array) -> float:
    """Mean distance of points (T, J, 3) [cm], in the world, with no alignment [V12] §6."""
    return 100.0 * _mean(np.linalg.norm(found - true, axis=-1))


def aligned_error_cm(found: Array, true: Array, root: NDArray[np.int64] | list[int]) -> float:
    """The same with the middle of the points `root` laid on the true one in every frame."""
    at = [points[:, root].mean(axis=1, keepdims=True) for points in (found, true)]
    return error_cm(found - at[0], true - at[1])


def resting(feet: Array, rate: float) -> NDArray[np.bool_]:
    """Whether points of feet (T, F, 3) rest on the ground, (T, F): low and slow for long enough."""
    speed = np.zeros(feet.shape[:2])
    speed[1:-1] = 0.5 * rate * np.linalg.norm(feet[2:] - feet[:-2], axis=-1)
    speed[0], speed[-1] = speed[1], speed[-2]
    low = feet[..., 2] < np.nanmin(feet[..., 2], axis=0) + LOW
    with np.errstate(invalid="ignore"):
        still = low & (speed < SLOW)
    return _lasting(still, max(1, round(SHORTEST * rate)))


def slide_cm_s(feet: Array, rest: NDArray[np.bool_], rate: float) -> float:
    """Mean speed over the ground [cm/s] of points of feet (T, F, 3) from one frame to the next in both of which they
    rest, (T, F).

    0 where none ever rests.
    """
    speed = 100.0 * rate * np.linalg.norm(np.diff(feet[..., :2], axis=0), axis=-1)
    both = rest[1:] & rest[:-1] & np.isfinite(speed)
    return float(speed[both].mean()) if both.any() else 0.0


def sunk_cm(feet: Array, ground: float = 0.0) -> tuple[float, float]:
    """How deep the lowest of the points (T, F, 3) is in the ground: mean over all frames and greatest [cm]."""
    depth = 100.0 * np.maximum(ground - np.nanmin(feet[..., 2], axis=1), 0.0)
    return float(np.mean(depth)), float(np.max(depth))


def jerk(points: Array, rate: float) -> float:
    """Mean size of the third derivative of points (T, J, 3) by differences [m/s³]; only comparable at equal rates."""
    if len(points) < 4:
        return float("nan")
    return rate**3 * _mean(np.linalg.norm(np.diff(points, n=3, axis=0), axis=-1))


def strikes(feet: Array, rate: float) -> list[tuple[int, float, float]]:
    """When and how long points of feet (T, F, 3) rest: foot, first and last time [s], in order of time."""
    rest = resting(feet, rate)
    out = []
    for foot in range(feet.shape[1]):
        edges = np.flatnonzero(np.diff(np.concatenate([[False], rest[:, foot], [False]]).astype(np.int8)))
        out += [(foot, float(a) / rate, float(b - 1) / rate) for a, b in edges.reshape(-1, 2)]
    return sorted(out, key=lambda one: one[1])


def _lasting(on: NDArray[np.bool_], least: int) -> NDArray[np.bool_]:
    """Runs of True along the first axis that are at least so long."""
    if least <= 1 or len(on) < least:
        return on
    whole = uniform_filter1d(on.astype(float), least, axis=0, mode="constant", origin=-((least - 1) // 2))
    begins = whole > 1.0 - 0.5 / least  # a run of `least` frames begins here
    out = np.zeros_like(on)
    for shift in range(least):
        out[shift:] |= begins[: len(on) - shift]
    return out & on


def _mean(values: Array) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if known.size else float("nan")
