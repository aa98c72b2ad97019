"""A state machine that is held against videos while it runs: compiled, [V12] Eq. 9 and 11 in its memory.

The machine's own step comes first, with its watch over the markers; then every frame of every view that falls between
the step before and this one is compared with the body's silhouette there. So thousands of candidates are weighed at the
speed of the simulation, and one that matches no longer is ended at once.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from reenact.control.machine import layout as at
from reenact.control.machine import watch
from reenact.control.machine.run import run_machine
from reenact.observe import machine_seen_table as seen
from reenact.observe.projection_native import mismatch, overlap_of
from reenact.physics import sense as part
from reenact.physics.controller import control

_step: Any = njit(error_model="numpy")(run_machine.python)


@control
def run_seen(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    """One step of the machine, and what is seen of it. The table must hold a watch and a block behind it."""
    _step(sense, table, params, memory, target)
    if not math.isnan(target[0]):  # else it has given up
        look(sense, table, memory, target)


@njit(error_model="numpy")
def look(sense: Any, table: Any, memory: Any, target: Any) -> None:
    """Hold the present pose, and the one before, against the frames that fall on this step."""
    block, own = block_at(sense, table), at.ENTRY + int(table[at.STATES])
    segments, step, steps = int(sense[part.SEGMENTS]), int(sense[part.STEP]), int(table[block + seen.STEPS])
    pose = part.positions(sense)
    if step < steps:
        events = block + seen.HEAD + steps + 1
        for i in range(int(table[block + seen.HEAD + step]), int(table[block + seen.HEAD + step + 1])):
            _count(sense, pose, segments, table, block, events + seen.EVENT * i, memory, own)
    for i in range(12 * segments):
        memory[own + seen.BEFORE + i] = sense[pose + i]
    if memory[own + seen.SUM] > table[block + seen.CAP]:
        memory[own + seen.LOST] = float(step)
        target[0] = math.nan


@njit
def block_at(sense: Any, table: Any) -> Any:
    """Where in the table the block begins: behind the watch's."""
    begin, segments = int(table[at.WATCH]), int(sense[part.SEGMENTS])
    frames = int(table[begin + watch.FRAMES])
    return begin + watch.BEGINS + int(table[at.STATES]) + 9 * segments + (12 * segments + 2) * frames


@njit(error_model="numpy")
def _count(sense: Any, pose: Any, segments: Any, table: Any, block: Any, event: Any, memory: Any, own: Any) -> None:
    """One frame of one view."""
    view, frame, share = (
        block + int(table[event + seen.VIEW]),
        int(table[event + seen.FRAME]),
        table[event + seen.SHARE],
    )
    if share == 0.0:
        both, mask, drawn = overlap_of(sense, pose, pose + 3 * segments, table, view, frame)
    else:
        before = own + seen.BEFORE
        between = before + 12 * segments
        for i in range(12 * segments):
            memory[between + i] = share * memory[before + i] + (1.0 - share) * sense[pose + i]
        both, mask, drawn = overlap_of(memory, between, between + 3 * segments, table, view, frame)
    term = table[event + seen.WEIGHT] * mismatch(both, mask, drawn)
    if table[event + seen.PAST] == 0.0:
        memory[own + seen.SUM] += term
        memory[own + seen.COUNTED] += table[event + seen.WEIGHT]
    else:
        memory[own + seen.BEYOND] += term
        memory[own + seen.COUNTED_BEYOND] += table[event + seen.WEIGHT]
