"""The root turned as if it were driven, its torque handed to a hip: Algorithm 1 of [V12], compiled.

1. In a twin of the model, whose root has motors, all constraints are solved: Eq. 4 and 5 together with the contacts.
2. The torque that the root received there is what Eq. 6 forbids.
3. The joint torques are applied as found, and its opposite goes to the swing thigh, through the hip, within its limits.

In the step that is simulated the root has no motor, and the joints' motors are replaced by these torques.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from reenact.physics import job as slip
from reenact.physics.actuation import drive_motors
from reenact.physics.controller import ROWS
from reenact.physics.native import (
    D_EFC_AREF,
    D_EFC_BOUND,
    D_EFC_FORCE,
    D_EFC_ID,
    D_EFC_TYPE,
    D_NE,
    D_NF,
    D_QFRC_APPLIED,
    D_QPOS,
    D_QVEL,
    D_WARMSTART,
    D_XAXIS,
    D_XFRC_APPLIED,
    D_XMAT,
    FRICTION_ROW,
    doubles,
    int_at,
    ints,
    longs,
    mj_step1,
    mj_step2,
    pointer_at,
)
from reenact.physics.state_rows import copy_row

SPIN = 3  # the root's first rotational dof; the rotations are about its own axes


@njit
def hand_over(job: Any) -> None:
    """Solve as if the root were driven, where the controller asks for that in this step, and apply the torques."""
    data, nv, hinges = job[slip.DATA], job[slip.NV], job[slip.HINGE_COUNT]
    applied = doubles(pointer_at(data, D_QFRC_APPLIED))
    for i in range(nv):
        applied[i] = 0.0
    target = doubles(job[slip.TARGET])
    ask = ROWS * hinges
    if target[ask] != 1.0:
        return
    twin = job[slip.TWIN_DATA]
    copy_row(pointer_at(data, D_QPOS), pointer_at(twin, D_QPOS), job[slip.NQ])
    copy_row(pointer_at(data, D_QVEL), pointer_at(twin, D_QVEL), nv)
    copy_row(pointer_at(data, D_WARMSTART), pointer_at(twin, D_WARMSTART), nv)
    copy_row(pointer_at(data, D_XFRC_APPLIED), pointer_at(twin, D_XFRC_APPLIED), 6 * job[slip.NBODY])
    mj_step1(job[slip.TWIN_MODEL], twin)
    drive_motors(job, twin)
    _drive_root(job, twin, target, ask + 1)
    mj_step2(job[slip.TWIN_MODEL], twin)
    _torques(job, twin, applied)
    _react(job, data, applied, int(target[ask + 4]))
    for i in range(6):
        applied[i] = 0.0
    bound, kind = doubles(pointer_at(data, D_EFC_BOUND)), ints(pointer_at(data, D_EFC_TYPE))
    first = int_at(data, D_NE)
    for row in range(first, first + int_at(data, D_NF)):
        if kind[row] == FRICTION_ROW:
            bound[row] = 0.0


@njit
def _drive_root(job: Any, twin: Any, target: Any, wish: Any) -> None:
    """Aim the rows of the root's rotations at the wanted angular velocity."""
    timestep, root = doubles(job[slip.TIMESTEP])[0], job[slip.ROOT_BODY]
    turn = doubles(pointer_at(twin, D_XMAT) + 72 * root)
    aref, qvel = doubles(pointer_at(twin, D_EFC_AREF)), doubles(pointer_at(twin, D_QVEL))
    dof, kind = ints(pointer_at(twin, D_EFC_ID)), ints(pointer_at(twin, D_EFC_TYPE))
    first = int_at(twin, D_NE)
    for row in range(first, first + int_at(twin, D_NF)):
        i = dof[row] - SPIN
        if kind[row] != FRICTION_ROW or i < 0 or i > 2:
            continue
        own = turn[i] * target[wish] + turn[3 + i] * target[wish + 1] + turn[6 + i] * target[wish + 2]
        aref[row] = (own - qvel[SPIN + i]) / timestep


@njit
def _torques(job: Any, twin: Any, out: Any) -> None:
    """Forces of the twin's motors by dof; the root's among them."""
    dof, kind = ints(pointer_at(twin, D_EFC_ID)), ints(pointer_at(twin, D_EFC_TYPE))
    force, first = doubles(pointer_at(twin, D_EFC_FORCE)), int_at(twin, D_NE)
    for row in range(first, first + int_at(twin, D_NF)):
        if kind[row] == FRICTION_ROW:
            out[dof[row]] = force[row]


@njit
def _react(job: Any, data: Any, torque: Any, hip: Any) -> None:
    """Give the opposite of the root's torque to the thigh below a hip, within the limits of its hinges."""
    turn = doubles(pointer_at(data, D_XMAT) + 72 * job[slip.ROOT_BODY])
    axis = doubles(pointer_at(data, D_XAXIS))
    joint, dof, limit = longs(job[slip.HINGE_JOINT]), longs(job[slip.HINGE_DOF]), doubles(job[slip.TORQUE_LIMIT])
    for i in range(hip, hip + 3):
        reaction = 0.0
        for j in range(3):
            along = turn[3 * j] * torque[SPIN] + turn[3 * j + 1] * torque[SPIN + 1] + turn[3 * j + 2] * torque[SPIN + 2]
            reaction += along * axis[3 * joint[i] + j]
        torque[dof[i]] = min(limit[i], max(-limit[i], torque[dof[i]] - reaction))
