"""The order slip that Python hands to the native loop: one row of 64-bit integers, addresses among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Engine and sizes.
MODEL, DATA, MOTOR, NQ, NV, NU, NBODY, HINGE_COUNT, SEGMENT_COUNT, ROOT_BODY = range(10)
# Maps of the model: addresses of 64-bit integers, then of doubles.
HINGE_QPOS, HINGE_DOF, HINGE_ACTUATOR, DOF_HINGE, GEOM_SEGMENT, SEGMENT_BODY = range(10, 16)
SERVO_KP, SERVO_KD, BODY_MASS = range(16, 19)
# The controller.
CONTROL, TABLE, PARAMS, PARAM_COUNT, MEMORY_COUNT = range(19, 24)
# Candidates FIRST … LAST−1, where each starts, and how long it runs.
FIRST, LAST, STARTS, START_OF, STATE_COUNT, STEPS = range(24, 30)
# Declared external forces: a wrench of 6 numbers on a body from step PUSH_SPAN[2i] up to but not at PUSH_SPAN[2i + 1].
# They come in plans: candidate c feels those from PUSH_FIRST[p] up to but not at PUSH_FIRST[p + 1], p = PUSH_PLAN[c].
PUSH_BODY, PUSH_FIRST, PUSH_SPAN, PUSH_WRENCH = range(30, 34)
# Falling: address of the least root height [m] and of a flag per segment that may bear no load; 0 where not watched.
# FALL_AFTER below: steps before which nothing counts as a fall.
FALL_HEIGHT, FALL_SEGMENT = range(34, 36)
# Scratch of this thread: a row of senses, memory and target.
SENSE, MEMORY, TARGET = range(36, 39)
# Results: final states, status rows, and what is recorded; 0 where not wanted.
FINAL, STATUS, EVERY, ROWS, QPOS_OUT, QVEL_OUT = range(39, 45)
TORQUE_OUT, CTRL_OUT, WARMSTART_OUT, SENSE_OUT, TARGET_OUT = range(45, 50)
CONTACT_OUT, CONTACT_ROOM, CONTACT_COUNT, POINTS_OUT, TIMESTEP = range(50, 55)
STOP_OUT, JOINT_HINGE, HINGE_MIDDLE, PUSH_PLAN = range(55, 59)
# Where the program drives the root: a twin of the model in which it is driven, and what the handover needs.
TWIN_MODEL, TWIN_DATA, HINGE_JOINT, TORQUE_LIMIT = range(59, 63)
# How hard each hinge worked, a row of A sums per candidate, see `effort.py`; 0 where not wanted. Needs TORQUE_LIMIT.
EFFORT_OUT, FALL_AFTER = 63, 64
LENGTH = 65

# Status codes, and the columns of a status row.
OK, FELL, DIVERGED = 0, 1, 2
CODE, STEPS_DONE, DETAIL = 0, 1, 2
STATUS_WIDTH = 3
DETAIL_HEIGHT, DETAIL_SPEED, DETAIL_ENGINE, DETAIL_GAVE_UP = -1, -2, -3, -4
# Other details: 1 + the segment that touched, or 1 + the engine's warning.
NOT_RUN = -1

# Columns of a contact row.
CONTACT_WIDTH = 12  # step, segment, other geom, point 3, normal 3, force 3
SPEED_LIMIT = 1e3  # [m/s], [rad/s]: no body part moves so; faster is a diverged simulation


@dataclass(slots=True)
class Job:
    """A job being filled in; keeps every array alive whose address it holds."""

    row: NDArray[np.int64] = field(default_factory=lambda: np.zeros(LENGTH, np.int64))
    held: list[Any] = field(default_factory=list)

    def put(self, place: int, value: int | NDArray[Any]) -> None:
        """Write a number, or the address of an array of doubles or 64-bit integers."""
        if isinstance(value, np.ndarray):
            if not value.flags.c_contiguous or value.dtype not in (np.float64, np.int64):
                raise ValueError(f"job place {place}: expected contiguous float64 or int64, got {value.dtype}")
            self.held.append(value)
            self.row[place] = value.ctypes.data
        else:
            self.row[place] = value

    def copy(self) -> Job:
        """The same job for another thread to finish."""
        return Job(row=self.row.copy(), held=list(self.held))
