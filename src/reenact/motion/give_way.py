"""Toes and hands that give way to the floor.

Many recordings have stiff feet, whose toes would dip below the floor at every push-off, and hands that do not lie flat
when they bear weight. Toes bend up and wrists back or forth as far as the floor asks, before the whole body is lifted.

But no farther than it helps: where the joint itself is too low, a part that lies level sinks by its thickness, and to
be freed of that it would have to stand on end. A foot that was 6 mm too low had its toes bent up by 60°, and stood on
its ball. That is left to the lift.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.body.toes import toes_of
from reenact.geometry.rotation import Array
from reenact.motion.floor import smooth_lift
from reenact.motion.lowest import ShapeArrays, lowest_points, shapes_of
from reenact.motion.tree import Indices, Tree

STEPS: Final = 12  # angles tried between the pose and the joint's limit
ALLOWED: Final = 0.001  # depth at which a part is left alone [m]
LEVER: Final = 0.03  # by which a part must rise [m] for each radian that it bends, or it is not bent so far


def give_way(body: Body, tree: Tree, poses: Array, rate: float) -> Array:
    """Poses (T, 7 + A) with toes and wrists bent as far as the floor z = 0 asks and their limits let, smoothly."""
    out = np.array(poses, float)
    shapes = shapes_of(body)
    for segment, hinge, limits in _bendable(body, tree):
        own = shapes.segment == segment
        height = lowest_points(tree, shapes, out)[0][:, own].min(axis=1)
        sunk = np.flatnonzero(height < -ALLOWED)
        if len(sunk) == 0:
            continue
        ways = [_towards(tree, shapes, own, out[sunk], hinge, limit) for limit in limits]
        chosen = _way_of_each_run(sunk, np.stack([price for _, price in ways]))
        bend = np.zeros(len(out))
        for way, limit in enumerate(limits):
            needed = np.zeros(len(out))
            needed[sunk] = np.where(chosen == way, np.abs(ways[way][0]), 0.0)
            bend += np.sign(limit) * smooth_lift(needed, rate)
        lower, upper = (side[hinge] for side in tree.limits)
        out[:, 7 + hinge] = np.clip(out[:, 7 + hinge] + bend, lower, upper)
    return out


def _towards(
    tree: Tree, shapes: ShapeArrays, own: NDArray[np.bool_], poses: Array, hinge: int, limit: float
) -> tuple[Array, Array]:
    """By how much a hinge is bent towards a limit to free a part from the floor (T,) [rad], and the price [m].

    The price is the depth that is left, and what bending costs.
    """
    begin = poses[:, 7 + hinge, None]
    tried = begin + np.linspace(0.0, 1.0, STEPS + 1) * (limit - begin)
    heights = np.empty_like(tried)
    for k in range(STEPS + 1):
        trial = poses.copy()
        trial[:, 7 + hinge] = tried[:, k]
        heights[:, k] = lowest_points(tree, shapes, trial)[0][:, own].min(axis=1)
    price = np.maximum(0.0, -heights - ALLOWED) + LEVER * np.abs(tried - begin)
    best, pick = np.argmin(price, axis=1), np.arange(len(poses))
    return tried[pick, best] - begin[:, 0], price[pick, best]


def _way_of_each_run(frames: Indices, price: Array) -> Indices:
    """Which way (T,) to bend, the same over each run of neighbouring frames: the one of the least price, (W, T) [m]."""
    runs = np.cumsum(np.concatenate([[0], np.diff(frames) > 1]))
    chosen = np.zeros(len(frames), dtype=np.int64)
    for run in range(int(runs[-1]) + 1):
        inside = runs == run
        chosen[inside] = np.argmin(price[:, inside].sum(axis=1))
    return chosen


def _bendable(body: Body, tree: Tree) -> Iterator[tuple[int, int, tuple[float, ...]]]:
    """Segment, hinge, and the limits [rad] towards which it gives way: toes up, wrists back or forth."""
    for toes in toes_of(body):
        yield toes.segment, toes.hinge, body.axes[toes.hinge].range[:1]
    for s, segment in enumerate(body.segments):
        if segment.part != "hand":
            continue
        for a, axis in enumerate(segment.axes, start=int(tree.arrays.first_axis[s])):
            if axis.name.endswith("flexion") and axis.range[0] < 0 < axis.range[1]:
                yield s, a, axis.range
