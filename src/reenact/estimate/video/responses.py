"""How a silhouette's blurred picture answers to each unknown of a pose, and points of the body: compiled.

A hinge turns what hangs on it about its axis and leaves the rest alone. So the shapes that stay are drawn once a frame,
those that move are turned rigidly and drawn anew both ways, and only cells in which the two pictures differ are
blurred.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from reenact.estimate.video.blur import Band, Singles, blur_pair
from reenact.geometry.rotation import Array
from reenact.motion.compiled import compiled
from reenact.motion.kinematics import Placed, place
from reenact.motion.tree import Tree, TreeArrays
from reenact.observe import projection_table as part
from reenact.observe.projection_native import NOTHING, _join, _outline
from reenact.observe.projection_table import Words

Flags = NDArray[np.bool_]
Indices = NDArray[np.int64]


class Limbs(NamedTuple):
    """What hangs on what."""

    below: Flags  # (S, S) whether a segment (column) hangs on another or is itself it (row)
    moved: Indices  # (V,) which segment, with all below it, each unknown moves


def limbs_of(tree: Tree) -> Limbs:
    """Of a body's tree."""
    count, first = len(tree.names), tree.arrays.first_axis
    below = np.eye(count, dtype=np.bool_)
    for s in range(1, count):
        below[:, s] |= below[:, tree.parent[s]]
    return Limbs(below, np.concatenate([np.zeros(6, np.int64), np.repeat(np.arange(count), np.diff(first))]))


@compiled
def _axis(placed: Placed, v: int, s: int, axis: Array, centre: Array) -> None:
    """Direction and a point of what unknown v, from 3 on, turns segment s about."""
    for k in range(3):
        centre[k] = placed.position[s, k]
        axis[k] = placed.frame[0, k, v - 3] if v < 6 else placed.hinge[v - 6, k]


@compiled
def point_responses(tree: TreeArrays, under: Flags, moves: Indices, poses: Array, on: Indices, points: Array) -> Array:
    """Derivatives (n, V, F, 3) of points (F, 3) of segments `on` (F,) by the unknowns of poses (n, 7 + A)."""
    count, size, segments = len(poses), len(moves), len(tree.parent)
    out = np.zeros((count, size, len(on), 3))
    placed = Placed(np.empty((segments, 3)), np.empty((segments, 3, 3)), np.empty((len(tree.axis), 3)))
    axis, centre, arm = np.empty(3), np.empty(3), np.empty(3)
    for n in range(count):
        place(tree, poses[n], placed)
        for v in range(size):
            s = moves[v]
            if v >= 3:
                _axis(placed, v, s, axis, centre)
            for f in range(len(on)):
                t = on[f]
                if v < 3:
                    out[n, v, f, v] = 1.0
                elif under[s, t]:
                    for k in range(3):
                        arm[k] = placed.position[t, k] - centre[k]
                        for m in range(3):
                            arm[k] += placed.frame[t, k, m] * points[f, m]
                    out[n, v, f, 0] = axis[1] * arm[2] - axis[2] * arm[1]
                    out[n, v, f, 1] = axis[2] * arm[0] - axis[0] * arm[2]
                    out[n, v, f, 2] = axis[0] * arm[1] - axis[1] * arm[0]
    return out


@njit(error_model="numpy")
def _draw(row: Any, segment: Any, table: Any, first: Any, ends: Any, low: Any, high: Any, words: Any) -> None:
    """Join one segment's shapes to the words; rows that may be touched widen ends (first, last)."""
    rows, columns = int(table[part.ROWS]), int(table[part.COLUMNS])
    width, segments = part.words_of(columns), len(first) - 1
    for g in range(first[segment], first[segment + 1]):
        a, b = _outline(row, 0, 3 * segments, table, 0, part.HEAD + part.SHAPE * g, rows, low, high)
        _join(a, b, columns, width, low, high, words)
        ends[0], ends[1] = min(ends[0], a), max(ends[1], b)


@njit(error_model="numpy")
def _turned(base: Any, moved: Any, segment: Any, segments: Any, turn: Any, centre: Any) -> None:
    """Fill a segment's place and frame in a row with those in another one, turned about a point."""
    at, frame = 3 * segment, 3 * segments + 9 * segment
    for i in range(3):
        moved[at + i] = centre[i]
        for k in range(3):
            moved[at + i] += turn[i, k] * (base[at + k] - centre[k])
            moved[frame + 3 * i + k] = 0.0
            for m in range(3):
                moved[frame + 3 * i + k] += turn[i, m] * base[frame + 3 * m + k]


