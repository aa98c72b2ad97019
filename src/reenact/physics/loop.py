"""The native loop: engine, senses, controller, actuation and records, step by step, for a range of candidates."""

from __future__ import annotations

import math
from typing import Any

from numba import njit, types

from reenact.physics import job as slip
from reenact.physics import sense as part
from reenact.physics.actuation import add_efforts, drive_motors, drive_servos, joint_torques, stop_torques
from reenact.physics.handover import hand_over
from reenact.physics.native import (
    D_CTRL,
    D_EFC_AREF,
    D_NE,
    D_QPOS,
    D_QVEL,
    D_WARMSTART,
    D_WARNING,
    D_XFRC_APPLIED,
    INTS,
    WARNINGS,
    call_control,
    doubles,
    int_at,
    longs,
    mj_step,
    mj_step1,
    mj_step2,
    native,
    pointer_at,
)
from reenact.physics.sensing import fill_senses
from reenact.physics.state_rows import copy_row, keep_state, load_state, store_state
from reenact.physics.touch import LOADS, feel


@native(types.void(INTS))
def run(job: Any) -> None:
    """Run the job's candidates one after the other; each starts from nothing but its own start row."""
    for candidate in range(job[slip.FIRST], job[slip.LAST]):
        load_state(job, candidate)
        _candidate(job, candidate)


