"""The floor of a clip: its height and tilt from resting feet, and the lift of frames that sink below it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.ndimage import convolve1d, maximum_filter1d

from reenact.body.body import Body
from reenact.geometry import rotation
from reenact.geometry.rotation import Array
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.tree import Tree

RESTING_SPEED: Final = 0.35  # a foot slower than this is taken to rest on something [m/s]
BANDWIDTH: Final = 0.01  # of the density of resting heights [m]
LOWEST_SHARE: Final = 0.3  # the floor is the lowest level at least this dense, relative to the densest
STEEPEST_ERROR: Final = np.deg2rad(2.0)  # less is a camera set up askew, more a real slope [rad]
LEAST_SPREAD: Final = 0.4  # feet must rest this far apart to tell a slope, as a standard deviation [m]
CLEARER: Final = 0.7  # a slope is believed when it leaves at most this share of the scatter
LIFT_TIME: Final = 0.16  # a lift comes and goes within about this time [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """Where the ground is in the clip's coordinates."""

    height: float  # over the origin [m], after levelling
    tilt: float  # between the plane through resting feet and the horizontal [rad]; 0 where it cannot be told
    level: Array  # (4,) rotation that levels it; none when it slopes so much that the slope is real
    resting: int  # resting feet counted over frames: 0 means that the height is a guess


def find_floor(body: Body, tree: Tree, poses: Array, rate: float) -> Floor:
    """The floor under a motion: the lowest level at which feet come to rest, made horizontal if it is nearly so.

    Without a resting foot (swimming, hanging) it is where the body's lowest points mostly end.
    """
    lowest = lowest_by_segment(body, tree, poses, rate)
    feet = [p for p, s in enumerate(lowest.segments) if is_hindfoot(body, int(s))]
    lower = lowest.height[:, feet] <= lowest.height[:, feet].min(axis=1, keepdims=True)  # the foot that bears
    slow = (lowest.speed[:, feet] < RESTING_SPEED) & lower
    if slow.sum() < max(3, 0.02 * len(poses)):
        guess = float(np.percentile(lowest.height.min(axis=1), 5))
        return Floor(height=guess, tilt=0.0, level=rotation.IDENTITY, resting=0)
    place, height = lowest.place[:, feet][slow], lowest.height[:, feet][slow]
    slope = _slope(place, height)
    tilt = float(np.arctan(np.linalg.norm(slope)))
    if tilt > STEEPEST_ERROR:
        slope = np.zeros(2)
    level = rotation.between([-slope[0], -slope[1], 1.0], rotation.AXES["z"])
    points = rotation.rotate(level, np.column_stack([place, height]))
    return Floor(height=_lowest_level(points[:, 2]), tilt=tilt, level=level, resting=int(slow.sum()))


def is_hindfoot(body: Body, segment: int) -> bool:
    """From heel to ball; toes do not count, because many recordings let them dip below the floor."""
    own = body.segments[segment]
    return own.part == "foot" and own.parent is not None and body.segment(own.parent).part != "foot"


def _lowest_level(heights: Array) -> float:
    """The lowest mode of the density of heights that stands out."""
    low, high = np.percentile(heights, [0.5, 99.5])
    grid = np.arange(low - 0.02, high + 0.02, 0.002)
    counts, _ = np.histogram(heights, bins=np.append(grid, grid[-1] + 0.002) - 0.001)
    kernel = np.exp(-0.5 * (np.arange(-20, 21) * 0.002 / BANDWIDTH) ** 2)
    density = convolve1d(counts.astype(float), kernel, mode="constant")
    peaks = (
        (density >= np.roll(density, 1)) & (density >= np.roll(density, -1)) & (density >= LOWEST_SHARE * density.max())
    )
    return float(grid[np.flatnonzero(peaks)[0]])


def _slope(place: Array, height: Array) -> Array:
    """Rise per metre (2,) of the plane through resting points, zero along directions in which they hardly spread.

    Points off the plane (a step, a raised foot) are dropped in rounds.
    """
    near = np.abs(height - _lowest_level(height)) < 0.08
    slope: Array = np.zeros(2)
    for reach in (0.08, 0.05, 0.03, 0.03):
        if near.sum() < 10:
            return np.zeros(2)
        centre, level = place[near].mean(axis=0), float(np.median(height[near] - place[near] @ slope))
        away = place[near] - centre
        values, axes = np.linalg.eigh(away.T @ away / near.sum())
        along = axes[:, values > LEAST_SPREAD**2]
        if along.shape[1] == 0:
            return np.zeros(2)
        design = np.column_stack([away @ along, np.ones(near.sum())])
        slope = np.asarray(along) @ np.linalg.lstsq(design, height[near], rcond=None)[0][:-1]
        level = float(np.median(height[near] - place[near] @ slope))
        near = np.abs(height - place @ slope - level) < reach
    rest = height[near] - place[near] @ slope
    return slope if rest.std() < CLEARER * height[near].std() else np.zeros(2)


def depths(body: Body, tree: Tree, poses: Array) -> Array:
    """How deep the body's lowest point is below z = 0 in each frame, (T,) [m], 0 where it is not."""
    lowest = lowest_by_segment(body, tree, poses, 1.0)
    return np.asarray(np.maximum(0.0, -lowest.height.min(axis=1)))


def smooth_lift(depth: Array, rate: float, seconds: float = LIFT_TIME) -> Array:
    """A smooth curve (T,) [m] that is nowhere below `depth` (T,) and little above it.

    The greatest depth within ±w of each frame, averaged over ±w by a raised cosine: every value that enters the average
    at a frame is at least the depth there. w: so many seconds.
    """
    half = max(1, round(seconds * rate))
    if len(depth) == 0 or depth.max() == 0.0:
        return np.zeros_like(depth)
    highest = maximum_filter1d(depth, 2 * half + 1, mode="nearest")
    kernel = np.hanning(2 * half + 3)[1:-1]
    return np.asarray(np.maximum(convolve1d(highest, kernel / kernel.sum(), mode="nearest"), depth))
