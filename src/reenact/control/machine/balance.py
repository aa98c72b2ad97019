"""Balance by where the swing leg goes, [V12] §4.1.1 and Figure 4: compiled.

d = ϑ₁ (COM − support) + ϑ₂ (their difference in velocity), on the ground. Two laws:

- PAPER: the support is the centre of pressure; the swing thigh's target direction is turned towards d by the share ϑ₃
  of the angle between them (slerp). The printed formula has lost its dots: ϑ₂ weighs velocities.
- DEVIATION: the support is the standing foot; of both terms the state's nominal values are subtracted. The target
  direction of the swing thigh is that of the pose under a root oriented as it is asked to be, lean included, so that a
  trunk tilted by a push does not carry the leg along, as in SIMBICON (Yin et al. 2007); ϑ₃ d is added to it. Where the
  body moves as in the state's own motion and its root is oriented as asked, nothing is changed. To the side of the
  heading ϑ₁ and ϑ₂ have values of their own, and d has a limit towards the standing leg. The swinging foot's sole may
  be kept level, and the state's time may run faster or slower while the body falls: docs/notes/pushes.md.

With ϑ₃ = 0 there is no feedback: the thigh's target is the state's own, relative to the root as it is.

In double support the swing leg is the one whose foot came down first: the body goes over the foot that came down last
(`events.feel_contacts`). In flight, or borne by something else than the feet, nothing is changed: there is no foot to
put the body over.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from reenact.control.machine import layout as at
from reenact.control.machine.events import LEFT_STANDS
from reenact.geometry.native_vectors import about, between, blend, dot, matrix, rotation_of, solved, turned, vector
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE

FLAT = 0.15  # volume of the hip's axes below which they no longer turn the thigh in all directions
FASTEST, SLOWEST = 3.0, -0.5  # most haste and least
STRIDE, STRIDES, CLOSE = 0.35, 12, 1e-5  # [rad] most of a Newton step, how many, and what is left alone
_DOWN = (0.0, 0.0, -1.0)  # along the thigh, in its frame


@njit
def standing_leg(table: Any, memory: Any) -> Any:
    """Where the block of the standing leg begins; −1 where its foot bears nothing."""
    if table[at.LEGS] == 0.0 or memory[at.STANCE] == 0.0:
        return -1
    leg = int(table[at.LEG])
    if memory[at.STANCE] != LEFT_STANDS:
        leg += at.LEG_WIDTH
    return leg if int(memory[at.TOUCHING]) >> int(table[leg + at.LEG_PART]) & 1 else -1


@njit
def other_leg(table: Any, leg: Any) -> Any:
    """Where the block of the other leg begins."""
    first = int(table[at.LEG])
    return first + at.LEG_WIDTH if leg == first else first


@njit
def deviations(sense: Any, table: Any, params: Any, memory: Any, row: Any, leg: Any) -> Any:
    """Place and velocity of the COM over the support, on the ground in the world: ((x, y, 0) [m], (x, y, 0) [m/s]).

    Under the law DEVIATION without their nominal values, which are given in the heading at the start.
    """
    com, velocity = vector(sense, part.COM), vector(sense, part.COM_VELOCITY)
    if table[at.LAW] == at.PAPER:
        cop = vector(sense, part.COP)
        drift_x, drift_y = 0.0, 0.0
        if memory[at.COP_KNOWN] == 1.0:
            drift_x = (cop[0] - memory[at.COP]) / sense[part.TIMESTEP]
            drift_y = (cop[1] - memory[at.COP + 1]) / sense[part.TIMESTEP]
        return (com[0] - cop[0], com[1] - cop[1], 0.0), (velocity[0] - drift_x, velocity[1] - drift_y, 0.0)
    foot = vector(sense, part.positions(sense) + 3 * int(table[leg + at.LEG_FOOT]))
    c, s = math.cos(memory[at.HEADING]), math.sin(memory[at.HEADING])
    px, py = params[row + at.NOMINAL_PLACE], params[row + at.NOMINAL_PLACE + 1]
    vx, vy = params[row + at.NOMINAL_SPEED], params[row + at.NOMINAL_SPEED + 1]
    place = (com[0] - foot[0] - c * px + s * py, com[1] - foot[1] - s * px - c * py, 0.0)
    return place, (velocity[0] - c * vx + s * vy, velocity[1] - s * vx - c * vy, 0.0)


@njit
def keep_pressure(sense: Any, memory: Any) -> None:
    """Remember the centre of pressure, to know its velocity at the next step."""
    memory[at.COP_KNOWN] = 1.0 if sense[part.SUPPORT] > 0.0 else 0.0
    memory[at.COP], memory[at.COP + 1] = sense[part.COP], sense[part.COP + 1]


@njit
def place_swing_leg(
    sense: Any, table: Any, params: Any, row: Any, leg: Any, place: Any, velocity: Any, asked: Any, target: Any
) -> None:
    """Turn the target of the swing thigh; `leg` is the standing one, `asked` the orientation asked of the root."""
    share = params[row + at.BLEND]
    if share == 0.0:
        return
    d = lead(sense, table, params, row, leg, place, velocity)
    swing = other_leg(table, leg)
    hinges = int(sense[part.HINGES])
    hip = ANGLE * hinges + int(table[swing + at.LEG_HIP])
    root = matrix(sense, part.rotations(sense))
    frame = root if table[at.LAW] == at.PAPER else rotation_of(asked)
    down = turned(frame, hip_turned(table, swing, vector(target, hip), _DOWN))
    wanted = _slerp(down, d, share) if table[at.LAW] == at.PAPER else blend(down, d, 1.0, share)
    length = math.sqrt(dot(wanted, wanted))
    if length < 1e-6:
        return
    inverse = (root[0], root[3], root[6], root[1], root[4], root[7], root[2], root[5], root[8])
    aim_leg(table, swing, turned(inverse, blend(wanted, wanted, 1.0 / length, 0.0)), hip, target)


@njit
def lead(sense: Any, table: Any, params: Any, row: Any, leg: Any, place: Any, velocity: Any) -> Any:
    """The vector d on the ground; under the law DEVIATION with gains of its own to the side of the heading.

    There it goes no farther towards the standing leg than the state allows: legs that cross get in each other's way.
    """
    by_place, by_speed = params[row + at.PLACE], params[row + at.SPEED]
    d = blend(place, velocity, by_place, by_speed)
    if table[at.LAW] == at.PAPER:
        return d
    aside = (-math.sin(sense[part.HEADING]), math.cos(sense[part.HEADING]), 0.0)
    extra = (params[row + at.ASIDE] - by_place) * dot(place, aside)
    extra += (params[row + at.ASIDE + 1] - by_speed) * dot(velocity, aside)
    inward = 1.0 if leg == int(table[at.LEG]) else -1.0
    over = inward * (dot(d, aside) + extra) - params[row + at.INWARD]
    if over > 0.0:
        extra -= inward * over
    return blend(d, aside, 1.0, extra)


@njit
def haste(params: Any, memory: Any, row: Any) -> Any:
    """How much faster time runs for a state: by how far the body is felt to fall each way; below 0 slower."""
    more = 0.0
    for way in range(at.FALLS):
        more += memory[at.FEEL + way] * params[row + at.HURRY + way]
    return min(FASTEST, max(SLOWEST, more))


@njit
def level_sole(sense: Any, table: Any, params: Any, row: Any, leg: Any, target: Any) -> None:
    """Keep the swinging foot's sole level from side to side, so that a foot put far aside comes down flat."""
    swing, share = other_leg(table, leg), params[row + at.SOLE]
    roll = int(table[swing + at.LEG_ROLL])
    if roll < 0 or share == 0.0:
        return
    tilt = table[swing + at.LEG_ROLL_SIGN] * sense[part.rotations(sense) + 9 * int(table[swing + at.LEG_FOOT]) + 7]
    i = ANGLE * int(sense[part.HINGES]) + roll
    target[i] += share * (sense[part.angles(sense) + roll] - tilt - target[i])