@njit
def _candidate(job: Any, candidate: Any) -> None:
    model, data, steps, every = job[slip.MODEL], job[slip.DATA], job[slip.STEPS], job[slip.EVERY]
    touch = doubles(job[slip.SENSE] + 8 * part.COP)  # lies inside the row of senses
    status = longs(job[slip.STATUS] + 8 * slip.STATUS_WIDTH * candidate)
    target = doubles(job[slip.TARGET])
    code, detail, done = slip.OK, 0, 0
    for k in range(steps):
        if every > 0 and k % every == 0:
            keep_state(job, candidate, k // every)
        mj_step1(model, data)
        fill_senses(job)
        _push(job, candidate)
        call_control(
            job[slip.CONTROL],
            job[slip.SENSE],
            job[slip.TABLE],
            job[slip.PARAMS] + 8 * job[slip.PARAM_COUNT] * candidate,
            job[slip.MEMORY],
            job[slip.TARGET],
        )
        if math.isnan(target[0]):  # NaN: the controller gives up
            code, detail = slip.FELL, slip.DETAIL_GAVE_UP
            break
        if job[slip.MOTOR] == 1:
            drive_motors(job, data)
            if job[slip.TWIN_MODEL] != 0:
                hand_over(job)
        elif job[slip.NU] > 0:
            drive_servos(job)
        if job[slip.TORQUE_OUT] != 0:
            _keep_inputs(job, k)
        mj_step2(model, data)
        detail = _diverged(job)
        if detail != 0:
            code = slip.DIVERGED
            break
        done = k + 1
        feel(job, k, touch)
        if job[slip.TORQUE_OUT] != 0:
            joint_torques(job, k)
            stop_torques(job, k)
        if job[slip.EFFORT_OUT] != 0:
            add_efforts(job, candidate)
        detail = _fallen(job, touch) if k >= job[slip.FALL_AFTER] else 0
        if detail != 0:
            code = slip.FELL
            break
    if every > 0 and code != slip.DIVERGED and done % every == 0:
        keep_state(job, candidate, done // every)
    status[slip.CODE], status[slip.STEPS_DONE], status[slip.DETAIL] = code, done, detail
    store_state(job, candidate, code == slip.DIVERGED)


@njit
def _push(job: Any, candidate: Any) -> None:
    """Apply this step's declared external forces; those that overlap add up."""
    if job[slip.PUSH_FIRST] == 0:
        return
    plan = longs(job[slip.PUSH_PLAN])[candidate]
    begin, end = longs(job[slip.PUSH_FIRST])[plan], longs(job[slip.PUSH_FIRST])[plan + 1]
    step = int(doubles(job[slip.SENSE])[part.STEP])
    force = doubles(pointer_at(job[slip.DATA], D_XFRC_APPLIED))
    body, span, wrench = longs(job[slip.PUSH_BODY]), longs(job[slip.PUSH_SPAN]), doubles(job[slip.PUSH_WRENCH])
    for i in range(begin, end):
        for j in range(6):
            force[6 * body[i] + j] = 0.0
    for i in range(begin, end):
        if span[2 * i] <= step < span[2 * i + 1]:
            for j in range(6):
                force[6 * body[i] + j] += wrench[6 * i + j]


@njit
def _diverged(job: Any) -> Any:
    """Zero, or 1 + the number of the engine's warning, or DETAIL_SPEED.

    The engine resets a state that is not finite and goes on; its warning counters tell.
    """
    data, nv = job[slip.DATA], job[slip.NV]
    for i in range(WARNINGS):
        if int_at(data, D_WARNING + 8 * i + 4) != 0:
            return i + 1
    qvel = doubles(pointer_at(data, D_QVEL))
    for i in range(nv):
        if not abs(qvel[i]) < slip.SPEED_LIMIT:
            return slip.DETAIL_SPEED
    return 0


@njit
def _fallen(job: Any, touch: Any) -> Any:
    """Zero, or 1 + the segment that must bear no load and does, or DETAIL_HEIGHT."""
    if job[slip.FALL_HEIGHT] != 0:
        qpos = doubles(pointer_at(job[slip.DATA], D_QPOS))
        if qpos[2] < doubles(job[slip.FALL_HEIGHT])[0]:
            return slip.DETAIL_HEIGHT
    if job[slip.FALL_SEGMENT] != 0:
        segments = job[slip.SEGMENT_COUNT]
        forbidden = longs(job[slip.FALL_SEGMENT])
        for i in range(segments):
            if forbidden[i] != 0 and touch[LOADS + i] > 0.0:
                return i + 1
    return 0


@njit
def _keep_inputs(job: Any, k: Any) -> None:
    """Record what goes into step k: warm start, control values, senses and target. For a single candidate."""
    data, nv, nu = job[slip.DATA], job[slip.NV], job[slip.NU]
    width = part.FIXED + 13 * job[slip.SEGMENT_COUNT] + 2 * job[slip.HINGE_COUNT]
    hinges = job[slip.HINGE_COUNT]
    copy_row(pointer_at(data, D_WARMSTART), job[slip.WARMSTART_OUT] + 8 * nv * k, nv)
    if nu > 0:
        copy_row(pointer_at(data, D_CTRL), job[slip.CTRL_OUT] + 8 * nu * k, nu)
    if job[slip.SENSE_OUT] != 0:
        copy_row(job[slip.SENSE], job[slip.SENSE_OUT] + 8 * width * k, width)
    if job[slip.TARGET_OUT] != 0:
        copy_row(job[slip.TARGET], job[slip.TARGET_OUT] + 32 * hinges * k, 4 * hinges)


@native(types.void(INTS))
def replay(job: Any) -> None:
    """The bare engine for comparison: one run with the control values or aimed rows recorded earlier, and nothing else.

    CTRL_OUT holds control values (N, nu) for a servo model; for a motor model TARGET_OUT holds the reference
    accelerations (N, A) written into the friction rows.
    """
    load_state(job, job[slip.FIRST])
    model, data, nu, hinges = job[slip.MODEL], job[slip.DATA], job[slip.NU], job[slip.HINGE_COUNT]
    for k in range(job[slip.STEPS]):
        if job[slip.MOTOR] == 1:
            mj_step1(model, data)
            aref = pointer_at(data, D_EFC_AREF) + 8 * int_at(data, D_NE)
            copy_row(job[slip.TARGET_OUT] + 8 * hinges * k, aref, hinges)
            mj_step2(model, data)
        else:
            copy_row(job[slip.CTRL_OUT] + 8 * nu * k, pointer_at(data, D_CTRL), nu)
            mj_step(model, data)
    store_state(job, job[slip.FIRST], False)
