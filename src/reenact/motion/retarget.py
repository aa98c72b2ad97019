"""A person's motion on a body of another size: directions of the limbs kept, distances scaled by leg length.

[L10] scales the root's path by the ratio of leg lengths and keeps joint angles. Deviation: joint centres are rebuilt
along the person's limb directions with the body's lengths, so that bodies whose joints lie differently point the same
way.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from reenact.errors import FitError
from reenact.geometry.rotation import Array
from reenact.motion.aims import Aims
from reenact.motion.ik import solve
from reenact.motion.kinematics import forward
from reenact.motion.trajectory import smooth_poses
from reenact.motion.tree import Tree

FRAME_WEIGHT: Final = 0.2  # of the person's segment orientations, beside 1 for joint centres
RELAX: Final = 0.01  # the pull to neutral, which the person's poses have felt already


def leg_length(tree: Tree) -> float:
    """Hip to ankle along the bones, mean of both legs [m]."""
    legs = []
    for side in ("left", "right"):
        knee, ankle = tree.segment_at(f"knee_{side}"), tree.segment_at(f"ankle_{side}")
        if min(knee, ankle) < 0:
            raise FitError(f"the body has no knee_{side} or ankle_{side}: it has {', '.join(tree.joints)}")
        legs.append(float(np.linalg.norm(tree.offset[knee]) + np.linalg.norm(tree.offset[ankle])))
    return float(np.mean(legs))


def rebuilt_joints(person: Tree, poses: Array, body: Tree) -> Array:
    """Joint centres (T, S, 3) of the body's size that point the way the person's do [m]."""
    position, _ = forward(person, poses)
    ratio = leg_length(body) / leg_length(person)
    out = np.empty_like(position)
    out[:, 0] = ratio * position[:, 0]
    for s in range(1, len(body.names)):
        p = int(body.parent[s])
        own, other = np.linalg.norm(body.offset[s]), np.linalg.norm(person.offset[s])
        stretch = own / other if other > 1e-9 else 0.0
        out[:, s] = out[:, p] + stretch * (position[:, s] - position[:, p])
    return out


def retarget(person: Tree, poses: Array, body: Tree, rate: float) -> tuple[Array, Array]:
    """Poses (T, 7 + A) of `body` that re-enact the person's, and the joint centres (T, S, 3) they aim at.

    Both trees have the same segments and hinges.
    """
    joints = rebuilt_joints(person, poses, body)
    count = len(body.names)
    aims = Aims(
        sites=body.joints,
        segment=np.arange(count),
        local=np.zeros((count, 3)),
        spread=np.zeros(count),
        weight=np.ones(count),
        target=joints,
        turn_segment=np.arange(count),
        turn_weight=np.full(count, FRAME_WEIGHT),
        turn_target=forward(person, poses)[1],
    )
    start = poses.copy()
    start[:, :3] = joints[:, 0]
    solved, _ = solve(body, aims, start, iterations=12, tolerance=1e-3, relax=RELAX)
    return smooth_poses(body, aims, solved, rate, relax=RELAX), joints
