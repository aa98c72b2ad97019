"""Ground that does not hold who stands on it: on a slippery slope a recorded motion goes down with it.

A body that glides down without friction falls with its ground. Seen from there weight points straight into the slope,
and all else is as on the level: so the motion is turned with the slope, and carried down at the rate at which bodies
glide. One that stayed where it was recorded, upright, could be followed by nobody.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from reenact.control.clear import clear_of, with_world
from reenact.control.over_ground import Staged, placed
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.motion import Motion
from reenact.physics.model import Model
from reenact.world.plane import plane_orientation

SLIPPERY: Final = 0.3  # of the tangent of a slope: with less friction than that a body glides down nearly freely
SUNK: Final = 0.004  # [m] in the ground: who is so far in it touches it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Glide:
    """How a slope carries what is on it."""

    turn: Array  # (4,) from the level to the slope
    acceleration: Array  # (3,) [m/s²]

    def gone(self, time: ArrayLike) -> Array:
        """How far (…, 3) who starts from rest has been carried by times (…,) [s]."""
        return np.asarray(0.5 * np.asarray(time, float)[..., None] ** 2 * self.acceleration)

    def carried(self, qpos: Array, time: ArrayLike) -> Array:
        """Poses (…, 7 + A) of the level as they are on the slope at times (…,) [s]."""
        out = np.array(qpos, float)
        out[..., :3] = rotation.rotate(self.turn, out[..., :3]) + self.gone(time)
        out[..., 3:7] = rotation.multiply(self.turn, out[..., 3:7])
        return out

    def level(self, qpos: Array, time: ArrayLike) -> Array:
        """Poses (…, 7 + A) on the slope at times (…,) [s] as they would be on the level."""
        out, back = np.array(qpos, float), rotation.conjugate(self.turn)
        out[..., :3] = rotation.rotate(back, out[..., :3] - self.gone(time))
        out[..., 3:7] = rotation.multiply(back, out[..., 3:7])
        return out


def glide_of(model: Model) -> Glide | None:
    """Of a bare slope on which the feet, or what is under them, find no hold; None on any other ground."""
    ground = model.world.ground
    slope = math.radians(ground.slope_deg)
    if model.world.parts or slope <= 0.0:
        return None
    grip = _grip(model)
    if grip is None or grip >= SLIPPERY * math.tan(slope):
        return None
    turn = plane_orientation(ground)
    uphill = math.radians(ground.uphill_deg)
    down = rotation.rotate(turn, -np.array([math.cos(uphill), math.sin(uphill), 0.0]))
    gravity = float(np.linalg.norm(model.mj.opt.gravity))
    return Glide(turn=turn, acceleration=gravity * (math.sin(slope) - grip * math.cos(slope)) * down)


def _grip(model: Model) -> float | None:
    """The greatest friction between the ground and what is lowest in the rest pose; None where nothing touches it."""
    data, turn = mujoco.MjData(model.mj), plane_orientation(model.world.ground)
    pose = model.mj.qpos0[: 7 + model.hinges].copy()
    pose[:3] = rotation.rotate(turn, [0.0, 0.0, float(pose[2])])
    pose[3:7] = rotation.multiply(turn, pose[3:7])
    data.qpos[:] = model.mj.qpos0
    data.qpos[: len(pose)] = pose
    data.qpos[2] += clear_of(model, pose) - SUNK
    mujoco.mj_fwdPosition(model.mj, data)
    return max((float(contact.friction[0]) for contact in with_world(model, data)), default=None)


def gliding(motion: Motion, model: Model, glide: Glide) -> Staged:
    """A motion that starts at the origin of a level floor, on a slope that carries it down from rest."""
    time = np.arange(motion.frames) / motion.rate
    qpos = glide.carried(motion.qpos, time)
    lift = np.array([0.0, 0.0, clear_of(model, qpos[0])])
    qpos[:, :3] += lift
    moved = glide.gone(time) + lift
    joints = rotation.rotate(glide.turn, motion.joints) + moved[:, None]
    return placed(motion, qpos, joints, moved, glide.turn)


def as_level(motion: Motion) -> Motion:
    """The motion as it would be on the level, where a slope has turned it; itself where none has."""
    return levelled(motion) if isinstance(motion, Staged) and motion.turned[0] < 1.0 else motion


def levelled(motion: Staged) -> Staged:
    """The motion back on a level floor at z = 0."""
    back = rotation.conjugate(motion.turned)
    qpos = motion.qpos.copy()
    qpos[:, :3] = rotation.rotate(back, qpos[:, :3] - motion.moved)
    qpos[:, 3:7] = rotation.multiply(back, qpos[:, 3:7])
    joints = rotation.rotate(back, motion.joints - motion.moved[:, None])
    return replace(motion, qpos=qpos, joints=joints, moved=np.zeros_like(motion.moved), turned=rotation.IDENTITY.copy())
