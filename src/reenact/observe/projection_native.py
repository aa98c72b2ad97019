"""The body's silhouette on a grid of cells and what it shares with an observed mask: compiled, called at every step.

A cell is on where the ray through its centre meets a shape. Each shape gives one interval a row (`projection_spans`);
intervals are joined as bits, 64 cells a word, and cells are counted by counting bits. Nothing is allocated and nothing
raised: scratch lies on the thread's stack.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import cgutils
from numba.extending import intrinsic

from reenact.geometry.native_vectors import blend, matrix, turned, vector
from reenact.observe import projection_table as part
from reenact.observe.projection_spans import NEAREST, box, capsule, ellipsoid, sphere
from reenact.physics import sense
from reenact.physics.native import types

NOTHING = 1e9  # [cells] an interval from here to minus here holds nothing
_allocate: Any = cgutils.alloca_once  # numba does not describe it to type checkers
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def _room_of(number: Any, count: int) -> Any:
    def typed(typing_context: Any) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _allocate(builder, context.get_value_type(number), size=ir.Constant(ir.IntType(32), count))

        return types.CPointer(number)(), build

    return typed


# Room on the stack of the function that asks, the same each time it asks.
_row_ends: Any = intrinsic(_room_of(types.float64, part.MOST_ROWS))
_row_words: Any = intrinsic(_room_of(types.uint64, part.MOST_ROWS * (part.MOST_COLUMNS // part.CELLS)))


def _bits_in(typing_context: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.cast(builder, builder.ctpop(args[0]), types.uint64, types.int64)

    return types.int64(types.uint64), build


# How many bits of a word are set.
bits_in: Any = intrinsic(_bits_in)


@njit(error_model="numpy")
def overlap(felt: Any, table: Any, at: Any, frame: Any) -> Any:
    """Counts (Y, R, B) of [V12] Eq. 9 for the present pose against a frame's mask, from a row of senses.

    Y: cells in both; R: in the mask alone; B: in the silhouette alone. `at`: where in the table the block begins.
    """
    return overlap_of(felt, sense.positions(felt), sense.rotations(felt), table, at, frame)


@njit(error_model="numpy")
def overlap_of(row: Any, places: Any, turns: Any, table: Any, at: Any, frame: Any) -> Any:
    """As `overlap`: segment origins from row[places] on, their matrices from row[turns] on."""
    words = _row_words()
    first, last = draw(row, places, turns, table, at, words)
    width = part.words_of(int(table[at + part.COLUMNS]))
    mask = part.mask_at(table, at, frame)
    observed = int(table[mask])
    both, drawn = 0, 0
    for i in range(width * first, width * (last + 1)):
        k = mask + 1 + 2 * i
        seen = np.uint64(int(table[k])) | np.uint64(int(table[k + 1])) << np.uint64(32)
        drawn += bits_in(words[i])
        both += bits_in(words[i] & seen)
    return both, observed - both, drawn - both


@njit(error_model="numpy")
def mismatch(both: Any, mask_alone: Any, drawn_alone: Any) -> Any:
    """One frame's term of [V12] Eq. 9, 0 … 2: B/(B+Y) + R/(R+Y); 1 for a side that is empty."""
    b = drawn_alone / (drawn_alone + both) if drawn_alone + both > 0 else 1.0
    r = mask_alone / (mask_alone + both) if mask_alone + both > 0 else 1.0
    return b + r


@njit(error_model="numpy")
def draw(row: Any, places: Any, turns: Any, table: Any, at: Any, words: Any) -> Any:
    """Fill the words of the whole grid with the silhouette; the first and last row that may have cells on."""
    low, high = _row_ends(), _row_ends()
    columns, rows = int(table[at + part.COLUMNS]), int(table[at + part.ROWS])
    width = part.words_of(columns)
    for i in range(width * rows):
        words[i] = np.uint64(0)
    for i in range(rows):
        low[i], high[i] = NOTHING, -NOTHING
    upper, lower = rows, -1
    for g in range(int(table[at + part.SHAPES])):
        first, last = _outline(row, places, turns, table, at, at + part.HEAD + part.SHAPE * g, rows, low, high)
        _join(first, last, columns, width, low, high, words)
        upper, lower = min(upper, first), max(lower, last)
    return upper, lower


@njit(error_model="numpy")
def _outline(row: Any, places: Any, turns: Any, table: Any, at: Any, shape: Any, rows: Any, low: Any, high: Any) -> Any:
    """The intervals of one shape; none where it comes too near to the camera or lies behind it."""
    segment, kind = int(table[shape + part.SEGMENT]), int(table[shape + part.KIND])
    turn, view = matrix(row, turns + 9 * segment), matrix(table, at + part.TURN)
    local = blend(turned(turn, vector(table, shape + part.MIDDLE)), vector(row, places + 3 * segment), 1.0, 1.0)
    p = blend(turned(view, local), vector(table, at + part.SHIFT), 1.0, 1.0)
    lens = (table[at + part.FOCAL], table[at + part.FOCAL + 1], table[at + part.CENTRE], table[at + part.CENTRE + 1])
    radius = table[shape + part.RADIUS]
    if kind == part.SPHERE:
        return sphere(p, radius, lens, rows, low, high) if p[2] - radius > NEAREST else (rows, -1)
    c = turned(view, turned(turn, vector(table, shape + part.AXES + 6)))
    if kind == part.CAPSULE:
        near = p[2] - abs(c[2]) - radius
        return capsule(p, c, radius, lens, rows, low, high) if near > NEAREST else (rows, -1)
    a = turned(view, turned(turn, vector(table, shape + part.AXES)))
    b = turned(view, turned(turn, vector(table, shape + part.AXES + 3)))
    if kind == part.ELLIPSOID:
        near = p[2] - math.sqrt(a[2] * a[2] + b[2] * b[2] + c[2] * c[2])
        return ellipsoid(p, a, b, c, lens, rows, low, high) if near > NEAREST else (rows, -1)
    near = p[2] - abs(a[2]) - abs(b[2]) - abs(c[2])
    return box(p, a, b, c, lens, rows, low, high) if near > NEAREST else (rows, -1)


@njit(error_model="numpy")
def _join(first: Any, last: Any, columns: Any, width: Any, low: Any, high: Any, words: Any) -> None:
    """Set the cells whose centres lie in the rows' intervals, and empty these."""
    for row in range(first, last + 1):
        left = math.ceil(max(low[row], 0.0) - 0.5)
        right = math.floor(min(high[row], float(columns)) - 0.5)
        low[row], high[row] = NOTHING, -NOTHING
        if left > right:
            continue
        i, k = width * row + left // part.CELLS, width * row + right // part.CELLS
        head, tail = _ALL << np.uint64(left % part.CELLS), _ALL >> np.uint64(part.CELLS - 1 - right % part.CELLS)
        if i == k:
            words[i] |= head & tail
        else:
            words[i] |= head
            words[k] |= tail
            for j in range(i + 1, k):
                words[j] = _ALL
