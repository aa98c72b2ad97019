"""Where the bodies of a model are at chosen times, by forward kinematics and interpolation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import unroll

Array = NDArray[np.float64]

LEEWAY = 0.02  # of a frame: a step of 0.00833333 s is meant to be 1/120 s


@dataclass(frozen=True, slots=True, kw_only=True)
class Poses:
    """Frames of B bodies in the world over F displayed frames."""

    position: NDArray[np.float32]  # (F, B, 3) [m]
    orientation: NDArray[np.float32]  # (F, B, 4), signs continuous over time


def display_times(recorded: Array, rate: float) -> Array:
    """Equally spaced instants (F,) [s] over the recorded ones, the first included."""
    count = int(np.floor((recorded[-1] - recorded[0]) * rate + LEEWAY)) + 1
    return np.asarray(recorded[0] + np.arange(count) / rate)


def poses_at(model: mujoco.MjModel, qpos: NDArray[Any], recorded: Array, time: Array) -> Poses:
    """Poses at `time` (F,) of recorded states `qpos` (N, nq): straight lines between two of them, clamped outside."""
    low, high, weight = brackets(recorded, time)
    wanted = np.unique(np.concatenate([low, high]))
    position, orientation = _kinematics(model, np.asarray(qpos, float)[wanted])
    orientation = unroll(orientation)
    a, b = np.searchsorted(wanted, low), np.searchsorted(wanted, high)
    w = weight[:, None, None]
    turned = (1 - w) * orientation[a] + w * orientation[b]
    turned /= np.linalg.norm(turned, axis=-1, keepdims=True)
    placed = (1 - w) * position[a] + w * position[b]
    return Poses(position=placed.astype(np.float32), orientation=turned.astype(np.float32))


def brackets(recorded: Array, time: Array) -> tuple[NDArray[np.intp], NDArray[np.intp], Array]:
    """For each of `time` the recorded samples before and after it, and the weight of the later one."""
    at = np.clip(np.interp(time, recorded, np.arange(len(recorded))), 0, len(recorded) - 1)
    at = np.where(np.abs(at - np.round(at)) < 1e-4, np.round(at), at)  # a recorded instant stays as it was recorded
    low = np.floor(at).astype(np.intp)
    return low, np.minimum(low + (at > low), len(recorded) - 1), at - low


def interpolated(recorded: Array, values: NDArray[Any], time: Array) -> Array:
    """Values (N, ...) at `time` (F,), straight between samples; NaN only where the nearer sample is NaN."""
    low, high, weight = brackets(recorded, time)
    shape = (len(time), *[1] * (values.ndim - 1))
    w, a, b = weight.reshape(shape), values[low], values[high]
    a, b = np.where(np.isnan(a) & (w > 0.5), b, a), np.where(np.isnan(b) & (w < 0.5), a, b)
    return np.asarray((1 - w) * a + w * b)


def character_states(recorded: Array, qpos: NDArray[Any], time: Array, width: int) -> Array:
    """States (F, width) of the character at `time`: the first columns of `qpos` (N, nq), straight between samples."""
    low, high, weight = brackets(recorded, time)
    states = np.asarray(qpos, float)[:, :width]
    a, b, w = states[low], states[high].copy(), weight[:, None]
    b[:, 3:7] *= np.where(np.sum(a[:, 3:7] * b[:, 3:7], axis=-1, keepdims=True) < 0, -1.0, 1.0)  # the shorter way
    out = (1 - w) * a + w * b
    out[:, 3:7] /= np.linalg.norm(out[:, 3:7], axis=-1, keepdims=True)
    return np.asarray(out)


def _kinematics(model: mujoco.MjModel, qpos: Array) -> tuple[Array, Array]:
    """Positions (N, B, 3) and orientations (N, B, 4) of all bodies."""
    data = mujoco.MjData(model)
    position, orientation = np.empty((len(qpos), model.nbody, 3)), np.empty((len(qpos), model.nbody, 4))
    for i, q in enumerate(qpos):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        position[i], orientation[i] = data.xpos, data.xquat
    return position, orientation
