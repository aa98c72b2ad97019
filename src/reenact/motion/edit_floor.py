"""A motion brought to the floor: for recordings of bodies that never leave the ground, yet float, or slide over it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from scipy.ndimage import gaussian_filter1d

from reenact.motion.contacts import find_contacts
from reenact.motion.floor import depths, smooth_lift
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.support import carried
from reenact.motion.tree import tree_of

ROUND: Final = 0.05  # the height given back is smoothed over about this time [s]


def set_down(motion: Motion) -> Motion:
    """The motion with each frame's lowest point on the floor z = 0, whether it floated or sank.

    Not for jumps: a body in flight would be drawn down. The joints measured move along, so that `lift` still tells by
    how much each frame was raised; where it was lowered, lift is negative.
    """
    tree = tree_of(motion.body)
    low = lowest_by_segment(motion.body, tree, motion.qpos, motion.rate).height.min(axis=1)
    shift = -gaussian_filter1d(low, ROUND * motion.rate, mode="nearest")
    qpos = motion.qpos.copy()
    qpos[:, 2] += shift
    more = smooth_lift(depths(motion.body, tree, qpos), motion.rate)
    qpos[:, 2] += more
    shift = np.asarray(shift + more)
    joints = motion.joints.copy()
    joints[:, :, 2] += shift[:, None]
    contacts = find_contacts(motion.body, tree, qpos, motion.rate)
    return replace(motion, qpos=qpos, joints=joints, lift=motion.lift + shift, contacts=contacts)


def planted(motion: Motion) -> Motion:
    """The motion set down on the floor, with what bears weight staying where it is: the root's path comes from there.

    For recordings whose path was lost or shrunk, so that feet slide under a body that rolls on the spot. Joint angles
    and the root's orientation stay. Not for jumps.
    """
    qpos = carried(motion.body, motion.qpos, motion.rate)
    shift = qpos[:, :3] - motion.qpos[:, :3]
    contacts = find_contacts(motion.body, tree_of(motion.body), qpos, motion.rate)
    joints = motion.joints + shift[:, None]
    return replace(motion, qpos=qpos, joints=joints, lift=motion.lift + shift[:, 2], contacts=contacts)
