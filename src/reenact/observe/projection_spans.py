"""Exact outlines of one shape as intervals, one for each row of cells: compiled.

A row of cells is the line through the cells' centres. A sphere or ellipsoid is seen as an ellipse, whose interval on a
line is the solution of a quadratic equation; a box as the hull of its corners; a capsule as the hull of two such
ellipses, that is both of them and the two segments that touch them.

Points are in the camera's frame: x right, y down, z ahead [m]; `lens` is (focal x, focal y, centre x, centre y)
[cells]. Each function widens the intervals low … high of the rows that it meets and returns the first and last of them,
or (rows, −1) where it meets none.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from reenact.geometry.native_vectors import blend, cross, dot

NEAREST = 0.05  # [m] in front of the camera: a shape that comes nearer is not drawn
FAR = 1e6  # [cells] to which row numbers are cut before they become integers


@njit(error_model="numpy")
def rows_between(top: Any, bottom: Any, rows: Any) -> Any:
    """First and last row whose centre line lies between two heights [cells]."""
    first = math.ceil(min(max(top, 0.0), FAR) - 0.5)
    last = math.floor(max(min(bottom, rows), -FAR) - 0.5)
    return first, last


@njit(error_model="numpy")
def sphere(p: Any, r: Any, lens: Any, rows: Any, low: Any, high: Any) -> Any:
    """The ellipse of a sphere of radius r [m] about p."""
    fx, fy, _, _ = lens
    x, y, s = p[0] / p[2], p[1] / p[2], r * r
    conic = (
        s * fx * fx * (1.0 + x * x), s * fx * fy * x * y, -s * fx * x, s * fy * fy * (1.0 + y * y), -s * fy * y,
        s - p[2] * p[2],
    )  # fmt: skip
    return ellipse(conic, x, y, lens, rows, low, high)


@njit(error_model="numpy")
def ellipsoid(p: Any, a: Any, b: Any, c: Any, lens: Any, rows: Any, low: Any, high: Any) -> Any:
    """The ellipse of an ellipsoid about p with half axes a, b, c."""
    fx, fy, _, _ = lens
    x, y = p[0] / p[2], p[1] / p[2]
    a0, a1, b0, b1 = fx * (a[0] - x * a[2]), fy * (a[1] - y * a[2]), fx * (b[0] - x * b[2]), fy * (b[1] - y * b[2])
    c0, c1 = fx * (c[0] - x * c[2]), fy * (c[1] - y * c[2])
    conic = (
        a0 * a0 + b0 * b0 + c0 * c0, a0 * a1 + b0 * b1 + c0 * c1, a0 * a[2] + b0 * b[2] + c0 * c[2],
        a1 * a1 + b1 * b1 + c1 * c1, a1 * a[2] + b1 * b[2] + c1 * c[2],
        a[2] * a[2] + b[2] * b[2] + c[2] * c[2] - p[2] * p[2],
    )  # fmt: skip
    return ellipse(conic, x, y, lens, rows, low, high)


@njit(error_model="numpy")
def ellipse(conic: Any, x: Any, y: Any, lens: Any, rows: Any, low: Any, high: Any) -> Any:
    """Rows of the ellipse whose lines l satisfy lᵀCl = 0, C = (C00, C01, C02, C11, C12, C22) about the point (x, y).

    The point, in units of the focal length, is the image of the solid's centre: about it nothing cancels. With A the
    adjugate of C, a line v cuts the ellipse where A00 u² + 2 (A01 v + A02) u + … = 0, whose discriminant is
    −det(C)·(C11 − 2 C12 v + C22 v²).
    """
    c00, c01, c02, c11, c12, c22 = conic
    u0, v0 = lens[0] * x + lens[2], lens[1] * y + lens[3]
    root = math.sqrt(c12 * c12 - c11 * c22)
    first, last = rows_between(v0 + (c12 + root) / c22, v0 + (c12 - root) / c22, rows)
    a00, a01, a02 = c11 * c22 - c12 * c12, c02 * c12 - c01 * c22, c01 * c12 - c02 * c11
    slope, middle = -a01 / a00, u0 - a02 / a00
    width = -(c00 * a00 + c01 * a01 + c02 * a02) / (a00 * a00)
    for row in range(first, last + 1):
        v = row + 0.5 - v0
        half = math.sqrt(max(0.0, width * (c11 + v * (c22 * v - 2.0 * c12))))
        u = middle + slope * v
        low[row] = min(low[row], u - half)
        high[row] = max(high[row], u + half)
    return (first, last) if first <= last else (rows, -1)


@njit(error_model="numpy")
def line(u0: Any, v0: Any, u1: Any, v1: Any, rows: Any, low: Any, high: Any) -> Any:
    """Rows that the segment between two points [cells] crosses."""
    if v0 > v1:
        u0, v0, u1, v1 = u1, v1, u0, v0
    first, last = rows_between(v0, v1, rows)
    if first > last:
        return rows, -1
    slope = (u1 - u0) / (v1 - v0)
    for row in range(first, last + 1):
        u = u0 + (row + 0.5 - v0) * slope
        low[row] = min(low[row], u)
        high[row] = max(high[row], u)
    return first, last


@njit(error_model="numpy")
def capsule(p: Any, h: Any, r: Any, lens: Any, rows: Any, low: Any, high: Any) -> Any:
    """The outline of a capsule of radius r whose axis runs from p − h to p + h."""
    a, b = blend(p, h, 1.0, -1.0), blend(p, h, 1.0, 1.0)
    first, last = sphere(a, r, lens, rows, low, high)
    one, two = sphere(b, r, lens, rows, low, high)
    first, last = min(first, one), max(last, two)
    n = cross(a, b)
    square = dot(n, n)
    if square < 1e-12:  # seen along its axis: one end hides the other
        return first, last
    # Planes through the eye that touch both ends: their unit normals m satisfy m·a = m·b = r.
    aa, bb, ab = dot(a, a), dot(b, b), dot(a, b)
    s, t = r * (bb - ab) / square, r * (aa - ab) / square
    rest = (1.0 - r * (s + t)) / square
    if rest <= 0.0:  # one end's outline lies within the other's
        return first, last
    across, along = math.sqrt(rest), blend(a, b, s, t)
    for k in range(2):
        m = blend(along, n, r, r * (across if k == 0 else -across))
        za, zb = 1.0 / (a[2] - m[2]), 1.0 / (b[2] - m[2])
        one, two = line(
            lens[0] * (a[0] - m[0]) * za + lens[2], lens[1] * (a[1] - m[1]) * za + lens[3],
            lens[0] * (b[0] - m[0]) * zb + lens[2], lens[1] * (b[1] - m[1]) * zb + lens[3], rows, low, high,
        )  # fmt: skip
        first, last = min(first, one), max(last, two)  # an end may lie outside of the picture
    return first, last


@njit(error_model="numpy")
def box(p: Any, a: Any, b: Any, c: Any, lens: Any, rows: Any, low: Any, high: Any) -> Any:
    """The outline of a box about p with half edges a, b, c: the hull of its twelve edges."""
    first, last = rows, -1
    for k in range(4):
        s, t = (1.0 if k & 1 else -1.0), (1.0 if k & 2 else -1.0)
        for e in range(3):
            along, one, two = (a, b, c) if e == 0 else (b, c, a) if e == 1 else (c, a, b)
            middle = blend(p, blend(one, two, s, t), 1.0, 1.0)
            f, g = blend(middle, along, 1.0, -1.0), blend(middle, along, 1.0, 1.0)
            zf, zg = 1.0 / f[2], 1.0 / g[2]
            top, bottom = line(
                lens[0] * f[0] * zf + lens[2], lens[1] * f[1] * zf + lens[3],
                lens[0] * g[0] * zg + lens[2], lens[1] * g[1] * zg + lens[3], rows, low, high,
            )  # fmt: skip
            first, last = min(first, top), max(last, bottom)
    return first, last
