"""What mechanics says about a simulated motion: centre of mass, momentum, energy, power, zero-moment point.

All of the character alone, with what is attached to it; computed afterwards from the recorded states and forces.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from reenact.geometry.rotation import Array
from reenact.physics.contact_forces import Contacts
from reenact.physics.model import Model

MIN_WEIGHT_SHARE = 0.05  # of body weight: with less upward inertial force the zero-moment point is not defined


@dataclass(frozen=True, slots=True, kw_only=True)
class Mechanics:
    """Of N+1 states and the N steps between them; powers are means over a step."""

    com: Array  # (N+1, 3) world [m]
    com_velocity: Array  # (N+1, 3) [m/s]
    momentum: Array  # (N+1, 3) linear [kg·m/s]
    angular_momentum: Array  # (N+1, 3) about the centre of mass [kg·m²/s]
    kinetic: Array  # (N+1,) [J]
    potential: Array  # (N+1,) of weight, zero at z = 0 [J]
    zmp: Array  # (N, 3) on the height of the centre of pressure [m]; NaN in the air
    torque_power: Array  # (N,) by the joint torques [W]
    contact_power: Array  # (N,) by contacts, own ones included [W]
    stop_power: Array  # (N,) by joint limits [W]
    damping_power: Array  # (N,) by the joints' damping, ≤ 0 [W]
    external_power: Array  # (N,) by declared pushes [W]

    @property
    def energy(self) -> Array:
        """Kinetic and potential energy, (N+1,) [J]."""
        return self.kinetic + self.potential

    def imbalance(self, timestep: float) -> Array:
        """Energy gained in each step beyond the work of all forces, (N,) [J]; vanishes with the step length."""
        power = self.torque_power + self.contact_power + self.stop_power + self.damping_power + self.external_power
        return np.asarray(np.diff(self.energy) - timestep * power)


def mechanics_of(
    model: Model, qpos: Array, qvel: Array, torque: Array, stop: Array, contacts: Contacts, external: Array | None
) -> Mechanics:
    """Mechanics of states qpos (N+1, nq), qvel (N+1, nv) under torques and stops (N, nv) and the recorded contacts."""
    steps = len(qpos) - 1
    own = np.zeros(model.mj.nv)
    own[: 6 + model.hinges] = 1.0
    com, velocity, angular, kinetic = _states(model, qpos, qvel, own)
    middle = 0.5 * (qvel[:-1] + qvel[1:])  # velocity over a step: makes work second-order accurate
    contact_power, external_power = _outer_power(model, qpos, middle, contacts, external)
    damping = model.mj.dof_damping * own
    gravity = -model.mj.opt.gravity[2]
    return Mechanics(
        com=com,
        com_velocity=velocity,
        momentum=model.mass * velocity,
        angular_momentum=angular,
        kinetic=kinetic,
        potential=model.mass * gravity * com[:, 2],
        zmp=_zmp(model, com, velocity, angular, contacts.cop(steps)[:, 2]),
        torque_power=np.sum(torque * middle * own, axis=-1),
        contact_power=contact_power,
        stop_power=np.sum(stop * middle * own, axis=-1),
        damping_power=-np.sum(damping * middle**2, axis=-1),
        external_power=external_power,
    )


def _states(model: Model, qpos: Array, qvel: Array, own: Array) -> tuple[Array, Array, Array, Array]:
    mj, data = model.mj, mujoco.MjData(model.mj)
    root = int(model.segment_body[0])
    com, velocity, angular = (np.empty((len(qpos), 3)) for _ in range(3))
    kinetic = np.empty(len(qpos))
    product = np.empty(mj.nv)
    for k in range(len(qpos)):
        data.qpos[:], data.qvel[:] = qpos[k], qvel[k] * own
        mujoco.mj_kinematics(mj, data)
        mujoco.mj_comPos(mj, data)
        mujoco.mj_makeM(mj, data)
        mujoco.mj_comVel(mj, data)
        mujoco.mj_subtreeVel(mj, data)
        com[k], velocity[k] = data.subtree_com[root], data.subtree_linvel[root]
        angular[k] = data.subtree_angmom[root]
        mujoco.mj_mulM(mj, data, product, data.qvel)
        kinetic[k] = 0.5 * data.qvel @ product
    return com, velocity, angular, kinetic


def _outer_power(
    model: Model, qpos: Array, middle: Array, contacts: Contacts, external: Array | None
) -> tuple[Array, Array]:
    """Power of contacts and of pushes from the velocity of the points where they act."""
    mj, data, steps = model.mj, mujoco.MjData(model.mj), len(middle)
    contact_power, external_power = np.zeros(steps), np.zeros(steps)
    first = np.searchsorted(contacts.step, np.arange(steps + 1))
    root, mine = int(model.segment_body[0]), model.body_segment >= 0
    for k in range(steps):
        rows = slice(first[k], first[k + 1])
        if first[k] == first[k + 1] and external is None:
            continue
        data.qpos[:], data.qvel[:] = qpos[k], middle[k]
        mujoco.mj_kinematics(mj, data)
        mujoco.mj_comPos(mj, data)
        mujoco.mj_comVel(mj, data)
        body = model.segment_body[contacts.segment[rows]]
        arm = contacts.point[rows] - data.subtree_com[root]
        speed = data.cvel[body, 3:] + np.cross(data.cvel[body, :3], arm)
        contact_power[k] = np.sum(contacts.force[rows] * speed)
        if external is not None:
            arm = data.xipos[mine] - data.subtree_com[root]
            speed = data.cvel[mine, 3:] + np.cross(data.cvel[mine, :3], arm)
            external_power[k] = np.sum(external[k, mine, :3] * speed)
            external_power[k] += np.sum(external[k, mine, 3:] * data.cvel[mine, :3])
    return contact_power, external_power


def _zmp(model: Model, com: Array, velocity: Array, angular: Array, height: Array) -> Array:
    """Where the moment of weight and inertia has no horizontal part, on the given heights (N,) [m]."""
    force = model.mass * (np.diff(velocity, axis=0) / model.timestep - model.mj.opt.gravity)  # by the ground
    moment = np.diff(angular, axis=0) / model.timestep  # about the centre of mass
    place = com[:-1]
    drop = place[:, 2] - height
    weight = model.mass * -model.mj.opt.gravity[2]
    carried = np.isfinite(height) & (force[:, 2] > MIN_WEIGHT_SHARE * weight)
    upward = np.where(carried, force[:, 2], np.nan)
    x = place[:, 0] - (force[:, 0] * drop + moment[:, 1]) / upward
    y = place[:, 1] - (force[:, 1] * drop - moment[:, 0]) / upward
    return np.stack([x, y, np.where(carried, height, np.nan)], axis=-1)
