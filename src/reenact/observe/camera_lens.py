"""What a lens does to a picture: Brown's radial and tangential distortion with OpenCV's coefficients.

Points are (x, y) = (X/Z, Y/Z) in the camera's frame, without unit. Coefficients stand in OpenCV's order
k1 k2 p1 p2 k3 k4 k5 k6; those not given are zero:

    x' = x (1 + k1 r² + k2 r⁴ + k3 r⁶)/(1 + k4 r² + k5 r⁴ + k6 r⁶) + 2 p1 x y + p2 (r² + 2 x²)
    y' = y (…) + p1 (r² + 2 y²) + 2 p2 x y
"""

from __future__ import annotations

import numpy as np

from reenact.geometry.rotation import Array

TOLERANCE = 1e-12
STEPS = 50


def distorted(points: Array, coefficients: Array) -> Array:
    """Where a lens puts points (*batch, 2)."""
    if not coefficients.any():
        return points.copy()
    return bent(points, coefficients)[0]


def undistorted(points: Array, coefficients: Array) -> Array:
    """The points (*batch, 2) that a lens puts here; NaN where the formula has no such point near by.

    Newton's method. Far outside of the picture a polynomial lens folds back on itself; such a point is none.
    """
    if not coefficients.any():
        return points.copy()
    found = points.copy()
    with np.errstate(all="ignore"):
        for _ in range(STEPS):
            moved, slope = bent(found, coefficients)
            off = points - moved
            det = slope[..., 0, 0] * slope[..., 1, 1] - slope[..., 0, 1] * slope[..., 1, 0]
            step = np.stack(
                [
                    slope[..., 1, 1] * off[..., 0] - slope[..., 0, 1] * off[..., 1],
                    slope[..., 0, 0] * off[..., 1] - slope[..., 1, 0] * off[..., 0],
                ],
                axis=-1,
            )
            step /= det[..., None]
            found = found + step
            if not np.nanmax(np.abs(step), initial=0.0) > TOLERANCE:
                break
        moved, slope = bent(found, coefficients)
        folded = slope[..., 0, 0] * slope[..., 1, 1] - slope[..., 0, 1] * slope[..., 1, 0] <= 0
        missed = ~(np.abs(moved - points).max(axis=-1) < 1e-9)
        across = np.sum(found * points, axis=-1) < 0  # beyond the fold, on the other side of the picture
    return np.where((folded | missed | across)[..., None], np.nan, found)


def bent(points: Array, coefficients: Array) -> tuple[Array, Array]:
    """Distorted points (*batch, 2) and their derivatives (*batch, 2, 2)."""
    k1, k2, p1, p2, k3, k4, k5, k6 = np.concatenate([coefficients, np.zeros(8 - len(coefficients))])
    x, y = points[..., 0], points[..., 1]
    s = x * x + y * y
    above, below = 1 + s * (k1 + s * (k2 + s * k3)), 1 + s * (k4 + s * (k5 + s * k6))
    radial = above / below
    change = ((k1 + s * (2 * k2 + 3 * k3 * s)) - radial * (k4 + s * (2 * k5 + 3 * k6 * s))) / below  # by s
    moved = np.stack(
        [x * radial + 2 * p1 * x * y + p2 * (s + 2 * x * x), y * radial + p1 * (s + 2 * y * y) + 2 * p2 * x * y],
        axis=-1,
    )
    cross = 2 * x * y * change + 2 * p1 * x + 2 * p2 * y
    slope = np.stack(
        [
            np.stack([radial + 2 * x * x * change + 2 * p1 * y + 6 * p2 * x, cross], axis=-1),
            np.stack([cross, radial + 2 * y * y * change + 6 * p1 * y + 2 * p2 * x], axis=-1),
        ],
        axis=-2,
    )
    return moved, slope
