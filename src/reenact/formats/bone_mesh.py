"""A plain body for a bare skeleton: one octahedron along each bone, in the pose without rotations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from reenact.geometry.rotation import Array

_THICKNESS: Final = 0.12  # of the bone's length
_GREATEST: Final = 0.05  # m
_WAIST: Final = 0.2  # where along the bone it is thickest
_SHORTEST: Final = 1e-4  # m; shorter bones get no shape
_LONE: Final = 0.05  # m; size of the shape of a skeleton without bones
_FACES: Final = ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1), (5, 2, 1), (5, 3, 2), (5, 4, 3), (5, 1, 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class BoneMesh:
    """Flat-shaded triangles; each corner follows one joint."""

    position: Array  # (V, 3) [m]
    normal: Array  # (V, 3)
    joint: NDArray[np.int64]  # (V,)


def bone_mesh(rest: Array, parents: tuple[int, ...]) -> BoneMesh:
    """Octahedra from each joint of `rest` (J, 3) [m] to its children, moved by the joint they start from."""
    bones = [(p, rest[p], rest[j] - rest[p]) for j, p in enumerate(parents) if p >= 0]
    bones = [bone for bone in bones if np.linalg.norm(bone[2]) > _SHORTEST] or [
        (0, rest[0], np.array([0.0, _LONE, 0.0]))
    ]
    position, normal, joint = [], [], []
    for owner, start, line in bones:
        corners = start + _octahedron(line)
        for face in _FACES:
            triangle = corners[list(face)]
            out = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0])
            position.append(triangle)
            normal.append(np.tile(out / np.linalg.norm(out), (3, 1)))
            joint += [owner] * 3
    return BoneMesh(position=np.concatenate(position), normal=np.concatenate(normal), joint=np.array(joint))


def _octahedron(line: Array) -> Array:
    """Corners (6, 3) of a shape from the origin to `line`: start, four around the waist, end."""
    length = float(np.linalg.norm(line))
    along = line / length
    aside = np.eye(3)[int(np.argmin(np.abs(along)))]
    first = np.cross(along, aside)
    first /= np.linalg.norm(first)
    second = np.cross(along, first)
    radius = min(_THICKNESS * length, _GREATEST)
    waist = [_WAIST * line + radius * direction for direction in (first, second, -first, -second)]
    # Seen from the start, (first, second, −first, −second) runs so that _FACES look outward.
    return np.array([np.zeros(3), *waist[::-1], line])
