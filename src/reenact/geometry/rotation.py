"""Unit quaternions as arrays, scalar first: shape (..., 4), batches lead.

A quaternion `q_AB` turns vectors of frame B into frame A: `v_A = rotate(q_AB, v_B)`, and `q_AC = multiply(q_AB, q_BC)`.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

IDENTITY: Final[Array] = np.array([1.0, 0.0, 0.0, 0.0])
AXES: Final[dict[str, Array]] = {
    "x": np.array([1.0, 0.0, 0.0]),
    "y": np.array([0.0, 1.0, 0.0]),
    "z": np.array([0.0, 0.0, 1.0]),
}


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """Product a·b of quaternions, (*batch, 4)."""
    aw, ax, ay, az = np.moveaxis(_floats(a), -1, 0)
    bw, bx, by, bz = np.moveaxis(_floats(b), -1, 0)
    return np.stack(
        [
            aw * bw - ax * bx - ay * by - az * bz,
            aw * bx + ax * bw + ay * bz - az * by,
            aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw,
        ],
        axis=-1,
    )


def conjugate(q: ArrayLike) -> Array:
    """Inverse of unit quaternions, (*batch, 4)."""
    return np.multiply(_floats(q), [1.0, -1.0, -1.0, -1.0], dtype=np.float64)


def normalize(q: ArrayLike) -> Array:
    """Quaternions scaled to unit length, (*batch, 4)."""
    values = _floats(q)
    return _floats(values / np.linalg.norm(values, axis=-1, keepdims=True))


def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Vectors (*batch, 3) turned by quaternions (*batch, 4)."""
    turn, vector = _floats(q), _floats(v)
    w, u = turn[..., :1], turn[..., 1:]
    t = 2.0 * np.cross(u, vector)
    return _floats(vector + w * t + np.cross(u, t))


