"""Bodies as TOML text: what `dump_body` writes, `parse_body` reads back bit for bit.

`schema.py` lists the fields; data/human50.toml is an example to start from.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np

from reenact.body.body import Axis, Body, Segment, Shape
from reenact.body.check import check_distinct, check_parents, depth_first
from reenact.body.mirror import other_side, right_of
from reenact.body.place import line_of
from reenact.body.schema import UPRIGHT, AxisFile, BodyFile, SegmentFile, ShapeFile, explain
from reenact.body.solid import capsule, reflect_point
from reenact.errors import BodyError
from reenact.geometry.rotation import Array


def parse_body(text: str, path: Path | str | None = None) -> Body:
    """The body that a TOML text describes; `path` is where it came from, for the message of an error."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column \d+\)", str(error))
        cause = f"is not TOML: {re.sub(r' ?[(]at .*[)]', '', str(error))}"
        raise BodyError(cause, path=path, line=int(place[1]) if place else None) from None
    try:
        return _build(msgspec.convert(raw, BodyFile))
    except msgspec.ValidationError as error:
        cause = explain(str(error), raw)
        raise BodyError(cause, path=path, line=line_of(text, cause)) from None
    except BodyError as error:
        raise BodyError(error.cause, path=path, line=line_of(text, error.cause)) from None


def dump_body(body: Body) -> str:
    """TOML text of a body, every number with all its digits."""
    lines = [
        f"name = {_text(body.name)}",
        f"stature = {body.stature!r}",
        f"end_effectors = [{', '.join(map(_text, body.end_effectors))}]",
        f"mirror = [{', '.join(f'[{_text(a)}, {_text(b)}]' for a, b in body.mirror)}]",
        "",
        "[landmarks]",
    ]
    for name, (segment, point) in body.landmarks.items():
        lines.append(f"{_key(name)} = {{ segment = {_text(segment)}, position = {_numbers(point)} }}")
    for s in body.segments:
        lines += ["", *_dump_segment(s)]
    return "\n".join(lines) + "\n"


def _dump_segment(s: Segment) -> Iterable[str]:
    yield "[[segment]]"
    yield f"name = {_text(s.name)}"
    if s.parent is not None:
        yield f"parent = {_text(s.parent)}"
    yield f"joint = {_text(s.joint)}"
    yield f"part = {_text(s.part)}"
    yield f"offset = {_numbers(s.offset)}"
    yield f"mass = {float(s.mass)!r}"
    yield f"com = {_numbers(s.com)}"
    yield f"inertia = {_numbers(s.inertia)}"
    yield f"inertia_orientation = {_numbers(s.inertia_orientation)}"
    for a in s.axes:
        yield "[[segment.axis]]"
        yield f"name = {_text(a.name)}"
        yield f"direction = {_numbers(a.direction)}"
        yield f"range = {_numbers(a.range)}"
        for field in ("torque_limit", "stiffness", "damping", "window", "contact_scale"):
            yield f"{field} = {float(getattr(a, field))!r}"
    for g in s.shapes:
        yield "[[segment.shape]]"
        yield f"name = {_text(g.name)}"
        yield f"kind = {_text(g.kind)}"
        yield f"position = {_numbers(g.position)}"
        yield f"orientation = {_numbers(g.orientation)}"
        yield f"size = {_numbers(g.size)}"


def _build(file: BodyFile) -> Body:
    where = f"body '{file.name}'"
    written = [_segment(s) for s in file.segment]
    segments, pairs = [], [*file.mirror]
    for s, read in zip(file.segment, written, strict=True):
        segments.append(read)
        if s.mirrored:
            if not s.name.endswith("_left"):
                raise BodyError(f"{where}: segment '{s.name}': mirrored is true, expected a name that ends in '_left'")
            segments.append(right_of(read))
            pairs.append((s.name, other_side(s.name)))
    names, parents = [s.name for s in segments], [s.parent for s in segments]
    check_distinct(where, "segment", names)
    check_parents(where, names, parents)
    by_name = {s.name: s for s in segments}
    return Body(
        name=file.name,
        segments=tuple(by_name[name] for name in depth_first(names, parents)),
        stature=file.stature,
        mirror=tuple(pairs),
        landmarks=_landmarks(file),
        end_effectors=tuple(file.end_effectors),
    )


def _segment(s: SegmentFile) -> Segment:
    return Segment(
        name=s.name,
        parent=s.parent,
        joint=s.joint,
        offset=_array(s.offset),
        mass=s.mass,
        com=_array(s.com),
        inertia=_array(s.inertia),
        inertia_orientation=_array(s.inertia_orientation),
        axes=tuple(_axis(a) for a in s.axis),
        shapes=tuple(_shape(s.name, g) for g in s.shape),
        part=s.part,
    )


def _axis(a: AxisFile) -> Axis:
    return Axis(
        name=a.name,
        direction=_array(a.direction),
        range=a.range,
        torque_limit=a.torque_limit,
        stiffness=a.stiffness,
        damping=a.damping,
        window=a.window,
        contact_scale=a.contact_scale,
    )


def _shape(segment: str, g: ShapeFile) -> Shape:
    where = f"segment '{segment}': shape '{g.name}'"
    if g.ends is None:
        if g.position is None:
            raise BodyError(f"{where}: position is missing, expected three numbers")
        turn = UPRIGHT if g.orientation is None else g.orientation
        return Shape(
            name=g.name, kind=g.kind, position=_array(g.position), orientation=_array(turn), size=_array(g.size)
        )
    if g.kind != "capsule" or g.position is not None or g.orientation is not None:
        raise BodyError(f"{where}: ends are given, expected a capsule without position and orientation")
    if [len(end) for end in g.ends] != [3, 3] or len(g.size) != 1:
        raise BodyError(f"{where}: ends are {g.ends} and size {g.size}, expected two points and one radius")
    return capsule(g.name, g.ends[0], g.ends[1], g.size[0])


def _landmarks(file: BodyFile) -> dict[str, tuple[str, Array]]:
    mirrored = {s.name for s in file.segment if s.mirrored}
    points = {}
    for name, mark in file.landmarks.items():
        points[name] = (mark.segment, _array(mark.position))
        twin = other_side(name)
        if mark.segment in mirrored and twin != name and twin not in file.landmarks and len(mark.position) == 3:
            points[twin] = (other_side(mark.segment), reflect_point(mark.position))
    return points


def _array(values: Iterable[float]) -> Array:
    return np.array(list(values), dtype=np.float64)


def _numbers(values: Iterable[float]) -> str:
    return f"[{', '.join(repr(float(v)) for v in values)}]"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)
