"""What bears a body: in a reference by its poses and its weight, in a simulation by contact forces.

A roll turns over its back and a cartwheel over its hands; a somersault in the air turns just as far and is neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import minimum_filter1d
from scipy.signal import savgol_filter

from reenact.body.body import Body
from reenact.control.glide import as_level
from reenact.geometry.rotation import Array
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.support import GRAVITY, centre_of_mass
from reenact.motion.tree import tree_of
from reenact.physics.trace import Trace
from reenact.world.plane import plane_height

TRUNK: Final = ("trunk", "head")  # kinds of segments
MOVES: Final = {"trunk": "lay or rolled on its trunk", "arms": "bore on its arms"}  # groups in words
NEAR: Final = 0.1  # parts that much above the lowest one bear weight too: recorded flesh is known no better [m]
ALONE: Final = 0.7  # a group with more than this share of the support bears the body as good as alone
LEAST: Final = 0.08  # such a stretch counts from this impulse on [body weights · s]: it changes the speed by 0.8 m/s
ENOUGH: Final = 1.0 / 3.0  # of the reference's impulse: a simulated body may share the load with its other parts
SLACK: Final = 0.25  # [s] by which it may do so earlier or later
BELOW: Final = 0.06  # [m] under what the reference stands on: off the beam, the step or the ledge
AROUND: Final = 0.5  # [s] before and after, over which that height is the least
OFF: Final = 0.1  # a body that bears this much down there has stepped off [body weights · s]
SMOOTH: Final = 0.15  # the acceleration of the centre of mass is taken over this time [s]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bearing:
    """A stretch of time in which one group of segments bears the body, as good as alone."""

    group: str  # "trunk" or "arms"
    start: float  # [s]
    end: float  # [s]
    impulse: float  # that it takes up at least [body weights · s]


def bearings(motion: Motion) -> list[Bearing]:
    """When a reference is on its trunk or its arms alone, and what they bear then.

    The support is shared by the parts near the lowest one, and its force is what the centre of mass needs, yet at most
    the weight: a body in flight bears nothing, and the shock of a landing may be taken up elsewhere.
    """
    lowest = lowest_by_segment(motion.body, tree_of(motion.body), as_level(motion).qpos, motion.rate)
    weight = np.clip(1.0 - (lowest.height - lowest.height.min(axis=1, keepdims=True)) / NEAR, 0.0, 1.0)
    weight /= weight.sum(axis=1, keepdims=True)
    force = np.clip(_support(motion), 0.0, 1.0)
    found = []
    for name, members in _groups(motion.body).items():
        share = weight[:, np.isin(lowest.segments, members)].sum(axis=1)
        for begin, end in _runs(share > ALONE):
            impulse = float(np.sum((share * force)[begin:end])) / motion.rate
            if impulse >= LEAST:
                start, last = begin / motion.rate, (end - 1) / motion.rate
                found.append(Bearing(group=name, start=start, end=last, impulse=impulse))
    return sorted(found, key=lambda bearing: bearing.start)


def missed_bearing(trace: Trace, motion: Motion) -> str:
    """In words where a simulated body never got onto what the reference is on; empty where it did."""
    load = ground_load(trace) / (trace.model.mass * float(np.linalg.norm(trace.model.mj.opt.gravity)))
    groups, time = _groups(motion.body), trace.time[:-1]
    for bearing in bearings(motion):
        if bearing.end > trace.time[-1] + 0.5 * trace.model.timestep:
            continue
        around = (time >= bearing.start - SLACK) & (time <= bearing.end + SLACK)
        impulse = float(load[around][:, groups[bearing.group]].sum()) * trace.model.timestep
        if impulse < ENOUGH * bearing.impulse:
            return (
                f"never {MOVES[bearing.group]}: the reference does from {bearing.start:.2f} to {bearing.end:.2f} s, "
                f"for {bearing.impulse:.2f} s of its weight, the body for {impulse:.2f} s"
            )
    return ""


def stepped_off(trace: Trace, motion: Motion) -> str:
    """In words where a body bears weight well below what the reference stands on; empty where it never does.

    Heights are over the plane of the ground, which may be a slope. A controller that goes on after the reference's end
    may go anywhere.
    """
    contacts, plane = trace.contacts, trace.model.world.ground
    lowest = lowest_by_segment(motion.body, tree_of(motion.body), motion.qpos, motion.rate)
    over = lowest.height - plane_height(plane, lowest.place[..., 0], lowest.place[..., 1])
    floor = minimum_filter1d(over.min(axis=1), 2 * round(AROUND * motion.rate) + 1, mode="nearest")
    height = contacts.point[:, 2] - plane_height(plane, contacts.point[:, 0], contacts.point[:, 1])
    under = height < np.interp(trace.time[contacts.step], motion.time, floor) - BELOW
    rows = ~contacts.own & under & (trace.time[contacts.step] <= motion.duration)
    weight = trace.model.mass * float(np.linalg.norm(trace.model.mj.opt.gravity))
    load = np.bincount(contacts.step[rows], contacts.force[rows, 2].clip(0.0), trace.steps) / weight
    impulse = np.cumsum(load) * trace.model.timestep
    if not len(impulse) or impulse[-1] < OFF:
        return ""
    k = int(np.argmax(impulse >= OFF))
    deep = rows & (contacts.step <= k)
    last = int(np.flatnonzero(deep)[-1])
    name = motion.body.segments[int(contacts.segment[last])].name
    down = float(np.interp(trace.time[k], motion.time, floor) - height[last])
    return f"stepped off: the {name} bore weight {down:.2f} m below the reference's ground at {trace.time[k]:.2f} s"


def ground_load(trace: Trace) -> Array:
    """Normal force of ground and parts on each segment, (N, S) [N]; what a thrown thing does is left out."""
    contacts, mj = trace.contacts, trace.model.mj
    things = {thing.name for thing in trace.model.world.things}
    thing = np.array([mj.body(mj.geom_bodyid[g]).name in things for g in range(mj.ngeom)])
    rows = ~contacts.own & ~thing[contacts.other]
    load = np.zeros((trace.steps, len(trace.model.segment_body)))
    normal = np.sum(contacts.force[rows] * contacts.normal[rows], axis=-1)
    np.add.at(load, (contacts.step[rows], contacts.segment[rows]), normal)
    return load


def trunk_of(body: Body) -> list[int]:
    """Segments of the trunk and the head."""
    return [i for i, segment in enumerate(body.segments) if segment.part in TRUNK]


def _groups(body: Body) -> dict[str, list[int]]:
    """Segments by group; arms are hands and what holds them to the trunk, so a body without hands has none."""
    arms = set()
    for hand in (segment for segment in body.segments if segment.part == "hand"):
        at = hand
        while at.part not in TRUNK and at.parent is not None:
            arms.add(body.segment_names.index(at.name))
            at = body.segment(at.parent)
    return {"trunk": trunk_of(body), "arms": sorted(arms)}


def _support(motion: Motion) -> Array:
    """Force that carries the body along its path (T,) [body weights]."""
    height = centre_of_mass(motion.body, tree_of(motion.body), motion.qpos)[:, 2]
    window = 2 * max(2, round(0.5 * SMOOTH * motion.rate)) + 1
    if len(height) < window:
        return np.ones(len(height))
    acceleration = savgol_filter(height, window, 3, deriv=2, delta=1.0 / motion.rate)
    return np.asarray(1.0 + acceleration / GRAVITY)


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """(first, last + 1) of each run of true ones."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]
