"""Toes that lie on the ground where the ball of their foot does.

Masks hardly show toes, and a network's masks often end before them: a man who stood was followed with toes bent up to
their limit, and in the simulation he then turned about on the balls of his feet. So toes that are up while the ball is
down are laid level; where that sinks them, they give way to the floor again (`give_way.py`).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.body.toes import toes_of
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.lowest import lowest_points, shapes_of
from reenact.motion.tree import Tree

NEAR: Final = 0.03  # [m] height of the ball over the ground: here toes are laid by a third of the way, by less above


def toes_laid(body: Body, tree: Tree, poses: Array) -> Array:
    """Poses (T, 7 + A) with toes level where the ball of their foot is on the floor z = 0 and they were bent up."""
    out = np.array(poses, float)
    places, frames = forward(tree, out)
    sole = _sole(body, tree)
    for toes, hinge in toes_of(body):
        if not body.segments[toes].shapes:
            continue
        axis, up = tree.arrays.axis[hinge], frames[:, tree.parent[toes], 2]  # up: the world's in the foot's frame
        ahead = np.mean([shape.position for shape in body.segments[toes].shapes], axis=0)
        ahead = ahead - axis * float(axis @ ahead)
        raising = np.cross(axis, ahead) / np.linalg.norm(ahead)
        upright = (up @ raising) * np.sign(raising[2])  # cosine of the foot's pitch
        level = np.arctan2(-np.sign(raising[2]) * (up @ ahead) / np.linalg.norm(ahead), np.maximum(upright, 1e-9))
        bent = (out[:, 7 + hinge] - level) * np.sign(raising[2])
        height = np.maximum(places[:, toes, 2] - (tree.rest()[toes, 2] - sole), 0.0)
        flat = np.clip(2.0 * upright, 0.0, 1.0)  # of a foot that stands on end nothing is known
        laid = flat * np.exp(-((height / NEAR) ** 2)) * np.maximum(bent, 0.0)
        lower, upper = (side[hinge] for side in tree.limits)
        out[:, 7 + hinge] = np.clip(out[:, 7 + hinge] - np.sign(raising[2]) * laid, lower, upper)
    return out


def _sole(body: Body, tree: Tree) -> float:
    """Height of the lowest point of a body at rest, over the root [m]."""
    rest = np.zeros((1, 7 + len(tree.hinges)))
    rest[0, 3] = 1.0
    return float(lowest_points(tree, shapes_of(body), rest)[0].min())
