"""Which segments of a body are toes, and the hinge that bends each up."""

from __future__ import annotations

from typing import NamedTuple

from reenact.body.body import Body


class Toes(NamedTuple):
    """A segment that ends a foot of two parts; its angle is negative where it is bent up."""

    segment: int
    hinge: int  # among all hinges of the body


def toes_of(body: Body) -> tuple[Toes, ...]:
    """All toes of a body: parts of a foot that hang on another part of it by one hinge, which bends both ways."""
    found, first = [], 0
    for number, segment in enumerate(body.segments):
        parent = None if segment.parent is None else body.segment(segment.parent)
        if parent is not None and segment.part == parent.part == "foot" and len(segment.axes) == 1:
            low, high = segment.axes[0].range
            if low < 0 < high:
                found.append(Toes(segment=number, hinge=first))
        first += len(segment.axes)
    return tuple(found)
