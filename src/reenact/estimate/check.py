"""Motions and worlds that cannot work, refused before the search: one clear line instead of minutes in vain."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from reenact.control.over_ground import Staged
from reenact.control.place import standing_points
from reenact.errors import InputError, WorldError
from reenact.motion.lowest import lowest_by_segment
from reenact.motion.motion import Motion
from reenact.motion.tree import tree_of
from reenact.physics.model import Model
from reenact.world.ground import ground_height

SHORTEST = 0.2  # [s]: two sampling steps, or states
OFF = 0.1  # [m] above the floor, in which nothing carries the body
LONGEST_FLIGHT = 1.0  # [s]; a fall from 1.2 m and the jump up to it
HIGHEST_START = 0.25  # [m] above the ground, to which a world may raise the start
DEEPEST_START = 0.02  # [m] of overlap with the world at the start


def check_motion(motion: Motion, who: str) -> None:
    """Refuse a motion too short for a search, or one that is in the air longer than bodies can be; who: searches."""
    if motion.duration < SHORTEST:
        raise InputError(
            f"'{motion.name}' lasts {motion.duration:.3f} s, {who} needs at least {SHORTEST:g} s of motion"
        )
    lowest = lowest_by_segment(motion.body, tree_of(motion.body), motion.qpos, motion.rate)
    off = lowest.height.min(axis=1) > OFF
    if off.all():
        raise InputError(
            f"'{motion.name}' never touches the floor: its lowest point is {lowest.height.min():.2f} m above it at "
            "least; mend its floor"
        )
    begin, end = _longest(off)
    if (end - begin) / motion.rate > LONGEST_FLIGHT:
        raise InputError(
            f"'{motion.name}' leaves the floor from {begin / motion.rate:.2f} to {end / motion.rate:.2f} s, longer "
            f"than a flight of {LONGEST_FLIGHT:g} s: nothing would hold the body up; cut the clip or mend its floor"
        )


def check_start(model: Model, motion: Staged) -> None:
    """Refuse a world that is inside the body in its first pose.

    Ground and steps under the feet lift the body; a wall through its chest would lift it onto the wall.
    """
    qpos = motion.qpos[0]
    raised = float(motion.moved[0, 2]) - _stands_on(model, qpos)
    data = mujoco.MjData(model.mj)
    data.qpos[: len(qpos)] = qpos
    mujoco.mj_fwdPosition(model.mj, data)
    own = model.geom_segment >= 0
    inside = [
        (-contact.dist, contact.geom[1] if own[contact.geom[0]] else contact.geom[0])
        for contact in data.contact[: data.ncon]
        if own[contact.geom[0]] != own[contact.geom[1]]
    ]
    depth, geom = max(inside, default=(0.0, -1))
    if depth > DEEPEST_START:
        name = model.mj.geom(geom).name or model.mj.body(model.mj.geom_bodyid[geom]).name
        raise WorldError(
            f"world '{model.world.name}': '{name}' is {100 * depth:.0f} cm inside the character at its start; move it"
        )
    if raised > HIGHEST_START:
        raise WorldError(
            f"world '{model.world.name}' has something inside the character at its start, which would have to be "
            f"raised by {raised:.2f} m to clear it; move it"
        )


def _stands_on(model: Model, qpos: NDArray[np.float64]) -> float:
    """Height of the ground [m] under at least half of the points a pose stands on, and under their middle."""
    points = standing_points(model, qpos)
    ground = np.sort(ground_height(model.world, points[:, 0], points[:, 1]))
    middle = float(ground_height(model.world, *points[:, :2].mean(axis=0)))
    return min(float(ground[len(ground) // 2]), middle)


def _longest(mask: NDArray[np.bool_]) -> tuple[int, int]:
    """First frame of the longest stretch of true ones, and the one after its last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]])))
    spans = edges.reshape(-1, 2)
    if not len(spans):
        return 0, 0
    begin, end = spans[np.argmax(spans[:, 1] - spans[:, 0])]
    return int(begin), int(end)
