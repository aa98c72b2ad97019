"""A table of joint angles as a motion, for any body: the way back from `joint_table`, with nothing fitted.

Columns are the body's hinges by name and root_x, root_y, root_z [m], root_yaw, root_pitch, root_roll; angles in
degrees, as `reenact export` writes them. A hinge without a column stays at zero.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.errors import InputError
from reenact.geometry import rotation
from reenact.motion.clip import Table
from reenact.motion.keyframes import motion_on
from reenact.motion.motion import Motion

PLACE: Final = ("root_x", "root_y", "root_z")
TURN: Final = ("root_yaw", "root_pitch", "root_roll")
UNEVEN: Final = 0.01  # how far the time between rows may be off, as a share of it


def is_motion_table(table: Table) -> bool:
    """Whether a table says where the root of a body is."""
    return set(PLACE + TURN) <= set(table.columns)


def motion_of_table(table: Table, body: Body) -> Motion:
    """The motion that a table of joint angles describes on a body that has the hinges it names."""
    if not is_motion_table(table):
        missing = [name for name in PLACE + TURN if name not in table.columns]
        raise InputError(f"table '{table.name}' has no column {', '.join(missing)}, which a motion needs")
    hinges = [axis.name for axis in body.axes]
    unknown = [name for name in table.columns if name not in (*PLACE, *TURN, *hinges)]
    if unknown:
        raise InputError(
            f"table '{table.name}' has columns {', '.join(unknown)}, which body '{body.name}' has not; "
            f"it has: {', '.join(hinges)}"
        )
    if not np.isfinite(table.values).all():
        raise InputError(f"table '{table.name}' has gaps")
    qpos = np.zeros((table.frames, 7 + len(hinges)))
    qpos[:, :3] = np.stack([table.column(name) for name in PLACE], axis=1)
    turns = np.deg2rad(np.stack([table.column(name) for name in TURN], axis=1))
    qpos[:, 3:7] = rotation.unroll(rotation.from_euler("zyx", turns))
    for a, name in enumerate(hinges):
        if name in table.columns:
            qpos[:, 7 + a] = np.deg2rad(table.column(name))
    return motion_on(body, qpos, _rate(table), table.name, notes=("joint angles as given, nothing fitted",))


def _rate(table: Table) -> float:
    steps = np.diff(table.time)
    if len(steps) == 0 or steps.min() <= 0.0 or np.ptp(steps) > UNEVEN * steps.mean():
        raise InputError(f"table '{table.name}' has rows at uneven times, or only one")
    rate = 1.0 / float(steps.mean())
    return float(round(rate)) if abs(rate - round(rate)) < 1e-6 * rate else rate
