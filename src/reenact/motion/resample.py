"""A motion at another frame rate, smooth between its frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.interpolate import CubicSpline

from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion


def resample(motion: Motion, rate: float) -> Motion:
    """The motion at `rate` frames per second over the same time, by cubic splines.

    The last new frame is the last one that lies within the motion. Joints that were not measured stay so; contacts keep
    their times.
    """
    if not (np.isfinite(rate) and rate > 0):
        raise InputError(f"cannot resample to {rate:g} frames per second")
    frames = int(np.floor(motion.duration * rate + 1e-6)) + 1
    time = np.minimum(np.arange(frames) / rate, motion.duration)
    return replace(read_at(motion, time), rate=rate)


def read_at(motion: Motion, time: Array) -> Motion:
    """The motion read at other times (K,) [s] within it, a frame for each; rate and contacts are left as they were."""
    return replace(
        motion,
        qpos=resample_poses(motion.qpos, motion.rate, time),
        joints=_between(motion.time, motion.joints, time, smooth=False),
        lift=_between(motion.time, motion.lift, time, smooth=False),
    )


def resample_poses(qpos: Array, rate: float, time: Array) -> Array:
    """Poses (T, 7 + A) at `rate` Hz read at other times (K,) [s] within them, giving (K, 7 + A)."""
    clock = np.arange(len(qpos)) / rate
    even = np.concatenate([qpos[:, :3], rotation.unroll(qpos[:, 3:7]), qpos[:, 7:]], axis=1)
    out = _between(clock, even, time, smooth=True)
    out[:, 3:7] = rotation.normalize(out[:, 3:7])
    return out


def _between(clock: Array, values: Array, time: Array, *, smooth: bool) -> Array:
    """Values (T, …) over `clock` read at `time`: by splines, or straight lines, which never overshoot and carry NaN."""
    if len(clock) == 1:
        return np.repeat(values, len(time), axis=0)
    if smooth and len(clock) > 3:
        return np.asarray(CubicSpline(clock, values, axis=0)(time))
    place = np.clip(np.searchsorted(clock, time, side="right") - 1, 0, len(clock) - 2)
    share = (time - clock[place]) / (clock[place + 1] - clock[place])
    share = share.reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray((1.0 - share) * values[place] + share * values[place + 1])
