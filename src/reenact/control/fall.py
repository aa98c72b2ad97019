"""Did it fall? Judged against the motion that was followed: a roll on the ground is no fall, a sunk walk is.

The motion is the one in the world (see `over_ground`): who rolls down a step is expected to be lower. After its end,
when a controller goes on, it is the height above the ground that counts, and the motion's last pose.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter1d, minimum_filter1d

from reenact.control.bearing import ground_load, trunk_of
from reenact.control.glide import as_level
from reenact.control.over_ground import floor_of
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.tree import tree_of
from reenact.physics.trace import Trace
from reenact.world.ground import ground_height

DROP = 0.2  # of stature: a root that far below the reference's has fallen
EARLY = 0.1  # [s] by which it may go down with the ground earlier or later
NEAR = 0.1  # of stature: a reference whose trunk or head comes that close to its lowest point lies or rolls
SLACK = 0.3  # [s] by which it may do so earlier or later
LOAD = 0.02  # of body weight: a lighter touch is a brush


@dataclass(frozen=True, slots=True, kw_only=True)
class Tumble:
    """When a body fell and how that showed."""

    time: float  # [s]
    reason: str


def find_fall(trace: Trace, motion: Motion) -> Tumble | None:
    """The first moment at which the body sank far below the reference, or its trunk or head hit the ground alone."""
    found = [tumble for tumble in (_sunk(trace, motion), _hit(trace, motion)) if tumble is not None]
    return min(found, key=lambda tumble: tumble.time, default=None)


def _sunk(trace: Trace, motion: Motion) -> Tumble | None:
    floor = floor_of(motion)
    lowest = minimum_filter1d(floor, 2 * round(EARLY * motion.rate) + 1, mode="nearest")
    expected = np.interp(trace.time, motion.time, motion.qpos[:, 2] - floor + lowest)
    if (after := trace.time > motion.duration + 0.5 * trace.model.timestep).any():
        ground = ground_height(trace.model.world, trace.qpos[after, 0], trace.qpos[after, 1])
        expected[after] = ground + motion.qpos[-1, 2] - floor[-1]
    below = expected - trace.qpos[:, 2]
    sunk = below > DROP * motion.body.stature
    if not sunk.any():
        return None
    k = int(np.argmax(sunk))
    name = motion.body.segments[0].name
    return Tumble(
        time=float(trace.time[k]),
        reason=f"the {name} was {below[k]:.2f} m below the reference at {trace.time[k]:.2f} s",
    )


def _hit(trace: Trace, motion: Motion) -> Tumble | None:
    watched = trunk_of(motion.body)
    weight = trace.model.mass * float(np.linalg.norm(trace.model.mj.opt.gravity))
    pressed = ground_load(trace)[:, watched] > LOAD * weight  # (N, watched)
    lies = _lies(motion)
    frame = np.minimum(np.round(trace.time[:-1] * motion.rate).astype(int), motion.frames - 1)
    alone = np.flatnonzero(pressed.any(axis=1) & ~lies[frame])
    if not len(alone):
        return None
    time = float(trace.time[alone[0]])
    name = motion.body.segment_names[watched[int(np.argmax(pressed[alone[0]]))]]
    return Tumble(time=time, reason=f"the {name} hit the ground at {time:.2f} s, which the reference does not")


def _lies(motion: Motion) -> NDArray[np.bool_]:
    """Frames (T,) about which the reference has its trunk or head on the ground, or as good as.

    Heights are taken above the frame's own lowest point: recorded contacts of parts that sink in are lifted off.
    """
    lowest = lowest_by_segment(motion.body, tree_of(motion.body), as_level(motion).qpos, motion.rate)
    trunk = np.isin(lowest.segments, trunk_of(motion.body))
    if not trunk.any():
        return np.zeros(motion.frames, bool)
    height = lowest.height[:, trunk].min(axis=1) - lowest.height.min(axis=1)
    reach = round(SLACK * motion.rate)
    return np.asarray(maximum_filter1d(height < NEAR * motion.body.stature, 2 * reach + 1), bool)
