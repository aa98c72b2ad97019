"""Choosing among several solutions of the same frames, limb by limb.

A limb of hinges often reaches the same place in two ways (a shoulder turned over, a hip twisted inside out), and
following the frame before may keep the worse. Several passes over a clip end in different ways; the best path through
them is found by dynamic programming (Viterbi): misfit of the limb's points plus a price for jumps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array
from reenact.motion.aims import Aims
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree

WELL_KNOWN: Final = 0.035  # points whose first guess is no worse than this tell a good pose from a bad one [m]
JUMP: Final = 0.3  # a jump of one hinge by this angle costs as much as one point 1 cm off in one frame [rad]


def choose_branches(tree: Tree, aims: Aims, candidates: Sequence[Array], *, linked: bool = True) -> Array:
    """Poses (T, 7 + A) that take each limb from the candidate (T, 7 + A) that serves it best.

    With `linked` the frames follow one another and jumps have a price; otherwise each frame is judged alone.
    """
    groups = limbs_of(tree)
    costs = np.stack([misfit_by_limb(tree, aims, poses, groups) for poses in candidates])  # (C, T, G)
    costs[:, :, 0] = costs.sum(axis=2)  # the trunk decides where everything hangs
    chosen = np.array(candidates[0], float)
    stacked = np.stack(candidates)
    for group in range(int(groups.max()) + 1):
        hinges = _hinges_of(tree, groups == group)
        angles = stacked[:, :, 7 + hinges]
        path = _cheapest_path(costs[:, :, group], angles) if linked else np.argmin(costs[:, :, group], axis=0)
        frames = np.arange(len(path))
        chosen[:, 7 + hinges] = stacked[path, frames][:, 7 + hinges]
        if group == 0:
            chosen[:, :7] = stacked[path, frames, :7]
    return chosen


def limbs_of(tree: Tree) -> NDArray[np.int64]:
    """Group of each segment (S,): 0 for the trunk, then one for each chain that hangs on it."""
    children = np.bincount(tree.parent[1:], minlength=len(tree.names))
    branching = [_subtree_branches(tree, children, s) for s in range(len(tree.names))]
    groups = np.zeros(len(tree.names), dtype=np.int64)
    for s in range(1, len(tree.names)):
        parent = tree.parent[s]
        if groups[parent] > 0:
            groups[s] = groups[parent]
        elif not branching[s] and children[parent] > 1:
            groups[s] = groups.max() + 1
    return groups


def _subtree_branches(tree: Tree, children: NDArray[np.int64], top: int) -> bool:
    while children[top] == 1:
        top = int(np.flatnonzero(tree.parent == top)[0])
    return bool(children[top] > 1)


def _hinges_of(tree: Tree, members: NDArray[np.bool_]) -> NDArray[np.int64]:
    first = tree.arrays.first_axis
    spans = [np.arange(first[s], first[s + 1]) for s in np.flatnonzero(members)]
    return np.concatenate(spans).astype(np.int64)


def misfit_by_limb(tree: Tree, aims: Aims, poses: Array, groups: NDArray[np.int64]) -> Array:
    """Half the weighted squared distance of each limb's points and turns, (T, G)."""
    arrays = aims.arrays()
    position, frame = forward(tree, poses)
    points = position[:, aims.segment] + np.einsum("tnij,nj->tni", frame[:, aims.segment], aims.local)
    cost = np.zeros((len(poses), int(groups.max()) + 1))
    each = 0.5 * arrays.weight * np.sum((points - arrays.target) ** 2, axis=-1)
    turned = arrays.turn_weight * (3.0 - np.einsum("tqij,tqij->tq", frame[:, aims.turn_segment], arrays.turn_target))
    for group in range(cost.shape[1]):
        cost[:, group] = each[:, groups[aims.segment] == group].sum(axis=1)
        cost[:, group] += turned[:, groups[aims.turn_segment] == group].sum(axis=1)
    return cost


def limb_errors(tree: Tree, aims: Aims, poses: Array) -> Array:
    """Root mean square distance (T, G) [m] of each limb's points of well-known place to their targets."""
    groups = limbs_of(tree)
    known = replace(aims, weight=np.where(aims.spread < WELL_KNOWN, aims.weight, 0.0)).without_turns()
    weight = known.arrays().weight
    total = np.stack([weight[:, groups[aims.segment] == g].sum(axis=1) for g in range(int(groups.max()) + 1)], axis=1)
    return np.asarray(np.sqrt(2.0 * misfit_by_limb(tree, known, poses, groups) / np.maximum(total, 1e-12)))


def _cheapest_path(cost: Array, angles: Array) -> NDArray[np.int64]:
    """Candidate (T,) of each frame that minimises Σ cost + Σ |Δ angle|²/JUMP²; cost (C, T), angles (C, T, H)."""
    count, frames = cost.shape
    step = angles[None, :, 1:] - angles[:, None, :-1]  # (from, to, T − 1, H)
    jump = 0.5 * np.sum(step**2, axis=-1) / JUMP**2
    total = cost[:, 0].copy()
    back = np.zeros((frames, count), dtype=np.int64)
    for t in range(1, frames):
        through = total[:, None] + jump[:, :, t - 1]
        back[t] = np.argmin(through, axis=0)
        total = through[back[t], np.arange(count)] + cost[:, t]
    path = np.empty(frames, dtype=np.int64)
    path[-1] = int(np.argmin(total))
    for t in range(frames - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path