def from_axis_angle(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Rotation by `angle` [rad] about a unit `axis` (*batch, 3), giving (*batch, 4)."""
    unit, half = _floats(axis), 0.5 * _floats(angle)
    batch = np.broadcast_shapes(unit.shape[:-1], half.shape)
    sine, cosine = (np.broadcast_to(f(half), batch)[..., None] for f in (np.sin, np.cos))
    return np.concatenate([cosine, sine * np.broadcast_to(unit, (*batch, 3))], axis=-1)


def from_rotvec(r: ArrayLike) -> Array:
    """Exponential map: rotation vectors (*batch, 3) [rad] to quaternions (*batch, 4)."""
    vector = _floats(r)
    angle = np.linalg.norm(vector, axis=-1, keepdims=True)
    scale = 0.5 * np.sinc(angle / (2.0 * np.pi))
    return np.concatenate([np.cos(0.5 * angle), scale * vector], axis=-1)


def to_rotvec(q: ArrayLike) -> Array:
    """Logarithm: the shorter rotation vector (*batch, 3) [rad] of quaternions (*batch, 4)."""
    turn = _floats(q)
    turn = np.where(turn[..., :1] < 0, -turn, turn)
    sine = np.linalg.norm(turn[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, turn[..., :1])
    scale = np.where(sine > 1e-12, angle / np.where(sine > 1e-12, sine, 1.0), 2.0)
    return _floats(scale * turn[..., 1:])


def to_matrix(q: ArrayLike) -> Array:
    """Rotation matrices (*batch, 3, 3) of quaternions (*batch, 4)."""
    w, x, y, z = np.moveaxis(_floats(q), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def from_matrix(matrix: ArrayLike) -> Array:
    """Quaternions (*batch, 4), scalar part ≥ 0, of rotation matrices (*batch, 3, 3)."""
    m = _floats(matrix)
    x, y, z = np.moveaxis(np.diagonal(m, axis1=-2, axis2=-1), -1, 0)
    # Four times the squares of the components; the greatest of them gives the stable branch.
    squares = np.stack([1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z], axis=-1)
    a, b, c = m[..., 2, 1] - m[..., 1, 2], m[..., 0, 2] - m[..., 2, 0], m[..., 1, 0] - m[..., 0, 1]
    e, f, g = m[..., 1, 0] + m[..., 0, 1], m[..., 0, 2] + m[..., 2, 0], m[..., 2, 1] + m[..., 1, 2]
    rows = np.stack(
        [
            np.stack([squares[..., 0], a, b, c], axis=-1),
            np.stack([a, squares[..., 1], e, f], axis=-1),
            np.stack([b, e, squares[..., 2], g], axis=-1),
            np.stack([c, f, g, squares[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(squares, axis=-1)
    q = normalize(np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :])
    return np.where(q[..., :1] < 0, -q, q)


def from_euler(order: str, angles: ArrayLike) -> Array:
    """Rotation about the moving axes of `order` ("zxy"), angles (*batch, len(order)) [rad], first axis outermost."""
    values = _floats(angles)
    q: Array = np.broadcast_to(IDENTITY, (*values.shape[:-1], 4))
    for i, axis in enumerate(order.lower()):
        q = multiply(q, from_axis_angle(AXES[axis], values[..., i]))
    return q


def to_euler(order: str, q: ArrayLike) -> Array:
    """Angles (*batch, 3) [rad] about the moving axes of a three-letter `order` of distinct axes; middle within ±π/2."""
    i, j, k = ("xyz".index(letter) for letter in order.lower())
    if len({i, j, k}) != 3:
        raise ValueError(f"order must name three distinct axes, got {order!r}")
    sign = 1.0 if (i, j, k) in {(0, 1, 2), (1, 2, 0), (2, 0, 1)} else -1.0
    m = to_matrix(q)
    cosine = np.hypot(m[..., i, i], m[..., i, j])
    middle = np.arctan2(sign * m[..., i, k], cosine)
    locked = cosine < 1e-10  # first and last axis fall together: any first angle will do, the last follows
    first = np.where(locked, 0.0, np.arctan2(-sign * m[..., j, k], m[..., k, k]))
    # Undo the first turn: row j of what is left holds sine and cosine of the last.
    left = np.cos(first)[..., None] * m[..., j, :] + sign * np.sin(first)[..., None] * m[..., k, :]
    last = np.arctan2(sign * left[..., i], left[..., j])
    return np.stack([first, middle, last], axis=-1)


def between(a: ArrayLike, b: ArrayLike) -> Array:
    """The shortest rotation (*batch, 4) that turns direction `a` (*batch, 3) into direction `b`."""
    start, end = (_floats(v) / np.linalg.norm(v, axis=-1, keepdims=True) for v in (a, b))
    dot = np.sum(start * end, axis=-1, keepdims=True)
    opposite = dot < -1 + 1e-12
    aside = np.where(np.abs(start[..., :1]) < 0.9, AXES["x"], AXES["y"])  # any direction off `start`, for the half turn
    vector = np.where(opposite, np.cross(start, aside), np.cross(start, end))
    return normalize(np.concatenate([np.where(opposite, 0.0, 1.0 + dot), vector], axis=-1))


def slerp(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> Array:
    """The rotation a fraction `t` (*batch,) of the shorter way from a to b, (*batch, 4)."""
    step = to_rotvec(multiply(conjugate(a), b))
    return multiply(a, from_rotvec(_floats(t)[..., None] * step))


def unroll(q: ArrayLike) -> Array:
    """Quaternions over time (T, ..., 4) with signs flipped so that neighbours lie on one hemisphere."""
    turns = np.array(q, float)
    if len(turns) > 1:
        flips = np.where(np.sum(turns[1:] * turns[:-1], axis=-1) < 0, -1.0, 1.0)
        turns[1:] *= np.cumprod(flips, axis=0)[..., None]
    return turns


def _floats(values: ArrayLike) -> Array:
    return np.asarray(values, np.float64)
