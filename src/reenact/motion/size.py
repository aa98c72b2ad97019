"""The person's size from the motion: where the joints lie in their segments, and the markers on them.

Joint centres, marker places and the poses of some frames are estimated together. Poses are eliminated (Schur
complement), so each step solves for the size alone; poses are then solved again. Left and right share one size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from reenact.body.body import Body
from reenact.geometry.rotation import Array
from reenact.motion.aims import AimArrays, Aims
from reenact.motion.compiled import compiled
from reenact.motion.ik import neutral_stiffness, solve
from reenact.motion.kinematics import new_placed, place
from reenact.motion.misfit import columns
from reenact.motion.tree import Indices, Tree, TreeArrays

# How far a joint centre may lie from its first guess in the parent's frame (forward, sideways, up) [m]. The hips are
# level with the pelvis's origin by definition; along a limb the length is free, across it nearly straight.
SPREADS: Final[dict[str, tuple[float, float, float]]] = {
    "hip": (0.0, 0.10, 0.0),
    "knee": (0.01, 0.015, 0.30),
    "ankle": (0.01, 0.015, 0.30),
    "toe": (0.01, 0.015, 0.01),
    "lumbar": (0.02, 0.0, 0.03),
    "thoracic": (0.02, 0.0, 0.03),
    "neck": (0.03, 0.0, 0.05),
    "clavicle": (0.03, 0.03, 0.05),
    "shoulder": (0.03, 0.10, 0.05),
    "elbow": (0.01, 0.01, 0.30),
    "wrist": (0.01, 0.01, 0.30),
}
OTHER_SPREAD: Final = (0.03, 0.03, 0.08)
EVIDENCE: Final = 2.0  # all frames together weigh as many independent ones, against the first guess


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknowns:
    """What is estimated: offsets (3S,) = guess + basis · u, and the points of uncertain place."""

    basis: Array  # (3 S, U)
    spread: Array  # (U,) [m]
    free: Indices  # (F,) points


def unknowns_of(tree: Tree, body: Body, aims: Aims) -> Unknowns:
    """The size parameters that the aims can tell something about; left and right mirror each other."""
    index = {name: i for i, name in enumerate(tree.names)}
    twin = {index[left]: index[right] for left, right in body.mirror}
    rights = set(twin.values())
    needed = _ancestors_of(tree, aims)
    basis, spread = [], []
    for s in range(1, len(tree.names)):
        if s in rights or not (s in needed or twin.get(s) in needed):
            continue
        allowed = SPREADS.get(tree.joints[s].removesuffix("_left"), OTHER_SPREAD)
        for i in range(3):
            if allowed[i] == 0.0 or (i == 1 and s not in twin):
                continue
            column = np.zeros((len(tree.names), 3))
            column[s, i] = 1.0
            if s in twin:
                column[twin[s], i] = -1.0 if i == 1 else 1.0
            basis.append(column.ravel())
            spread.append(allowed[i])
    free = np.flatnonzero(aims.spread > 0)
    return Unknowns(basis=np.array(basis).T.reshape(3 * len(tree.names), -1), spread=np.array(spread), free=free)


def _ancestors_of(tree: Tree, aims: Aims) -> set[int]:
    needed: set[int] = set()
    for s in aims.segment:
        while s > 0:
            needed.add(int(s))
            s = tree.parent[s]
    return needed


@compiled
def derivatives(
    tree: TreeArrays, aims: AimArrays, poses: Array, residual: Array, by_pose: Array, by_offset: Array, frames: Array
) -> None:
    """Per frame: residuals (N, 3), their derivatives by pose (N, 3, V) and by offsets (N, 3, 3 S), segment frames."""
    placed = new_placed(tree)
    width = tree.chain.shape[1]
    linear, angular, at = np.empty((3, width)), np.empty((3, width)), np.empty(3)
    by_pose[:] = 0.0
    by_offset[:] = 0.0
    for k in range(len(poses)):
        place(tree, poses[k], placed)
        for s in range(len(tree.parent)):
            for i in range(3):
                for j in range(3):
                    frames[k, s, i, j] = placed.frame[s, i, j]
        for n in range(len(aims.segment)):
            s = aims.segment[n]
            for i in range(3):
                at[i] = placed.position[s, i]
                for j in range(3):
                    at[i] += placed.frame[s, i, j] * aims.local[n, j]
                residual[k, n, i] = at[i] - aims.target[k, n, i]
            count = columns(tree, placed, s, at, linear, angular)
            for c in range(count):
                for i in range(3):
                    by_pose[k, n, i, tree.chain[s, c]] = linear[i, c]
            b = s
            while b > 0:
                p = tree.parent[b]
                for i in range(3):
                    for j in range(3):
                        by_offset[k, n, i, 3 * b + j] = placed.frame[p, i, j]
                b = p


def fit_size(
    tree: Tree, body: Body, aims: Aims, poses: Array, *, rounds: int = 8, huber: float = 0.05
) -> tuple[Tree, Aims, Array]:
    """Tree and aims with estimated joint centres and point places, and the poses (K, 7 + A) of the aims' frames.

    `tree` and `aims` carry the first guess; `poses` start near the solution.
    """
    unknowns = unknowns_of(tree, body, aims)
    guess, guess_local = tree.offset.copy(), aims.local.copy()
    u, v = np.zeros(unknowns.basis.shape[1]), np.zeros((len(unknowns.free), 3))
    for _ in range(rounds):
        du, dv = _step(tree, aims, poses, unknowns, u, v, huber)
        u, v = np.clip(u + du, -2.0 * unknowns.spread, 2.0 * unknowns.spread), v + dv
        tree = tree.with_offset(guess + (unknowns.basis @ u).reshape(guess.shape))
        local = guess_local.copy()
        local[unknowns.free] += v
        aims = aims.with_local(local)
        poses, _ = solve(tree, aims, poses, iterations=6, tolerance=1e-4, settle=1e-4, huber=huber)
        if max(np.abs(du).max(initial=0.0), np.abs(dv).max(initial=0.0)) < 2e-4:
            break
    return tree, aims, poses


def _step(
    tree: Tree, aims: Aims, poses: Array, unknowns: Unknowns, u: Array, v: Array, huber: float
) -> tuple[Array, Array]:
    """Gauss–Newton step of offsets (U,) and free points (F, 3), the poses eliminated."""
    arrays = aims.arrays()
    count, points, size = len(poses), len(aims.segment), tree.dofs
    residual = np.empty((count, points, 3))
    by_pose, by_offset = np.empty((count, points, 3, size)), np.empty((count, points, 3, 3 * len(tree.names)))
    frames = np.empty((count, len(tree.names), 3, 3))
    derivatives(tree.arrays, arrays, poses, residual, by_pose, by_offset, frames)
    distance = np.linalg.norm(residual, axis=-1)
    root = np.sqrt(arrays.weight * np.minimum(1.0, huber / np.maximum(distance, 1e-12)))[..., None]
    r = (root * residual).reshape(count, -1)
    jp = (root[..., None] * by_pose).reshape(count, 3 * points, size)
    js = np.concatenate([(by_offset @ unknowns.basis), _by_local(aims, unknowns, frames)], axis=-1)
    js = (root[..., None] * js).reshape(count, 3 * points, -1)
    jp[:, :, 6:] *= _movable(tree, poses)[:, None, :]
    a = jp.transpose(0, 2, 1) @ jp
    a[:, np.arange(size), np.arange(size)] += np.concatenate([np.full(6, 1e-3), neutral_stiffness(tree)])
    c = jp.transpose(0, 2, 1) @ js  # (K, V, P)
    g = jp.transpose(0, 2, 1) @ r[..., None]
    inner = np.linalg.solve(a, np.concatenate([c, g], axis=-1))
    schur = np.einsum("kip,kiq->pq", js, js, optimize=True) - np.einsum(
        "kvp,kvq->pq", c, inner[..., :-1], optimize=True
    )
    pull = np.einsum("kip,ki->p", js, r) - np.einsum("kvp,kv->p", c, inner[..., -1])
    spread = np.concatenate([unknowns.spread, np.repeat(aims.spread[unknowns.free], 3)])
    stiffness = (count / EVIDENCE) / spread**2 * 1.0
    schur += np.diag(stiffness)
    pull += stiffness * np.concatenate([u, v.ravel()])
    step = -np.linalg.solve(schur, pull)
    return step[: len(u)], step[len(u) :].reshape(-1, 3)


def _by_local(aims: Aims, unknowns: Unknowns, frames: Array) -> Array:
    """Derivatives (K, N, 3, 3 F) of the points by the places of the free ones."""
    count, points, free = len(frames), len(aims.segment), len(unknowns.free)
    out = np.zeros((count, points, 3, free, 3))
    for f, n in enumerate(unknowns.free):
        out[:, n, :, f, :] = frames[:, aims.segment[n]]
    return out.reshape(count, points, 3, 3 * free)


def _movable(tree: Tree, poses: Array) -> Array:
    """1 for hinges (K, A) that give way to a change of size, 0 for those at a limit."""
    lower, upper = tree.limits
    return np.where((poses[:, 7:] > lower) & (poses[:, 7:] < upper), 1.0, 0.0)
