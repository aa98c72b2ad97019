"""How far a turn of each hinge carries the body's points: what its angle is worth in metres."""

from __future__ import annotations

import numpy as np

from reenact.body.body import Body
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import new_placed, place
from reenact.motion.tree import Tree, tree_of


def mean_levers(body: Body, poses: Array) -> Array:
    """Levers [m/rad] (1 + A,) over poses (T, 7 + A): of a tilt of the root about a level axis, then of each hinge.

    A lever is the root of the summed squared ways of all points that turn along, joint centres and landmarks, in the
    mean over the poses.
    """
    tree = tree_of(body)
    turning = _turning(tree)
    carriers, places = _points(body, tree)
    placed = new_placed(tree.arrays)
    total = np.zeros(1 + len(tree.hinges))
    for pose in np.ascontiguousarray(poses):
        place(tree.arrays, pose, placed)
        points = placed.position[carriers] + np.einsum("pij,pj->pi", placed.frame[carriers], places)
        off = points - placed.position[0]
        total[0] += np.sum(off[:, 2] ** 2 + 0.5 * (off[:, 0] ** 2 + off[:, 1] ** 2))
        for hinge, (segment, carried) in enumerate(turning):
            arm = points[carried[carriers]] - placed.position[segment]
            total[1 + hinge] += np.sum(np.cross(placed.hinge[hinge], arm) ** 2)
    return np.asarray(np.sqrt(total / len(poses)))


def _points(body: Body, tree: Tree) -> tuple[Array, Array]:
    """Segments (P,) that carry points, and the points (P, 3) in their frames: joint centres, then landmarks."""
    index = {name: i for i, name in enumerate(tree.names)}
    marks = [(index[segment], np.asarray(point, float)) for segment, point in body.landmarks.values()]
    carriers = [*range(len(tree.names)), *(i for i, _ in marks)]
    return np.array(carriers), np.array([np.zeros(3)] * len(tree.names) + [point for _, point in marks])


def _turning(tree: Tree) -> list[tuple[int, Array]]:
    """For each hinge the segment it turns and whether each segment (S,) turns along."""
    parent, first = tree.parent, tree.arrays.first_axis
    turning = []
    for segment in range(len(parent)):
        along = np.zeros(len(parent), bool)
        along[segment] = True
        for other in range(segment + 1, len(parent)):  # parents stand first
            along[other] = parent[other] >= 0 and along[parent[other]]
        turning += [(segment, along)] * int(first[segment + 1] - first[segment])
    return turning
