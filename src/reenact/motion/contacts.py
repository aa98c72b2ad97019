"""When each part of the body is on the ground, from the height and speed of its lowest point."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.geometry.rotation import Array
from reenact.motion.contact import Contact
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.tree import Tree

TOUCH_HEIGHT: Final = 0.02  # a part this near the floor may touch [m] …
TOUCH_SPEED: Final = 0.6  # … when its lowest point is slower than this [m/s]
LEAVE_HEIGHT: Final = 0.04  # and it has left when higher [m] …
TRUNK_SLACK: Final = 0.05  # more for trunk and head [m]: how far flesh lies from the joints is known least there
LEAVE_SPEED: Final = 1.2  # … or faster [m/s]
SHORTEST: Final = 0.04  # contacts and gaps shorter than this are noise [s]


def find_contacts(body: Body, tree: Tree, poses: Array, rate: float) -> tuple[Contact, ...]:
    """Contacts of all segments with the floor z = 0, by start time."""
    lowest = lowest_by_segment(body, tree, poses, rate)
    contacts = []
    for p, s in enumerate(lowest.segments):
        slack = TRUNK_SLACK if body.segments[s].part in ("trunk", "head") else 0.0
        touching = touches(lowest.height[:, p] - slack, lowest.speed[:, p], rate)
        for begin, end in _runs(touching):
            contacts.append(Contact(segment=body.segments[s].name, start=begin / rate, end=(end - 1) / rate))
    return tuple(sorted(contacts, key=lambda c: (c.start, c.segment)))


def touches(height: Array, speed: Array, rate: float) -> NDArray[np.bool_]:
    """Frames (T,) in contact, from heights [m] and speeds [m/s] (T,), with hysteresis and without flicker."""
    on = (height < TOUCH_HEIGHT) & (speed < TOUCH_SPEED)
    off = (height > LEAVE_HEIGHT) | (speed > LEAVE_SPEED)
    state = np.zeros(len(height), dtype=bool)
    touching = False
    for t in range(len(height)):
        touching = not off[t] if touching else bool(on[t])
        state[t] = touching
    shortest = SHORTEST * rate
    for begin, end in _runs(~state):  # gaps first, so that one contact does not fall into short ones
        if begin > 0 and end < len(state) and end - begin < shortest:
            state[begin:end] = True
    for begin, end in _runs(state):
        if end - begin < shortest:
            state[begin:end] = False
    return state


def _runs(state: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """(first, last + 1) of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], state, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
