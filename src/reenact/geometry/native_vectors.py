"""Vectors, quaternions and matrices for compiled code: plain tuples, so that nothing is allocated.

A vector is (x, y, z), a quaternion (w, x, y, z), a matrix its nine numbers row by row. Matrices turn vectors of a
segment into the world, as in `rotation.py`.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

TINY = 1e-12


@njit
def vector(row: Any, at: Any) -> Any:
    """Three numbers of a row, from index `at` on."""
    return (row[at], row[at + 1], row[at + 2])


@njit
def quaternion(row: Any, at: Any) -> Any:
    """Four numbers of a row, from index `at` on."""
    return (row[at], row[at + 1], row[at + 2], row[at + 3])


@njit
def matrix(row: Any, at: Any) -> Any:
    """Nine numbers of a row, from index `at` on."""
    return (
        row[at], row[at + 1], row[at + 2], row[at + 3], row[at + 4], row[at + 5], row[at + 6], row[at + 7], row[at + 8],
    )  # fmt: skip


@njit
def dot(a: Any, b: Any) -> Any:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit
def cross(a: Any, b: Any) -> Any:
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@njit
def blend(a: Any, b: Any, s: Any, t: Any) -> Any:
    """The vector s·a + t·b."""
    return (s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2])


@njit
def turned(m: Any, v: Any) -> Any:
    """Matrix times vector."""
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


@njit
def about(axis: Any, angle: Any, v: Any) -> Any:
    """The vector v turned by `angle` [rad] about a unit axis."""
    c, s = math.cos(angle), math.sin(angle)
    return blend(blend(v, cross(axis, v), c, s), axis, 1.0, (1.0 - c) * dot(axis, v))


@njit
def product(a: Any, b: Any) -> Any:
    """Product of quaternions a·b: first b, then a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@njit
def rotation_of(q: Any) -> Any:
    """The matrix of a unit quaternion."""
    w, x, y, z = q
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


@njit
def difference(a: Any, b: Any) -> Any:
    """Rotation vector [rad], in the world, that turns orientation b into a by the shorter way."""
    w, x, y, z = product(a, (b[0], -b[1], -b[2], -b[3]))
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    s = math.sqrt(x * x + y * y + z * z)
    k = 2.0 if s < TINY else 2.0 * math.atan2(s, w) / s
    return (k * x, k * y, k * z)


@njit
def solved(a: Any, b: Any, c: Any, v: Any, least: Any) -> Any:
    """Numbers (x, y, z) with x·a + y·b + z·c = v, and whether a, b, c span space by more than `least`."""
    across = cross(b, c)
    volume = dot(a, across)
    if abs(volume) <= least:
        return (0.0, 0.0, 0.0), False
    return (dot(v, across) / volume, dot(v, cross(c, a)) / volume, dot(v, cross(a, b)) / volume), True


@njit
def between(u: Any, w: Any) -> Any:
    """Rotation vector [rad] of the least turn from unit vector u to unit vector w; none where they are opposed."""
    axis = cross(u, w)
    s, c = math.sqrt(dot(axis, axis)), dot(u, w)
    if s < TINY:
        return (0.0, 0.0, 0.0)
    k = math.atan2(s, c) / s
    return (k * axis[0], k * axis[1], k * axis[2])
