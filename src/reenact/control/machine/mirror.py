"""States for the other side of the body: left for right, as a mirror would show them."""

from __future__ import annotations

import numpy as np

from reenact.body.body import Body
from reenact.body.mirror import mirror_pose
from reenact.control.machine import layout as at
from reenact.geometry.rotation import Array

_ASIDE = (at.NOMINAL_PLACE + 1, at.NOMINAL_SPEED + 1)  # numbers to the left, which change sign


def mirrored_rows(rows: Array, body: Body, groups: int) -> Array:
    """States' rows (*batch, W) reflected across the plane of the heading at the start."""
    root = at.root_at(groups)
    pose = np.concatenate([np.zeros((*rows.shape[:-1], 3)), rows[..., root:]], axis=-1)
    out = rows.copy()
    out[..., root:] = mirror_pose(body, pose)[..., 3:]
    out[..., _ASIDE] = -rows[..., _ASIDE] + 0.0
    return out
