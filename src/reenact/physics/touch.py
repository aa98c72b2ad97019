"""Contact forces inside the loop: what each segment bears, where the pressure acts, and rows for the record."""

from __future__ import annotations

from typing import Any

from numba import njit

from reenact.physics import job as slip
from reenact.physics.native import (
    C_ADDRESS,
    C_DIM,
    C_FRAME,
    C_FRICTION,
    C_GEOM,
    C_POS,
    C_SIZE,
    D_CONTACT,
    D_EFC_FORCE,
    D_NCON,
    doubles,
    int_at,
    ints,
    longs,
    pointer_at,
)

# The touch part of a state: centre of pressure (3), upward force, then the load of each segment.
COP, SUPPORT, LOADS = 0, 3, 4


@njit
def contact_force(forces: Any, friction: Any, dim: Any) -> Any:
    """Normal and two tangential forces [N] of a contact from its rows under the pyramidal friction cone."""
    if dim == 1:
        return forces[0], 0.0, 0.0
    normal = 0.0
    for i in range(2 * (dim - 1)):
        normal += forces[i]
    return normal, (forces[0] - forces[1]) * friction[0], (forces[2] - forces[3]) * friction[1]


@njit
def feel(job: Any, step: Any, touch: Any) -> None:
    """After a step: sum the forces of the contacts it had into `touch`, and record them where asked."""
    data, segments = job[slip.DATA], job[slip.SEGMENT_COUNT]
    for i in range(LOADS + segments):
        touch[i] = 0.0
    first = pointer_at(data, D_CONTACT)
    rows = pointer_at(data, D_EFC_FORCE)
    for k in range(int_at(data, D_NCON)):
        contact = first + k * C_SIZE
        row = int_at(contact, C_ADDRESS)
        if row < 0:
            continue
        geom = ints(contact + C_GEOM)
        mine, other = _segment(job, geom[0]), _segment(job, geom[1])
        if mine < 0 and other < 0:
            continue
        frame = doubles(contact + C_FRAME)
        point = doubles(contact + C_POS)
        dim = int_at(contact, C_DIM)
        n, s, t = contact_force(doubles(rows + 8 * row), doubles(contact + C_FRICTION), dim)
        x = n * frame[0] + s * frame[3] + t * frame[6]
        y = n * frame[1] + s * frame[4] + t * frame[7]
        z = n * frame[2] + s * frame[5] + t * frame[8]
        if other >= 0:  # the normal points from the first geom to the second
            if mine < 0:
                _bear(touch, other, n, z, point)
            _record(job, step, other, geom[0], point, frame, 1.0, x, y, z)
        if mine >= 0:
            if other < 0:
                _bear(touch, mine, n, -z, point)
            _record(job, step, mine, geom[1], point, frame, -1.0, x, y, z)
    if touch[SUPPORT] > 0.0:
        for i in range(3):
            touch[COP + i] /= touch[SUPPORT]


@njit
def _segment(job: Any, geom: Any) -> Any:
    if geom < 0:
        return -1
    return longs(job[slip.GEOM_SEGMENT])[geom]


@njit
def _bear(touch: Any, segment: Any, normal: Any, up: Any, point: Any) -> None:
    touch[LOADS + segment] += normal
    if up > 0.0:
        touch[SUPPORT] += up
        for i in range(3):
            touch[COP + i] += up * point[i]


@njit
def _record(
    job: Any, step: Any, segment: Any, other: Any, point: Any, frame: Any, sign: Any, x: Any, y: Any, z: Any
) -> None:
    if job[slip.CONTACT_OUT] == 0:
        return
    count = longs(job[slip.CONTACT_COUNT])
    if count[0] < job[slip.CONTACT_ROOM]:
        row = doubles(job[slip.CONTACT_OUT] + 8 * slip.CONTACT_WIDTH * count[0])
        row[0] = step
        row[1] = segment
        row[2] = other
        for i in range(3):
            row[3 + i] = point[i]
            row[6 + i] = sign * frame[i]
        row[9] = sign * x
        row[10] = sign * y
        row[11] = sign * z
    count[0] += 1
