"""The closed loop in plain Python: slow, short, and the yardstick for the native one, which must give the same bits."""

from __future__ import annotations

import math

import mujoco
import numpy as np

from reenact.geometry.rotation import Array
from reenact.physics.controller import ALPHA_RATE, ANGLE, GAIN, RATE, ROWS, STRENGTH, Controller
from reenact.physics.model import Model
from reenact.physics.prepare import Wrenches
from reenact.physics.state import State


def simulate_plainly(
    model: Model, controller: Controller, start: State, steps: int, *, external: Wrenches | None = None
) -> tuple[Array, Array]:
    """qpos (steps+1, nq) and qvel (steps+1, nv) by MuJoCo's Python functions and the controller's Python function.

    Where the controller gives up, by a target of NaN, they end with the last state before.
    """
    mj, data, program = model.mj, mujoco.MjData(model.mj), controller.compile(model)
    data.qpos[:], data.qvel[:], data.time = start.qpos, start.qvel, start.time
    memory, target = np.zeros(program.memory), np.zeros(ROWS * model.hinges)
    target[STRENGTH * model.hinges :] = 1.0
    touch = np.zeros(4 + len(model.segment_body))
    qpos, qvel = [data.qpos.copy()], [data.qvel.copy()]
    plan = None if external is None else external.dense(0, steps, mj.nbody)
    for k in range(steps):
        mujoco.mj_step1(mj, data)
        if plan is not None:
            data.xfrc_applied[:] = plan[k]
        program.function.python(_sense(model, data, touch), program.table, program.params, memory, target)
        if math.isnan(target[0]):
            break
        if model.actuation == "motor":
            _drive_motors(model, data, target)
        elif model.actuation == "servo":
            _drive_servos(model, data, target)
        mujoco.mj_step2(mj, data)
        touch = _touch(model, data)
        qpos.append(data.qpos.copy())
        qvel.append(data.qvel.copy())
    return np.array(qpos), np.array(qvel)


def _drive_motors(model: Model, data: mujoco.MjData, target: Array) -> None:
    h, n = model.timestep, model.hinges
    for row in range(data.ne, data.ne + data.nf):
        i = model.dof_hinge[data.efc_id[row]]
        q, v = data.qpos[model.hinge_qpos[i]], data.qvel[model.hinge_dof[i]]
        alpha = target[GAIN * n + i]
        share = alpha if abs(ALPHA_RATE * h - 1.0) < 1e-9 else 1.0 - math.pow(1.0 - alpha, ALPHA_RATE * h)
        wanted = share * (target[ANGLE * n + i] - q) / h + target[RATE * n + i]
        data.efc_aref[row] = (wanted - v) / h
        data.efc_frictionloss[row] *= target[STRENGTH * n + i]


def _drive_servos(model: Model, data: mujoco.MjData, target: Array) -> None:
    n = model.hinges
    for i in range(n):
        q, gain, wanted = data.qpos[model.hinge_qpos[i]], target[GAIN * n + i], target[ANGLE * n + i]
        if gain != 1.0:
            wanted = q + gain * (wanted - q)
        lead = model.servo_kd[i] / model.servo_kp[i]
        data.ctrl[model.hinge_actuator[i]] = wanted + lead * target[RATE * n + i]


def _sense(model: Model, data: mujoco.MjData, touch: Array) -> Array:
    """A row of senses, see `sense.py`."""
    segments, root = len(model.segment_body), int(model.segment_body[0])
    turn, com = data.xmat[root].reshape(3, 3), data.subtree_com[root]
    local = data.qvel[3:6]
    spin = [turn[i, 0] * local[0] + turn[i, 1] * local[1] + turn[i, 2] * local[2] for i in range(3)]
    head = [data.time, model.timestep, math.floor(data.time / model.timestep + 0.5), model.hinges, segments]
    heading = math.atan2(turn[1, 0], turn[0, 0])
    cop = touch[:3] if touch[3] > 0.0 else com
    parts = [head, data.qpos[:7], data.qvel[:3], spin, [heading], com, _com_velocity(model, data), cop, touch[3:]]
    parts += [data.qpos[model.hinge_qpos], data.qvel[model.hinge_dof]]
    parts += [data.xpos[model.segment_body].ravel(), data.xmat[model.segment_body].ravel()]
    return np.concatenate(parts)


def _com_velocity(model: Model, data: mujoco.MjData) -> Array:
    com = data.subtree_com[model.segment_body[0]]
    momentum, total = np.zeros(3), 0.0
    for b in np.flatnonzero(model.body_mass):
        x, w = data.xipos[b] - com, data.cvel[b, :3]
        spun = np.array([w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2], w[0] * x[1] - w[1] * x[0]])
        momentum += model.body_mass[b] * (data.cvel[b, 3:] + spun)
        total += model.body_mass[b]
    return momentum / total


def _touch(model: Model, data: mujoco.MjData) -> Array:
    """Centre of pressure, upward force and load per segment of the step just done."""
    touch, moment, force = np.zeros(4 + len(model.segment_body)), np.zeros(3), np.zeros(6)
    for k in range(data.ncon):
        contact = data.contact[k]
        a, b = model.geom_segment[contact.geom]
        if contact.efc_address < 0 or (a >= 0) == (b >= 0):
            continue
        mujoco.mj_contactForce(model.mj, data, k, force)
        frame = contact.frame
        up = force[0] * frame[2] + force[1] * frame[5] + force[2] * frame[8]
        up = up if b >= 0 else -up
        touch[4 + max(a, b)] += force[0]
        if up > 0.0:
            touch[3] += up
            moment += up * contact.pos
    if touch[3] > 0.0:
        touch[:3] = moment / touch[3]
    return touch
