"""Reactions to a loss of balance, by every joint: compiled. Past [V12], which moves the swing thigh alone.

A reaction is a change of the target pose per metre of falling (`falling.py`), one for each way to fall; an answer is
one per unit of a cue (`cues.py`). They act while the state lasts and grow and fade with what they answer to. Where the
body moves as in the state's own motion, nothing is changed. What they give, and how they are learned:
docs/notes/pushes.md.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from reenact.control.machine import layout as at
from reenact.control.machine.falling import falling
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE


@njit
def feel_falling(sense: Any, table: Any, memory: Any, leg: Any, place: Any, velocity: Any) -> None:
    """Take note of how far the body falls each way."""
    ways = falling(sense, table, leg, place, velocity)
    memory[at.FEEL], memory[at.FEEL + 1], memory[at.FEEL + 2], memory[at.FEEL + 3] = ways


@njit
def react(sense: Any, table: Any, params: Any, memory: Any, row: Any, target: Any) -> None:
    """Add the state's reactions and answers to the target pose."""
    hinges = int(sense[part.HINGES])
    first = row + at.GAINS + int(table[at.GROUPS]) + 4 + hinges
    for felt in range(at.FALLS + at.CUES):
        much = memory[at.FEEL + felt]
        if much == 0.0:
            continue
        memory[at.FELT + felt] += much
        for i in range(hinges):
            target[ANGLE * hinges + i] += much * params[first + felt * hinges + i]
