"""Put a motion, recorded on a level floor, at its start in a world: lifted onto the ground, sunk into nothing."""

from __future__ import annotations

import mujoco
import numpy as np

from reenact.geometry.rotation import Array
from reenact.physics.model import Model
from reenact.physics.state import State
from reenact.world.ground import ground_height

TOLERATED = 0.002  # [m] of overlap with the ground that is left alone at the start; contacts are soft to about this
_ROUNDS = 20


def lift_onto(model: Model, qpos: Array) -> float:
    """How much higher [m] a pose (7+A,) recorded on the plane z = 0 must stand so that it overlaps nothing."""
    data = mujoco.MjData(model.mj)
    used = len(qpos)
    lift = _ground_under(model, data, qpos)
    for _ in range(_ROUNDS):
        data.qpos[:] = model.mj.qpos0
        data.qpos[:used] = qpos
        data.qpos[2] += lift
        mujoco.mj_fwdPosition(model.mj, data)
        deepest = _overlap(model, data)
        if deepest <= TOLERATED:
            break
        lift += deepest
    return lift


def start_state(model: Model, qpos: Array, qvel: Array) -> State:
    """The state in which the body has a pose (7+A,) and velocities (6+A,), and all else is at rest."""
    position, velocity = model.mj.qpos0.copy(), np.zeros(model.mj.nv)
    position[: len(qpos)] = qpos
    velocity[: len(qvel)] = qvel
    return State(qpos=position, qvel=velocity)


def _ground_under(model: Model, data: mujoco.MjData, qpos: Array) -> float:
    """The highest ground under the body's landmarks that stand lowest, e.g. under heels and toes."""
    data.qpos[: len(qpos)] = qpos
    mujoco.mj_kinematics(model.mj, data)
    names = model.body.segment_names
    points = np.array(
        [
            data.xpos[b] + data.xmat[b].reshape(3, 3) @ point
            for segment, point in model.body.landmarks.values()
            for b in (model.segment_body[names.index(segment)],)
        ]
    ).reshape(-1, 3)
    if not len(points):
        points = data.xpos[model.segment_body]
    low = points[points[:, 2] <= points[:, 2].min() + 0.1]
    return float(np.max(ground_height(model.world, low[:, 0], low[:, 1])))


def _overlap(model: Model, data: mujoco.MjData) -> float:
    """How far the body reaches into anything that is not the body [m]."""
    segment = model.geom_segment
    depths = [
        -contact.dist
        for contact in data.contact[: data.ncon]
        if (segment[contact.geom[0]] >= 0) != (segment[contact.geom[1]] >= 0)
    ]
    return max(depths, default=0.0)