@njit
def _slerp(down: Any, d: Any, share: Any) -> Any:
    length = math.sqrt(dot(d, d))
    if length < 1e-6:
        return down
    along = (d[0] / length, d[1] / length, 0.0)
    angle = math.acos(min(0.9999, max(-0.9999, dot(down, along))))
    f = min(1.0, max(0.0, share))
    return blend(down, along, math.sin((1.0 - f) * angle) / math.sin(angle), math.sin(f * angle) / math.sin(angle))


@njit
def hip_turned(table: Any, leg: Any, angles: Any, v: Any) -> Any:
    """A vector of the thigh in the root's frame, with the hip at three angles [rad]."""
    axes = leg + at.LEG_AXES
    v = about(vector(table, axes + 6), angles[2], v)
    v = about(vector(table, axes + 3), angles[1], v)
    return about(vector(table, axes), angles[0], v)


@njit
def hip_axes(table: Any, leg: Any, angles: Any) -> Any:
    """Directions of the hip's three hinges in the root's frame, with the hip at three angles [rad]."""
    axes = leg + at.LEG_AXES
    first, second, third = vector(table, axes), vector(table, axes + 3), vector(table, axes + 6)
    return first, about(first, angles[0], second), about(first, angles[0], about(second, angles[1], third))


@njit
def aim_leg(table: Any, leg: Any, wanted: Any, hip: Any, target: Any) -> None:
    """Change the three angles at target[hip] so that the thigh points along `wanted`, a unit vector of the root frame.

    Newton steps by the least turn; they end where the hip's axes are folded flat, as when a leg points straight aside.
    """
    for _ in range(STRIDES):
        angles = vector(target, hip)
        turn = between(hip_turned(table, leg, angles, _DOWN), wanted)
        size = math.sqrt(dot(turn, turn))
        if size < CLOSE:
            return
        a, b, c = hip_axes(table, leg, angles)
        change, good = solved(a, b, c, blend(turn, turn, min(1.0, STRIDE / size), 0.0), FLAT)
        if not good:
            return
        for i in range(3):
            target[hip + i] = angles[i] + change[i]
