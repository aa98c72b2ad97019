"""A motion recorded on a level floor as it would go over other ground: each frame as high as the ground under it.

Nothing but the height changes: the ground need not fit the steps. What follows the motion finds out; what judges it
needs to know how low a body is expected to be.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.ndimage import gaussian_filter1d

from reenact.geometry.rotation import Array
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.tree import tree_of
from reenact.world.ground import ground_height
from reenact.world.world import World

BEARING = 0.05  # [m]: parts that little above the lowest one bear weight or are about to
ROUND = 0.08  # [s] over which a step of the ground is spread


def over_ground(motion: Motion, world: World) -> Motion:
    """A motion staged in a world, raised and lowered by as much as the ground under it differs from that at its start.

    Deviation: [L10] leaves the reference as it was recorded.
    """
    rise = _heights(motion, world)
    rise = gaussian_filter1d(rise, ROUND * motion.rate, mode="nearest")
    rise -= rise[0]
    qpos, joints = motion.qpos.copy(), motion.joints.copy()
    qpos[:, 2] += rise
    joints[:, :, 2] += rise[:, None]
    return replace(motion, qpos=qpos, joints=joints)


def _heights(motion: Motion, world: World) -> Array:
    """Height of the ground (T,) [m] under the parts that are lowest."""
    lowest = lowest_by_segment(motion.body, tree_of(motion.body), motion.qpos, motion.rate)
    above = lowest.height - lowest.height.min(axis=1, keepdims=True)
    weight = np.clip(1.0 - above / BEARING, 0.0, 1.0)
    ground = ground_height(world, lowest.place[..., 0], lowest.place[..., 1])
    return np.asarray(np.sum(weight * ground, axis=1) / weight.sum(axis=1))
