"""States as rows of doubles, into the engine and out of it.

A row holds time, qpos, qvel, the solver's warm start, the touch of the previous step (see `touch.py`) and the
controller's memory: all that the next step depends on, so a run can be cut and resumed without a trace.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

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
def copy_row(source: Any, destination: Any, count: Any) -> None:
    """Copy `count` doubles from one address to another."""
    a, b = doubles(source), doubles(destination)
    for i in range(count):
        b[i] = a[i]


@njit
def load_state(job: Any, candidate: Any) -> None:
    """Put a start row into the engine, clearing all that the engine remembers."""
    data, nq, nv, hinges = job[slip.DATA], job[slip.NQ], job[slip.NV], job[slip.HINGE_COUNT]
    mj_reset(job[slip.MODEL], data)
    start = job[slip.STARTS] + 8 * job[slip.STATE_COUNT] * longs(job[slip.START_OF])[candidate]
    doubles(data + D_TIME)[0] = doubles(start)[0]
    copy_row(start + 8, pointer_at(data, D_QPOS), nq)
    copy_row(start + 8 * (1 + nq), pointer_at(data, D_QVEL), nv)
    copy_row(start + 8 * (1 + nq + nv), pointer_at(data, D_WARMSTART), nv)
    touched = LOADS + job[slip.SEGMENT_COUNT]
    copy_row(start + 8 * (1 + nq + 2 * nv), job[slip.SENSE] + 8 * part.COP, touched)
    copy_row(start + 8 * (1 + nq + 2 * nv + touched), job[slip.MEMORY], job[slip.MEMORY_COUNT])
    target = doubles(job[slip.TARGET])
    for i in range(hinges):
        target[ANGLE * hinges + i] = 0.0
        target[RATE * hinges + i] = 0.0
        target[GAIN * hinges + i] = 0.0
        target[STRENGTH * hinges + i] = 1.0


@njit
def store_state(job: Any, candidate: Any, diverged: Any) -> None:
    """Write the final state row, and the final joint centres where asked; all NaN where the simulation diverged."""
    data, nq, nv = job[slip.DATA], job[slip.NQ], job[slip.NV]
    row = job[slip.FINAL] + 8 * job[slip.STATE_COUNT] * candidate
    if diverged:
        for i in range(job[slip.STATE_COUNT]):
            doubles(row)[i] = np.nan
        return
    doubles(row)[0] = doubles(data + D_TIME)[0]
    copy_row(pointer_at(data, D_QPOS), row + 8, nq)
    copy_row(pointer_at(data, D_QVEL), row + 8 * (1 + nq), nv)
    copy_row(pointer_at(data, D_WARMSTART), row + 8 * (1 + nq + nv), nv)
    touched = LOADS + job[slip.SEGMENT_COUNT]
    copy_row(job[slip.SENSE] + 8 * part.COP, row + 8 * (1 + nq + 2 * nv), touched)
    copy_row(job[slip.MEMORY], row + 8 * (1 + nq + 2 * nv + touched), job[slip.MEMORY_COUNT])
    if job[slip.POINTS_OUT] != 0:
        _store_points(job, candidate)


@njit
def _store_points(job: Any, candidate: Any) -> None:
    data, segments = job[slip.DATA], job[slip.SEGMENT_COUNT]
    mj_kinematics(job[slip.MODEL], data)
    mj_comPos(job[slip.MODEL], data)
    body, out = longs(job[slip.SEGMENT_BODY]), job[slip.POINTS_OUT] + 24 * (segments + 1) * candidate
    for i in range(segments):
        copy_row(pointer_at(data, D_XPOS) + 24 * body[i], out + 24 * i, 3)
    copy_row(pointer_at(data, D_COM) + 24 * job[slip.ROOT_BODY], out + 24 * segments, 3)


@njit
def keep_state(job: Any, candidate: Any, row: Any) -> None:
    """Record qpos, and qvel where asked, in a row of the candidate's record."""
    data, nq, nv = job[slip.DATA], job[slip.NQ], job[slip.NV]
    at = job[slip.ROWS] * candidate + row
    copy_row(pointer_at(data, D_QPOS), job[slip.QPOS_OUT] + 8 * nq * at, nq)
    if job[slip.QVEL_OUT] != 0:
        copy_row(pointer_at(data, D_QVEL), job[slip.QVEL_OUT] + 8 * nv * at, nv)
