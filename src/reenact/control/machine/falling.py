"""How far a body falls, and which way: compiled. What reactions and haste answer to.

It is seen from where the body will be soon: deviation of the COM's place plus `AHEAD` times that of its velocity, both
from the state's nominal values (`balance.deviations`). There are four ways to fall, because the legs are not alike: who
falls to the side of the swinging leg puts it there, who falls over the standing leg has to cross it or to set the other
down at once. Who stands on both feet falls ahead, back, to the left (as over a left leg that stands) and to the right.
"""

from __future__ import annotations

import math
from typing import Any, Final

from numba import njit

from reenact.control.machine import layout as at
from reenact.geometry.native_vectors import blend
from reenact.physics import sense as part

WAYS: Final = ("ahead", "back", "over the standing leg", "to the swinging leg")
AHEAD = 0.3  # [s] about the time constant with which a standing body falls: where it is soon
FARTHEST = 0.5  # [m] of falling, beyond which the answer grows no more


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
