"""The ground force that a recorded motion implies, by inverse dynamics, and how it compares with force plates.

No contact model takes part: whatever force the root would need to move as recorded must have come from the ground.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
from scipy.signal import butter, sosfiltfilt

from reenact.body.body import Body
from reenact.body.mjcf import bare_model
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.clip import Table
from reenact.motion.motion import velocities

GRAVITY = 9.81  # [m/s²]


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundReaction:
    """What the ground does to the whole body."""

    time: Array  # (T,) [s]
    force: Array  # (T, 3) world [N]
    moment: Array  # (T, 3) about the world's origin [N·m]

    def centre_of_pressure(self, least: float = 50.0) -> Array:
        """Point of the floor z = 0 where the force acts without tipping moment, (T, 3); NaN under `least` newtons."""
        fz = np.where(self.force[:, 2] > least, self.force[:, 2], np.nan)
        return np.stack([-self.moment[:, 1] / fz, self.moment[:, 0] / fz, 0 * fz], axis=-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far two force curves agree, over the frames compared."""

    correlation: float
    rms: float  # root mean square difference, per body weight
    frames: int


def low_pass(values: Array, rate: float, cutoff: float) -> Array:
    """Zero-phase fourth-order Butterworth along the first axis, (T, ...); `cutoff` and `rate` in Hz."""
    if len(values) < 16:
        raise InputError(f"{len(values)} frames are too few to filter, expected at least 16")
    if cutoff >= rate / 2:
        return values
    sections = butter(2, cutoff, fs=rate, output="sos")  # forward and backward: order 4
    return np.asarray(sosfiltfilt(sections, values, axis=0))


def ground_reaction(body: Body, qpos: Array, rate: float, *, cutoff: float) -> GroundReaction:
    """Ground force and moment under a motion, qpos (T, 7+A) at `rate` Hz, filtered at `cutoff` Hz first.

    Newton–Euler over the whole tree: the generalised force on the free root, with no actuation and no contact, is the
    external wrench that the motion needs.
    """
    model = bare_model(body)
    data = mujoco.MjData(model)
    smooth = np.concatenate([low_pass(qpos[:, :3], rate, cutoff), _low_pass_turns(qpos[:, 3:7], rate, cutoff)], axis=1)
    smooth = np.concatenate([smooth, low_pass(qpos[:, 7:], rate, cutoff)], axis=1)
    velocity = velocities(smooth, rate)
    acceleration = np.gradient(velocity, 1.0 / rate, axis=0)
    force, moment = np.empty((len(qpos), 3)), np.empty((len(qpos), 3))
    for k, (q, v, a) in enumerate(zip(smooth, velocity, acceleration, strict=True)):
        data.qpos[:], data.qvel[:], data.qacc[:] = q, v, a
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        need = np.zeros(model.nv)
        mujoco.mj_rne(model, data, 1, need)
        force[k] = need[:3]  # the free joint's translation is in the world, its rotation in the root's frame
        moment[k] = rotation.rotate(q[3:7], need[3:6]) + np.cross(q[:3], need[:3])
    return GroundReaction(time=np.arange(len(qpos)) / rate, force=force, moment=moment)


def plate_forces(table: Table) -> tuple[Array, Array]:
    """Forces of all plates in an OpenSim table, z up: (T, P, 3) [N], and their times (T,) [s].

    Columns are named …_v{x,y,z} ("ground_force_1_vy", "R_ground_force_vy") with y up.
    """
    stems = [c[:-2] for c in table.columns if c.endswith("vy") and "force" in c]
    if not stems:
        raise InputError(f"table '{table.name}' has no plate forces; columns: {', '.join(table.columns)}")
    x, y, z = ([table.column(stem + axis) for stem in stems] for axis in ("vx", "vy", "vz"))
    return np.stack([np.transpose(x), -np.transpose(z), np.transpose(y)], axis=-1), table.time


def agreement(implied: Array, measured: Array, weight: float) -> Agreement:
    """Compare two curves (T,) [N] where both are finite; `weight` [N] scales the difference."""
    seen = np.isfinite(implied) & np.isfinite(measured)
    if seen.sum() < 16:
        raise InputError(f"only {int(seen.sum())} frames are measured by the plates, expected at least 16")
    a, b = implied[seen], measured[seen]
    return Agreement(
        correlation=float(np.corrcoef(a, b)[0, 1]),
        rms=float(np.sqrt(np.mean((a - b) ** 2)) / weight),
        frames=int(seen.sum()),
    )


def _low_pass_turns(turns: Array, rate: float, cutoff: float) -> Array:
    return rotation.normalize(low_pass(rotation.unroll(turns), rate, cutoff))
