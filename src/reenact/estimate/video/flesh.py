"""What is known only about and is the same in all frames: a person's flesh, the crown, the ground, the size.

A boundary that is off by 1 % of a person's height puts the person 1 % nearer or farther, and soles that rest a
centimetre over the ground some five: so nothing of this can be taken as known when depth is to come out right. Girths
are as in `girth_fit`; beside them the crown, for hair and caps differ by centimetres in height and width alike, and
where soles rest, for a camera's ground is measured with an error; and the stature, which is told to a centimetre or two
and changed by clothes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from reenact.body.body import Body, Segment, Shape
from reenact.body.girth import with_girths
from reenact.geometry.rotation import Array
from reenact.observe.girth_fit import girth_groups, resized

CROWN, GROUND, SIZE = "crown", "ground", "size"
GIRTH: Final = 0.25  # spread of the logarithm of a girth among people
SPREADS: Final = {CROWN: 0.15, GROUND: 0.0015}  # of the logarithm of a head's height, and of the ground's height [m]
TOLD: Final = 0.003  # spread of a stature that was told, as a share of it
# A ground is known to half a centimetre, a stature to one or two. That masks are off is the same in all frames, so that
# these say less together than as many independent ones: about a tenth, for which the spreads are a third of that.
TILTED: Final = 0.004  # [m] by which the middle of a standing foot's sole is over the ground, for feet stand on edges
STEPS: Final = {CROWN: 0.12, SIZE: 0.02, GROUND: 0.02}  # of derivatives by differences: about half a cell
GIRTH_STEP: Final = 0.12
REACH: Final = 0.7  # greatest value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Flesh:
    """A body as given, and the K numbers by which the person may differ from it: 0 for a body as it is."""

    body: Body
    groups: dict[str, tuple[str, ...]]  # segments of one girth
    names: tuple[str, ...]  # (K) groups, then some of CROWN, GROUND and SIZE
    spread: Array  # (K,) of each number among people: logarithms of factors, and the ground's height [m]
    step: Array  # (K,) for differences

    def made(self, values: Array) -> Body:
        """The body with numbers (K,)."""
        factors = {name: float(np.exp(value)) for name, value in zip(self.names, values, strict=True)}
        body = resized(self.body, factors[SIZE]) if SIZE in factors else self.body
        body = with_girths(body, {s: factors[name] for name, members in self.groups.items() for s in members})
        return with_crown(body, factors[CROWN]) if CROWN in factors else body

    def numbers(self, other: Body) -> Array:
        """The numbers (K,) that make the body into another one that was made from it; 0 of the ground."""
        size = _reach(other) / _reach(self.body) if SIZE in self.names else 1.0
        found = {SIZE: size}
        for name, members in self.groups.items():
            found[name] = _thicker(self.body.segment(members[0]), other.segment(members[0])) / size
        if CROWN in self.names:
            found[CROWN] = _crown(other) / _crown(self.body)
        return np.asarray(np.log([found.get(name, 1.0) for name in self.names]))

    def level(self, values: Array) -> float:
        """By how much soles rest above the ground [m]."""
        return TILTED + (float(values[self.names.index(GROUND)]) if GROUND in self.names else 0.0)

    def moved(self, poses: Array, by: Array, ground: float) -> Array:
        """Poses (T, 7 + A) that keep their feet where they are while the numbers change `by` (K,)."""
        if SIZE not in self.names:
            return poses
        out = poses.copy()
        out[:, 2] = ground + float(np.exp(by[self.names.index(SIZE)])) * (poses[:, 2] - ground)
        return out

    def cost(self, values: Array) -> float:
        """How unlikely numbers (K,) are: half squares."""
        return 0.5 * float(np.sum((values / self.spread) ** 2))


def flesh_of(body: Body, *, size: float | None = TOLD) -> Flesh:
    """The unknowns of a body; its stature, known to a share `size` of it, is one of them unless that is None."""
    groups = girth_groups(body)
    heads = any(shape.kind == "ellipsoid" for segment in body.segments for shape in _of_head(segment))
    others = [*([CROWN] if heads else []), GROUND, *([SIZE] if size is not None else [])]
    spreads = SPREADS | ({} if size is None else {SIZE: size})
    return Flesh(
        body=body,
        groups=groups,
        names=(*groups, *others),
        spread=np.array([GIRTH] * len(groups) + [spreads[name] for name in others]),
        step=np.array([GIRTH_STEP] * len(groups) + [STEPS[name] for name in others]),
    )


def with_crown(body: Body, factor: float) -> Body:
    """A body whose head is `factor` times as high from its middle to the crown and the chin, and as wide as before."""
    segments = []
    for segment in body.segments:
        shapes = {s.name: _higher(s, factor) for s in _of_head(segment) if s.kind == "ellipsoid"}
        segments.append(replace(segment, shapes=tuple(shapes.get(s.name, s) for s in segment.shapes)))
    return replace(body, segments=tuple(segments))


def _of_head(segment: Segment) -> tuple[Shape, ...]:
    return segment.shapes if segment.part == "head" else ()


def _reach(body: Body) -> float:
    """Of all bones together [m]."""
    return float(sum(np.linalg.norm(segment.offset) for segment in body.segments if segment.parent is not None))


def _thicker(old: Segment, new: Segment) -> float:
    """How many times as thick a segment is: by its first shape, which grows alike along two axes or all."""
    ratios = new.shapes[0].size / old.shapes[0].size
    return float(ratios[0] if old.shapes[0].kind == "capsule" else np.median(ratios))


def _crown(body: Body) -> float:
    """How high a head is for its width."""
    heads = [shape for segment in body.segments for shape in _of_head(segment) if shape.kind == "ellipsoid"]
    return float(heads[0].size[2] / heads[0].size[0])


def _higher(shape: Shape, factor: float) -> Shape:
    return replace(shape, size=shape.size * [1.0, 1.0, factor])
