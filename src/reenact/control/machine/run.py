"""The control function of a state machine: compiled."""

from __future__ import annotations

from typing import Any

from numba import njit

from reenact.control.machine import layout as at
from reenact.control.machine.balance import (
    deviations,
    haste,
    keep_pressure,
    level_sole,
    place_swing_leg,
    standing_leg,
)
from reenact.control.machine.cues import feel_cues
from reenact.control.machine.events import change_state, feel_contacts
from reenact.control.machine.react import feel_falling, react
from reenact.control.machine.standing import bend_ankle, feel_glide, stand, stands
from reenact.control.machine.upright import drive_root, hold_root, keep_thighs, wanted_root
from reenact.control.machine.watch import watch
from reenact.physics import sense as part
from reenact.physics.controller import ANGLE, GAIN, RATE, ROWS, STRENGTH, control


@control
def run_machine(sense: Any, table: Any, params: Any, memory: Any, target: Any) -> None:
    """One step: feel, change state, set the pose, balance, hold the root; and weigh the motion where asked."""
    if memory[at.BEGUN] == 0.0:
        memory[at.HEADING] = sense[part.HEADING]
        memory[at.ENTERED] = sense[part.STEP]
        memory[at.CLOCK] = -1.0  # counted up at every step, this one too
    before = memory[at.TOUCHING]
    feel_contacts(sense, table, memory)
    if memory[at.TOUCHING] != before:
        memory[at.COP_KNOWN] = 0.0  # the centre of pressure jumps, which is no velocity
    feel_glide(sense, table, memory)
    change_state(sense, table, params, memory)
    row = int(memory[at.STATE]) * int(table[at.ROW])
    _take_pose(sense, table, params, row, target)
    leg = standing_leg(table, memory)
    memory[at.HASTE] = 0.0
    for i in range(at.FALLS + at.CUES):
        memory[at.FEEL + i] = 0.0
    if stands(table, params, memory, row):
        stand(sense, table, params, memory, row, target)
    elif leg >= 0:
        place, velocity = deviations(sense, table, params, memory, row, leg)
        asked = wanted_root(sense, table, params, memory, row, place, velocity)
        feel_falling(sense, table, memory, leg, place, velocity)
        if table[at.LAW] == at.DEVIATION:
            feel_cues(sense, table, params, memory, row, leg, asked)
        react(sense, table, params, memory, row, target)
        place_swing_leg(sense, table, params, row, leg, place, velocity, asked, target)
        level_sole(sense, table, params, row, leg, target)
        bend_ankle(sense, table, params, row, leg, place, velocity, 1.0, target)
        memory[at.HASTE] = haste(params, memory, row)
        if table[at.ROOT_BY] == at.SWING_THIGH:
            drive_root(sense, table, params, row, leg, asked, target)
        else:
            hold_root(sense, table, params, memory, row, leg, asked, target)
    keep_pressure(sense, memory)
    keep_thighs(sense, table, memory)
    memory[at.BEGUN] = min(2.0, memory[at.BEGUN] + 1.0)
    watch(sense, table, memory, target)


@njit
def _take_pose(sense: Any, table: Any, params: Any, row: Any, target: Any) -> None:
    hinges, groups = int(sense[part.HINGES]), int(table[at.GROUPS])
    pose, group_of = row + at.GAINS + groups + 4, int(table[at.GROUP_OF])
    for i in range(hinges):
        target[ANGLE * hinges + i] = params[pose + i]
        target[RATE * hinges + i] = 0.0
        target[GAIN * hinges + i] = params[row + at.GAINS + int(table[group_of + i])]
        target[STRENGTH * hinges + i] = 1.0
    if table[at.ROOT_BY] == at.SWING_THIGH:
        target[ROWS * hinges] = 0.0
