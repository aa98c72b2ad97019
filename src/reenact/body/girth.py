"""The same body thicker or thinner part by part: its shapes across their segments, nothing else."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from reenact.body.body import Body, Segment, Shape
from reenact.body.scale import LARGEST, SMALLEST, long_axis
from reenact.errors import BodyError
from reenact.geometry import rotation

ROUND = ("head", "hand")  # parts that grow alike in all directions


def with_girths(body: Body, factors: Mapping[str, float]) -> Body:
    """A body whose segments are `factors` times as thick, by segment name; what is not named stays.

    Joints, masses and moments stay as they are: flesh is only where it shows and touches. Capsules keep their length
    from end to end; ellipsoids and boxes grow across the segment's long axis, heads and hands in all directions.
    """
    for name, factor in factors.items():
        body.segment(name)
        if not (math.isfinite(factor) and SMALLEST <= factor <= LARGEST):
            raise BodyError(f"segment '{name}': girth factor is {factor:g}, expected {SMALLEST:g} to {LARGEST:g}")
    segments = tuple(_thicker(body, s, factors[s.name]) if s.name in factors else s for s in body.segments)
    return replace(body, segments=segments)


def _thicker(body: Body, segment: Segment, factor: float) -> Segment:
    along = None if segment.part in ROUND else long_axis(body, segment)
    return replace(segment, shapes=tuple(_grown(shape, factor, along) for shape in segment.shapes))


def _grown(shape: Shape, factor: float, along: int | None) -> Shape:
    """A shape grown across axis `along` of its segment; in all directions where that is None."""
    size = shape.size * factor
    if shape.kind == "capsule":
        size = np.array([size[0], max(1e-3 * size[0], shape.size.sum() - size[0])])
    elif shape.kind != "sphere" and along is not None:
        kept = int(np.argmax(np.abs(rotation.to_matrix(shape.orientation)[along])))
        size[kept] = shape.size[kept]
    return replace(shape, size=size)
