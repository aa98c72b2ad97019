"""Fields of a body file, and words for a file that has other ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from reenact.body.body import PartKind, ShapeKind

UPRIGHT = [1.0, 0.0, 0.0, 0.0]


class ShapeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shape as written; a capsule may give the centres of its `ends` and size = [radius] instead of a pose."""

    name: str
    kind: ShapeKind
    size: list[float]
    position: list[float] | None = None
    orientation: list[float] | None = None
    ends: list[list[float]] | None = None


class AxisFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hinge as written."""

    name: str
    direction: list[float]
    range: tuple[float, float]
    torque_limit: float
    stiffness: float
    damping: float
    window: float = 0.0
    contact_scale: float = 1.0


class SegmentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A segment as written; `mirrored` adds the right twin of a segment named …_left."""

    name: str
    joint: str
    part: PartKind
    offset: list[float]
    mass: float
    com: list[float]
    inertia: list[float]
    parent: str | None = None
    inertia_orientation: list[float] = msgspec.field(default_factory=lambda: list(UPRIGHT))
    mirrored: bool = False
    axis: list[AxisFile] = []
    shape: list[ShapeFile] = []


class LandmarkFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named point on a segment."""

    segment: str
    position: list[float]


class BodyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    name: str
    stature: float
    segment: list[SegmentFile]
    mirror: list[tuple[str, str]] = []
    end_effectors: list[str] = []
    landmarks: dict[str, LandmarkFile] = {}


_TABLES: dict[str, type[msgspec.Struct]] = {
    "segment": SegmentFile,
    "axis": AxisFile,
    "shape": ShapeFile,
    "landmarks": LandmarkFile,
}
_CHOICES = {"part": get_args(PartKind), "kind": get_args(ShapeKind)}


def explain(message: str, raw: Mapping[str, Any]) -> str:
    """msgspec's message in one line: names instead of "$.segment[3].axis[0]", what stands there and what may.

    `raw` is the decoded TOML that the message speaks of.
    """
    cause, _, place = message.partition(" - at ")
    where, table, field, value = _walk(place.strip("`").removeprefix("$"), raw)
    if named := re.search(r"unknown field `(.*)`", cause):
        known = ", ".join(table.__struct_fields__)
        return ": ".join([*where, f"unknown field '{named[1]}', expected one of: {known}"])
    if named := re.search(r"missing required field `(.*)`", cause):
        return ": ".join([*where, f"field '{named[1]}' is missing"])
    if field in _CHOICES and "enum" in cause:
        cause = f"expected one of: {', '.join(_CHOICES[field])}"
    got = f"{field} is {value!r}, " if field else ""
    return ": ".join([*where, got + cause[:1].lower() + cause[1:].replace("`", "")])


def _walk(place: str, raw: Mapping[str, Any]) -> tuple[list[str], type[msgspec.Struct], str, object]:
    """Follow ".segment[3].axis[0].range" into the file: names of the tables, the last one's type, field and value."""
    where = [f"body '{raw['name']}'"] if isinstance(raw.get("name"), str) else []
    table: type[msgspec.Struct] = BodyFile
    field = ""
    value: Any = raw
    for key, index in re.findall(r"\.(\w+)|\[(\d+|\.\.\.)\]", place):
        if index == "...":  # a value of a table with free keys; msgspec does not say which
            return [*where, field], _TABLES.get(field, table), "", None
        value = value[key or int(index)]
        if key:
            field = key
        elif field in _TABLES and isinstance(value, dict):
            table = _TABLES[field]
            name = value.get("name")
            where.append(f"{field} '{name}'" if isinstance(name, str) else f"{field} number {int(index) + 1}")
            field = ""
    return where, table, field, value
