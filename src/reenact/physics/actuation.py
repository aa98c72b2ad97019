"""How a target moves the hinges: bounded velocity motors as friction rows, or servos."""

from __future__ import annotations

from typing import Any

from numba import njit

from reenact.physics import job as slip
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, STRENGTH, share_per_step
from reenact.physics.native import (
    D_CTRL,
    D_EFC_AREF,
    D_EFC_BOUND,
    D_EFC_FORCE,
    D_EFC_ID,
    D_EFC_TYPE,
    D_NE,
    D_NF,
    D_NL,
    D_QFRC_ACTUATOR,
    D_QFRC_APPLIED,
    FRICTION_ROW,
    LIMIT_ROW,
    doubles,
    int_at,
    ints,
    longs,
    pointer_at,
)
from reenact.physics.state_rows import copy_row


@njit
def drive_motors(job: Any, data: Any) -> None:
    """Motor: aim the friction rows of the hinges in engine data at the wanted velocities, [V12] Eq. 4–5 and 15.

    A friction row pushes towards its reference acceleration within ± its bound, solved together with the contacts.
    Rows of other dofs stay as the engine made them; that the root has none is checked when the model is compiled.
    """
    hinges = job[slip.HINGE_COUNT]
    timestep = doubles(job[slip.TIMESTEP])[0]
    target = doubles(job[slip.TARGET])
    s = doubles(job[slip.SENSE])
    angle, rate = part.angles(s), part.rates(s)
    ne, nf = int_at(data, D_NE), int_at(data, D_NF)
    aref = doubles(pointer_at(data, D_EFC_AREF))
    bound = doubles(pointer_at(data, D_EFC_BOUND))
    dof, kind = ints(pointer_at(data, D_EFC_ID)), ints(pointer_at(data, D_EFC_TYPE))
    hinge_of = longs(job[slip.DOF_HINGE])
    for row in range(ne, ne + nf):
        if kind[row] != FRICTION_ROW:
            continue
        i = hinge_of[dof[row]]
        if i < 0:
            continue
        share = share_per_step(target[GAIN * hinges + i], timestep)
        wanted = share * (target[ANGLE * hinges + i] - s[angle + i]) / timestep + target[RATE * hinges + i]
        aref[row] = (wanted - s[rate + i]) / timestep
        if target[STRENGTH * hinges + i] != 1.0:
            bound[row] *= target[STRENGTH * hinges + i]


@njit
def drive_servos(job: Any) -> None:
    """Servo: the control value that makes kp·(ctrl − q) − kd·v the wanted g·kp·(q_d − q) + kd·(v_d − v).

    The engine integrates the damping kd implicitly, so g scales the stiffness alone.
    """
    data, hinges = job[slip.DATA], job[slip.HINGE_COUNT]
    target = doubles(job[slip.TARGET])
    s = doubles(job[slip.SENSE])
    angle = part.angles(s)
    actuator = longs(job[slip.HINGE_ACTUATOR])
    kp, kd = doubles(job[slip.SERVO_KP]), doubles(job[slip.SERVO_KD])
    ctrl = doubles(pointer_at(data, D_CTRL))
    for i in range(hinges):
        gain, wanted = target[GAIN * hinges + i], target[ANGLE * hinges + i]
        if gain != 1.0:
            wanted = s[angle + i] + gain * (wanted - s[angle + i])
        ctrl[actuator[i]] = wanted + kd[i] / kp[i] * target[RATE * hinges + i]


@njit
def joint_torques(job: Any, k: Any) -> None:
    """Record the joint torques of step k: the forces of the hinges' friction rows, or of the actuators."""
    data, nv = job[slip.DATA], job[slip.NV]
    out = doubles(job[slip.TORQUE_OUT] + 8 * nv * k)
    if job[slip.MOTOR] != 1:
        copy_row(pointer_at(data, D_QFRC_ACTUATOR), job[slip.TORQUE_OUT] + 8 * nv * k, nv)
        return
    ne, nf = int_at(data, D_NE), int_at(data, D_NF)
    dof, kind = ints(pointer_at(data, D_EFC_ID)), ints(pointer_at(data, D_EFC_TYPE))
    force = doubles(pointer_at(data, D_EFC_FORCE))
    hinge_of, applied = longs(job[slip.DOF_HINGE]), doubles(pointer_at(data, D_QFRC_APPLIED))
    for i in range(nv):
        out[i] = 0.0
    for row in range(ne, ne + nf):
        if kind[row] == FRICTION_ROW and hinge_of[dof[row]] >= 0:
            out[dof[row]] = force[row] + applied[dof[row]]


@njit
def add_efforts(job: Any, candidate: Any) -> None:
    """Add (torque / bound)² of this step to the candidate's sum for each hinge."""
    data, hinges = job[slip.DATA], job[slip.HINGE_COUNT]
    out, limit = doubles(job[slip.EFFORT_OUT] + 8 * hinges * candidate), doubles(job[slip.TORQUE_LIMIT])
    if job[slip.MOTOR] != 1:
        torque, dofs = doubles(pointer_at(data, D_QFRC_ACTUATOR)), longs(job[slip.HINGE_DOF])
        for i in range(hinges):
            out[i] += (torque[dofs[i]] / limit[i]) ** 2
        return
    ne, nf = int_at(data, D_NE), int_at(data, D_NF)
    dof, kind = ints(pointer_at(data, D_EFC_ID)), ints(pointer_at(data, D_EFC_TYPE))
    force = doubles(pointer_at(data, D_EFC_FORCE))
    hinge_of, applied = longs(job[slip.DOF_HINGE]), doubles(pointer_at(data, D_QFRC_APPLIED))
    for row in range(ne, ne + nf):
        if kind[row] == FRICTION_ROW and hinge_of[dof[row]] >= 0:
            i = hinge_of[dof[row]]
            out[i] += ((force[row] + applied[dof[row]]) / limit[i]) ** 2


@njit
def stop_torques(job: Any, k: Any) -> None:
    """Record the torques of the joint limits in step k: a limit's force pushes its hinge back towards the middle."""
    data, nv = job[slip.DATA], job[slip.NV]
    out = doubles(job[slip.STOP_OUT] + 8 * nv * k)
    for i in range(nv):
        out[i] = 0.0
    first = int_at(data, D_NE) + int_at(data, D_NF)
    last = first + int_at(data, D_NL)
    joint, kind = ints(pointer_at(data, D_EFC_ID)), ints(pointer_at(data, D_EFC_TYPE))
    force = doubles(pointer_at(data, D_EFC_FORCE))
    middle, dof = doubles(job[slip.HINGE_MIDDLE]), longs(job[slip.HINGE_DOF])
    s = doubles(job[slip.SENSE])
    angle = part.angles(s)
    for row in range(first, last):
        if kind[row] == LIMIT_ROW:
            i = longs(job[slip.JOINT_HINGE])[joint[row]]
            if i >= 0:
                out[dof[i]] += force[row] if s[angle + i] < middle[i] else -force[row]
