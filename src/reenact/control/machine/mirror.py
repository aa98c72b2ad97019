"""States for the other side of the body: left for right, as a mirror would show them."""

from __future__ import annotations

import numpy as np

from reenact.body.body import Body
from reenact.body.mirror import mirror_angles, mirror_pose
from reenact.control.machine import layout as at
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

_PLANAR = (at.NOMINAL_PLACE, at.NOMINAL_SPEED)  # pairs on the ground: ahead, left


def mirrored_rows(rows: Array, body: Body, groups: int, *, way: float = 0.0) -> Array:
    """States' rows (*batch, W) reflected across an upright plane.

    way: direction of that plane [rad], to the left of the heading at the start.
    """
    out = turned_rows(rows, groups, -way) if way else rows.copy()
    root, reactions = at.root_at(groups), at.reactions_at(groups, len(body.axes))
    pose = np.concatenate([np.zeros((*out.shape[:-1], 3)), out[..., root:reactions]], axis=-1)
    out[..., root:reactions] = mirror_pose(body, pose)[..., 3:]
    for first in range(reactions, out.shape[-1], len(body.axes)):  # ways to fall are told by the standing leg
        own = slice(first, first + len(body.axes))
        out[..., own] = mirror_angles(body, out[..., own])
    for pair in _PLANAR:
        out[..., pair + 1] = -out[..., pair + 1] + 0.0
    return turned_rows(out, groups, way) if way else out


def turned_rows(rows: Array, groups: int, angle: float) -> Array:
    """States' rows (*batch, W) of the same motion turned to the left by an angle [rad]."""
    out, root = rows.copy(), slice(at.root_at(groups), at.pose_at(groups))
    out[..., root] = rotation.multiply(rotation.from_axis_angle(rotation.AXES["z"], angle), rows[..., root])
    c, s = np.cos(angle), np.sin(angle)
    for pair in _PLANAR:
        x, y = rows[..., pair], rows[..., pair + 1]
        out[..., pair], out[..., pair + 1] = c * x - s * y, s * x + c * y
    return out
