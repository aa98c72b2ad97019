"""A track whose feet rest now above and now below the floor, set down on it step by step.

How far away somebody is, and so how high, one view tells to some centimetres, cameras are calibrated to as much, and
meadows are not as flat as the floor of a simulation. A woman who walked across one rested her feet 3 cm below the floor
at first and 4 cm above it two steps later: then hardly a foot comes down where contacts are looked for, and no walk is
found in her steps. So all of a pose is lowered or raised by what the foot that bears it is off, smoothly from step to
step. Toes do not count: they may be bent into the floor.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from scipy.ndimage import binary_opening, convolve1d

from reenact.body.body import Body
from reenact.geometry.rotation import Array
from reenact.motion.floor import is_hindfoot
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.tree import Tree

SLOW: Final = 0.35  # [m/s] of a foot's lowest point, below which it is taken to rest
LASTING: Final = 0.15  # [s] for which it must: at the height of a hop it is slow for half as long
MOST: Final = 0.06  # [m] from the floor at which a foot that rests is taken to rest on it, and not on a step
SECONDS: Final = 0.3  # within which a correction comes and goes


def off_the_floor(body: Body, tree: Tree, poses: Array, rate: float) -> Array:
    """How far above the floor z = 0 the feet that bear poses (T, 7 + A) rest, (T,) [m], smoothly; 0 where none does."""
    lowest = lowest_by_segment(body, tree, poses, rate)
    feet = [p for p, s in enumerate(lowest.segments) if is_hindfoot(body, int(s))]
    if not feet:
        return np.zeros(len(poses))
    height, speed = lowest.height[:, feet], lowest.speed[:, feet]
    each, bears = np.arange(len(poses)), height.argmin(axis=1)
    height, speed = height[each, bears], speed[each, bears]
    slow = binary_opening(speed < SLOW, np.ones(max(1, round(LASTING * rate))))
    rests = np.flatnonzero(slow & (np.abs(height) < MOST))
    if len(rests) == 0:
        return np.zeros(len(poses))
    between = np.interp(each, rests, height[rests])
    kernel = np.hanning(2 * max(1, round(SECONDS * rate)) + 3)[1:-1]
    return np.asarray(convolve1d(between, kernel / kernel.sum(), mode="nearest"))
