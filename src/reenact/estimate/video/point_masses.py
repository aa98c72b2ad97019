"""A body as point masses that move as its segments do: four of them have a segment's mass, centre and inertia.

At the corners of a tetrahedron along the principal axes, each a quarter of the mass. The angular momentum between two
frames is then Σ m p × q with the places p and q of a point in them, and its change the moment of second differences.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reenact.body.body import Body
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

_CORNERS: Final = np.array([[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]])


class PointMasses(NamedTuple):
    """Points of segments with their shares of the body's mass."""

    segments: NDArray[np.int64]  # (P,)
    points: Array  # (P, 3) in the segments' frames [m]
    shares: Array  # (P,)


def point_masses(body: Body) -> PointMasses:
    """Of a body, four for each segment."""
    segments, points, masses = [], [], []
    for i, segment in enumerate(body.segments):
        moments = np.asarray(segment.inertia, float)
        spread = np.sqrt(np.maximum(0.5 * moments.sum() - moments, 0.0) / segment.mass)  # along the principal axes
        corners = rotation.rotate(segment.inertia_orientation, spread * _CORNERS)
        segments += [i] * len(_CORNERS)
        points.append(np.asarray(segment.com, float) + corners)
        masses += [segment.mass / len(_CORNERS)] * len(_CORNERS)
    shares = np.array(masses)
    return PointMasses(np.array(segments, np.int64), np.concatenate(points), shares / shares.sum())
