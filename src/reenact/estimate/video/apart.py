"""Legs that pass through each other in a track, led past each other.

From the side a silhouette does not tell how far apart the feet are set, and nothing in a track keeps one leg from
passing through the other: somebody who walked was followed with feet on one line, each swinging through the other leg
by up to 4 cm. In a simulation they collide with thousands of newtons at every step. So both hips are opened as far as
that asks, for as long as two steps take: feet that rest then move aside once, rather than with every step. Soles stay
level.
"""

from __future__ import annotations

from typing import Final

import mujoco
import numpy as np

from reenact.body.body import Body
from reenact.body.mjcf import bare_model
from reenact.geometry.rotation import Array
from reenact.motion.floor import smooth_lift
from reenact.motion.tree import Tree

LEGS: Final = ("thigh", "shank", "foot", "toes")
SIDES: Final = ("left", "right")
ALLOWED: Final = 0.003  # [m] by which legs may overlap
MOST: Final = float(np.deg2rad(8.0))  # by which each hip is opened
STEPS: Final = 16  # angles tried up to that
SECONDS: Final = 0.4  # within which hips are opened alike


def legs_apart(body: Body, tree: Tree, poses: Array, rate: float) -> Array:
    """Poses (T, 7 + A) with hips opened where legs overlap; as they are for bodies with other legs."""
    hips, ankles = _hinges(body, "hip_{}_abduction"), _hinges(body, "ankle_{}_inversion")
    names = {f"{part}_{side}" for part in LEGS for side in SIDES}
    if hips is None or not names <= {segment.name for segment in body.segments}:
        return poses
    angles = np.linspace(0.0, MOST, STEPS + 1)
    needed = np.zeros(len(poses))
    for t, pose in enumerate(poses):
        depths = [_overlap(body, pose)]
        if depths[0] <= ALLOWED:
            continue
        for angle in angles[1:]:
            opened = pose.copy()
            opened[hips] += angle
            depths.append(_overlap(body, opened))
            if depths[-1] <= ALLOWED:
                break
        needed[t] = angles[int(np.argmin(depths))]
    if not needed.any():
        return poses
    opening = smooth_lift(needed, rate, SECONDS)[:, None]
    out = poses.copy()
    out[:, hips] += opening
    if ankles is not None:
        out[:, ankles] += opening
    out[:, 7:] = np.clip(out[:, 7:], *tree.limits)
    return out


def _hinges(body: Body, named: str) -> list[int] | None:
    """Where a hinge's angles of both sides stand in a pose; None where the body has no such hinge."""
    names = [axis.name for axis in body.axes]
    wanted = [named.format(side) for side in SIDES]
    return [7 + names.index(name) for name in wanted] if set(wanted) <= set(names) else None


def _overlap(body: Body, pose: Array) -> float:
    """How deep a left leg's shapes are in the right one's [m]."""
    model = bare_model(body)
    data = mujoco.MjData(model)
    data.qpos[:] = pose
    mujoco.mj_kinematics(model, data)
    mujoco.mj_collision(model, data)
    deepest = 0.0
    for contact in data.contact[: data.ncon]:
        first, second = (str(model.body(model.geom_bodyid[geom]).name).partition("_")[::2] for geom in contact.geom)
        if first[0] in LEGS and second[0] in LEGS and first[1] != second[1]:
            deepest = max(deepest, -float(contact.dist))
    return deepest
