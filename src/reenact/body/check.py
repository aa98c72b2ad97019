"""What makes a body whole: one tree, names that differ, numbers that a rigid body can have."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, get_args

import numpy as np

from reenact.errors import BodyError
from reenact.geometry.rotation import Array

if TYPE_CHECKING:
    from reenact.body.body import Axis, Body, Segment, Shape

SHAPE_SIZES = {"sphere": 1, "capsule": 2, "box": 3, "ellipsoid": 3}
STATURE = 1e-3  # how far the stature may be off [m]
LIGHTEST, SMALLEST_MOMENT = 1e-6, 1e-12  # [kg], [kg·m²]; the engine divides by them
TAKEN = {"segment": "world", "axis": "root"}  # names that the engine's model uses itself
UNIT = 1e-6  # how far a unit vector's length may be off


def check_body(body: Body) -> None:
    """Raise BodyError with one line that names segment, field, value and expectation."""
    where = f"body '{body.name}'"
    if not body.name:
        raise BodyError("a body's name is empty, expected text")
    if not body.segments:
        raise BodyError(f"{where}: segments are empty, expected at least a root")
    _positive(where, "stature", body.stature)
    check_distinct(where, "segment", [s.name for s in body.segments])
    check_distinct(where, "joint", [s.joint for s in body.segments])
    check_distinct(where, "axis", [a.name for a in body.axes])
    check_distinct(where, "shape", [g.name for s in body.segments for g in s.shapes])
    _check_tree(where, body.segments)
    for segment in body.segments:
        _check_segment(f"{where}: segment '{segment.name}'", segment)
    _check_mirror(where, body)
    for name, (segment_name, point) in body.landmarks.items():
        _known(f"{where}: landmark '{name}'", "segment", segment_name, body.segment_names)
        _vector(f"{where}: landmark '{name}'", "position", point, 3)
    for name in body.end_effectors:
        _known(where, "end_effectors", name, body.segment_names)
    _check_stature(where, body)


def check_distinct(where: str, kind: str, names: Sequence[str]) -> None:
    """Raise BodyError when a name is empty or stands twice."""
    for i, name in enumerate(names):
        if not name:
            raise BodyError(f"{where}: a {kind} has an empty name")
        if name == TAKEN.get(kind):
            raise BodyError(f"{where}: {kind} name '{name}' is taken by the simulation, expected another")
        if name in names[:i]:
            raise BodyError(f"{where}: {kind} name '{name}' stands twice, expected names that differ")


def depth_first(names: Sequence[str], parents: Sequence[str | None]) -> list[str]:
    """Names below the root, each parent before its children, whole branches together, siblings as listed."""
    children: dict[str | None, list[str]] = {}
    for name, parent in zip(names, parents, strict=True):
        children.setdefault(parent, []).append(name)
    order: list[str] = []
    waiting = list(reversed(children.get(None, [])))
    while waiting:
        name = waiting.pop()
        order.append(name)
        waiting.extend(reversed(children.get(name, [])))
    return order


def check_parents(where: str, names: Sequence[str], parents: Sequence[str | None]) -> None:
    """Raise BodyError unless there is one root and every other segment hangs from it."""
    roots = [n for n, p in zip(names, parents, strict=True) if p is None]
    if len(roots) != 1:
        got = f"{len(roots)} ({', '.join(roots)})" if roots else "none"
        raise BodyError(f"{where}: segments without a parent: {got}, expected exactly one root")
    for name, parent in zip(names, parents, strict=True):
        if parent is not None:
            _known(f"{where}: segment '{name}'", "parent", parent, names)
    reached = set(depth_first(names, parents))
    for name in names:
        if name not in reached:
            raise BodyError(f"{where}: segment '{name}': parents form a cycle ({_cycle(name, names, parents)})")


def _check_tree(where: str, segments: Sequence[Segment]) -> None:
    names, parents = [s.name for s in segments], [s.parent for s in segments]
    check_parents(where, names, parents)
    order = depth_first(names, parents)
    for got, expected in zip(names, order, strict=True):
        if got != expected:
            raise BodyError(
                f"{where}: segment '{got}' stands where '{expected}' is expected: "
                "a branch is listed whole, parents first, before the next begins"
            )
    if segments[0].axes:
        raise BodyError(f"{where}: segment '{names[0]}': axes are {len(segments[0].axes)}, expected none at the root")


def _check_segment(where: str, segment: Segment) -> None:
    from reenact.body.body import PartKind

    if segment.part not in get_args(PartKind):
        raise BodyError(f"{where}: part is {segment.part!r}, expected one of: {', '.join(get_args(PartKind))}")
    if not segment.joint:
        raise BodyError(f"{where}: joint is empty, expected a name")
    _vector(where, "offset", segment.offset, 3)
    _positive(where, "mass", segment.mass, LIGHTEST)
    _vector(where, "com", segment.com, 3)
    _vector(where, "inertia", segment.inertia, 3)
    a, b, c = np.sort(segment.inertia)
    if a < SMALLEST_MOMENT:
        raise BodyError(
            f"{where}: inertia is {_show(segment.inertia)}, expected three moments of {SMALLEST_MOMENT:g} kg·m² or more"
        )
    if a + b < c * (1 - 1e-9):
        raise BodyError(
            f"{where}: inertia is {_show(segment.inertia)}, expected no moment above the sum of the other two "
            f"({c:g} > {a + b:g})"
        )
    _unit(where, "inertia_orientation", segment.inertia_orientation, 4)
    if len(segment.axes) > 3:
        raise BodyError(f"{where}: axes are {len(segment.axes)}, expected at most 3")
    for axis in segment.axes:
        _check_axis(f"{where}: axis '{axis.name}'", axis)
    for shape in segment.shapes:
        _check_shape(f"{where}: shape '{shape.name}'", shape)


def _check_axis(where: str, axis: Axis) -> None:
    _unit(where, "direction", axis.direction, 3)
    low, high = axis.range
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise BodyError(f"{where}: range is [{low:g}, {high:g}] rad, expected the lower bound first")
    if not low <= 0 <= high:
        raise BodyError(f"{where}: range is [{low:g}, {high:g}] rad, expected the rest angle 0 inside")
    _positive(where, "torque_limit", axis.torque_limit)
    for field in ("stiffness", "damping", "window", "contact_scale"):
        value = getattr(axis, field)
        if not (math.isfinite(value) and value >= 0):
            raise BodyError(f"{where}: {field} is {value:g}, expected 0 or more")


def _check_shape(where: str, shape: Shape) -> None:
    count = SHAPE_SIZES.get(shape.kind)
    if count is None:
        raise BodyError(f"{where}: kind is {shape.kind!r}, expected one of: {', '.join(SHAPE_SIZES)}")
    _vector(where, "position", shape.position, 3)
    _unit(where, "orientation", shape.orientation, 4)
    _vector(where, "size", shape.size, count)
    if not (shape.size > 0).all():
        raise BodyError(f"{where}: size is {_show(shape.size)}, expected {count} positive lengths [m]")


def _check_mirror(where: str, body: Body) -> None:
    seen: list[str] = []
    for left, right in body.mirror:
        for name in (left, right):
            _known(where, f"mirror pair ({left}, {right})", name, body.segment_names)
            if name in seen:
                raise BodyError(f"{where}: mirror names segment '{name}' twice, expected each once")
            seen.append(name)
        count = [len(body.segment(name).axes) for name in (left, right)]
        if count[0] != count[1]:
            raise BodyError(
                f"{where}: mirror pair ({left}, {right}): axes are {count[0]} and {count[1]}, expected as many"
            )


def _check_stature(where: str, body: Body) -> None:
    from reenact.body.rest import stands_at

    if not any(s.shapes for s in body.segments):
        raise BodyError(f"{where}: no segment has a shape, expected at least one")
    height = stands_at(body)
    if abs(height - body.stature) > STATURE:
        raise BodyError(f"{where}: stature is {body.stature:g} m, expected {height:.4g} m, from sole to vertex at rest")


def _known(where: str, field: str, name: str, names: Iterable[str]) -> None:
    names = list(names)
    if name not in names:
        raise BodyError(f"{where}: {field} is '{name}', expected a segment; there are: {', '.join(names)}")


def _vector(where: str, field: str, value: Array, count: int) -> None:
    if value.shape != (count,):
        raise BodyError(f"{where}: {field} has {value.size} numbers, expected {count}")
    if not np.isfinite(value).all():
        raise BodyError(f"{where}: {field} is {_show(value)}, expected finite numbers")


def _unit(where: str, field: str, value: Array, count: int) -> None:
    _vector(where, field, value, count)
    length = float(np.linalg.norm(value))
    if abs(length - 1) > UNIT:
        raise BodyError(f"{where}: {field} is {_show(value)} of length {length:g}, expected length 1")


def _positive(where: str, field: str, value: float, least: float = 0.0) -> None:
    if not (math.isfinite(value) and value > 0):
        raise BodyError(f"{where}: {field} is {value:g}, expected more than 0")
    if value < least:
        raise BodyError(f"{where}: {field} is {value:g}, expected {least:g} or more")


def _show(value: Array) -> str:
    return f"[{', '.join(f'{v:g}' for v in value)}]"


def _cycle(start: str, names: Sequence[str], parents: Sequence[str | None]) -> str:
    above = dict(zip(names, parents, strict=True))
    chain = [start]
    while (parent := above[chain[-1]]) is not None and parent not in chain:
        chain.append(parent)
    return " -> ".join([*chain, str(above[chain[-1]])])
