"""Left for right: segments and poses across the sagittal plane y = 0."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from reenact.body.body import Body, Segment
from reenact.body.solid import reflect_point, reflect_rotation, reflected
from reenact.errors import BodyError, InputError
from reenact.geometry.rotation import Array

ALIKE = 1e-6  # how far an axis may be off its image


def other_side(name: str) -> str:
    """The name with "left" and "right" exchanged where it ends in a side or has one inside ("hip_left_flexion")."""
    swap = {"left": "right", "right": "left"}
    return "_".join(swap.get(word, word) for word in name.split("_"))


def right_of(left: Segment) -> Segment:
    """The right twin of a left segment; angles keep their anatomical sign, so the axes are the images' opposites."""
    axes = tuple(
        replace(a, name=other_side(a.name), direction=a.direction * np.array([-1.0, 1.0, -1.0]) + 0.0)
        for a in left.axes
    )
    return replace(
        left,
        name=other_side(left.name),
        parent=None if left.parent is None else other_side(left.parent),
        joint=other_side(left.joint),
        offset=reflect_point(left.offset),
        com=reflect_point(left.com),
        inertia_orientation=reflect_rotation(left.inertia_orientation),
        axes=axes,
        shapes=tuple(reflected(g, other_side(g.name)) for g in left.shapes),
    )


def mirror_pose(body: Body, qpos: ArrayLike) -> Array:
    """Poses (*batch, 7 + A) of the body reflected across the plane y = 0: what a mirror would show.

    Left and right angles change places; midline bend and twist change sign. The body itself need not be symmetric, but
    the axes of a pair must be each other's image.
    """
    qpos = np.asarray(qpos, float)
    hinges = len(body.axes)
    if qpos.shape[-1:] != (7 + hinges,):
        raise InputError(f"pose has shape {qpos.shape}, expected (..., {7 + hinges}) for body '{body.name}'")
    mirrored = qpos.copy()
    mirrored[..., 0:3] = reflect_point(qpos[..., 0:3])
    mirrored[..., 3:7] = reflect_rotation(qpos[..., 3:7])
    mirrored[..., 7:] = mirror_angles(body, qpos[..., 7:])
    return mirrored


def mirror_angles(body: Body, angles: Array) -> Array:
    """The hinges' part of `mirror_pose`, (*batch, A)."""
    source, sign = _exchange(body)
    return np.asarray(angles[..., source] * sign + 0.0)


def _exchange(body: Body) -> tuple[list[int], Array]:
    """For each hinge: which hinge its mirrored angle comes from, and the sign."""
    twin = {s.name: s.name for s in body.segments}
    for left, right in body.mirror:
        twin[left], twin[right] = right, left
    source, sign = [], []
    for s in body.segments:
        for axis, image in zip(s.axes, body.segment(twin[s.name]).axes, strict=True):
            along = float(np.dot(axis.direction * [-1.0, 1.0, -1.0], image.direction))
            if abs(abs(along) - 1) > ALIKE:
                raise BodyError(
                    f"body '{body.name}': axis '{axis.name}' and axis '{image.name}' are no mirror images, "
                    f"directions {axis.direction.tolist()} and {image.direction.tolist()}"
                )
            source.append(body.axis_index(image.name))
            sign.append(1.0 if along > 0 else -1.0)
    return source, np.array(sign)
