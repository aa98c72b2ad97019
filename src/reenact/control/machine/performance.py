"""What a state machine did at each step of a simulation: for the eye, so that a viewer need not run it again."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reenact.control.machine import layout as at
from reenact.control.machine.balance import deviations, lead, standing_leg
from reenact.control.machine.events import LEFT_STANDS
from reenact.control.machine.limbs import Limbs
from reenact.control.machine.machine import Machine
from reenact.control.machine.standing import over_feet, stands
from reenact.control.machine.upright import wanted_root, wanted_tilt
from reenact.errors import InputError
from reenact.geometry.rotation import Array
from reenact.physics.controller import ANGLE, ROOT_NUMBERS, ROWS, control
from reenact.physics.trace import Trace

NAMES = ("state", "target", "target_root", "balance")

_D, _ROOT, _BOTH, _TOLD = 0, 2, 6, 7  # where `_tell` writes, and how many numbers
_CONTROL = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)


def performance_of(machine: Machine, trace: Trace) -> dict[str, NDArray[Any]]:
    """Arrays for motion.npz, from a trace of the machine with its senses.

    | array | shape | meaning |
    | --- | --- | --- |
    | state | (N,) | number of the state, from 0 |
    | target | (N, A) | pose that it asks for [rad]: the state's own, as the balance feedback changes it |
    | target_root | (N, 4) | orientation that it asks of the root, in the world |
    | balance | (N, 2) | d on the ground, in the world [m]; zero where it does not move the swing leg |

    The control function is run again on what it felt. The share of the standing hip that holds the root, or of both
    where the body balances on both feet, is not in `target`: there it is the state's own pose, with its reactions and
    answers.
    """
    if trace.senses is None:
        raise InputError("a performance needs a trace with its senses")
    limbs = machine.check_body(trace.model)
    memory, target = _rerun(machine, trace)
    state = memory[1:, at.STATE].astype(np.int32)
    leg, told = _standing(limbs, memory[1:]), _tell_all(machine, trace, memory)
    poses, first = np.array([s.pose for s in machine.states]), at.reactions_at(len(machine.groups), len(machine.axes))
    changes = machine.rows()[:, first:].reshape(len(poses), -1, len(machine.axes))
    felt = memory[1:, at.FEEL : at.FELT]
    for side, limb in enumerate(limbs.legs):
        hip = slice(limb.hip, limb.hip + 3)
        steps = np.flatnonzero((leg == side) | (told[:, _BOTH] == 1.0))
        more = np.einsum("kf,kfi->ki", felt[steps], changes[state[steps], :, hip])
        target[steps, hip] = poses[state[steps], hip] + more
    return {
        "state": state,
        "target": target.astype(np.float32),
        "target_root": told[:, _ROOT : _ROOT + 4].astype(np.float32),
        "balance": told[:, _D : _D + 2].astype(np.float32),
    }


@control
def _tell(sense: Any, table: Any, params: Any, memory: Any, out: Any) -> None:
    """What the feedback makes of a step; `memory` as it stands while the step is controlled."""
    row = int(memory[at.STATE]) * int(table[at.ROW])
    leg = standing_leg(table, memory)
    place, velocity = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if stands(table, params, memory, row):
        place, velocity = over_feet(sense, table, params, memory, row)
        root = wanted_tilt(sense, table, params, row, place, velocity)
        out[_BOTH] = 1.0
    else:
        if leg >= 0:
            place, velocity = deviations(sense, table, params, memory, row, leg)
        root = wanted_root(sense, table, params, memory, row, place, velocity)
    if params[row + at.BLEND] != 0.0:
        d = lead(sense, table, params, row, leg, place, velocity)
        out[_D], out[_D + 1] = d[0], d[1]
    out[_ROOT], out[_ROOT + 1], out[_ROOT + 2], out[_ROOT + 3] = root[0], root[1], root[2], root[3]


def _tell_all(machine: Machine, trace: Trace, memory: Array) -> Array:
    """What `_tell` says of each step, (N, 7)."""
    program = machine.compile(trace.model)
    tell, senses = _CONTROL(_tell.address), np.ascontiguousarray(trace.senses, float)
    now = memory[1:].copy()  # as while the step is controlled: the centre of pressure is still the one before
    now[:, at.COP : at.COP_KNOWN + 1] = memory[:-1, at.COP : at.COP_KNOWN + 1]
    now[memory[:-1, at.TOUCHING] != memory[1:, at.TOUCHING], at.COP_KNOWN] = 0.0
    out = np.zeros((len(senses), _TOLD))
    table, params = program.table.ctypes.data, program.params.ctypes.data
    for sense, own, row in zip(senses, now, out, strict=True):
        tell(sense.ctypes.data, table, params, own.ctypes.data, row.ctypes.data)
    return out


def _rerun(machine: Machine, trace: Trace) -> tuple[Array, Array]:
    """The memory before the first and after each step (N+1, M), and the angles asked for (N, A)."""
    program = machine.compile(trace.model)
    run = _CONTROL(program.function.address)
    senses = np.ascontiguousarray(trace.senses, float)
    memory, target = np.zeros(program.memory), np.zeros(ROWS * trace.model.hinges + ROOT_NUMBERS)
    memories = np.zeros((len(senses) + 1, program.memory))
    angles = np.zeros((len(senses), trace.model.hinges))
    given = [values.ctypes.data for values in (program.table, program.params, memory, target)]
    for step, row in enumerate(senses):
        run(row.ctypes.data, *given)
        memories[step + 1] = memory
        angles[step] = target[ANGLE * trace.model.hinges : (ANGLE + 1) * trace.model.hinges]
    return memories, angles


def _standing(limbs: Limbs, memory: Array) -> NDArray[np.int64]:
    """Which leg stands and bears at each step, (N,); −1 where none does."""
    if not limbs.legs:
        return np.full(len(memory), -1, np.int64)
    leg = np.where(memory[:, at.STANCE] == LEFT_STANDS, 0, 1)
    bit = np.array([limb.part for limb in limbs.legs])[leg]
    bears = (memory[:, at.TOUCHING].astype(np.int64) >> bit) & 1
    return np.where((memory[:, at.STANCE] != 0.0) & (bears == 1), leg, -1)
