"""A body seen by a camera on a coarse grid: silhouettes and overlap with masks, from Python and for native programs.

The lens is left out here: its distortion is taken out of the masks once (`projection_masks`), not put into the body at
every step. Straight edges stay straight and outlines stay ellipses, so the silhouette is exact for the grid.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.geometry.rotation import Array
from reenact.motion.kinematics import forward
from reenact.motion.tree import Tree, tree_of
from reenact.observe import projection_table as part
from reenact.observe.camera import Camera, CameraError
from reenact.observe.projection_native import draw, overlap_of
from reenact.observe.projection_table import Words
from reenact.observe.reduce import grid_size
from reenact.physics.native import INTS, doubles, longs, native, words

# Places in the order slip of a job on many frames: how many, numbers in a frame's row, then addresses.
_COUNT, _WIDTH, _SEGMENTS, _POSES, _TABLE, _OUT = range(6)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Projection:
    """How one camera sees one body."""

    camera: Camera  # of the grid: its pixels are cells, its lens is perfect
    shapes: Array  # (G, SHAPE) see `projection_table`
    tree: Tree

    @property
    def columns(self) -> int:
        """Cells across."""
        return self.camera.size[0]

    @property
    def rows(self) -> int:
        """Cells down."""
        return self.camera.size[1]

    def block(self, masks: Words | None = None) -> Array:
        """The numbers for a native program's table, with packed masks (T, rows, words) to be compared with."""
        head = np.zeros(part.HEAD)
        head[part.COLUMNS], head[part.ROWS] = self.columns, self.rows
        head[part.SHAPES], head[part.SEGMENTS] = len(self.shapes), len(self.tree.names)
        head[part.FRAMES] = 0 if masks is None else len(masks)
        head[part.FOCAL : part.FOCAL + 2], head[part.CENTRE : part.CENTRE + 2] = self.camera.focal, self.camera.centre
        head[part.TURN : part.TURN + 9], head[part.SHIFT : part.SHIFT + 3] = self.camera.turn.ravel(), self.camera.shift
        seen = np.zeros(0) if masks is None else part.mask_numbers(self._checked(masks)).ravel()
        return np.concatenate([head, self.shapes.ravel(), seen])

    def silhouettes(self, poses: Array) -> NDArray[np.bool_]:
        """Silhouettes (T, rows, columns) of poses (T, 7 + A)."""
        return part.unpack(self.drawn(poses), self.columns)

    def drawn(self, poses: Array) -> Words:
        """As `silhouettes`, packed (T, rows, words)."""
        words = np.zeros((len(poses), self.rows, part.words_of.py_func(self.columns)), np.uint64)
        _call(_draw_frames.address, self._frames(poses), len(self.tree.names), self.block(), words)
        return words

    def overlaps(self, poses: Array, masks: Words) -> NDArray[np.int64]:
        """Counts Y, R, B of [V12] Eq. 9, (T, 3), of poses (T, 7 + A) against packed masks (T, rows, words)."""
        return self.counting(poses, masks)()

    def counting(self, poses: Array, masks: Words) -> Callable[[], NDArray[np.int64]]:
        """What `overlaps` does once all is prepared, to be called as often as one likes."""
        if len(masks) != len(poses):
            raise CameraError(f"{len(poses)} poses and {len(masks)} masks, expected as many")
        frames, table = self._frames(poses), self.block(masks)
        counts = np.zeros((len(poses), 3), np.int64)

        def count() -> NDArray[np.int64]:
            _call(_count_frames.address, frames, len(self.tree.names), table, counts)
            return counts

        return count

    def _frames(self, poses: Array) -> Array:
        """Origins, then matrices, of all segments: a row of 12·S numbers a frame."""
        position, frame = forward(self.tree, np.asarray(poses, float))
        return np.concatenate([position.reshape(len(poses), -1), frame.reshape(len(poses), -1)], axis=1)

    def _checked(self, masks: Words) -> Words:
        shape = (self.rows, part.words_of.py_func(self.columns))
        if masks.dtype != np.uint64 or masks.shape[1:] != shape:
            got = f"{masks.dtype} {masks.shape}"
            raise CameraError(f"masks are {got}, expected packed rows (frames, {shape[0]}, {shape[1]}) of uint64")
        return masks


def projection_of(body: Body, camera: Camera, size: tuple[int, int] | None = None) -> Projection:
    """How a camera sees a body on a grid of `size` (columns, rows).

    Unless said, 160 cells along the longer side, as in [V12] §6.
    """
    columns, rows = size or grid_size(*camera.size)
    if not (1 <= columns <= part.MOST_COLUMNS and 1 <= rows <= part.MOST_ROWS):
        most = f"{part.MOST_COLUMNS} × {part.MOST_ROWS}"
        raise CameraError(f"a grid of {columns} × {rows} cells, expected at most {most}")
    grid = camera.without_lens().resized(columns, rows)
    return Projection(camera=grid, shapes=part.shape_numbers(body), tree=tree_of(body))


def mismatches(counts: NDArray[np.int64]) -> Array:
    """Terms of [V12] Eq. 9, (*batch,), 0 … 2, of counts Y, R, B (*batch, 3): B/(B+Y) + R/(R+Y), 1 for an empty side."""
    both, mask, drawn = (counts[..., i].astype(float) for i in range(3))
    with np.errstate(invalid="ignore"):
        sides = [np.where(one + both > 0, one / (one + both), 1.0) for one in (mask, drawn)]
    return np.asarray(sides[0] + sides[1])


@native(types.void(INTS))
def _draw_frames(job: Any) -> None:
    table, segments = doubles(job[_TABLE]), job[_SEGMENTS]
    size = int(table[part.ROWS]) * part.words_of(int(table[part.COLUMNS]))
    for i in range(job[_COUNT]):
        pose = doubles(job[_POSES] + 8 * job[_WIDTH] * i)
        draw(pose, 0, 3 * segments, table, 0, words(job[_OUT] + 8 * size * i))


@native(types.void(INTS))
def _count_frames(job: Any) -> None:
    table, segments = doubles(job[_TABLE]), job[_SEGMENTS]
    for i in range(job[_COUNT]):
        pose, out = doubles(job[_POSES] + 8 * job[_WIDTH] * i), longs(job[_OUT] + 24 * i)
        out[0], out[1], out[2] = overlap_of(pose, 0, 3 * segments, table, 0, i)


def _call(function: int, frames: Array, segments: int, table: Array, out: NDArray[Any]) -> None:
    """Run a job on frames (T, W); Python's lock is free meanwhile."""
    frames = np.ascontiguousarray(frames)
    row = [len(frames), frames.shape[1], segments, frames.ctypes.data, table.ctypes.data, out.ctypes.data]
    slip = np.array(row, np.int64)
    _callable(function)(slip.ctypes.data)


@cache
def _callable(function: int) -> Any:
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(function)
