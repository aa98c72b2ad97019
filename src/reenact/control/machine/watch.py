"""How well a motion does while it is simulated: compiled, called by the control function, kept in its memory.

Markers, three on each segment, are compared with the reference's at every step, [V12] Eq. 10. Two clocks:

- TIME: step k is held against frame k in the world; beyond the last one nothing is weighed.
- PHASE: a state's n-th step is held against the n-th frame after the one at which the state began in the reference, the
  root moved over the reference's on the ground. So a gait is compared that has been pushed, or goes on for minutes.

A run that has lost the reference is ended: its target becomes NaN, which the loop takes as giving up.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from reenact.control.machine import layout as at
from reenact.physics import sense as part

TIME, PHASE = 0, 1

# The block in the table; then the frame at which each of M states begins, 9·S numbers of the markers in their segments,
# and per frame 12·S + 2 of the reference: markers, segment origins, and the COM's velocity on the ground.
# Every EVERY-th step from FROM up to LAST the marker offsets, 9·S numbers, then SPEED_WEIGHT times the two of the
# velocity, are kept in the memory from OFFSETS on; never where EVERY is 0.
CLOCK, FRAMES, LAST, LIMIT, FROM, EVERY, OFFSETS, SPEED_WEIGHT, BEGINS = range(9)

# Numbers in the memory, from `layout.SCORE` on: sums over steps of the mean squared marker distance [m²], the weighed
# velocity counting like a marker, and of the mean joint distance [m]; the number of steps, and of those in which
# nothing touches.
SQUARED, JOINTS, COUNTED, ALOFT = range(4)


@njit
def kept_numbers(segments: Any) -> Any:
    """Numbers kept of one step."""
    return 9 * segments + 2


@njit
def watch(sense: Any, table: Any, memory: Any, target: Any) -> None:
    """Weigh the present state."""
    block = int(table[at.WATCH])
    step = int(sense[part.STEP])
    if block == 0 or step < 1:
        return
    segments = int(sense[part.SEGMENTS])
    local = block + BEGINS + int(table[at.STATES])
    reference = local + 9 * segments + (12 * segments + 2) * _frame(table, memory, block, step)
    origin = reference + 9 * segments
    x, y = 0.0, 0.0
    if table[block + CLOCK] == PHASE:
        root = part.positions(sense)
        x, y = sense[root] - table[origin], sense[root + 1] - table[origin + 1]
    keep = _keeps(table, memory, block, step, segments)
    squared = _markers(sense, table, memory, local, reference, keep, x, y) / (3 * segments)
    if not squared < table[block + LIMIT]:
        target[0] = np.nan
        return
    if step > int(table[block + LAST]):
        return
    for i in range(2):
        off = table[block + SPEED_WEIGHT] * (sense[part.COM_VELOCITY + i] - table[origin + 3 * segments + i])
        squared += off * off / (3 * segments)
        if keep > 0:
            memory[keep + 9 * segments + i] = off
    memory[at.SCORE + SQUARED] += squared
    memory[at.SCORE + JOINTS] += _joints(sense, table, origin, x, y) / segments
    memory[at.SCORE + COUNTED] += 1.0
    if memory[at.TOUCHING] == 0.0:
        memory[at.SCORE + ALOFT] += 1.0


@njit
def _frame(table: Any, memory: Any, block: Any, step: Any) -> Any:
    """Frame of the reference that the present state is held against."""
    if table[block + CLOCK] == PHASE:
        step = int(table[block + BEGINS + int(memory[at.STATE])]) + step - int(memory[at.ENTERED])
    return min(step, int(table[block + FRAMES]) - 1)


@njit
def _keeps(table: Any, memory: Any, block: Any, step: Any, segments: Any) -> Any:
    """Where in the memory this step's offsets go; 0 where they are not kept."""
    every, first = int(table[block + EVERY]), int(table[block + FROM])
    if every == 0 or step < first or step > int(table[block + LAST]) or (step - first) % every != 0:
        return 0
    return int(table[block + OFFSETS]) + kept_numbers(segments) * ((step - first) // every)


@njit
def _markers(sense: Any, table: Any, memory: Any, local: Any, reference: Any, keep: Any, x: Any, y: Any) -> Any:
    """Sum of the markers' squared distances [m²]; their offsets are kept where `keep` is above 0."""
    place, turn, squared = part.positions(sense), part.rotations(sense), 0.0
    for s in range(int(sense[part.SEGMENTS])):
        p, r = place + 3 * s, turn + 9 * s
        for k in range(3):
            m, w = local + 9 * s + 3 * k, reference + 9 * s + 3 * k
            for i in range(3):
                turned = sense[r + 3 * i] * table[m] + sense[r + 3 * i + 1] * table[m + 1]
                off = sense[p + i] + turned + sense[r + 3 * i + 2] * table[m + 2] - table[w + i]
                if i == 0:
                    off -= x
                elif i == 1:
                    off -= y
                squared += off * off
                if keep > 0:
                    memory[keep + 9 * s + 3 * k + i] = off
    return squared


@njit
def _joints(sense: Any, table: Any, origin: Any, x: Any, y: Any) -> Any:
    """Sum of the distances of the segments' origins [m]."""
    place, joints = part.positions(sense), 0.0
    for s in range(int(sense[part.SEGMENTS])):
        p, o = place + 3 * s, origin + 3 * s
        a, b, c = sense[p] - table[o] - x, sense[p + 1] - table[o + 1] - y, sense[p + 2] - table[o + 2]
        joints += math.sqrt(a * a + b * b + c * c)
    return joints
