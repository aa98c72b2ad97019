"""The same body in another person's proportions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reenact.body.body import Axis, Body, Segment, Shape
from reenact.body.rest import lowest, rest_origins, sole_height, top_height
from reenact.errors import BodyError
from reenact.geometry import rotation
from reenact.geometry.rotation import Array

SMALLEST, LARGEST = 0.2, 5.0  # ratios that still make a body
WIDTH = "_width"
_ROUND = ("head", "hand", "foot")  # parts that grow alike in all directions


@dataclass(frozen=True, slots=True, kw_only=True)
class _Growth:
    """How one segment grows."""

    place: Array  # (3,) factors on points: joints, centre of mass, landmarks, places of shapes
    stretch: Array  # (3,) factors on the segment's flesh
    mass: float


def scale_segments(body: Body, lengths: Mapping[str, float], *, mass: float | None = None) -> Body:
    """A body whose segments are `lengths` times as long; what is not named keeps its length.

    Keys are segment names: the factor on the distance from the segment's joint to its children's. A key "pelvis_width"
    is the factor on a midline segment's breadth, and so on the distance between the hips ("thorax_width": shoulders);
    left and right may differ. `mass` [kg] is the new total, by default the old one: a segment's share grows with its
    length, and with its breadth where that grows more than the body; all girths grow alike; moments grow as the flesh
    stretches.
    Torque limits follow the masses of parent and child as in [V12] Eq. 15, servo gains the total mass.
    """
    total = body.mass if mass is None else float(mass)
    if not (math.isfinite(total) and total > 0):
        raise BodyError(f"mass is {total:g} kg, expected more than 0")
    growth = _growth(body, _checked(body, lengths), total)
    segments = []
    for s in body.segments:
        parent = None if s.parent is None else growth[s.parent]
        limit = 1.0 if s.parent is None else _mean_mass(body, s, growth)
        segments.append(_grown(s, parent, growth[s.name], limit=limit, gain=total / body.mass))
    landmarks = {name: (owner, growth[owner].place * point) for name, (owner, point) in body.landmarks.items()}
    return stood(body, segments, landmarks)


def stood(body: Body, segments: Sequence[Segment], landmarks: Mapping[str, tuple[str, Array]]) -> Body:
    """`body` with reshaped segments: toes level with the rest of their foot again, sole on the ground, stature anew."""
    segments, points = list(segments), dict(landmarks)
    for i, s in enumerate(segments):
        foot = next((f for f in segments if f.name == s.parent and f.part == s.part == "foot"), None)
        if foot is None or not (s.shapes and foot.shapes):
            continue
        gap = lowest(s) + s.offset[2] - lowest(foot)
        old = body.segment(s.name)
        rise = np.array([0.0, 0.0, lowest(old) + old.offset[2] - lowest(body.segment(foot.name)) - gap])
        shapes = tuple(replace(g, position=g.position + rise) for g in s.shapes)
        segments[i] = replace(s, com=s.com + rise, shapes=shapes)
        points |= {name: (owner, at + rise) for name, (owner, at) in points.items() if owner == s.name}
    segments[0] = replace(segments[0], offset=segments[0].offset - [0.0, 0.0, sole_height(segments)])
    stature = top_height(segments, points) - sole_height(segments)
    return replace(body, segments=tuple(segments), landmarks=points, stature=stature)


def segment_lengths(body: Body) -> dict[str, float]:
    """What `scale_segments` scales, by the same keys [m]: a fit divides a person's lengths by these.

    From each segment's joint to its child's, or to its farthest landmark where it has none; "…_width": between a pair.
    """
    origins = rest_origins(body.segments)
    twin = dict(body.mirror) | {right: left for left, right in body.mirror}
    reach: dict[str, list[float]] = {}
    for s in body.segments[1:]:
        parent = str(s.parent)
        if s.name in twin and parent not in twin:
            reach.setdefault(parent + WIDTH, []).append(float(np.linalg.norm(origins[s.name] - origins[twin[s.name]])))
        else:
            reach.setdefault(parent, []).append(float(np.linalg.norm(s.offset)))
    leaves = {s.name for s in body.segments} - reach.keys()
    for owner, point in body.landmarks.values():
        if owner in leaves:
            reach.setdefault(owner, []).append(float(np.linalg.norm(point)))
    return {name: max(distances) for name, distances in reach.items()}


def _checked(body: Body, lengths: Mapping[str, float]) -> Mapping[str, float]:
    sided = {name for pair in body.mirror for name in pair}
    known = [*body.segment_names, *(name + WIDTH for name in body.segment_names if name not in sided)]
    for name, ratio in lengths.items():
        if name not in known:
            raise BodyError(f"body '{body.name}' has nothing to scale named '{name}'; there are: {', '.join(known)}")
        if not (math.isfinite(ratio) and SMALLEST <= ratio <= LARGEST):
            raise BodyError(f"segment '{name}': ratio is {ratio:g}, expected {SMALLEST:g} to {LARGEST:g}")
    return lengths


def _growth(body: Body, lengths: Mapping[str, float], total: float) -> dict[str, _Growth]:
    sided = {name for pair in body.mirror for name in pair}
    overall = sum(s.mass * lengths.get(s.name, 1.0) for s in body.segments) / body.mass
    broader = {s.name: lengths.get(s.name + WIDTH, overall) / overall for s in body.segments}
    share = {s.name: s.mass * lengths.get(s.name, 1.0) * broader[s.name] for s in body.segments}
    denser = total / sum(share.values())
    girth = math.sqrt(denser)
    growth = {}
    for s in body.segments:
        long, wide = lengths.get(s.name, 1.0), lengths.get(s.name + WIDTH, 1.0)
        if s.part in _ROUND:
            place = stretch = np.full(3, long)
        else:
            place = np.full(3, long) if s.name in sided else np.array([long, wide, long])
            stretch = np.full(3, girth)
            stretch[long_axis(body, s)] = long
            stretch[1] *= broader[s.name]
        growth[s.name] = _Growth(place=place, stretch=stretch, mass=share[s.name] * denser)
    return growth


def long_axis(body: Body, segment: Segment) -> int:
    """The axis along which a segment reaches from its joint to its children, or to its centre of mass."""
    ends = [s.offset for s in body.segments if s.parent == segment.name]
    reach = np.mean(ends, axis=0) if ends else segment.com
    return int(np.argmax(np.abs(reach)))


def _mean_mass(body: Body, segment: Segment, growth: Mapping[str, _Growth]) -> float:
    parent = body.segment(str(segment.parent))
    return (growth[parent.name].mass + growth[segment.name].mass) / (parent.mass + segment.mass)


def _grown(s: Segment, parent: _Growth | None, own: _Growth, *, limit: float, gain: float) -> Segment:
    inertia, turn = _stretched_inertia(s, own)
    return replace(
        s,
        offset=s.offset if parent is None else parent.place * s.offset,
        mass=own.mass,
        com=own.place * s.com,
        inertia=inertia,
        inertia_orientation=turn,
        axes=tuple(_stronger(a, limit, gain) for a in s.axes),
        shapes=tuple(_stretched_shape(g, own) for g in s.shapes),
    )


def _stronger(axis: Axis, limit: float, gain: float) -> Axis:
    return replace(
        axis, torque_limit=axis.torque_limit * limit, stiffness=axis.stiffness * gain, damping=axis.damping * gain
    )


def _stretched_inertia(s: Segment, own: _Growth) -> tuple[Array, Array]:
    """Principal moments (3,) and axes (4,) after the flesh is stretched: the second moments ∫xxᵀdm scale by S·S."""
    turn = rotation.to_matrix(s.inertia_orientation)
    tensor = turn @ np.diag(s.inertia) @ turn.T
    second = 0.5 * np.trace(tensor) * np.eye(3) - tensor
    second = own.mass / s.mass * own.stretch[:, None] * second * own.stretch[None, :]
    grown = np.trace(second) * np.eye(3) - second
    back = turn.T @ grown @ turn  # in the old principal axes
    if np.allclose(back, np.diag(np.diag(back)), rtol=0, atol=1e-12 * np.trace(back)):
        return np.diag(back).copy(), s.inertia_orientation.copy()
    moments, axes = np.linalg.eigh(grown)
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    return moments, rotation.from_matrix(axes)


def _stretched_shape(g: Shape, own: _Growth) -> Shape:
    turn = rotation.to_matrix(g.orientation)
    along = np.linalg.norm(own.stretch[:, None] * turn, axis=0)  # (3,) stretch along the shape's own axes
    match g.kind:
        case "sphere":
            size = g.size * np.cbrt(np.prod(own.stretch))
        case "capsule":
            size = g.size * np.array([np.sqrt(along[0] * along[1]), along[2]])
        case _:
            size = g.size * along
    return replace(g, position=own.place * g.position, size=size)
