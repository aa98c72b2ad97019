"""The numbers that compiled code needs to draw a body and hold it against masks: one block in a program's table.

A program's table is a row of finite doubles that travels to other threads and machines, so nothing in it is an
address. The block begins anywhere in the table:

| place | numbers | meaning |
| --- | --- | --- |
| COLUMNS, ROWS | 1 | size of the grid [cells], at most MOST_COLUMNS and MOST_ROWS |
| SHAPES, SEGMENTS, FRAMES | 1 | how many |
| FOCAL, CENTRE | 2, 2 | of the grid's pinhole camera [cells], (0, 0) the upper left corner |
| TURN, SHIFT | 9, 3 | world to camera: x right, y down, z ahead [m], row-major |
| from HEAD on | SHAPE each | the body's shapes in their segments' frames, see below |
| then | per frame 1 + 2·words·rows | cells that are on, then the mask: 32 cells a number, two numbers a word |

Of a shape: its kind, its segment, its centre, three half axes (a capsule: its half length along the last; a sphere:
none), its radius (capsule and sphere).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from reenact.body.body import Body, Shape
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

COLUMNS, ROWS, SHAPES, SEGMENTS, FRAMES, FOCAL, CENTRE, TURN, SHIFT = 0, 1, 2, 3, 4, 5, 7, 9, 18
HEAD = 21
KIND, SEGMENT, MIDDLE, AXES, RADIUS = 0, 1, 2, 5, 14
SHAPE = 15  # numbers of one

SPHERE, CAPSULE, ELLIPSOID, BOX = 0, 1, 2, 3
MOST_COLUMNS, MOST_ROWS = 384, 384
CELLS = 64  # of one word
KINDS: Final = {"sphere": SPHERE, "capsule": CAPSULE, "ellipsoid": ELLIPSOID, "box": BOX}

Words = NDArray[np.uint64]


@njit
def words_of(columns: Any) -> Any:
    """Words in a row of so many cells."""
    return (columns + CELLS - 1) // CELLS


@njit
def mask_at(table: Any, at: Any, frame: Any) -> Any:
    """Index in the table of a frame's count; its mask follows."""
    words = words_of(int(table[at + COLUMNS])) * int(table[at + ROWS])
    return at + HEAD + SHAPE * int(table[at + SHAPES]) + (1 + 2 * words) * frame


def shape_numbers(body: Body) -> Array:
    """The body's shapes (G, SHAPE), those of one segment together."""
    return np.array([_numbers(g, i) for i, s in enumerate(body.segments) for g in s.shapes]).reshape(-1, SHAPE)


def _numbers(shape: Shape, segment: int) -> Array:
    row = np.zeros(SHAPE)
    row[KIND], row[SEGMENT] = KINDS[shape.kind], segment
    row[MIDDLE : MIDDLE + 3] = shape.position
    axes = rotation.to_matrix(shape.orientation).T  # one axis a row
    if shape.kind == "sphere":
        row[RADIUS] = shape.size[0]
    elif shape.kind == "capsule":
        row[RADIUS] = shape.size[0]
        row[AXES + 6 : AXES + 9] = shape.size[1] * axes[2]
    else:
        row[AXES : AXES + 9] = (shape.size[:, None] * axes).ravel()
    return row


def mask_numbers(masks: Words) -> Array:
    """Packed masks (T, rows, words) as the table holds them, (T, 1 + 2·words·rows): whole numbers below 2³²."""
    count = np.bitwise_count(masks).sum(axis=(1, 2), dtype=np.int64)
    halves = np.stack([masks & np.uint64(0xFFFFFFFF), masks >> np.uint64(32)], axis=-1)
    return np.concatenate([count[:, None], halves.reshape(len(masks), -1)], axis=1).astype(np.float64)


def pack(masks: NDArray[np.bool_]) -> Words:
    """Masks (*batch, rows, columns) as words (*batch, rows, W): cell 64·w + k of a row is bit k of its word w."""
    columns = masks.shape[-1]
    wide = np.zeros((*masks.shape[:-1], words_of.py_func(columns) * CELLS), np.bool_)
    wide[..., :columns] = masks
    packed = np.packbits(wide, axis=-1, bitorder="little")
    return np.ascontiguousarray(packed).view("<u8").astype(np.uint64)


def unpack(words: Words, columns: int) -> NDArray[np.bool_]:
    """The masks (*batch, rows, columns) of packed words."""
    spread = np.unpackbits(np.ascontiguousarray(words.astype("<u8")).view(np.uint8), axis=-1, bitorder="little")
    return spread[..., :columns].astype(np.bool_)
