"""Motions that no state machine can be found for, refused before the search."""

from __future__ import annotations

import numpy as np

from reenact.errors import InputError
from reenact.estimate.check import check_motion
from reenact.geometry import rotation
from reenact.motion.kinematics import forward
from reenact.motion.motion import Motion, velocities
from reenact.motion.tree import tree_of

STILL = np.deg2rad(1.0)  # a joint or root that turns less does not move
IN_PLACE = 0.01  # [m]: a root that goes less far stays
FASTEST = 15.0  # [m/s] of the root; people sprint at 12
FASTEST_PART = 50.0  # [m/s] of any other joint; a pitcher's hand reaches 40
FASTEST_TURN = 150.0  # [rad/s] of a joint; a pitcher's shoulder reaches 130


def check(motion: Motion) -> None:
    """Refuse a motion that is too short, in which nothing moves, or something moves as nothing can."""
    body = motion.body
    if not body.axes:
        raise InputError(f"body '{body.name}' has no joints that could be driven: there is nothing to control")
    check_motion(motion, "a state machine")
    _check_moves(motion)
    _check_speeds(motion)


def _check_moves(motion: Motion) -> None:
    angles = float(np.ptp(motion.qpos[:, 7:], axis=0).max())
    way = float(np.ptp(motion.qpos[:, :3], axis=0).max())
    turns = rotation.multiply(rotation.conjugate(motion.qpos[:1, 3:7]), motion.qpos[:, 3:7])
    turn = float(np.linalg.norm(rotation.to_rotvec(turns), axis=-1).max())
    if max(angles, turn) < STILL and way < IN_PLACE:
        raise InputError(
            f"'{motion.name}' is one pose: in {motion.duration:.2f} s no joint turns by more than "
            f"{np.rad2deg(angles):.1f}° and the body stays where it is, so there is nothing to control"
        )


def _check_speeds(motion: Motion) -> None:
    """Where poses jump, the file's rate or its length unit is wrong, or a frame is damaged."""
    position, _ = forward(tree_of(motion.body), motion.qpos)
    speed = np.linalg.norm(np.diff(position, axis=0), axis=-1) * motion.rate  # (T-1, S)
    turn = np.abs(velocities(motion.qpos, motion.rate)[:, 6:])  # (T, A)
    names, axes = motion.body.segment_names, motion.body.axes
    for values, limit, what in (
        (speed[:, :1], FASTEST, "m/s"),
        (speed, FASTEST_PART, "m/s"),
        (turn, FASTEST_TURN, "rad/s"),
    ):
        frame, which = np.unravel_index(int(np.argmax(values)), values.shape)
        if values[frame, which] > limit:
            name = axes[which].name if what == "rad/s" else names[which]
            raise InputError(
                f"'{motion.name}' moves as no body can: '{name}' reaches {values[frame, which]:.0f} {what} at "
                f"{frame / motion.rate:.2f} s, {limit:g} is the most that is believed; cut that part out, or say the "
                "right --rate or --units"
            )
