"""Reactions to a loss of balance, by every joint: compiled. Past [V12], which moves the swing thigh alone.

A reaction is a change of the target pose per metre of falling (`falling.py`), one for each way to fall; it acts while
the state lasts and grows and fades with the fall. Where the body moves as in the state's own motion, nothing is
changed. What reactions give, and how they are learned: docs/notes/pushes.md.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from reenact.control.machine import layout as at
from reenact.control.machine.falling import falling
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE


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
