"""The root turned as if it were driven, its torque handed to a hip: Algorithm 1 of [V12], compiled.

1. In a twin of the model, whose root has motors, all constraints are solved: Eq. 4 and 5 together with the contacts.
2. The torque that the root received there is what Eq. 6 forbids.
3. Its opposite goes to the swing thigh: the hip's torque is what its motor gave in the twin, less the root's, within
   the limits of its hinges.

In the step that is simulated the root has no motor and that hip's motors are replaced by these torques, so that what
turns the root is a joint torque. All other motors stay constraints, solved together with the contacts.

Deviation: the paper applies all torques as found. Then no joint answers to what the thigh does with its torque, and a
run is lost sooner. Deviation: a share of the root's torque may be handed over, all of it being the paper's. A leg in
the air has nothing to press against: what the root is spared it must spin up itself (docs/notes/states_root.md).
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
HIP = 3  # hinges of a hip


@njit
def hand_over(job: Any) -> None:
    """Solve as if the root were driven, where the controller asks for that in this step, and give the hip its torques.

    To be called when the motors of the step to simulate are aimed.
    """
    data, nv, hinges = job[slip.DATA], job[slip.NV], job[slip.HINGE_COUNT]
    applied = doubles(pointer_at(data, D_QFRC_APPLIED))
    for i in range(nv):
        applied[i] = 0.0
    target = doubles(job[slip.TARGET])
    ask = ROWS * hinges
    if not target[ask] > 0.0:
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
    _give(job, data, twin, applied, int(target[ask + 4]), target[ask])


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
def _give(job: Any, data: Any, twin: Any, applied: Any, hip: Any, share: Any) -> None:
    """Replace the motors of a hip by torques: those of the twin's motors, less a share of what its root received."""
    x, y, z = _root_torque(job, twin)
    axis, force = doubles(pointer_at(data, D_XAXIS)), doubles(pointer_at(twin, D_EFC_FORCE))
    joint, hinge_of, limit = longs(job[slip.HINGE_JOINT]), longs(job[slip.DOF_HINGE]), doubles(job[slip.TORQUE_LIMIT])
    dof, kind = ints(pointer_at(twin, D_EFC_ID)), ints(pointer_at(twin, D_EFC_TYPE))
    first = int_at(twin, D_NE)
    for row in range(first, first + int_at(twin, D_NF)):
        i = hinge_of[dof[row]]
        if kind[row] == FRICTION_ROW and hip <= i < hip + HIP:
            a = 3 * joint[i]
            reaction = x * axis[a] + y * axis[a + 1] + z * axis[a + 2]
            applied[dof[row]] = min(limit[i], max(-limit[i], force[row] - share * reaction))
    dof, kind = ints(pointer_at(data, D_EFC_ID)), ints(pointer_at(data, D_EFC_TYPE))
    bound, first = doubles(pointer_at(data, D_EFC_BOUND)), int_at(data, D_NE)
    for row in range(first, first + int_at(data, D_NF)):
        if kind[row] == FRICTION_ROW and hip <= hinge_of[dof[row]] < hip + HIP:
            bound[row] = 0.0


@njit
def _root_torque(job: Any, twin: Any) -> Any:
    """The torque that the twin's root received from its motors, in the world [N·m]."""
    turn = doubles(pointer_at(twin, D_XMAT) + 72 * job[slip.ROOT_BODY])
    dof, kind = ints(pointer_at(twin, D_EFC_ID)), ints(pointer_at(twin, D_EFC_TYPE))
    force, first = doubles(pointer_at(twin, D_EFC_FORCE)), int_at(twin, D_NE)
    x, y, z = 0.0, 0.0, 0.0
    for row in range(first, first + int_at(twin, D_NF)):
        i = dof[row] - SPIN
        if kind[row] == FRICTION_ROW and 0 <= i <= 2:
            x += turn[i] * force[row]
            y += turn[3 + i] * force[row]
            z += turn[6 + i] * force[row]
    return x, y, z
