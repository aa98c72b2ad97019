"""The root's orientation by the joints alone: compiled. [V12] Eq. 4 and 6.

The root has no motor. Two ways:

- STANDING_HIP: the velocity asked of the standing hip is a blend: a share of what would turn the root as Eq. 4 asks,
  given how the thigh is turning, and the rest of what Eq. 5 asks of the joint. One solve, no torque on the root.
- SWING_THIGH: Algorithm 1 of [V12]: solved as if the root were driven, the reaction handed to the swing thigh
  (`physics/handover.py`); the share is how much of it, 1 being the paper's.

Deviation: the first is the default; it fits better and costs one solve instead of two (docs/notes/states_root.md).
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from reenact.control.machine import layout as at
from reenact.control.machine.balance import FLAT, hip_axes, other_leg
from reenact.geometry.native_vectors import blend, difference, matrix, product, quaternion, solved, turned, vector
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, RATE, ROWS, share_per_step


@njit
def wanted_root(sense: Any, table: Any, params: Any, memory: Any, row: Any, place: Any, velocity: Any) -> Any:
    """Orientation that the state asks of the root: from the heading at the start, leaning as the reflex says.

    Where the heading is left free, from the present one, so that only the tilt is asked for.
    """
    if table[at.LEVEL] == 1.0:
        return wanted_tilt(sense, table, params, row, place, velocity)
    state = quaternion(params, row + at.GAINS + int(table[at.GROUPS]))
    return _leant(sense, params, row, place, velocity, 0.5 * memory[at.HEADING], state)


@njit
def wanted_tilt(sense: Any, table: Any, params: Any, row: Any, place: Any, velocity: Any) -> Any:
    """As `wanted_root`, from the present heading whatever the machine says of it."""
    state = quaternion(params, row + at.GAINS + int(table[at.GROUPS]))
    half = 0.5 * (sense[part.HEADING] - _heading(state))
    return _leant(sense, params, row, place, velocity, half, state)


@njit
def _leant(sense: Any, params: Any, row: Any, place: Any, velocity: Any, half: Any, state: Any) -> Any:
    """A state's orientation turned about the vertical by twice `half` [rad], then leaning as the reflex says."""
    asked = product((math.cos(half), 0.0, 0.0, math.sin(half)), state)
    lean = _lean(sense, params, row, place, velocity)
    if lean[0] == 0.0 and lean[1] == 0.0:
        return asked
    x, y = -0.5 * lean[1], 0.5 * lean[0]  # half of z × lean: the top goes the way of `lean`
    scale = 1.0 / math.sqrt(1.0 + x * x + y * y)
    return product((scale, scale * x, scale * y, 0.0), asked)


@njit
def _lean(sense: Any, params: Any, row: Any, place: Any, velocity: Any) -> Any:
    """Where the reflex leans the root to, on the ground: by numbers ahead, and by others to the side of the heading."""
    lean, aside = row + at.LEAN, row + at.LEAN_ASIDE
    by_place, by_speed = params[lean], params[lean + 1]
    c, s = math.cos(sense[part.HEADING]), math.sin(sense[part.HEADING])
    left = (params[aside] - by_place) * (c * place[1] - s * place[0])
    left += (params[aside + 1] - by_speed) * (c * velocity[1] - s * velocity[0])
    return blend(blend(place, velocity, by_place, by_speed), (-s, c, 0.0), 1.0, left)


@njit
def _heading(q: Any) -> Any:
    """Direction of a turned x axis on the ground [rad]."""
    return math.atan2(2.0 * (q[0] * q[3] + q[1] * q[2]), 1.0 - 2.0 * (q[2] * q[2] + q[3] * q[3]))


@njit
def hold_root(sense: Any, table: Any, params: Any, memory: Any, row: Any, leg: Any, asked: Any, target: Any) -> None:
    """Let the standing hip turn the root towards the orientation `asked`."""
    share = table[at.SHARE]
    hinges, hip, timestep = int(sense[part.HINGES]), int(table[leg + at.LEG_HIP]), sense[part.TIMESTEP]
    turn = difference(asked, quaternion(sense, part.ORIENTATION))
    speed = share_per_step(params[row + at.GAINS], timestep) / timestep
    wish = (speed * turn[0], speed * turn[1], 0.0 if table[at.LEVEL] == 1.0 else speed * turn[2])
    a, b, c = hip_axes(table, leg, vector(sense, part.angles(sense) + hip))
    root = matrix(sense, part.rotations(sense))
    a, b, c = turned(root, a), turned(root, b), turned(root, c)
    spin = thigh_spin(sense, table, leg)
    before = at.THIGHS + (0 if leg == int(table[at.LEG]) else 3)
    if memory[at.BEGUN] > 0.0:  # the thigh goes on as it did in the last step
        spin = blend(spin, vector(memory, before), 2.0, -1.0)
    rates, good = solved(a, b, c, blend(spin, wish, 1.0, -1.0), FLAT)
    if not good:
        return
    for i in range(3):
        q = sense[part.angles(sense) + hip + i]
        place = ANGLE * hinges + hip + i
        target[place] = q + (1.0 - share) * (target[place] - q)
        target[RATE * hinges + hip + i] = share * rates[i]


@njit
def drive_root(sense: Any, table: Any, params: Any, row: Any, leg: Any, asked: Any, target: Any) -> None:
    """Ask that the root be turned towards `asked` as if it were driven; the hip of the swing leg takes the reaction."""
    timestep = sense[part.TIMESTEP]
    turn = difference(asked, quaternion(sense, part.ORIENTATION))
    speed = share_per_step(params[row + at.GAINS], timestep) / timestep
    ask = ROWS * int(sense[part.HINGES])
    target[ask] = table[at.SHARE]
    for i in range(3):
        target[ask + 1 + i] = speed * turn[i]
    target[ask + 4] = table[other_leg(table, leg) + at.LEG_HIP]


@njit
def thigh_spin(sense: Any, table: Any, leg: Any) -> Any:
    """Angular velocity of a thigh in the world [rad/s]."""
    hip = int(table[leg + at.LEG_HIP])
    a, b, c = hip_axes(table, leg, vector(sense, part.angles(sense) + hip))
    x, y, z = vector(sense, part.rates(sense) + hip)
    local = blend(blend(a, b, x, y), c, 1.0, z)
    return blend(vector(sense, part.SPIN), turned(matrix(sense, part.rotations(sense)), local), 1.0, 1.0)


@njit
def keep_thighs(sense: Any, table: Any, memory: Any) -> None:
    """Remember how the thighs turn."""
    for i in range(int(table[at.LEGS])):
        spin = thigh_spin(sense, table, int(table[at.LEG]) + i * at.LEG_WIDTH)
        for j in range(3):
            memory[at.THIGHS + 3 * i + j] = spin[j]
