"""Reactions to a loss of balance, by every joint: compiled. Past [V12], which moves the swing thigh alone.

How far the body falls is seen from where it will be soon: deviation of the COM's place plus `AHEAD` times that of its
velocity, both from the state's nominal values (`balance.deviations`). Of the four ways to fall (`WAYS`) each has a
reaction of its own, because the legs are not alike: who falls to the side of the swinging leg puts it there, who falls
over the standing leg has to cross it or to set the other down at once. A reaction is a change of the target pose per
metre of falling; it acts while the state lasts and grows and fades with the fall. Who stands on both feet falls ahead,
back, to the left (as over a left leg that stands) and to the right (`standing.py`). Where the body moves as in the
state's own motion, nothing is changed. What reactions give, and how they are learned: docs/notes/pushes.md.
"""

from __future__ import annotations

import math
from typing import Any, Final

from numba import njit

from reenact.control.machine import layout as at
from reenact.control.machine.balance import AHEAD
from reenact.geometry.native_vectors import blend
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE

WAYS: Final = ("ahead", "back", "over the standing leg", "to the swinging leg")
FARTHEST = 0.5  # [m] of falling, beyond which a reaction grows no more


@njit
def falling(sense: Any, table: Any, leg: Any, place: Any, velocity: Any) -> Any:
    """How far the body falls each way, in the order of `WAYS`: none negative [m]; `leg` is the standing one."""
    off = blend(place, velocity, 1.0, AHEAD)
    c, s = math.cos(sense[part.HEADING]), math.sin(sense[part.HEADING])
    ahead = c * off[0] + s * off[1]
    over = c * off[1] - s * off[0]
    if leg != int(table[at.LEG]):  # the right one stands
        over = -over
    return (
        min(FARTHEST, max(0.0, ahead)),
        min(FARTHEST, max(0.0, -ahead)),
        min(FARTHEST, max(0.0, over)),
        min(FARTHEST, max(0.0, -over)),
    )


@njit
def react(sense: Any, table: Any, params: Any, row: Any, leg: Any, place: Any, velocity: Any, target: Any) -> None:
    """Add the state's reactions to the target pose."""
    hinges = int(sense[part.HINGES])
    first = row + at.GAINS + int(table[at.GROUPS]) + 4 + hinges
    ahead, back, over, to = falling(sense, table, leg, place, velocity)
    for i in range(hinges):
        change = ahead * params[first + i] + back * params[first + hinges + i]
        change += over * params[first + 2 * hinges + i] + to * params[first + 3 * hinges + i]
        target[ANGLE * hinges + i] += change
