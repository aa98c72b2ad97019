"""How the row of senses is filled from the engine, after its first half step."""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from reenact.physics import job as slip
from reenact.physics import sense as part
from reenact.physics.native import (
    D_COM,
    D_CVEL,
    D_QPOS,
    D_QVEL,
    D_TIME,
    D_XIPOS,
    D_XMAT,
    D_XPOS,
    doubles,
    longs,
    pointer_at,
)


@njit
def fill_senses(job: Any) -> None:
    """Fill the row of senses from the engine after its first half step."""
    data, hinges, segments = job[slip.DATA], job[slip.HINGE_COUNT], job[slip.SEGMENT_COUNT]
    s = doubles(job[slip.SENSE])
    qpos, qvel = doubles(pointer_at(data, D_QPOS)), doubles(pointer_at(data, D_QVEL))
    root = job[slip.ROOT_BODY]
    xmat = doubles(pointer_at(data, D_XMAT))
    turn = doubles(pointer_at(data, D_XMAT) + 72 * root)
    timestep = doubles(job[slip.TIMESTEP])[0]
    s[part.TIME] = doubles(data + D_TIME)[0]
    s[part.TIMESTEP] = timestep
    s[part.STEP] = math.floor(s[part.TIME] / timestep + 0.5)
    s[part.HINGES] = hinges
    s[part.SEGMENTS] = segments
    for i in range(3):
        s[part.POSITION + i] = qpos[i]
        s[part.VELOCITY + i] = qvel[i]
        s[part.SPIN + i] = turn[3 * i] * qvel[3] + turn[3 * i + 1] * qvel[4] + turn[3 * i + 2] * qvel[5]
    for i in range(4):
        s[part.ORIENTATION + i] = qpos[3 + i]
    s[part.HEADING] = math.atan2(turn[3], turn[0])
    _sense_com(job, s)
    if s[part.SUPPORT] <= 0.0:
        for i in range(3):
            s[part.COP + i] = s[part.COM + i]
    angle, rate, at = part.angles(s), part.rates(s), longs(job[slip.HINGE_QPOS])
    dof = longs(job[slip.HINGE_DOF])
    for i in range(hinges):
        s[angle + i] = qpos[at[i]]
        s[rate + i] = qvel[dof[i]]
    body, place, matrix = longs(job[slip.SEGMENT_BODY]), part.positions(s), part.rotations(s)
    xpos = doubles(pointer_at(data, D_XPOS))
    for i in range(segments):
        for j in range(3):
            s[place + 3 * i + j] = xpos[3 * body[i] + j]
        for j in range(9):
            s[matrix + 9 * i + j] = xmat[9 * body[i] + j]


@njit
def _sense_com(job: Any, s: Any) -> None:
    """Centre of mass and its velocity: the bodies' momenta over the whole mass."""
    data, nbody, root = job[slip.DATA], job[slip.NBODY], job[slip.ROOT_BODY]
    com = doubles(pointer_at(data, D_COM) + 24 * root)
    mass = doubles(job[slip.BODY_MASS])
    xipos, cvel = doubles(pointer_at(data, D_XIPOS)), doubles(pointer_at(data, D_CVEL))
    total, px, py, pz = 0.0, 0.0, 0.0, 0.0
    for b in range(1, nbody):
        m = mass[b]
        if m == 0.0:
            continue
        # cvel holds spin and the velocity of the point that now coincides with the tree's centre of mass
        x, y, z = xipos[3 * b] - com[0], xipos[3 * b + 1] - com[1], xipos[3 * b + 2] - com[2]
        wx, wy, wz = cvel[6 * b], cvel[6 * b + 1], cvel[6 * b + 2]
        total += m
        px += m * (cvel[6 * b + 3] + (wy * z - wz * y))
        py += m * (cvel[6 * b + 4] + (wz * x - wx * z))
        pz += m * (cvel[6 * b + 5] + (wx * y - wy * x))
    for i in range(3):
        s[part.COM + i] = com[i]
    s[part.COM_VELOCITY] = px / total
    s[part.COM_VELOCITY + 1] = py / total
    s[part.COM_VELOCITY + 2] = pz / total