@njit(error_model="numpy")
def _turn_about(axis: Any, angle: Any, out: Any) -> None:
    """Fill a matrix (3, 3) with the rotation about a unit vector."""
    c, s = np.cos(angle), np.sin(angle)
    d, x, y, z = 1.0 - c, axis[0], axis[1], axis[2]
    out[0, 0], out[0, 1], out[0, 2] = c + d * x * x, d * x * y - s * z, d * x * z + s * y
    out[1, 0], out[1, 1], out[1, 2] = d * x * y + s * z, c + d * y * y, d * y * z - s * x
    out[2, 0], out[2, 1], out[2, 2] = d * x * z - s * y, d * y * z + s * x, c + d * z * z


@compiled
def picture_differences(
    tree: TreeArrays,
    table: Array,
    first: Indices,
    poses: Array,
    masks: Words,
    left: Indices,
    one: Band,
    two: Band,
) -> Singles:
    """Blurred differences (n, samples) of the silhouettes of poses (n, 7 + A) from masks (n, rows, words)."""
    rows, columns = int(table[part.ROWS]), int(table[part.COLUMNS])
    width, segments = part.words_of(columns), len(tree.parent)
    begin = one.down.shape[0] * one.along.shape[1]
    out = np.zeros((len(poses), begin + two.down.shape[0] * two.along.shape[1]), np.float32)
    base, hinge = np.empty(12 * segments), np.empty((len(tree.axis), 3))
    placed = Placed(base[: 3 * segments].reshape(segments, 3), base[3 * segments :].reshape(segments, 3, 3), hinge)
    low, high = np.full(rows, NOTHING), np.full(rows, -NOTHING)
    drawn, mask, ends = np.zeros(rows * width, np.uint64), np.zeros(rows * width, np.uint64), np.zeros(2, np.int64)
    for n in range(len(poses)):
        place(tree, poses[n], placed)
        drawn[:] = np.uint64(0)
        for s in range(segments):
            _draw(base, s, table, first, ends, low, high, drawn)
        for row in range(rows):
            for k in range(width):
                mask[width * row + k] = masks[n, row, k]
        blur_pair(drawn, mask, width, 0, rows - 1, left[n], one, out[n, :begin])
        blur_pair(drawn, mask, width, 0, rows - 1, left[n], two, out[n, begin:])
    return out


@compiled
def picture_responses(
    tree: TreeArrays,
    under: Flags,
    moves: Indices,
    table: Array,
    first: Indices,
    poses: Array,
    steps: Array,
    left: Indices,
    one: Band,
    two: Band,
) -> Singles:
    """Blurred differences (n, V, samples) of silhouettes a step ahead and a step back along each unknown.

    `first` (S + 1,): where each segment's shapes begin in the table; `left` (n,): first column of each frame's stretch.
    """
    rows, columns = int(table[part.ROWS]), int(table[part.COLUMNS])
    width, segments, size = part.words_of(columns), len(tree.parent), len(moves)
    begin = one.down.shape[0] * one.along.shape[1]
    out = np.zeros((len(poses), size, begin + two.down.shape[0] * two.along.shape[1]), np.float32)
    base, moved, hinge = np.empty(12 * segments), np.empty(12 * segments), np.empty((len(tree.axis), 3))
    placed = Placed(base[: 3 * segments].reshape(segments, 3), base[3 * segments :].reshape(segments, 3, 3), hinge)
    low, high = np.full(rows, NOTHING), np.full(rows, -NOTHING)
    own, still = np.zeros((segments, rows * width), np.uint64), np.zeros((segments, rows * width), np.uint64)
    pair, ends = np.zeros((2, rows * width), np.uint64), np.zeros(2, np.int64)
    axis, centre, turn = np.zeros(3), np.zeros(3), np.eye(3)
    for n in range(len(poses)):
        place(tree, poses[n], placed)
        own[:] = np.uint64(0)
        still[:] = np.uint64(0)
        for s in range(segments):
            _draw(base, s, table, first, ends, low, high, own[s])
        for s in range(segments):
            for t in range(segments):
                if not under[s, t]:
                    for k in range(rows * width):
                        still[s, k] |= own[t, k]
        for v in range(size):
            s = moves[v]
            ends[0], ends[1] = rows, -1
            for side in range(2):
                step = steps[v] if side == 0 else -steps[v]
                pair[side] = still[s]
                turn[:] = 0.0
                turn[0, 0] = turn[1, 1] = turn[2, 2] = 1.0
                if v >= 3:
                    _axis(placed, v, s, axis, centre)
                    _turn_about(axis, step, turn)
                for t in range(segments):
                    if under[s, t]:
                        _turned(base, moved, t, segments, turn, centre)
                        if v < 3:
                            moved[3 * t + v] += step
                        _draw(moved, t, table, first, ends, low, high, pair[side])
            blur_pair(pair[0], pair[1], width, ends[0], ends[1], left[n], one, out[n, v, :begin])
            blur_pair(pair[0], pair[1], width, ends[0], ends[1], left[n], two, out[n, v, begin:])
    return out
