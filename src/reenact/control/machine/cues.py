"""What a walking body feels of itself, beside how far it falls: compiled. What the answers of its joints answer to.

Bodies that fall alike may have their swinging leg, trunk and hips elsewhere, and have to do something else then. All
cues are seen from the standing leg, "over" being its side, so that they mean the same in both steps. Who does not stand
on one leg feels none.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numba import njit

from reenact.control.machine import layout as at
from reenact.control.machine.balance import other_leg
from reenact.geometry.native_vectors import vector
from reenact.physics import sense as part

# The swinging foot from the COM; the root's spin about its heading, and its heading from what is asked; joints.
CUES: Final = (
    "swinging_foot_over_m",
    "swinging_foot_ahead_m",
    "root_rolling_over_deg_s",
    "root_turned_over_deg",
    "standing_hip_twisted_deg",
    "swinging_hip_twisted_deg",
    "swinging_knee_bent_deg",
)
SI: Final = np.array([1.0 if name.endswith("_m") else math.pi / 180.0 for name in CUES])  # of their units


@njit
def feel_cues(sense: Any, table: Any, params: Any, memory: Any, row: Any, leg: Any, asked: Any) -> None:
    """Take note of the cues, beside what they are as a rule; `asked`: the orientation asked of the root."""
    swing = other_leg(table, leg)
    inward = 1.0 if leg == int(table[at.LEG]) else -1.0
    foot = vector(sense, part.positions(sense) + 3 * int(table[swing + at.LEG_FOOT]))
    c, s = math.cos(sense[part.HEADING]), math.sin(sense[part.HEADING])
    x, y = foot[0] - sense[part.COM], foot[1] - sense[part.COM + 1]
    way = math.atan2(
        2.0 * (asked[0] * asked[3] + asked[1] * asked[2]), 1.0 - 2.0 * (asked[2] * asked[2] + asked[3] * asked[3])
    )
    turned = sense[part.HEADING] - way
    angles = part.angles(sense)
    cue = at.FEEL + at.FALLS
    memory[cue] = inward * (c * y - s * x)
    memory[cue + 1] = c * x + s * y
    memory[cue + 2] = -inward * (c * sense[part.SPIN] + s * sense[part.SPIN + 1])  # turning left about it leans right
    memory[cue + 3] = inward * math.atan2(math.sin(turned), math.cos(turned))
    memory[cue + 4] = sense[angles + int(table[leg + at.LEG_TWIST])]
    memory[cue + 5] = sense[angles + int(table[swing + at.LEG_TWIST])]
    memory[cue + 6] = sense[angles + int(table[swing + at.LEG_KNEE])]
    for i in range(at.CUES):
        memory[cue + i] -= params[row + at.USUAL + i]
