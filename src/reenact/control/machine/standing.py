"""Balance on both feet, so that the body stands what it was not prepared for: compiled. Past [V12].

[V12] balances by where the swing leg goes. A body that stands, crouches or lands on both feet swings none: its states
have a blend of 0. Where such a state has numbers for its ankles or its lean, these hold the body over the middle of its
feet, under the law DEVIATION, while any foot bears: one that lifts off as the body rocks is let down again. In flight
there is the state's pose alone.

Place and velocity of the COM are taken from the middle of both feet and seen along them, so that the rule is the same
wherever the body has come to stand and however it has turned. The nominal velocity is that of the COM over the feet;
the nominal place is what the COM has there half-way through the state's seconds, and moves on with that velocity. Both
ankles press the side of the soles to which the body deviates; both hips hold the root upright as the state asks,
leaning by its reflex, whatever its heading.

Who glides, on skis or on something that moves, is to keep up with the feet and not to stop: the velocity of feet that
glide is taken off the COM's. Feet that merely roll or slip a little do not glide.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from reenact.control.machine import layout as at
from reenact.control.machine.react import feel_falling, react
from reenact.control.machine.upright import hold_root, wanted_tilt
from reenact.geometry.native_vectors import blend, dot, vector
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE

GLIDING = 0.2  # [m/s] of the feet's middle below which they stand
NOTICED = 0.05  # [s] after which most of a change in their velocity is felt
ASIDE = 0.3  # share of the ankles' answer to left and right: there it is the distance of the feet that holds the body


@njit
def stands(table: Any, params: Any, memory: Any, row: Any) -> Any:
    """Whether the present state is one that stands, has numbers to do so, and bears on a foot."""
    if table[at.LEGS] == 0.0 or table[at.LAW] == at.PAPER or params[row + at.BLEND] != 0.0:
        return False
    none = True
    for pair in (at.ANKLE, at.LEAN, at.LEAN_ASIDE):
        none = none and params[row + pair] == 0.0 and params[row + pair + 1] == 0.0
    if none:
        return False
    return _bears(table, memory, 0) or _bears(table, memory, 1)


@njit
def stand(sense: Any, table: Any, params: Any, memory: Any, row: Any, target: Any) -> None:
    """Press, lean and react against the deviation of the COM from where it is to be over the feet."""
    legs = int(table[at.LEG])
    place, velocity = over_feet(sense, table, params, memory, row)
    feel_falling(sense, table, memory, legs, place, velocity)
    react(sense, table, params, memory, row, target)
    asked = wanted_tilt(sense, table, params, row, place, velocity)
    for leg in (legs, legs + at.LEG_WIDTH):
        bend_ankle(sense, table, params, row, leg, place, velocity, ASIDE, target)
        hold_root(sense, table, params, memory, row, leg, asked, target)


@njit
def over_feet(sense: Any, table: Any, params: Any, memory: Any, row: Any) -> Any:
    """Place and velocity of the COM over the middle of both feet without their nominal values, in the world.

    Nominal values are along the feet and to their left.
    """
    legs = int(table[at.LEG])
    left, right = int(table[legs + at.LEG_FOOT]), int(table[legs + at.LEG_WIDTH + at.LEG_FOOT])
    positions, turns = part.positions(sense), part.rotations(sense)
    middle = blend(vector(sense, positions + 3 * left), vector(sense, positions + 3 * right), 0.5, 0.5)
    x = sense[turns + 9 * left] + sense[turns + 9 * right]
    y = sense[turns + 9 * left + 3] + sense[turns + 9 * right + 3]
    length = max(math.sqrt(x * x + y * y), 1e-6)
    c, s = x / length, y / length
    seconds = params[row + at.SECONDS]
    since = min(memory[at.CLOCK] * sense[part.TIMESTEP], seconds) - 0.5 * seconds
    vx, vy = params[row + at.NOMINAL_SPEED], params[row + at.NOMINAL_SPEED + 1]
    px, py = params[row + at.NOMINAL_PLACE] + since * vx, params[row + at.NOMINAL_PLACE + 1] + since * vy
    com, velocity = vector(sense, part.COM), vector(sense, part.COM_VELOCITY)
    place = (com[0] - middle[0] - c * px + s * py, com[1] - middle[1] - s * px - c * py, 0.0)
    glide_x, glide_y = memory[at.GLIDE], memory[at.GLIDE + 1]
    glide = math.sqrt(glide_x * glide_x + glide_y * glide_y)
    moving = 1.0 - GLIDING / glide if glide > GLIDING else 0.0
    vx, vy = c * vx - s * vy + moving * glide_x, s * vx + c * vy + moving * glide_y
    return place, (velocity[0] - vx, velocity[1] - vy, 0.0)


@njit
def feel_glide(sense: Any, table: Any, memory: Any) -> None:
    """Take note of how fast the feet go while both bear; off the ground they go on as they did."""
    if table[at.LEGS] == 0.0:
        return
    both = _bears(table, memory, 0) and _bears(table, memory, 1)
    legs, positions = int(table[at.LEG]), part.positions(sense)
    left, right = int(table[legs + at.LEG_FOOT]), int(table[legs + at.LEG_WIDTH + at.LEG_FOOT])
    for i in range(2):
        middle = 0.5 * (sense[positions + 3 * left + i] + sense[positions + 3 * right + i])
        if both and memory[at.FEET_KNOWN] == 1.0:
            speed = (middle - memory[at.FEET + i]) / sense[part.TIMESTEP]
            memory[at.GLIDE + i] += min(1.0, sense[part.TIMESTEP] / NOTICED) * (speed - memory[at.GLIDE + i])
        memory[at.FEET + i] = middle
    memory[at.FEET_KNOWN] = 1.0 if both else 0.0


@njit
def bend_ankle(
    sense: Any, table: Any, params: Any, row: Any, leg: Any, place: Any, velocity: Any, share: Any, target: Any
) -> None:
    """An ankle presses the side of the sole to which the body deviates; to left and right a share of it."""
    pitch, roll = int(table[leg + at.LEG_PITCH]), int(table[leg + at.LEG_ROLL])
    by_place, by_speed = params[row + at.ANKLE], params[row + at.ANKLE + 1]
    if pitch < 0 or (by_place == 0.0 and by_speed == 0.0):
        return
    turn = part.rotations(sense) + 9 * int(table[leg + at.LEG_FOOT])
    ahead = (sense[turn], sense[turn + 3], 0.0)  # the foot's x and y axes on the ground
    aside = (sense[turn + 1], sense[turn + 4], 0.0)
    forward = by_place * dot(place, ahead) + by_speed * dot(velocity, ahead)
    left = by_place * dot(place, aside) + by_speed * dot(velocity, aside)
    hinges = int(sense[part.HINGES])
    target[ANGLE * hinges + pitch] += table[leg + at.LEG_PITCH_SIGN] * forward
    target[ANGLE * hinges + roll] -= table[leg + at.LEG_ROLL_SIGN] * (share * left)


@njit
def _bears(table: Any, memory: Any, leg: Any) -> Any:
    part_of_leg = int(table[int(table[at.LEG]) + leg * at.LEG_WIDTH + at.LEG_PART])
    return int(memory[at.TOUCHING]) >> part_of_leg & 1 == 1
