"""Toes that give way to the floor: many recordings have stiff feet, whose toes would dip below it at every push-off."""

from __future__ import annotations

from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.geometry.rotation import Array
from reenact.motion.floor import smooth_lift
from reenact.motion.lowest import lowest_points, shapes_of
from reenact.motion.tree import Tree

STEPS: Final = 12  # angles tried between the pose and the joint's limit
ALLOWED: Final = 0.001  # depth at which toes are left alone [m]


def bend_toes(body: Body, tree: Tree, poses: Array, rate: float) -> Array:
    """Poses (T, 7 + A) with toes bent up as far as the floor z = 0 asks and their limits let, smoothly in time."""
    out = np.array(poses, float)
    shapes = shapes_of(body)
    for s, segment in enumerate(body.segments):
        if segment.parent is None or len(segment.axes) != 1:
            continue
        if not (segment.part == "foot" and body.segment(segment.parent).part == "foot"):
            continue
        hinge = int(tree.arrays.first_axis[s])
        own = shapes.segment == s
        height = lowest_points(tree, shapes, out)[0][:, own].min(axis=1)
        sunk = np.flatnonzero(height < -ALLOWED)
        if len(sunk) == 0:
            continue
        # Turning about +y points the toes down, so they rise towards the lower limit.
        up = float(tree.limits[0 if tree.arrays.axis[hinge, 1] > 0 else 1][hinge])
        tried = out[sunk, 7 + hinge, None] + np.linspace(0.0, 1.0, STEPS + 1) * (up - out[sunk, 7 + hinge, None])
        heights = np.empty_like(tried)
        for k in range(STEPS + 1):
            trial = out[sunk]
            trial[:, 7 + hinge] = tried[:, k]
            heights[:, k] = lowest_points(tree, shapes, trial)[0][:, own].min(axis=1)
        enough = heights >= -ALLOWED
        best = np.where(enough.any(axis=1), enough.argmax(axis=1), heights.argmax(axis=1))
        needed = np.zeros(len(out))
        needed[sunk] = np.abs(tried[np.arange(len(sunk)), best] - tried[:, 0])
        out[:, 7 + hinge] += np.sign(up) * smooth_lift(needed, rate)
        out[:, 7 + hinge] = np.clip(out[:, 7 + hinge], tree.limits[0][hinge], tree.limits[1][hinge])
    return out
