"""The pose to stand in after a recording that ends at rest on both feet: its last one, feet flat, weight on both.

A person at rest may stand on one leg, heels off the ground, or be about to go on; nobody stands so for long without
seeing to it. The pose is the one nearest to the last frame in which both soles lie on the ground where the feet are,
turned as they are, with the centre of mass well within them.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Final

import mujoco
import numpy as np

from reenact.body.mjcf import bare_model
from reenact.control.machine.limbs import Leg
from reenact.estimate.states.gait import stride
from reenact.estimate.states.task import Task
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.physics.model import Model
from reenact.world.ground import ground_height

NEAR: Final = 0.2  # [m] that an ankle may be higher than when its sole is on the ground
HIGH: Final = 0.7  # of the root's height in the rest pose
UPRIGHT: Final = 0.7  # cosine of the root's tilt
ALONG: Final = (0.3, 0.4)  # of the sole from heel to toe tip: where the COM is to be, a little ahead of the ankles
ASIDE: Final = 0.1  # of the distance between the feet: how far from their middle it may be
STEPS, PULL, TRUNK = 40, 0.05, 0.3  # of the least squares; weights of the hinges' and the root's change


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rest:
    """A pose to stand in, and where the COM is over the feet then."""

    qpos: Array  # (7+A,)
    place: tuple[float, float]  # [m] along the feet and to their left, from the middle of the ankles


def rest_of(task: Task) -> Rest | None:
    """The pose to stand in after a recording; None where it does not end at rest, upright, on two feet on the level.

    Nor where it is a gait, which is to go on, or where the body has no landmarks at heels and toe tips. On a slope that
    carries the body down, the one it would stand in on the level, turned with the slope.
    """
    reference, model = task.reference, task.model
    if len(task.limbs.legs) != 2 or not set(_ends(task.limbs.legs[0])) <= model.body.landmarks.keys():
        return None
    if not reference.ends_at_rest or stride(task.strikes, reference.rate) is not None:
        return None
    last, bare, glide = reference.qpos[-1], laden(model), reference.glide
    end = (reference.frames - 1) / reference.rate
    last = last if glide is None else glide.level(last, end)
    data = _posed(bare, last)
    ankles = np.array([data.xpos[1 + leg.foot] for leg in task.limbs.legs])
    ground = ground_height(model.world, ankles[:, 0], ankles[:, 1]) if glide is None else np.zeros(len(ankles))
    sole = _posed(bare, bare.qpos0).xpos[1 + task.limbs.legs[0].foot, 2]
    up = data.xmat[1].reshape(3, 3)[2, 2]
    if (model.world.ground.slope_deg != 0.0 and glide is None) or ground.max() - ground.min() > 1e-3:
        return None
    if up < UPRIGHT or last[2] - ground[0] < HIGH * bare.qpos0[2] or (ankles[:, 2] - ground - sole > NEAR).any():
        return None
    ankles[:, 2] = ground + sole
    found = _settled(task, bare, last, ankles)
    if glide is None:
        return found
    there = glide.carried(found.qpos, end)
    x, y = over_feet(task, there)[0]
    return Rest(qpos=there, place=(float(x), float(y)))


def over_feet(task: Task, qpos: Array) -> tuple[Array, float]:
    """Where the COM is (2,) from the middle of both ankles, along the feet and to their left; their distance [m]."""
    return _over_feet(_posed(laden(task.model), qpos), task.limbs.legs)


def laden(model: Model) -> mujoco.MjModel:
    """The body alone, with the mass of what it carries."""
    bare, own = bare_model(model.body), model.segment_body
    if not model.world.attachments:
        return bare
    bare, there = copy.copy(bare), slice(1, 1 + len(own))
    bare.body_mass[there], bare.body_ipos[there] = model.mj.body_mass[own], model.mj.body_ipos[own]
    mujoco.mj_setConst(bare, mujoco.MjData(bare))
    return bare


def _settled(task: Task, bare: mujoco.MjModel, last: Array, ankles: Array) -> Rest:
    """Damped least squares from the last pose: feet where they are to be, the COM over them, little else changed."""
    legs, qpos = task.limbs.legs, last.copy()
    place, apart = over_feet(task, last)
    heel, toe = _sole(task)
    low, high = (heel + share * (toe - heel) for share in ALONG)
    wanted = np.clip(place, [low, -ASIDE * apart], [high, ASIDE * apart])
    feet = [_level(_posed(bare, last).xmat[1 + leg.foot].reshape(3, 3)) for leg in legs]
    soles = [[1 + i for i, part in enumerate(task.limbs.part_of) if part == leg.part] for leg in legs]  # toes too
    weights = np.concatenate([np.zeros(3), np.full(3, TRUNK), np.full(bare.nv - 6, PULL)])
    for _ in range(STEPS):
        data = _posed(bare, qpos)
        back = np.zeros(bare.nv)
        mujoco.mj_differentiatePos(bare, back, 1.0, qpos, last)
        rows, wishes = [np.diag(weights)], [weights * back]
        for leg, ankle, foot, sole in zip(legs, ankles, feet, soles, strict=True):
            for own in sole:
                place_by, turn_by = np.zeros((3, bare.nv)), np.zeros((3, bare.nv))
                mujoco.mj_jacBody(bare, data, place_by, turn_by, own)
                rows.append(turn_by)
                wishes.append(rotation.to_rotvec(rotation.from_matrix(foot @ data.xmat[own].reshape(3, 3).T)))
                if own == 1 + leg.foot:
                    rows.append(place_by)
                    wishes.append(ankle - data.xpos[own])
        com_by = np.zeros((3, bare.nv))
        mujoco.mj_jacSubtreeCom(bare, data, com_by, 1)
        x = feet[0][:2, 0] + feet[1][:2, 0]
        x = x / np.linalg.norm(x)
        target = ankles[:, :2].mean(axis=0) + wanted[0] * x + wanted[1] * np.array([-x[1], x[0]])
        rows.append(com_by[:2])
        wishes.append(target - data.subtree_com[1, :2])
        step = np.linalg.lstsq(np.concatenate(rows), np.concatenate(wishes), rcond=None)[0]
        mujoco.mj_integratePos(bare, qpos, np.clip(step, -0.3, 0.3), 1.0)
    found = over_feet(task, qpos)[0]
    return Rest(qpos=qpos, place=(float(found[0]), float(found[1])))


def _posed(bare: mujoco.MjModel, qpos: Array) -> mujoco.MjData:
    data = mujoco.MjData(bare)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(bare, data)
    mujoco.mj_comPos(bare, data)
    return data


def _over_feet(data: mujoco.MjData, legs: tuple[Leg, ...]) -> tuple[Array, float]:
    left, right = (data.xpos[1 + leg.foot, :2] for leg in legs)
    x = sum(data.xmat[1 + leg.foot].reshape(3, 3)[:2, 0] for leg in legs)
    x = x / max(float(np.linalg.norm(x)), 1e-6)
    off = data.subtree_com[1, :2] - 0.5 * (left + right)
    return np.array([off @ x, x[0] * off[1] - x[1] * off[0]]), float(np.linalg.norm(left - right))


def _sole(task: Task) -> tuple[float, float]:
    """How far the heel and the toe tip are ahead of the ankle in the rest pose [m]."""
    body, leg = task.model.body, task.limbs.legs[0]
    data = _posed(bare_model(body), bare_model(body).qpos0)
    ends = []
    for name in _ends(leg):
        segment, point = body.landmarks[name]
        own = 1 + body.segment_names.index(segment)
        there = data.xpos[own] + data.xmat[own].reshape(3, 3) @ point
        ends.append(float(there[0] - data.xpos[1 + leg.foot, 0]))
    return ends[0], ends[1]


def _ends(leg: Leg) -> tuple[str, str]:
    """Landmarks at both ends of a sole."""
    return f"heel_{leg.side}", f"toe_tip_{leg.side}"


def _level(turn: Array) -> Array:
    """The orientation (3, 3) of a foot flat on the ground that points where this one does."""
    heading = np.arctan2(turn[1, 0], turn[0, 0])
    c, s = np.cos(heading), np.sin(heading)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
