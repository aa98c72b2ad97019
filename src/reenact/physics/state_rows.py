"""States as rows of doubles, into the engine and out of it.

A row holds time, qpos, qvel, the solver's warm start, the touch of the previous step (see `touch.py`) and the
controller's memory: all that the next step depends on, so a run can be cut and resumed without a trace.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

from reenact.physics import job as slip
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, STRENGTH
from reenact.physics.native import (
    D_COM,
    D_QPOS,
    D_QVEL,
    D_TIME,
    D_WARMSTART,
    D_XPOS,
    doubles,
    longs,
    mj_comPos,
    mj_kinematics,
    mj_reset,
    pointer_at,
)
from reenact.physics.touch import LOADS


@njit
def load_state(job: Any, candidate: Any) -> None:
    """Put a start row into the engine, clearing all that the engine remembers."""
    model, data, nq, nv = job[slip.MODEL], job[slip.DATA], job[slip.NQ], job[slip.NV]
    mj_reset(types.uintp(model), types.uintp(data))
    which = longs(job[slip.START_OF], candidate + 1)[candidate]
    start = doubles(job[slip.STARTS] + 8 * job[slip.STATE_COUNT] * which, job[slip.STATE_COUNT])
    doubles(data + D_TIME, 1)[0] = start[0]
    copy_row(start[1 : 1 + nq], doubles(pointer_at(data, D_QPOS), nq))
    copy_row(start[1 + nq : 1 + nq + nv], doubles(pointer_at(data, D_QVEL), nv))
    copy_row(start[1 + nq + nv : 1 + nq + 2 * nv], doubles(pointer_at(data, D_WARMSTART), nv))
    at, touched = 1 + nq + 2 * nv, LOADS + job[slip.SEGMENT_COUNT]
    copy_row(start[at : at + touched], doubles(job[slip.SENSE] + 8 * part.COP, touched))
    memory = job[slip.MEMORY_COUNT]
    copy_row(start[at + touched : at + touched + memory], doubles(job[slip.MEMORY], memory))
    hinges = job[slip.HINGE_COUNT]
    target = doubles(job[slip.TARGET], 4 * hinges)
    for i in range(hinges):
        target[ANGLE * hinges + i] = 0.0
        target[RATE * hinges + i] = 0.0
        target[GAIN * hinges + i] = 0.0
        target[STRENGTH * hinges + i] = 1.0


@njit(inline="always")
def copy_row(source: Any, destination: Any) -> None:
    """Copy one row over another."""
    for i in range(source.shape[0]):
        destination[i] = source[i]


@njit
def store_state(job: Any, candidate: Any, diverged: Any) -> None:
    """Write the final state row, all NaN where the simulation diverged, and the final joint centres where asked."""
    model, data, nq, nv = job[slip.MODEL], job[slip.DATA], job[slip.NQ], job[slip.NV]
    row = doubles(job[slip.FINAL] + 8 * job[slip.STATE_COUNT] * candidate, job[slip.STATE_COUNT])
    segments = job[slip.SEGMENT_COUNT]
    if job[slip.POINTS_OUT] != 0:
        points = doubles(job[slip.POINTS_OUT] + 24 * (segments + 1) * candidate, 3 * (segments + 1))
        for i in range(3 * (segments + 1)):
            points[i] = np.nan
    if diverged:
        for i in range(job[slip.STATE_COUNT]):
            row[i] = np.nan
        return
    row[0] = doubles(data + D_TIME, 1)[0]
    copy_row(doubles(pointer_at(data, D_QPOS), nq), row[1 : 1 + nq])
    copy_row(doubles(pointer_at(data, D_QVEL), nv), row[1 + nq : 1 + nq + nv])
    copy_row(doubles(pointer_at(data, D_WARMSTART), nv), row[1 + nq + nv : 1 + nq + 2 * nv])
    at, touched = 1 + nq + 2 * nv, LOADS + segments
    copy_row(doubles(job[slip.SENSE] + 8 * part.COP, touched), row[at : at + touched])
    memory = job[slip.MEMORY_COUNT]
    copy_row(doubles(job[slip.MEMORY], memory), row[at + touched : at + touched + memory])
    if job[slip.POINTS_OUT] != 0:
        mj_kinematics(types.uintp(model), types.uintp(data))
        mj_comPos(types.uintp(model), types.uintp(data))
        body = longs(job[slip.SEGMENT_BODY], segments)
        xpos = doubles(pointer_at(data, D_XPOS), 3 * job[slip.NBODY])
        com = doubles(pointer_at(data, D_COM) + 24 * job[slip.ROOT_BODY], 3)
        points = doubles(job[slip.POINTS_OUT] + 24 * (segments + 1) * candidate, 3 * (segments + 1))
        for i in range(segments):
            for j in range(3):
                points[3 * i + j] = xpos[3 * body[i] + j]
        for j in range(3):
            points[3 * segments + j] = com[j]


@njit
def keep_state(job: Any, candidate: Any, row: Any) -> None:
    """Record qpos, and qvel where asked, in a row of the candidate's record."""
    data, nq, nv = job[slip.DATA], job[slip.NQ], job[slip.NV]
    at = job[slip.ROWS] * candidate + row
    copy_row(doubles(pointer_at(data, D_QPOS), nq), doubles(job[slip.QPOS_OUT] + 8 * nq * at, nq))
    if job[slip.QVEL_OUT] != 0:
        copy_row(doubles(pointer_at(data, D_QVEL), nv), doubles(job[slip.QVEL_OUT] + 8 * nv * at, nv))
